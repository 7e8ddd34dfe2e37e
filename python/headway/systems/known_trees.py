"""Trees of a file for sentences: found by their words, whatever their order and case."""

import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from headway.errors import FormatError, InputError
from headway.trees import Repairs, Sentence, located_trees, tag_column, tree_of

_log = logging.getLogger(__name__)

_COLUMNS = ("upos", "xpos", "deprel")


@dataclass
class Missing:
    """Sentences without a tree: how many there are, and the first of them."""

    count: int = 0
    number: int = 0
    """Of the first one, from 1."""
    words: str = ""
    """As far as they fit in a message."""


class KnownTrees:
    """The trees of a file by the words of their sentences.

    A sentence that stands there several times gives its trees in turn, then the last one again.

    A tree with a cycle is none unless trees may be `cyclic`. A sentence without any head has no
    tree: it had no parse. A word without a head beside others is an error, unless trees may be
    `headless`. Penn brackets and files of Enju and C&C become trees by the rules `heads`.
    """

    def __init__(
        self, path: Path, *, cyclic: bool, headless: bool, heads: str | None = None
    ) -> None:
        if not path.exists():
            raise InputError(f"{path}: no such file; check the path", path)
        self._path = path
        self.repairs = Repairs()
        located = list(located_trees(path, heads=heads, repairs=self.repairs))
        self.lines = [line for line, _ in located]
        """Where in the file each of its sentences begins."""
        self._sentences = [sentence for _, sentence in located]
        self._known: dict[tuple[str, ...], list[Sentence]] = {}
        self.found = self.asked = 0
        self.missing = Missing()
        for sentence in self._sentences:
            if self._is_known(sentence, cyclic=cyclic, headless=headless):
                self._known.setdefault(_key(sentence.forms), []).append(sentence)
        if not self._known:
            message = "no sentence with a tree in it; name a file with heads in column 7"
            raise FormatError(f"{path}: {message}", path)

    def _is_known(self, sentence: Sentence, *, cyclic: bool, headless: bool) -> bool:
        if sentence.heads and all(head is None for head in sentence.heads):
            return False
        if headless and None in sentence.heads:
            return True
        tree = tree_of(sentence, self._path)
        return cyclic or not tree.has_cycle

    def report(self) -> None:
        """Says what was repaired, if anything."""
        for line in self.repairs.lines():
            _log.warning("%s: %s", self._path, line)

    def tags(self, wanted: str) -> str:
        """The column of the tags, `upos` or `xpos`: the wanted one unless it is empty."""
        return tag_column(self._sentences, wanted)

    def trees_of(self, sentences: Iterable[list[str]], what: str) -> Iterator[Sentence]:
        """A sentence for each that is asked for, words without heads where there is no tree.

        Counts those `found` and `missing`. It is an error if there is no tree of any; `what` is
        what each sentence is, for the message.
        """
        for words in sentences:
            self.asked += 1
            sentence = self._take(words)
            self.found += sentence is not None
            if words and sentence is None:
                self._miss(words)
            yield _sentence(words, sentence)
        if not self.found:
            message = f"{self._path}: has no tree of any {what}; are its words the same?"
            raise FormatError(message, self._path)

    def _take(self, words: list[str]) -> Sentence | None:
        known = self._known.get(_key(words)) if words else None
        if known is None:
            return None
        return known[0] if len(known) == 1 else known.pop(0)

    def _miss(self, words: list[str]) -> None:
        if not self.missing.count:
            self.missing = Missing(0, self.asked, " ".join(words)[:60])
        self.missing.count += 1


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
