"""The heads of all words by several sources, counted and compared.

Agreement is that of Wu et al. (2012), Table 2; the figures of a single source are those of their
Table 3. A text is a list of lines, and so is a source's answer: the heads of a line's words.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from operator import eq
from typing import Any

from headway.trees import DependencyTree, Sentence

NO_HEAD = -1
"""In place of the head of a word that has none."""

Heads = list[int]
"""Of the words of a line, 0 the root; empty where a source has no tree of the line."""


@dataclass(frozen=True)
class Parses:
    """What a source says about each line of a text."""

    name: str
    heads: list[Heads]

    @classmethod
    def of(cls, name: str, sentences: Iterable[Sentence]) -> "Parses":
        """Sentences without a single head are lines without tree."""
        return cls(name, [heads_of(sentence) for sentence in sentences])


def heads_of(sentence: Sentence) -> Heads:
    """The heads of a sentence's words; none if no word has a head."""
    heads = [NO_HEAD if head is None else head for head in sentence.heads]
    return heads if any(head != NO_HEAD for head in heads) else []


@dataclass(frozen=True)
class Agreement:
    """How often two sources agree, counted over lines of which both have a tree."""

    one: str
    other: str
    sentences: int
    same_roots: int
    """Sentences whose root words are the same, and not none."""
    words: int
    same_heads: int
    """Words that have the same head."""

    @property
    def roots(self) -> float:
        """Per cent of the sentences."""
        return percent(self.same_roots, self.sentences)

    @property
    def heads(self) -> float:
        """Per cent of the words."""
        return percent(self.same_heads, self.words)

    def table(self) -> dict[str, Any]:
        """All of it, for JSON."""
        return {**asdict(self), "roots": self.roots, "heads": self.heads}


def agreement(one: Parses, other: Parses) -> Agreement:
    """Compares two sources line by line."""
    sentences = same_roots = words = same_heads = 0
    for left, right in zip(one.heads, other.heads, strict=True):
        if not left or not right:
            continue
        sentences += 1
        words += len(left)
        same_heads += len(left) - differing(left, right)
        roots = roots_of(left)
        same_roots += bool(roots) and roots == roots_of(right)
    return Agreement(one.name, other.name, sentences, same_roots, words, same_heads)


def differing(one: Heads, other: Heads) -> int:
    """How many words have other heads, or none, in the other tree."""
    same: int = sum(map(eq, one, other))
    if NO_HEAD in one:
        same -= sum(a == b == NO_HEAD for a, b in zip(one, other, strict=True))
    return len(one) - same


def differing_words(one: Heads, other: Heads) -> list[int]:
    """The numbers of these words, from 1 on."""
    pairs = enumerate(zip(one, other, strict=True), 1)
    return [word for word, (a, b) in pairs if a != b or a == NO_HEAD]


def roots_of(heads: Heads) -> list[int]:
    """The words whose head is the root, from 1 on."""
    return [word for word, head in enumerate(heads, 1) if head == 0]


@dataclass(frozen=True)
class Shapes:
    """How many of a source's trees are none, strictly speaking."""

    sentences: int
    """Lines with a tree."""
    missing: int
    """Lines with words and without a tree."""
    illegal: int
    """Trees with a word without head, a cycle, or no root or several."""
    cyclic: int
    """Trees with a cycle."""
    cycles: int
    """Directed cycles in them."""

    def table(self) -> dict[str, Any]:
        """All of it, for JSON."""
        return asdict(self)


def shapes(parses: Parses, words: Sequence[int]) -> Shapes:
    """Counts a source's trees of the lines of one length."""
    sentences = missing = illegal = cyclic = cycles = 0
    for heads, length in zip(parses.heads, words, strict=True):
        if not heads:
            missing += length > 0
            continue
        sentences += 1
        # Whether a word hangs from the root or from nothing makes no difference to cycles.
        tree = DependencyTree([""] * len(heads), [max(head, 0) for head in heads])
        illegal += NO_HEAD in heads or not tree.is_tree
        found = len(tree.cycles) if tree.has_cycle else 0
        cyclic, cycles = cyclic + bool(found), cycles + found
    return Shapes(sentences, missing, illegal, cyclic, cycles)


@dataclass(frozen=True)
class Accuracy:
    """Arcs of a source against gold trees; a word that hangs from the root is an arc too."""

    sentences: int
    """Lines with a gold tree."""
    right: int
    found: int
    gold: int

    @property
    def precision(self) -> float:
        """Per cent of the arcs found."""
        return percent(self.right, self.found)

    @property
    def recall(self) -> float:
        """Per cent of the gold arcs."""
        return percent(self.right, self.gold)

    def table(self) -> dict[str, Any]:
        """All of it, for JSON."""
        return {**asdict(self), "precision": self.precision, "recall": self.recall}


def accuracy(parses: Parses, gold: Parses) -> Accuracy:
    """Compares the arcs of a source with the gold trees, where there are any."""
    sentences = right = found = known = 0
    for heads, true in zip(parses.heads, gold.heads, strict=True):
        if not true:
            continue
        sentences += 1
        known += sum(head != NO_HEAD for head in true)
        found += sum(head != NO_HEAD for head in heads)
        right += len(heads) - differing(heads, true) if heads else 0
    return Accuracy(sentences, right, found, known)


def percent(part: int, whole: int) -> float:
    """A share in per cent; 0 of nothing."""
    return 100 * part / whole if whole else 0.0
