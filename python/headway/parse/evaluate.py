"""How well trees agree with gold trees."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from headway._core import DependencyTree, randomisation
from headway.errors import FormatError
from headway.printing import prints_briefly

LENGTHS = (10, 20, 30, 40, 50)
"""Upper ends of the groups of sentence lengths; the last group is open."""

ARCS = (1, 2, 3, 6, 10)
"""The same for the lengths of arcs; arcs from the root are a separate group."""


@dataclass
class Counts:
    """Words, and how many have the right head, head and label, tag."""

    words: int = 0
    heads: int = 0
    labels: int = 0
    tags: int = 0

    def add(self, head: bool, label: bool, tag: bool) -> None:
        """Counts one word."""
        self.words += 1
        self.heads += head
        self.labels += head and label
        self.tags += tag

    def table(self, labelled: bool = True, tagged: bool = True) -> dict[str, float | None]:
        """Percentages; none of what gold trees do not say."""
        return {
            "words": self.words,
            "uas": _percent(self.heads, self.words),
            "las": _percent(self.labels, self.words) if labelled else None,
            "tags": _percent(self.tags, self.words) if tagged else None,
        }


@prints_briefly
@dataclass
class Evaluation:
    """Agreement with gold trees over a treebank, all words counted, punctuation included."""

    all: Counts = field(default_factory=Counts)
    sentences: int = 0
    """Those with words."""
    roots: int = 0
    labelled: bool = False
    """Whether gold trees have labels, and so for `tagged`: `_` is none."""
    tagged: bool = False
    by_length: dict[str, Counts] = field(default_factory=dict)
    by_arc: dict[str, Counts] = field(default_factory=dict)
    per_sentence: list[tuple[int, int]] = field(default_factory=list)
    """Right heads, and right heads with labels, of each sentence."""

    @property
    def uas(self) -> float:
        """Words with the right head, in percent."""
        return _percent(self.all.heads, self.all.words)

    @property
    def las(self) -> float:
        """Words with the right head and label, in percent; nan where gold trees have none."""
        return _percent(self.all.labels, self.all.words) if self.labelled else math.nan

    @property
    def tags(self) -> float:
        """Words with the right tag, in percent; nan where gold trees have none."""
        return _percent(self.all.tags, self.all.words) if self.tagged else math.nan

    @property
    def root(self) -> float:
        """Sentences whose words under the root are the right ones, in percent."""
        return _percent(self.roots, self.sentences)

    def table(self) -> dict[str, Any]:
        """The figures as nested dictionaries; None for what gold trees do not say."""
        return {
            **self.all.table(self.labelled, self.tagged),
            "root": self.root,
            "sentences": self.sentences,
            "by_sentence_length": self._filled(self.by_length),
            "by_arc_length": self._filled(self.by_arc),
        }

    def _filled(self, groups: dict[str, Counts]) -> dict[str, dict[str, float | None]]:
        """Groups with words in them."""
        return {
            name: counts.table(self.labelled, self.tagged)
            for name, counts in groups.items()
            if counts.words
        }


def evaluate(found: Iterable[DependencyTree], gold: Iterable[DependencyTree]) -> Evaluation:
    """Compares trees with gold trees of the same sentences."""
    found, gold = list(found), list(gold)
    if len(found) != len(gold):
        raise FormatError(f"{len(found)} trees but {len(gold)} gold ones")
    result = Evaluation(
        by_length={name: Counts() for name in _groups(LENGTHS)},
        by_arc={name: Counts() for name in ("root", *_groups(ARCS))},
        labelled=any(label != "_" for tree in gold for label in tree.labels),
        tagged=any(tag != "_" for tree in gold for tag in tree.tags),
    )
    for number, (one, other) in enumerate(zip(found, gold, strict=True), 1):
        if len(one.heads) != len(other.heads):
            words, expected = len(one.heads), len(other.heads)
            raise FormatError(f"sentence {number}: {words} words but {expected} in the gold tree")
        _add(result, one, other)
    return result


def _add(result: Evaluation, found: DependencyTree, gold: DependencyTree) -> None:
    heads, gold_heads = found.heads, gold.heads
    right = [one == other for one, other in zip(heads, gold_heads, strict=True)]
    labels = [one == other for one, other in zip(found.labels, gold.labels, strict=True)]
    tags = [one == other for one, other in zip(found.tags, gold.tags, strict=True)]
    length = result.by_length[_group(len(heads), LENGTHS)]
    for at, outcome in enumerate(zip(right, labels, tags, strict=True)):
        head = gold_heads[at]
        arc = "root" if head == 0 else _group(abs(at + 1 - head), ARCS)
        for counts in (result.all, length, result.by_arc[arc]):
            counts.add(*outcome)
    if heads:
        result.sentences += 1
        result.roots += [not head for head in heads] == [not head for head in gold_heads]
    both = sum(head and label for head, label in zip(right, labels, strict=True))
    result.per_sentence.append((sum(right), both))


@prints_briefly
@dataclass(frozen=True)
class Comparison:
    """p-values of the differences of two parsers: how likely chance would do as much."""

    uas: float
    las: float | None
    """None where gold trees have no labels."""


def compare(
    one: Evaluation, other: Evaluation, *, samples: int = 10_000, seed: int = 1
) -> Comparison:
    """Tests whether two parsers differ (approximate randomisation over sentences)."""
    if len(one.per_sentence) != len(other.per_sentence):
        raise FormatError("the two parsers were not evaluated on the same sentences")

    def p_value(pick: Callable[[tuple[int, int]], int]) -> float:
        values = [[float(pick(counts)) for counts in each.per_sentence] for each in (one, other)]
        return randomisation(values[0], values[1], samples, seed)

    labelled = one.labelled and other.labelled
    return Comparison(
        p_value(lambda counts: counts[0]),
        p_value(lambda counts: counts[1]) if labelled else None,
    )


def _percent(part: int, whole: int) -> float:
    return 100 * part / whole if whole else 100.0


def _groups(ends: Sequence[int]) -> list[str]:
    starts = [1, *(end + 1 for end in ends)]
    names = [
        f"{start}-{end}" if start < end else str(end)
        for start, end in zip(starts, ends, strict=False)
    ]
    return [*names, f"{starts[-1]}+"]


def _group(value: int, ends: Sequence[int]) -> str:
    names = _groups(ends)
    return next((name for name, end in zip(names, ends, strict=False) if value <= end), names[-1])
