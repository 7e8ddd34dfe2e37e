"""Compressions of a tree, and the spans that they license (Hunter & Resnik 2010, §3.3).

A compression joins a word with the complete subtrees of some of its children into one flat
phrase, and does so again in every subtree that remains. A span that occurs as such a phrase is
licensed: the source tree allows to translate it as a unit.
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from math import prod
from typing import Any, Protocol

from headway._core import DependencyTree
from headway.arguments import named_arguments
from headway.errors import ConfigError
from headway.printing import prints_briefly

LONGEST = 4
"""Words of the longest phrase, as in the paper."""
WIDEST = 7
"""Words of the longest phrase that the paper's baseline may use."""


@dataclass(frozen=True, eq=False, repr=False)
class Phrase:
    """A phrase of some compressions: a licensed span, and the subtrees that it leaves."""

    first: int
    last: int
    head: int
    rest: tuple["Alternatives", ...]

    def words(self, tree: DependencyTree) -> str:
        """Its words with spaces between."""
        return " ".join(tree.forms[self.first - 1 : self.last])

    def __repr__(self) -> str:
        return f"<Phrase {self.first} to {self.last}>"


@dataclass(frozen=True, eq=False, repr=False)
class Alternatives:
    """The phrases that one word may head; a compression uses one of them."""

    word: int
    phrases: tuple[Phrase, ...]
    count: int
    """In how many ways the subtree of the word can be compressed."""

    def __repr__(self) -> str:
        return f"<Alternatives of word {self.word}, {len(self.phrases)}>"


@dataclass(frozen=True, eq=False, repr=False)
class Compressions:
    """All compressions of a tree as an and–or graph, in which each subtree occurs once.

    A phrase needs all subtrees of its `rest` (and); a subtree needs one of its `phrases` (or).
    """

    tree: DependencyTree
    longest: int
    roots: tuple[Alternatives, ...]
    spans: list[tuple[int, int, int]]
    """The licensed spans: first word, last word, and the word that heads it, numbered from 1."""

    @property
    def count(self) -> int:
        """How many compressions the tree has."""
        return prod(root.count for root in self.roots)

    def __repr__(self) -> str:
        return f"<Compressions of {len(self.tree)} words, {len(self.spans)} licensed spans>"


@named_arguments
def compressions(tree: DependencyTree, longest: int = LONGEST) -> Compressions:
    """The compressions of a tree whose phrases have at most `longest` words."""
    if longest < 1:
        raise ConfigError(f"longest {longest}: a phrase has at least one word")
    spans = tree.licensed_spans(longest)
    if spans is None:
        raise ConfigError("the heads of this tree run in a cycle, so it has no compressions")
    headed: dict[int, list[tuple[int, int]]] = {}
    for first, last, head in spans:
        headed.setdefault(head, []).append((first, last))
    found: dict[int, Alternatives] = {}
    for word in sorted(headed, key=lambda word: -(tree.depth(word) or 0)):  # children first
        phrases = []
        for first, last in sorted(headed[word], key=lambda span: (span[1] - span[0], span)):
            left = (child for child in tree.children(word) if not first <= child <= last)
            phrases.append(Phrase(first, last, word, tuple(found[child] for child in left)))
        count = sum(prod(part.count for part in phrase.rest) for phrase in phrases)
        found[word] = Alternatives(word, tuple(phrases), count)
    return Compressions(tree, longest, tuple(found[root] for root in tree.roots), spans)


class PhraseTable(Protocol):
    """What has phrases for spans: a rule table."""

    def spans(self, sentence: str) -> list[tuple[int, int, int]]:
        """Spans of words that have rules: first word, word after the last, number of rules."""


@prints_briefly
@dataclass
class Licensing:
    """How many spans of some sentences, and how many phrases of a table, are licensed."""

    longest: int = LONGEST
    sentences: int = 0
    without_tree: int = 0
    """Sentences left out: without words, or with heads that run in a cycle."""
    words: int = 0
    licensed: int = 0
    """Licensed spans, which have at most `longest` words."""
    spans: int = 0
    """All spans of at most `longest` words."""
    wide_spans: int = 0
    """All spans of at most seven words, which the paper's baseline may use."""
    phrases: int = 0
    """Spans of any length that the table has rules for."""
    licensed_phrases: int = 0
    rules: int = 0
    """The rules of these spans."""
    licensed_rules: int = 0
    unlicensed: dict[int, int] = field(default_factory=dict)
    """Phrases of the table that are not licensed, by number of words."""

    def add(self, tree: DependencyTree, table: PhraseTable | None = None) -> None:
        """Counts one more sentence."""
        self.sentences += 1
        found = tree.licensed_spans(self.longest) if len(tree) else None
        if found is None:
            self.without_tree += 1
            return
        self.words += len(tree)
        self.licensed += len(found)
        self.spans += _spans_up_to(len(tree), self.longest)
        self.wide_spans += _spans_up_to(len(tree), WIDEST)
        if table is not None:
            self._look_up(tree, {(first - 1, last) for first, last, _ in found}, table)

    def _look_up(
        self, tree: DependencyTree, licensed: set[tuple[int, int]], table: PhraseTable
    ) -> None:
        for start, end, rules in table.spans(" ".join(tree.forms)):
            self.phrases += 1
            self.rules += rules
            if (start, end) in licensed:
                self.licensed_phrases += 1
                self.licensed_rules += rules
            else:
                self.unlicensed[end - start] = self.unlicensed.get(end - start, 0) + 1

    def table(self) -> dict[str, Any]:
        """All counts as plain values, for JSON."""
        return asdict(self)


@named_arguments
def licensing(
    trees: Iterable[DependencyTree], longest: int = LONGEST, table: PhraseTable | None = None
) -> Licensing:
    """Counts the licensed spans of trees and, with a table, those among its phrases."""
    found = Licensing(longest)
    for tree in trees:
        found.add(tree, table)
    return found


def _spans_up_to(words: int, longest: int) -> int:
    return sum(words - length + 1 for length in range(1, min(words, longest) + 1))
