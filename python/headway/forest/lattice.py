"""A forest with at most one tail per edge as a word lattice."""

from dataclasses import dataclass, field

from headway.printing import prints_briefly


@prints_briefly
@dataclass(frozen=True, slots=True)
class Arc:
    """A word between two states."""

    start: int
    end: int
    word: str | None
    """`None` where an edge says nothing."""
    score: float
    """The score of the edge on its first arc, 0 on the others."""
    edge: int


@prints_briefly
@dataclass(frozen=True, slots=True)
class Lattice:
    """States from 0, the start, in topological order; every path to `end` is a derivation."""

    states: int
    end: int
    arcs: tuple[Arc, ...]
    _plf: str = field(repr=False, compare=False)

    def to_plf(self) -> str:
        """Python lattice format, one line, as Moses and cdec read it."""
        return self._plf
