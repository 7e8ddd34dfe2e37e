"""The lexicalised reordering models of Moses, by name."""

import re
from dataclasses import dataclass

from headway.errors import ConfigError
from headway.printing import prints_briefly

# Classes in the order of Moses' columns.
_ORIENTATIONS = {
    "msd": ("monotone", "swap", "discontinuous"),
    "mslr": ("monotone", "swap", "left", "right"),
    "monotonicity": ("monotone", "non-monotone"),
    "leftright": ("right", "left"),
}
_NAME = re.compile(
    r"(?P<neighbours>wbe|phrase|hier)-(?P<orientations>msd|mslr|monotonicity|leftright)"
    r"(?:-(?P<direction>backward|forward|bidirectional|unidirectional))?"
    r"(?:-(?P<condition>fe|f))?(?:-allff)?"
)


@prints_briefly
@dataclass(frozen=True)
class ReorderingModel:
    """What a name such as `wbe-msd-bidirectional-fe` says about a reordering table."""

    neighbours: str
    orientations: str
    directions: tuple[str, ...]
    by_source: bool
    """Whether its lines have a source side alone: the condition `f`, not `fe`."""

    @classmethod
    def parse(cls, name: str) -> "ReorderingModel":
        """Reads a name of Moses; without a direction it is backward, without a condition fe."""
        found = _NAME.fullmatch(name)
        if found is None:
            message = f"reordering model {name}: expected (wbe|phrase|hier)-(msd|mslr|monotonicity|"
            message += "leftright)-(backward|forward|bidirectional)-(f|fe)"
            raise ConfigError(f"{message}, such as wbe-msd-bidirectional-fe")
        directions = {"bidirectional": ("backward", "forward"), "forward": ("forward",)}
        return cls(
            found["neighbours"],
            found["orientations"],
            directions.get(found["direction"] or "", ("backward",)),
            found["condition"] == "f",
        )

    @property
    def features(self) -> tuple[str, ...]:
        """The names of its columns, in order."""
        classes = _ORIENTATIONS[self.orientations]
        return tuple(f"reordering.{way}.{name}" for way in self.directions for name in classes)


ASSUMED = {
    2: "monotonicity-backward",
    3: "msd-backward",
    4: "monotonicity-bidirectional",
}
"""The model assumed by number of columns, where several are possible."""
