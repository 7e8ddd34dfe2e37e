"""Trees of a file for the lines of a text: found by their words, whatever their order and case."""

import logging
from collections.abc import Iterable, Iterator
from pathlib import Path

from headway.errors import FormatError, InputError
from headway.trees import Sentence, read_sentences

_log = logging.getLogger(__name__)

_COLUMNS = ("upos", "xpos", "deprel")


class KnownTrees:
    """The trees of a file, which need not be trees in the strict sense.

    A sentence that stands there several times gives its trees in turn, then the last one again.
    """

    def __init__(self, path: Path) -> None:
        if not path.exists():
            raise InputError(f"{path}: no such file; check the path", path)
        self._path = path
        self._lines: list[int] = []
        self._known: dict[tuple[str, ...], list[Sentence]] = {}
        for sentence in read_sentences(path):
            self._lines.append(sentence.line)
            if any(head is not None for head in sentence.heads):
                self._known.setdefault(_key(sentence.forms), []).append(sentence)
        if not self._known:
            message = "no sentence with a tree in it; name a file with heads in column 7"
            raise FormatError(f"{path}: {message}", path)

    def trees_of(
        self, lines: Iterable[list[str]], text: Path, *, whole: bool
    ) -> Iterator[Sentence]:
        """A sentence for each line of a text, words without heads where there is no tree.

        With `whole` it is a warning that a line has none.
        """
        missing: list[tuple[int, list[str]]] = []
        count = found = 0
        for count, words in enumerate(lines, 1):
            sentence = self._take(words)
            found += sentence is not None
            if words and sentence is None:
                missing.append((count, words))
            yield _sentence(words, sentence)
        if not found:
            message = f"{self._path}: has no tree of any line of {text}; are its words the same?"
            raise FormatError(message, self._path)
        if missing and whole:
            self._warn(missing, text, aligned=count == len(self._lines))

    def _take(self, words: list[str]) -> Sentence | None:
        known = self._known.get(_key(words)) if words else None
        if known is None:
            return None
        return known[0] if len(known) == 1 else known.pop(0)

    def _warn(self, missing: list[tuple[int, list[str]]], text: Path, *, aligned: bool) -> None:
        number, words = missing[0]
        place = f"{self._path}:{self._lines[number - 1]}" if aligned else str(self._path)
        where = f"the first is {text}:{number}, {' '.join(words)[:60]!r}"
        lines = (
            "1 line, which counts" if len(missing) == 1 else f"{len(missing):,} lines, which count"
        )
        _log.warning("%s: no tree with the words of %s as missing; %s", place, lines, where)


def _key(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(word.lower() for word in words)


def _sentence(words: list[str], found: Sentence | None) -> Sentence:
    """A tree over words in the case of the text, with its tags and labels."""
    if not words:
        return Sentence.from_columns([], comments=["# empty"])
    if found is None:
        nothing: list[int | None] = [None] * len(words)
        return Sentence.from_columns(words, head=nothing)
    columns = {name: found.column(name) for name in _COLUMNS}
    return Sentence.from_columns(words, head=found.heads, **columns)
