"""How well brackets agree with gold brackets, counted as EVALB counts with COLLINS.prm.

Words of punctuation are deleted, each tree's own tags saying which these are; brackets of nothing
else, and those around whole sentences that say no more than that, do not count; ADVP and PRT are
one label.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from headway._core import ConstituentTree
from headway.errors import FormatError
from headway.printing import prints_briefly

DELETED_TAGS = frozenset({",", ":", "``", "''", ".", "-NONE-"})
WRAPPERS = frozenset({"", "TOP", "ROOT", "S1"})
SHORT = 40
"""Sentences of up to this many words are also counted apart."""

_SAME = {"PRT": "ADVP"}
_CUT = re.compile("[-=]")
"""Where functions and indices begin."""


@prints_briefly
@dataclass
class BracketCounts:
    """Brackets found, brackets of gold trees, and those that are the same."""

    sentences: int = 0
    """Those that could be compared."""
    gold: int = 0
    found: int = 0
    right: int = 0
    exact: int = 0
    """Sentences with no wrong and no missing bracket."""
    words: int = 0
    """Without punctuation."""
    tags: int = 0
    """Words with the right tag."""

    @property
    def precision(self) -> float:
        """Brackets found that are right, in percent."""
        return _percent(self.right, self.found)

    @property
    def recall(self) -> float:
        """Gold brackets that were found, in percent."""
        return _percent(self.right, self.gold)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return _percent(2 * self.right, self.gold + self.found)

    @property
    def exact_match(self) -> float:
        """Sentences with no wrong and no missing bracket, in percent."""
        return _percent(self.exact, self.sentences)

    @property
    def tagging(self) -> float:
        """Words with the right tag, in percent."""
        return _percent(self.tags, self.words)

    def add(self, other: "BracketCounts") -> None:
        """Adds what was counted elsewhere."""
        for name in ("sentences", "gold", "found", "right", "exact", "words", "tags"):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def table(self) -> dict[str, float | int]:
        """The figures as a dictionary."""
        return {
            "sentences": self.sentences,
            "f1": self.f1,
            "precision": self.precision,
            "recall": self.recall,
            "exact": self.exact_match,
            "tags": self.tagging,
            "brackets": self.gold,
        }


@prints_briefly
@dataclass
class BracketEvaluation:
    """Agreement with gold brackets over a treebank."""

    all: BracketCounts = field(default_factory=BracketCounts)
    short: BracketCounts = field(default_factory=BracketCounts)
    """Of sentences of up to 40 words, punctuation included."""
    skipped: int = 0
    """Sentences left out: one of the trees has no words but punctuation, or words are deleted
    from one tree only, for they have different tags."""
    per_sentence: list[tuple[int, int, int]] = field(default_factory=list)
    """Right brackets, those of the gold tree, and those found, of each sentence."""

    def table(self) -> dict[str, Any]:
        """The figures as nested dictionaries."""
        short = {f"up_to_{SHORT}_words": self.short.table()}
        return {**self.all.table(), "skipped": self.skipped, **short}


def evaluate_brackets(
    found: Iterable[ConstituentTree], gold: Iterable[ConstituentTree]
) -> BracketEvaluation:
    """Compares brackets with gold brackets of the same sentences."""
    found, gold = list(found), list(gold)
    if len(found) != len(gold):
        raise FormatError(f"{len(found)} trees but {len(gold)} gold ones")
    result = BracketEvaluation()
    for number, (one, other) in enumerate(zip(found, gold, strict=True), 1):
        counts = _compare(one, other, number)
        if counts is None:
            result.skipped += 1
            continue
        result.all.add(counts)
        if len(other.strip(functions=False, wrapper=False).leaves) <= SHORT:
            result.short.add(counts)
        result.per_sentence.append((counts.right, counts.gold, counts.found))
    return result


def _compare(found: ConstituentTree, gold: ConstituentTree, number: int) -> BracketCounts | None:
    if len(found.leaves) != len(gold.strip(functions=False, wrapper=False).leaves):
        words, expected = len(found.leaves), len(gold.leaves)
        raise FormatError(f"sentence {number}: {words} words but {expected} in the gold tree")
    tags, gold_tags = _kept_tags(found), _kept_tags(gold)
    if not tags or len(tags) != len(gold_tags) or _kept(found) != _kept(gold):
        return None
    spans, gold_spans = _spans(found), _spans(gold)
    right = (spans & gold_spans).total()
    return BracketCounts(
        sentences=1,
        gold=gold_spans.total(),
        found=spans.total(),
        right=right,
        exact=int(right == spans.total() == gold_spans.total()),
        words=len(tags),
        tags=sum(one == other for one, other in zip(tags, gold_tags, strict=True)),
    )


def _kept_tags(tree: ConstituentTree) -> list[str]:
    return [tag for tag in tree.tags if tag not in DELETED_TAGS]


def _kept(tree: ConstituentTree) -> list[str]:
    """The words that are not deleted."""
    words = zip(tree.leaves, tree.tags, strict=True)
    return [word for word, tag in words if tag not in DELETED_TAGS]


def _spans(tree: ConstituentTree) -> Counter[tuple[str, int, int]]:
    """Labels with the words before them and up to their ends, deleted ones not counted."""
    before = [0]
    for tag in tree.tags:
        before.append(before[-1] + (tag not in DELETED_TAGS))
    spans: Counter[tuple[str, int, int]] = Counter()
    for full, first, last in tree.spans():
        start, end = before[first - 1], before[last]
        label = _CUT.split(full, maxsplit=1)[0]
        if start < end and label not in WRAPPERS and label not in DELETED_TAGS:
            spans[_SAME.get(label, label), start, end] += 1
    return spans


def _percent(part: int, whole: int) -> float:
    return 100 * part / whole if whole else 0.0
