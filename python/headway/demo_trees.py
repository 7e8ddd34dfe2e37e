"""The second half of the demo: the same corpus with target trees, and what they change."""

from dataclasses import dataclass
from pathlib import Path

import msgspec

from headway.corpus import read_lines, write_lines
from headway.evaluate import Evaluation, evaluate
from headway.run import Run
from headway.settings import Settings
from headway.systems import Trained, Translation, Translator, train
from headway.systems.pipeline import Watch
from headway.trees import Sentence, draw, read_sentences

# A demo is to be over soon: few rounds, on part of the dev set, and rules that are not too long.
ROUNDS = 4
DEV = 200
LIMITS = {"source_symbols": 5, "initial_length": 8}

# The sentence to show has about so many words.
SHOWN = range(7, 15)


@dataclass(frozen=True)
class TreeExample:
    """A sentence that is right with trees and wrong without."""

    reference: Sentence
    plain: Translation
    translation: Translation

    def text(self, width: int) -> str:
        """The tree that search built, for a terminal."""
        return draw(self.translation.sentence().tree(), width)


@dataclass(frozen=True)
class TreeReport:
    """The system with trees, compared with the one without."""

    trained: Trained
    evaluation: Evaluation
    example: TreeExample | None
    """None where trees never made the difference."""


def compare_trees(
    run: Run, plain: list[Translation], settings: Settings, watch: Watch
) -> TreeReport:
    """Trains `str2dep` on the fragment with its gold trees, and compares it with `plain`."""
    corpus = run / "fragment"
    trained = _train(run, corpus, settings, watch)
    lines = list(read_lines(corpus / "test.de"))
    with watch("translating with trees") as progress:
        found = Translator(trained.bundle).translate(
            lines, threads=settings.run.threads, progress=progress
        )
    write_lines(run / "test.trees.out", (translation.text for translation in found))
    named = {"phrase": plain, "str2dep": found}
    evaluation = evaluate(
        {name: [one.text for one in answers] for name, answers in named.items()},
        [list(read_lines(corpus / "test.en"))],
        metrics=["bleu", "ter"],
        threads=settings.run.threads,
    )
    references = read_sentences(corpus / "test.en.conllu")
    examples = [TreeExample(*three) for three in zip(references, plain, found, strict=True)]
    return TreeReport(trained, evaluation, _telling(examples))


def _train(run: Run, corpus: Path, settings: Settings, watch: Watch) -> Trained:
    for side in ("de", "en"):
        lines = list(read_lines(corpus / f"dev.{side}"))
        write_lines(run / f"dev.some.{side}", lines[:DEV])
    tuning = msgspec.structs.replace(
        settings.tune, iterations=min(settings.tune.iterations, ROUNDS)
    )
    rules = msgspec.structs.replace(settings.extract.str2dep, **LIMITS)
    extract = msgspec.structs.replace(settings.extract, str2dep=rules)
    return train(
        "str2dep",
        corpus / "train.de",
        corpus / "train.en",
        run / "model-trees",
        dev_source=run / "dev.some.de",
        dev_target=run / "dev.some.en",
        target_trees=corpus / "train.en.conllu",
        settings=msgspec.structs.replace(settings, tune=tuning, extract=extract),
        watch=watch,
    )


def _telling(examples: list[TreeExample]) -> TreeExample | None:
    """The longest of fitting length that is right with trees, all in one, and wrong without."""

    def right(example: TreeExample, found: Translation) -> bool:
        words = [form.lower() for form in example.reference.forms]
        return [word.lower() for word in found.words] == words

    telling = [
        one
        for one in examples
        if right(one, one.translation) and not right(one, one.plain)
        and None not in (one.translation.heads or (None,))
    ]  # fmt: skip
    shown = [one for one in telling if len(one.reference) in SHOWN]
    return max(shown or telling, key=lambda one: len(one.reference), default=None)
