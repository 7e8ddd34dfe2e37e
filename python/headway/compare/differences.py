"""The sentences about whose trees two sources differ most."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import nlargest
from itertools import combinations

from headway.compare.heads import Parses, differing, differing_words

# Longer sentences are shown only where there are no others: their trees do not fit on a screen.
LONGEST = 25


@dataclass(frozen=True)
class Difference:
    """A line, from 0, and the words, from 1, whose heads two sources disagree about."""

    line: int
    words: list[int]


@dataclass(frozen=True)
class Pair:
    """Two sources, by their places, and where they differ most."""

    one: int
    other: int
    found: list[Difference]


def differences(parses: Sequence[Parses], most: int) -> list[Pair]:
    """For every two sources up to `most` sentences, those with most such words first."""
    pairs = combinations(range(len(parses)), 2)
    return [Pair(a, b, _most_different(parses[a], parses[b], most)) for a, b in pairs]


def _most_different(one: Parses, other: Parses, most: int) -> list[Difference]:
    counted = list(_counted(one, other))
    short = [it for it in counted if len(one.heads[it[1]]) <= LONGEST]
    chosen = nlargest(most, short or counted, key=lambda it: (it[0], -it[1]))
    return [
        Difference(line, differing_words(one.heads[line], other.heads[line])) for _, line in chosen
    ]


def _counted(one: Parses, other: Parses) -> Iterator[tuple[int, int]]:
    """How many words differ, and the line."""
    for line, (left, right) in enumerate(zip(one.heads, other.heads, strict=True)):
        if left and right and (count := differing(left, right)):
            yield count, line
