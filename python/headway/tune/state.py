"""What a tuning leaves on disk after each iteration, so that it can go on from there.

The directory holds `tuning.json` (what was asked for and what each iteration found) and the n-best
lists of each iteration. It is used again only by a tuning that asks for the same.
"""

from pathlib import Path
from typing import Any

import msgspec

from headway.documents import read_json
from headway.errors import ConfigError, InputError
from headway.files import make_directory, write_text

_FILE = "tuning.json"


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One iteration as it is kept."""

    weights: list[float]
    score: float
    length: float
    new: int
    known: int
    seconds: float
    next: list[float] | None = None
    """What optimisation found; None where it came to an end."""
    note: str = ""
    expected: float | None = None
    search: dict[str, int] = {}
    """Search settings it was decoded with, where they differ from those at the start."""


class Progressed(msgspec.Struct, forbid_unknown_fields=True):
    """All that was done so far."""

    asked: dict[str, Any]
    steps: list[Step] = []
    trials: list[tuple[int, float, float, bool]] | None = None


class State:
    """The directory of one tuning, or nothing if it is not to be kept."""

    def __init__(self, directory: Path | None, asked: dict[str, Any]) -> None:
        self.directory = directory
        plain = msgspec.json.decode(msgspec.json.encode(asked))
        self.done = Progressed(plain)
        if directory is None:
            return
        make_directory(directory)
        known = _read(directory / _FILE)
        if known is not None and known.asked == plain:
            self.done = known

    def lists(self, iteration: int) -> Path | None:
        """Where the n-best lists of an iteration are."""
        if self.directory is None:
            return None
        return self.directory / f"iteration-{iteration}.zst"

    def save(self) -> None:
        """Writes what is known, all or nothing."""
        if self.directory is not None:
            text = msgspec.json.format(msgspec.json.encode(self.done)).decode()
            write_text(self.directory / _FILE, text + "\n")


def _read(path: Path) -> Progressed | None:
    if not path.exists():
        return None
    try:
        return read_json(path, Progressed)
    except (InputError, ValueError):
        message = f"{path}: not what a tuning wrote; remove {path.parent} to tune anew"
        raise ConfigError(message) from None
