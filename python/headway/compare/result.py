"""What a comparison found: Tables 2 and 3 of Wu et al. (2012) and where sources differ."""

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from headway.compare.differences import Pair
from headway.compare.heads import Accuracy, Agreement, Shapes
from headway.compare.scores import Scored, mean_difference
from headway.compare.seeds import PARTS, signs
from headway.compare.trainings import Rules
from headway.printing import prints_briefly


@prints_briefly
@dataclass(frozen=True)
class Line:
    """A line of Table 3: a source of trees, or a system without trees."""

    name: str
    source: str
    """As it was given; empty for a system without trees."""
    shapes: Shapes | None = None
    accuracy: Accuracy | None = None
    rules: Rules | None = None
    scores: Mapping[str, list[Scored]] = field(default_factory=dict)
    """By part, dev or test: one for each seed."""

    def bleu(self, part: str) -> list[float]:
        """Of each seed."""
        return [one.bleu for one in self.scores.get(part, [])]

    def signs(self, first: str) -> str:
        """Whether each seed is better, worse or neither than another line, on the test set."""
        found = self.scores.get("test", [])
        return signs(one.against[first] for one in found if first in one.against)

    def table(self) -> dict[str, Any]:
        """All of it, for JSON."""
        found: dict[str, Any] = {"name": self.name, "source": self.source or None}
        for key, value in (("shapes", self.shapes), ("accuracy", self.accuracy)):
            found[key] = None if value is None else value.table()
        found["rules"] = None if self.rules is None else asdict(self.rules)
        for part in PARTS:
            found[part] = None
            if scores := self.scores.get(part):
                found[part] = {
                    "bleu": statistics.mean(self.bleu(part)),
                    "length_ratio": statistics.mean(one.length for one in scores),
                    "seeds": [_plain(one) for one in scores],
                }
        return found


@prints_briefly
@dataclass(frozen=True)
class Difference:
    """Two systems on the test set: the mean difference over seeds, and a sign for each of them."""

    one: str
    other: str
    bleu: float
    """BLEU of `other` minus that of `one`."""
    signs: str


@prints_briefly
@dataclass(frozen=True)
class Compared:
    """What a comparison found."""

    target: Path
    sentences: int
    """Lines with words."""
    words: int
    system: str
    """Empty if nothing was translated."""
    seeds: tuple[int, ...]
    lines: list[Line]
    agreements: list[Agreement]
    """Of every two sources."""
    pairs: list[Pair] = field(repr=False)
    """Where they differ most."""
    page: Path = field(repr=False)

    @property
    def sources(self) -> list[Line]:
        """The lines that are sources of trees."""
        return [line for line in self.lines if line.source]

    @property
    def has_gold(self) -> bool:
        """Whether there are gold trees."""
        return any(line.accuracy for line in self.lines)

    @property
    def differences(self) -> list[Difference]:
        """Of every two systems, in the order of the table."""
        return [
            Difference(
                first.name, line.name, mean_difference(found, first.name), line.signs(first.name)
            )
            for place, line in enumerate(self.lines)
            if (found := line.scores.get("test"))
            for first in self.lines[:place]
        ]

    def table(self) -> dict[str, Any]:
        """All figures, for JSON."""
        return {
            "target": str(self.target),
            "sentences": self.sentences,
            "words": self.words,
            "system": self.system or None,
            "seeds": list(self.seeds) if self.system else [],
            "agreement": [one.table() for one in self.agreements],
            "table": [line.table() for line in self.lines],
            "differences": [asdict(one) for one in self.differences],
        }


def _plain(scored: Scored) -> dict[str, Any]:
    against = {
        name: {
            "difference": it.difference,
            "p_bootstrap": it.p_bootstrap,
            "p_randomisation": it.p_randomisation,
            "significant": it.significant,
        }
        for name, it in scored.against.items()
    }
    return {"bleu": scored.bleu, "length_ratio": scored.length, "against": against}


@dataclass(frozen=True)
class Column:
    """A column of Table 3: its name, what it means, and its value of each line."""

    key: str
    title: str
    about: str
    value: Callable[[Line], float | int | None]
    digits: int = 0
    """Behind the decimal point; 0 for counts."""
    optional: bool = False
    """Left out of printed tables in which it is 0 throughout."""

    def text(self, line: Line) -> str:
        """The value as people read it; a dash where there is none."""
        value = self.value(line)
        return "–" if value is None else f"{value:,.{self.digits}f}"


def _of_accuracy(name: str) -> Callable[[Line], float | int | None]:
    return lambda line: None if line.accuracy is None else getattr(line.accuracy, name)


def _of_shapes(name: str) -> Callable[[Line], float | int | None]:
    return lambda line: None if line.shapes is None else getattr(line.shapes, name)


def _of_rules(name: str) -> Callable[[Line], float | int | None]:
    return lambda line: None if line.rules is None else getattr(line.rules, name)


def _bleu(part: str) -> Callable[[Line], float | int | None]:
    return lambda line: statistics.mean(found) if (found := line.bleu(part)) else None


_GOLD = (
    Column("precision", "Precision", "of arcs against gold trees, %", _of_accuracy("precision"), 1),
    Column("recall", "Recall", "of arcs against gold trees, %", _of_accuracy("recall"), 1),
)
_SHAPES = (
    Column("illegal", "Illegal", "trees with a word without head, a cycle, or not exactly one root",
           _of_shapes("illegal")),
    Column("cycles", "Cycles", "directed cycles in these trees", _of_shapes("cycles")),
    Column("missing", "Missing", "sentences without tree", _of_shapes("missing"), optional=True),
)  # fmt: skip
_SYSTEM = (
    Column("dev", "BLEU dev", "mean over seeds", _bleu("dev"), 1),
    Column("test", "BLEU test", "mean over seeds", _bleu("test"), 1),
    Column("phrases", "Phrases", "rules without slots", _of_rules("phrases")),
    Column("hierarchical", "Hier. rules", "rules with slots", _of_rules("hierarchical")),
)


def columns(found: Compared) -> Sequence[Column]:
    """The columns for which there is something to say."""
    gold, system = (_GOLD if found.has_gold else ()), (_SYSTEM if found.system else ())
    counted = [it for it in _SHAPES if not it.optional or any(map(it.value, found.sources))]
    return [*gold, *system, *counted]
