"""What a training notes about itself beside its files, for people and for `headway report`.

`training.json` of the work directory says what was trained from what, and how long each step took
when it last ran. Nothing reads it to translate or to train.
"""

from pathlib import Path
from typing import Any

import msgspec

from headway.documents import read_json
from headway.errors import InputError
from headway.files import write_text
from headway.systems.corpus import Corpus

JOURNAL = "training.json"


class Step(msgspec.Struct, frozen=True):
    """A step that ran."""

    seconds: float
    memory: int | None
    """The most memory of the process meanwhile, in bytes, where that is known."""


class Journal(msgspec.Struct):
    """All that is noted."""

    system: str = ""
    bundle: str = ""
    source: list[str] = []
    target: list[str] = []
    dev_source: str = ""
    dev_target: list[str] = []
    dev_source_trees: str = ""
    start_weights: dict[str, float] = {}
    """Before tuning."""
    overlap: str = ""
    """What the dev set shares with the training text, if anything."""
    steps: dict[str, Step] = {}


def read_journal(directory: Path) -> Journal:
    """What is known of a work directory; nothing of one of an earlier headway."""
    try:
        return read_json(directory / JOURNAL, Journal)
    except (InputError, ValueError):
        return Journal()


def note_step(directory: Path, name: str, step: Step) -> None:
    """Adds a step that ran."""
    journal = read_journal(directory)
    journal.steps[name] = step
    _write(directory, journal)


def note_training(directory: Path, corpus: Corpus, **found: Any) -> None:
    """Adds what is known at the end of a training."""

    def named(path: Path | None) -> str:
        return "" if path is None else str(path.resolve())

    _write(
        directory,
        msgspec.structs.replace(
            read_journal(directory),
            source=[named(side[0]) for side in corpus.sides],
            target=[named(side[1]) for side in corpus.sides],
            dev_source=named(corpus.dev_source),
            dev_target=[named(path) for path in corpus.dev_targets],
            dev_source_trees=named(corpus.dev_source_trees),
            **found,
        ),
    )


def _write(directory: Path, journal: Journal) -> None:
    text = msgspec.json.format(msgspec.json.encode(journal)).decode()
    write_text(directory / JOURNAL, f"{text}\n")
