"""Whether a difference between two systems is more than chance.

Paired bootstrap (Koehn 2004) draws sentences with replacement; approximate randomisation (Riezler
& Maxwell 2005) swaps the systems' sentences by chance. Both work on sums of numbers per sentence.
"""

from collections.abc import Callable
from dataclasses import dataclass

from headway.printing import prints_briefly

Rows = list[list[float]]
Scores = Callable[[Rows], list[float]]


@prints_briefly
@dataclass(frozen=True)
class Comparison:
    """A system against the first one, by one metric."""

    metric: str
    difference: float
    """Score of the system minus that of the first one."""
    p_bootstrap: float
    p_randomisation: float
    low: float
    high: float
    """The middle 95 % of differences that the bootstrap drew."""

    @property
    def significant(self) -> bool:
        """Whether both tests say so at 5 %."""
        return max(self.p_bootstrap, self.p_randomisation) < 0.05


def compare(
    metric: str, first: Rows, second: Rows, scores: Scores, *, samples: int, seed: int
) -> Comparison:
    """Compares two systems' numbers per sentence."""
    from headway.evaluate.resampling import resample  # noqa: PLC0415  numpy takes time and memory

    return Comparison(metric, *resample(first, second, scores, samples, seed))
