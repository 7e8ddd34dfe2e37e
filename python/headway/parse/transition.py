"""The transition-based parser."""

from headway import _core
from headway.parse.parser import TrainedParser


class TransitionParser(TrainedParser):
    """Builds a tree step by step, greedily or with a beam."""

    kind = "transition"

    def __init__(self, core: _core.TransitionParser, language: str | None = None) -> None:
        self._core: _core.TransitionParser = core
        self.language = language

    @property
    def system(self) -> str:
        """Its steps: eager (projective trees) or swap (any tree)."""
        return self._core.system

    @property
    def beam(self) -> int:
        """States kept side by side; 1 is greedy."""
        return self._core.beam

    def with_beam(self, beam: int) -> "TransitionParser":
        """The same parser with another beam size; 1 is greedy."""
        return TransitionParser(self._core.with_beam(beam), self.language)
