"""The second half of the demo: the same corpus with target trees, and what they change."""

from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from headway.corpus import read_lines, write_lines
from headway.evaluate import Evaluation, evaluate
from headway.printing import prints_briefly
from headway.run import Run
from headway.settings import Settings
from headway.systems import Trained, Translation, Translator, train
from headway.systems.pipeline import Watch
from headway.systems.searches import STATEFUL
from headway.trees import Sentence, draw, read_sentences

# A demo is to be over soon: few rounds, on part of the dev set, and rules that are not too long.
ROUNDS = 4
DEV = 200
LIMITS = {"source_symbols": 5, "initial_length": 8}

# Preferred length of the sentence to show, in words.
SHOWN = range(7, 15)


# What a derivation is worth for its tree.
OF_TREES = [name for feature in STATEFUL if feature.trees for name in feature.families]


@prints_briefly
@dataclass(frozen=True)
class TreeExample:
    """A sentence as both systems translate it."""

    reference: Sentence
    plain: Translation
    translation: Translation
    blind: Translation | None = None
    """By the system with trees where they weigh nothing: the same rules, with slots and all."""

    @property
    def telling(self) -> bool:
        """Whether it is right with trees, all in one of them, and wrong without."""
        whole = None not in (self.translation.heads or (None,))
        return whole and self._right(self.translation) and not self._right(self.plain)

    @property
    def by_trees(self) -> bool:
        """Whether it is the weights of trees that make it right."""
        return self.telling and self.blind is not None and not self._right(self.blind)

    def _right(self, found: Translation) -> bool:
        words = [form.lower() for form in self.reference.forms]
        return [word.lower() for word in found.words] == words

    def text(self, width: int) -> str:
        """The tree that search built, for a terminal."""
        return draw(self.translation.sentence().tree(), width)


@prints_briefly
@dataclass(frozen=True)
class TreeReport:
    """The system with trees, compared with the one without."""

    trained: Trained
    evaluation: Evaluation
    example: TreeExample | None
    """None where the system with trees is never right alone."""


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
    example = _example(trained, lines, examples, settings, watch)
    return TreeReport(trained, evaluation, example)


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
        warn_idle=False,  # the other system may have a use for it
        watch=watch,
    )


def _example(
    trained: Trained,
    lines: list[str],
    examples: list[TreeExample],
    settings: Settings,
    watch: Watch,
) -> TreeExample | None:
    """One that its tree makes right; else one that only the system with trees gets right."""
    places = [place for place, one in enumerate(examples) if one.telling]
    weights = {name: 0.0 for name in OF_TREES if name in trained.bundle.manifest.weights}
    with watch("translating with trees of no weight") as progress:
        found = Translator(trained.bundle, weights=weights).translate(
            [lines[place] for place in places], threads=settings.run.threads, progress=progress
        )
    telling = [
        replace(examples[place], blind=blind) for place, blind in zip(places, found, strict=True)
    ]
    return _longest([one for one in telling if one.by_trees] or telling)


def _longest(examples: list[TreeExample]) -> TreeExample | None:
    """Of fitting length, if there is one."""
    shown = [one for one in examples if len(one.reference) in SHOWN]
    return max(shown or examples, key=lambda one: len(one.reference), default=None)
