"""One way to translate a sentence."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from headway import _core


@dataclass(frozen=True)
class Segment:
    """What one edge says in its own words: places from, and before which."""

    edge: int
    source: tuple[tuple[int, int], ...]
    target: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Derivation:
    """A tree of a forest's edges, with what it says."""

    score: float
    tokens: tuple[str, ...]
    features: Mapping[str, float]
    """Sums of the features that are not 0."""
    edges: tuple[int, ...]
    """Numbers of edges, each before those of its tails, in their order."""
    _forest: _core.Forest = field(repr=False, compare=False)

    @property
    def text(self) -> str:
        """The target words, joined by spaces."""
        return " ".join(self.tokens)

    @cached_property
    def alignment(self) -> tuple[tuple[int, int], ...]:
        """Word links: source place, target place, from 0."""
        return tuple(self._forest.alignment(list(self.edges)))

    @cached_property
    def segments(self) -> tuple[Segment, ...]:
        """Which source words each edge translates, and where its words stand."""
        return tuple(
            Segment(edge, tuple(source), tuple(target))
            for edge, source, target in self._forest.segments(list(self.edges))
        )
