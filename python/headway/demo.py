"""The main job on the built-in corpus, from nothing to something worth looking at.

Every step is an ordinary function of the package; the run directory makes them resumable.
"""

from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

from headway import fragment
from headway.corpus import read_lines, write_lines
from headway.demo_trees import TreeReport, compare_trees
from headway.files import write_text
from headway.printing import prints_briefly
from headway.report import TestSet, write_report
from headway.run import Outputs, Run
from headway.settings import Settings
from headway.systems import Bleu, Trained, Translation, Translator, bleu, train
from headway.systems.pipeline import Watch
from headway.trees import Sentence, draw, draw_pair, draw_pair_svg, draw_svg, read_sentences

# Sizes that two cores finish in well under a minute.
PAIRS = 20_000
HELD_OUT = 1000

# The pair to show is long enough to have a tree and short enough for a terminal.
SHOWN = range(9, 14)


@prints_briefly
@dataclass(frozen=True)
class Example:
    """A sentence of the test set with its gold tree, and how it was translated."""

    source: Sentence
    reference: Sentence
    translation: Translation

    @property
    def right(self) -> bool:
        """Whether the translation is the reference, so that the reference's tree is its own."""
        found, words = self.translation, [form.lower() for form in self.reference.forms]
        return len(found.source) == len(self.source) and [w.lower() for w in found.words] == words

    @property
    def moved(self) -> float:
        """How far phrases stand from their order in the source."""
        return -self.translation.features["distortion"]

    def text(self, width: int) -> str:
        """Both trees and the links between them, for a terminal; the source's if it is wrong."""
        tree, links = self.source.tree(), list(self.translation.alignment)
        if not self.right:
            return draw(tree, width)
        return draw_pair(tree, self.reference.tree(), links, width)

    def svg(self) -> str:
        """The same as a picture."""
        tree, links = self.source.tree(), list(self.translation.alignment)
        return draw_pair_svg(tree, self.reference.tree(), links) if self.right else draw_svg(tree)


@prints_briefly
@dataclass(frozen=True)
class Report:
    """What the demo made, and how good it is on sentences never seen."""

    directory: Path
    trained: Trained
    test: Bleu
    sentences: int
    example: Example
    picture: Path
    trees: TreeReport
    page: Path
    """The report on the system with trees, an HTML file."""


def run_demo(
    directory: str | Path,
    *,
    pairs: int = PAIRS,
    settings: Settings | None = None,
    watch: Watch = lambda _: nullcontext(),
) -> Report:
    """Generates a corpus, trains systems on it, translates its test set, picks what to show.

    What is already in `directory`, made by the same version with the same settings, is kept.
    """
    chosen = settings or Settings.load()
    place = Path(directory)
    with Run(place) as run:
        _generate(run, pairs, chosen, watch)
        trained = _train(place, chosen, watch)
        translations = _translate(run, trained, chosen, watch)
        example, picture = _example(run, translations), run / "example.svg"
        write_text(picture, example.svg())
        references = list(read_lines(run / "fragment" / "test.en"))
        score = bleu([t.text for t in translations], [references], language="en")
        trees = compare_trees(run, translations, chosen, watch)
        page = _report(run, trees, references, chosen, watch)
        return Report(place, trained, score, len(translations), example, picture, trees, page)


def _report(
    run: Run, trees: TreeReport, references: list[str], settings: Settings, watch: Watch
) -> Path:
    """A page about the system with trees, compared with the one without."""
    named = [system.name for system in trees.evaluation.systems]
    outputs = dict(zip(named, trees.evaluation.hypotheses, strict=True))
    return write_report(
        trees.trained.bundle.directory,
        run / "report.html",
        tests=[TestSet("test set", references, outputs)],
        threads=settings.run.threads,
        watch=watch,
    )


def _generate(run: Run, pairs: int, settings: Settings, watch: Watch) -> None:
    seed, difficulty = settings.run.seed, settings.fragment.difficulty

    def make(outputs: Outputs) -> None:
        with watch("generating sentences") as progress:
            fragment.write(
                outputs["fragment"],
                pairs=pairs,
                dev=HELD_OUT,
                test=HELD_OUT,
                seed=seed,
                difficulty=difficulty,
                threads=settings.run.threads,
                progress=progress,
            )

    sizes = {"pairs": pairs, "held_out": HELD_OUT, "seed": seed, "difficulty": difficulty}
    run.step("fragment", make, settings=sizes, outputs=["fragment"])


def _train(place: Path, settings: Settings, watch: Watch) -> Trained:
    corpus = place / "fragment"
    return train(
        "phrase",
        corpus / "train.de",
        corpus / "train.en",
        place / "model",
        dev_source=corpus / "dev.de",
        dev_target=corpus / "dev.en",
        settings=settings,
        warn_idle=False,  # the other system may have a use for it
        watch=watch,
    )


def _translate(run: Run, trained: Trained, settings: Settings, watch: Watch) -> list[Translation]:
    lines = list(read_lines(run / "fragment" / "test.de"))
    translator = Translator(trained.bundle)
    with watch("translating") as progress:
        found = translator.translate(lines, threads=settings.run.threads, progress=progress)
    write_lines(run / "test.out", (translation.text for translation in found))
    return found


def _example(run: Run, translations: list[Translation]) -> Example:
    """A translation that is right although its words had to move far, if there is one."""
    corpus = run / "fragment"
    triples = zip(
        read_sentences(corpus / "test.de.conllu"),
        read_sentences(corpus / "test.en.conllu"),
        translations,
        strict=True,
    )
    examples = [Example(*triple) for triple in triples]
    good = [example for example in examples if example.right and len(example.source) in SHOWN]
    return max(good or examples, key=lambda example: example.moved)
