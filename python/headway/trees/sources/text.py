"""Words of trees compared with the text that was parsed."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from headway.corpus import read_lines
from headway.errors import FormatError
from headway.trees.sources.graph import flaw

_ESCAPES = {
    "-LRB-": "(",
    "-RRB-": ")",
    "-LSB-": "[",
    "-RSB-": "]",
    "-LCB-": "{",
    "-RCB-": "}",
    "``": '"',
    "''": '"',
    "`": "'",
}

T = TypeVar("T")
U = TypeVar("U")


@dataclass(frozen=True)
class Words:
    """The words of a line of text."""

    path: Path
    line: int
    words: list[str]

    def check(self, found: list[str], path: Path, line: int, advice: str | None = None) -> None:
        """Refuses other words than these; parsers may write brackets and quotes their way.

        Empty strings are words that a file of trees leaves out. The `advice` ends the error.
        """
        place = f"{path}:{line}"
        if len(found) != len(self.words):
            message = f"{len(self.words)} words here, but {len(found)} in the tree at {place}"
            raise flaw(self.path, self.line, f"{message}; {advice or 'parse the tokenised text'}")
        for number, (word, other) in enumerate(zip(self.words, found, strict=True), start=1):
            if other and _plain(word) != _plain(other):
                message = f'word {number} is "{word}" here, but "{other}" in the tree at {place}'
                cure = advice or "give the text that was parsed"
                raise flaw(self.path, self.line, f"{message}; {cure}")


def _plain(word: str) -> str:
    return _ESCAPES.get(word) or re.sub(r"\\([/*])", r"\1", word)


def beside(
    items: Iterable[T], path: str | Path, text: str | Path | None
) -> Iterator[tuple[T, Words | None]]:
    """Each tree with its line of text; None without a text."""
    if text is None:
        yield from ((item, None) for item in items)
        return
    pairs = in_step(items, path, read_lines(text), text)
    for number, (item, line) in enumerate(pairs, start=1):
        yield item, Words(Path(text), number, line.split())


def in_step(
    items: Iterable[T], path: str | Path, others: Iterable[U], other_path: str | Path
) -> Iterator[tuple[T, U]]:
    """Pairs of two files, which must have as many sentences."""
    left, right, number = iter(items), iter(others), 0
    for number, item in enumerate(left, start=1):
        try:
            other = next(right)
        except StopIteration:
            raise _uneven(other_path, number - 1, path) from None
        yield item, other
    if next(right, None) is not None:
        raise _uneven(path, number, other_path)


def _uneven(ended: str | Path, count: int, longer: str | Path) -> FormatError:
    message = f"{ended}: ends after {count:,} sentences, but {longer} goes on"
    return FormatError(f"{message}; both must have one for each other", ended)
