"""Rules as Python sees them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from headway.printing import prints_briefly

Symbol: TypeAlias = str | int
"""A word, or the number of a slot, from 0 in the order of the source side."""

StructureParts: TypeAlias = tuple[str, int | None, list[int], str, list[str]]
RuleParts: TypeAlias = tuple[
    list[Symbol],
    list[Symbol],
    StructureParts | None,
    list[tuple[int, int]],
    tuple[float, float, float] | None,
    list[float],
    list[float],
    float | None,
]
"""The fields of a `Rule` as they come from the core, features without their names."""


@prints_briefly
@dataclass(frozen=True, slots=True)
class Structure:
    """The dependency structure of a rule's target side."""

    kind: str
    """`fixed`, `floating-left` (the head will stand to the right) or `floating-right`."""
    head: int | None
    """Place of the head if fixed, from 0."""
    heads: tuple[int, ...]
    """For each target symbol the place of its head plus one; 0 where it lies outside."""
    label: str
    slot_labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Counts:
    """How often the sides of a rule were seen."""

    target: float
    source: float
    joint: float


@prints_briefly
@dataclass(frozen=True, slots=True)
class Rule:
    """A phrase pair, a Hiero rule or a string-to-dependency rule."""

    source: tuple[Symbol, ...]
    target: tuple[Symbol, ...]
    structure: Structure | None
    links: tuple[tuple[int, int], ...]
    """Word links within the rule: source place, target place, from 0."""
    counts: Counts | None
    scores: Mapping[str, float]
    """Feature values as stored: probabilities as probabilities."""
    features: Mapping[str, float]
    """Feature values as the model adds them up: natural logarithms of probabilities, at least
    −100."""
    score: float | None = None
    """The weighted sum of the features, where weights were given."""

    @property
    def source_text(self) -> str:
        """The source side as `RuleTable.options` takes it."""
        return text_of(self.source, numbered=False)

    @property
    def target_text(self) -> str:
        """The target side; slots are numbered from 1 where there are several."""
        return text_of(self.target, numbered=sum(isinstance(s, int) for s in self.target) > 1)


def text_of(side: tuple[Symbol, ...], *, numbered: bool) -> str:
    """A side in one line, its slots as `[X]`, or `[X1]`, `[X2]`."""
    return " ".join(s if isinstance(s, str) else slot_name(s, numbered) for s in side)


def slot_name(slot: int, numbered: bool) -> str:
    """`[X]`, or `[X1]` for slot 0 where slots have to be told apart."""
    return f"[X{slot + 1}]" if numbered else "[X]"
