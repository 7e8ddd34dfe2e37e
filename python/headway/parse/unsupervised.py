"""The parser that is learnt from tags alone."""

from headway import _core
from headway.parse.parser import TrainedParser


class DmvParser(TrainedParser):
    """The dependency model with valence (Klein & Manning 2004)."""

    kind = "dmv"

    def __init__(self, core: _core.DmvParser, language: str | None = None) -> None:
        self._core: _core.DmvParser = core
        self.language = language

    @property
    def likelihood(self) -> float:
        """The natural logarithm of the likelihood of what it learnt from."""
        return self._core.likelihood

    @property
    def likelihoods(self) -> list[float]:
        """The same before each step of EM and at the end; empty unless just trained."""
        return self._core.likelihoods

    @property
    def learnt_from(self) -> int:
        """How many sentences were short enough to learn from; 0 unless just trained."""
        return self._core.learnt_from

    @property
    def start(self) -> int:
        """The start it was learnt from: 0 is the harmonic one, others are random."""
        return self._core.start
