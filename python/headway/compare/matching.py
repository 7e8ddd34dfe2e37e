"""Trees of a file for the lines of a text."""

import logging
from collections.abc import Iterator, Sequence
from pathlib import Path

from headway.systems.known_trees import KnownTrees
from headway.trees import Sentence

_log = logging.getLogger(__name__)


def any_trees(path: Path, heads: str | None = None) -> KnownTrees:
    """What a file says about its sentences, which need not be trees in the strict sense."""
    return KnownTrees(path, cyclic=True, headless=True, heads=heads)


def trees_of_lines(
    path: Path,
    lines: Sequence[list[str]],
    text: Path,
    *,
    whole: bool,
    heads: str | None = None,
) -> Iterator[Sentence]:
    """A sentence for each line of a text, words without heads where the file has no tree.

    With `whole` it is a warning that a line has none.
    """
    known = any_trees(path, heads)
    yield from known.trees_of(lines, f"line of {text}")
    if whole:
        known.report()
    if known.missing.count and whole:
        _warn(path, known, text)


def _warn(path: Path, known: KnownTrees, text: Path) -> None:
    """Names a line of the file too where it has as many sentences as the text has lines."""
    missing, begins = known.missing, known.lines
    aligned = known.asked == len(begins)
    place = f"{path}:{begins[missing.number - 1]}" if aligned else str(path)
    where = f"the first is {text}:{missing.number}, {missing.words!r}"
    count = missing.count
    lines = "1 line, which counts" if count == 1 else f"{count:,} lines, which count"
    _log.warning("%s: no tree with the words of %s as missing; %s", place, lines, where)
