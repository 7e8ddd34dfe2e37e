"""The main job on the built-in corpus, from nothing to something worth looking at.

Every step is an ordinary function of the package; the run directory makes them resumable.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from math import log
from pathlib import Path

from headway import align, fragment, lm
from headway.align import AlignmentScores, Bitext
from headway.corpus import Alignment, read_alignments, read_lines, write_alignments
from headway.files import write_text
from headway.progress import Progress
from headway.run import Outputs, Run
from headway.trees import Sentence, draw_pair, draw_pair_svg, read_sentences

# Sizes that two cores finish in well under two minutes.
PAIRS = 10_000
HELD_OUT = 500

# The pair to show is long enough to have a tree and short enough for a terminal.
SHOWN = range(9, 13)

Watch = Callable[[str], AbstractContextManager[Progress | None]]


@dataclass(frozen=True)
class Example:
    """A sentence pair of the test set with gold trees and the alignment that was found."""

    source: Sentence
    target: Sentence
    alignment: Alignment

    def text(self, width: int) -> str:
        """Both trees and the links between them, for a terminal."""
        return draw_pair(self.source.tree(), self.target.tree(), self.alignment.links, width)

    def svg(self) -> str:
        """The same as a picture."""
        return draw_pair_svg(self.source.tree(), self.target.tree(), self.alignment.links)


@dataclass(frozen=True)
class Report:
    """What the demo made, and how good it is on the test set."""

    directory: Path
    alignment: AlignmentScores
    perplexity: float
    """Of the English test text, by the 3-gram model."""
    tree_perplexity: float
    """Of the words of the English test trees, by the dependency model."""
    example: Example
    picture: Path


def run_demo(
    directory: str | Path,
    *,
    seed: int = 1,
    threads: int = 0,
    watch: Watch = lambda _: nullcontext(),
) -> Report:
    """Generates the corpus, aligns it, trains language models, and picks a pair to show.

    What is already in `directory`, made by the same version from the same seed, is kept.
    """
    with Run(directory) as run:
        _generate(run, seed, threads, watch)
        _align(run, seed, threads, watch)
        _train_language_models(run, threads, watch)
        example, picture = _example(run), run / "example.svg"
        write_text(picture, example.svg())
        return Report(
            run.directory,
            align.score(
                list(read_alignments(run / "found.align")),
                read_alignments(run / "fragment" / "test.align"),
            ),
            _perplexity(run),
            _tree_perplexity(run),
            example,
            picture,
        )


def _generate(run: Run, seed: int, threads: int, watch: Watch) -> None:
    sizes = {"pairs": PAIRS, "dev": HELD_OUT, "test": HELD_OUT, "seed": seed}

    def make(outputs: Outputs) -> None:
        with watch("generating sentences") as progress:
            fragment.write(outputs["fragment"], **sizes, threads=threads, progress=progress)

    run.step("fragment", make, settings=sizes, outputs=["fragment"])


def _align(run: Run, seed: int, threads: int, watch: Watch) -> None:
    corpus = run / "fragment"

    def make(outputs: Outputs) -> None:
        bitext = Bitext.read(corpus / "train.tok.de", corpus / "train.tok.en")
        with watch("aligning words") as progress:
            aligner = align.train(bitext, seed=seed, threads=threads, progress=progress)
        aligner.save(outputs["aligner"])
        # Pairs that training has not seen: what was learnt, not what was memorised.
        unseen = Bitext.read(corpus / "test.tok.de", corpus / "test.tok.en")
        write_alignments(outputs["found.align"], aligner.align(unseen, threads=threads))

    outputs = ["aligner", "found.align"]
    run.step("align", make, inputs=[corpus], settings={"seed": seed}, outputs=outputs)


def _train_language_models(run: Run, threads: int, watch: Watch) -> None:
    text, trees = (run / "fragment" / f"train.{kind}" for kind in ("tok.en", "en.conllu"))

    def of_words(outputs: Outputs) -> None:
        with watch("training a language model") as progress:
            lm.train(text, outputs["lm.bin"], order=3, threads=threads, progress=progress)

    def of_trees(outputs: Outputs) -> None:
        with watch("training a dependency language model") as progress:
            lm.train_dependency(trees, outputs["deplm"], threads=threads, progress=progress)

    run.step("lm", of_words, inputs=[text], outputs=["lm.bin"])
    run.step("deplm", of_trees, inputs=[trees], outputs=["deplm"])


def _perplexity(run: Run) -> float:
    model = lm.LanguageModel.load(run / "lm.bin")
    return model.evaluate(list(read_lines(run / "fragment" / "test.tok.en"))).perplexity


def _tree_perplexity(run: Run) -> float:
    model = lm.DependencyModel.load(run / "deplm", stop=True)
    scores = model.score_file(run / "fragment" / "test.en.conllu")
    total, words = (sum(column) for column in zip(*scores, strict=True))
    return float(2 ** (-total / words / log(2)))


def _example(run: Run) -> Example:
    """The first pair of a good length with a non-projective tree, or the first of all."""
    corpus = run / "fragment"
    triples = zip(
        read_sentences(corpus / "test.de.conllu"),
        read_sentences(corpus / "test.en.conllu"),
        read_alignments(run / "found.align"),
        strict=True,
    )
    examples = [Example(*triple) for triple in triples]
    good = (e for e in examples if len(e.source) in SHOWN and not e.source.tree().is_projective)
    return next(good, examples[0])
