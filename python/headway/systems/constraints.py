"""What a translation has to obey: words that stand for others, zones and walls."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite, log
from typing import Literal, get_args

from headway.errors import ConfigError

Mode = Literal["exclusive", "inclusive", "constraint"]
"""What a forced translation leaves to the rule table: nothing; all, and both compete; or rules for
the whole span whose target side has the forced words."""
MODES: tuple[str, ...] = get_args(Mode)

Core = int | tuple[int, int] | tuple[tuple[int, int], list[str], str, float]
"""A constraint as the core takes it."""


@dataclass(frozen=True)
class Forced:
    """Source words become these words; places are counted from 0, the end excluded.

    Forced(4, 6, ("New", "York"))
    """

    start: int
    end: int
    words: tuple[str, ...]
    """As they come out; () drops the source words."""
    mode: Mode = "exclusive"
    probability: float = 1.0
    """What it counts where it competes: shared out among the features of the rule table."""

    def core(self) -> Core:
        """For the core."""
        if isinstance(self.words, str):
            raise ConfigError(f"forced words {self.words!r}: expected a list of words; split it")
        if self.mode not in MODES:
            raise ConfigError(f"forced mode {self.mode!r}: expected one of {', '.join(MODES)}")
        if not (isfinite(self.probability) and 0 < self.probability <= 1):
            message = f"the probability of a forced translation is {self.probability}"
            raise ConfigError(f"{message}; expected above 0, and 1 at most")
        return _span(self.start, self.end), list(self.words), self.mode, log(self.probability)


@dataclass(frozen=True)
class Zone:
    """Words that are translated one after the other, without any other between them."""

    start: int
    end: int

    def core(self) -> Core:
        """For the core."""
        return _span(self.start, self.end)


@dataclass(frozen=True)
class Wall:
    """A place that no word crosses: what stands before word `place` is translated first.

    A wall inside a zone is one for the words of that zone.
    """

    place: int

    def core(self) -> Core:
        """For the core."""
        if not (isinstance(self.place, int) and self.place > 0):
            raise ConfigError(f"a wall at {self.place}: expected the number of a word, above 0")
        return self.place


Constraint = Forced | Zone | Wall


def check_constraints(constraints: Sequence[Constraint]) -> None:
    """Refuses what are none."""
    for constraint in constraints:
        if not isinstance(constraint, Constraint):
            message = f"a constraint {constraint!r}: expected Forced, Zone or Wall"
            raise ConfigError(message)
        constraint.core()


def _span(start: int, end: int) -> tuple[int, int]:
    if not (isinstance(start, int) and isinstance(end, int) and 0 <= start < end):
        message = f"a constraint on the words from {start} to before {end}"
        raise ConfigError(f"{message}: expected numbers of words, from 0, the end above the start")
    return start, end
