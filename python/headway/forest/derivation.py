"""One way to translate a sentence."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from headway import _core
from headway.printing import prints_briefly


@prints_briefly
@dataclass(frozen=True, slots=True)
class Segment:
    """What one edge says in its own words: places from, and before which."""

    edge: int
    source: tuple[tuple[int, int], ...]
    target: tuple[tuple[int, int], ...]


class Derivation:
    """A tree of a forest's edges; what it says is worked out when asked for."""

    def __init__(self, core: _core.Derivation, features: Sequence[str]) -> None:
        self._core = core
        self._features = features

    def __repr__(self) -> str:
        return f"<Derivation {self.score:.6g} {self.text!r}>"

    def __eq__(self, other: object) -> bool:
        """The same edges with the same score; whether of equal forests is not asked."""
        if not isinstance(other, Derivation):
            return NotImplemented
        return self.score == other.score and self.edges == other.edges

    def __hash__(self) -> int:
        return hash((self.score, self.edges))

    @property
    def score(self) -> float:
        """The sum of its features times the weights."""
        return self._core.score

    @property
    def text(self) -> str:
        """The target words, joined by spaces."""
        return self._core.text()

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        """The target words."""
        return tuple(self._core.words())

    @cached_property
    def edges(self) -> tuple[int, ...]:
        """Numbers of edges, each before those of its tails, in their order."""
        return tuple(self._core.edges())

    @cached_property
    def features(self) -> Mapping[str, float]:
        """Sums of the features that are not 0."""
        return {self._features[place]: value for place, value in self._core.features()}

    @cached_property
    def alignment(self) -> tuple[tuple[int, int], ...]:
        """Word links: source place, target place, from 0."""
        return tuple(self._core.alignment())

    @cached_property
    def segments(self) -> tuple[Segment, ...]:
        """Which source words each edge translates, and where its words stand."""
        return tuple(
            Segment(edge, tuple(source), tuple(target))
            for edge, source, target in self._core.segments()
        )
