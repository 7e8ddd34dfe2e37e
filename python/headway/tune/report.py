"""What a tuning found, iteration by iteration."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from headway.printing import prints_briefly
from headway.tune.length import length_cost
from headway.tune.search import Trial


@prints_briefly
@dataclass(frozen=True)
class Iteration:
    """What one iteration found."""

    number: int
    weights: Mapping[str, float]
    score: float
    """The metric of the dev set, decoded with these weights."""
    length: float
    """Words of the translated dev set over words of its references, the closest of each."""
    new: int
    """Candidates that were not known before."""
    known: int
    seconds: float
    expected: float | None
    """What the optimiser promised for the next weights, on the candidates known."""
    note: str = ""
    search: Mapping[str, Any] = field(default_factory=dict)
    """Search settings it was decoded with, where they differ from those at the start."""


@prints_briefly
@dataclass
class Report:
    """What came of a tuning."""

    metric: str
    method: str
    iterations: list[Iteration]
    trials: list[Trial] = field(default_factory=list)
    search: Mapping[str, Any] = field(default_factory=dict)
    """Search settings that were chosen, where they differ."""
    length_tolerance: float = 1.0
    """How far the length ratio may be from 1 at no cost."""

    @property
    def start(self) -> Iteration:
        """The weights that tuning began with; by default search settings were chosen before."""
        return self.iterations[0]

    @property
    def best(self) -> Iteration:
        """The first of the iterations that decoded the dev set best, and not far too short."""
        return max(self.iterations, key=self.worth)

    @property
    def before(self) -> Iteration:
        """What the best iteration is compared with."""
        return self.start

    @property
    def improved(self) -> bool:
        """Whether it was worth it: better weights, or search settings that suit better."""
        return self.worth(self.best) > self.worth(self.before) or bool(self.best.search)

    def worth(self, iteration: Iteration) -> float:
        """The score of an iteration, less what its length costs."""
        return iteration.score - length_cost(iteration.length, self.length_tolerance)
