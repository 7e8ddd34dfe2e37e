"""Systems on the trees of each source: trained once, tuned with each seed, scored.

Everything stays in one run directory: a bundle for each row of the table, and for each seed the
translations of the dev set and the test set. What trainings share, such as alignments and language
models, stays in the work directory that all of them have.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from headway.compare.scores import How, Scores, read_scores, write_scores
from headway.compare.seeds import OUTPUTS, PARTS, tune_copy
from headway.compare.text import Prepared
from headway.errors import FormatError
from headway.files import MANIFEST
from headway.printing import prints_briefly
from headway.run import Outputs, Run
from headway.settings import Settings
from headway.systems import Bundle, train
from headway.systems.pipeline import Watch
from headway.table import RuleTable


@prints_briefly
@dataclass(frozen=True)
class Texts:
    """What systems are trained, tuned and tested on."""

    source: Path
    target: Path
    dev_source: Path
    dev_target: tuple[Path, ...]
    test_source: Path
    test_target: tuple[Path, ...]
    monolingual: tuple[Path, ...] = ()

    @property
    def files(self) -> list[Path]:
        """All of them."""
        training = [self.source, self.target, *self.monolingual]
        dev = [self.dev_source, *self.dev_target]
        return [*training, *dev, self.test_source, *self.test_target]

    @property
    def references(self) -> dict[str, tuple[Path, ...]]:
        """Of the dev set and the test set."""
        return {"dev": self.dev_target, "test": self.test_target}


@dataclass(frozen=True)
class Rules:
    """The rules of a system by their kind."""

    phrases: int
    """Rules without slots."""
    hierarchical: int
    """Rules with slots."""


@dataclass(frozen=True)
class Row:
    """A system of the table and the trees that it is trained on, if any."""

    name: str
    system: str
    trees: Path | None = None


class Trainings:
    """Trains, tunes and scores the rows of a table; each step is done once."""

    def __init__(self, run: Run, work: Path, texts: Texts, how: Prepared) -> None:
        self._run, self._work, self._texts, self._how = run, work, texts, how
        self._settings = how.settings
        self._pretokenised = not how.preprocessing.tokenise

    def train(self, row: Row) -> Rules:
        """Makes the untuned bundle of a row."""
        texts, trees = self._texts, [] if row.trees is None else [row.trees]
        languages = self._how.languages

        def make(outputs: Outputs) -> None:
            with _named(row):
                begin(outputs)

        def begin(outputs: Outputs) -> None:
            train(
                row.system,
                texts.source,
                texts.target,
                outputs[_bundle(row)],
                monolingual=texts.monolingual,
                target_trees=row.trees,
                languages=(languages.source, languages.target),
                pretokenised=self._pretokenised,
                settings=self._settings,
                work=self._work,
                tune=False,
                force=True,
                warn_idle=False,  # another row may have a use for it
                watch=self._watched(row.name),
            )

        self._run.step(
            f"{row.name}-train",
            make,
            inputs=[texts.source, texts.target, *texts.monolingual, *trees],
            settings={
                "system": row.system,
                "settings": _of_training(self._settings),
                "languages": [languages.source, languages.target],
                "pretokenised": self._pretokenised,
            },
            outputs=[_bundle(row)],
        )
        bundle = Bundle.open(self._run / _bundle(row), verify=False)
        facts = RuleTable.open(bundle.path("rules")).facts
        return Rules(facts.rules - facts.with_slots, facts.with_slots)

    def tune(self, row: Row, seed: int) -> None:
        """Tunes a copy of a row's bundle with a seed, and translates with it."""
        texts, bundle = self._texts, self._run / _bundle(row)
        run = msgspec.structs.replace(self._settings.run, seed=seed)
        settings = msgspec.structs.replace(self._settings, run=run)

        def make(outputs: Outputs) -> None:
            tune_copy(
                bundle,
                self._run / f"{row.name}.{seed}.tuned",
                {ending: outputs[_output(row, seed, ending)] for ending in OUTPUTS},
                (texts.dev_source, texts.dev_target),
                texts.test_source,
                settings,
                watch=self._watched(f"{row.name}, seed {seed}"),
            )

        self._run.step(
            f"{row.name}-tune-{seed}",
            make,
            # The manifest has the checksums of all components.
            inputs=[bundle / MANIFEST, texts.dev_source, *texts.dev_target, texts.test_source],
            settings={"tune": settings.tune, "seed": seed},
            outputs=[_output(row, seed, ending) for ending in OUTPUTS],
        )

    def score(self, rows: Sequence[Row], seed: int, *, lowercase: bool) -> Scores:
        """Scores all rows as they were tuned with a seed."""
        texts, output = self._texts, f"scores-{seed}.json"
        files = {
            part: {row.name: self._run / _output(row, seed, part) for row in rows} for part in PARTS
        }
        language, threads = self._how.languages.target, self._settings.run.threads
        how = How(language, self._pretokenised, lowercase, self._settings.run.seed, threads)

        def make(outputs: Outputs) -> None:
            with self._how.watch(f"scoring seed {seed}"):
                write_scores(outputs[output], files, texts.references, how)

        asked: Mapping[str, Any] = {
            "rows": [row.name for row in rows],
            "how": [how.language, how.tokenised, how.lowercase, how.seed, how.samples],
        }
        self._run.step(
            f"scores-{seed}",
            make,
            inputs=[
                *(path for named in files.values() for path in named.values()),
                *(path for paths in texts.references.values() for path in paths),
            ],
            settings=asked,
            outputs=[output],
        )
        return read_scores(self._run / output)

    def _watched(self, name: str) -> Watch:
        return lambda label: self._how.watch(f"{name}: {label}")


@contextmanager
def _named(row: Row) -> Iterator[None]:
    """Errors about the trees of a row name the option that they came by."""
    try:
        yield
    except FormatError as error:
        if row.trees is None or error.path != row.trees:
            raise
        message = str(error).replace(str(row.trees), f"--trees {row.name}")
        raise FormatError(message, row.trees) from None


def _bundle(row: Row) -> str:
    return f"{row.name}.model"


def _output(row: Row, seed: int, ending: str) -> str:
    return f"{row.name}.{seed}.{ending}"


def _of_training(settings: Settings) -> dict[str, Any]:
    """All settings but those that decide nothing before tuning."""
    table = settings.table()
    del table["tune"], table["run"]["threads"]
    return {**table, "named": sorted(settings.named)}
