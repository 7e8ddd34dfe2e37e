"""The parser of Penn brackets."""

from headway import _core
from headway.parse.parser import TrainedParser


class PcfgParser(TrainedParser):
    """A grammar of split symbols (Petrov et al. 2006), which gives brackets."""

    kind = "pcfg"

    def __init__(self, core: _core.PcfgParser, language: str | None = None) -> None:
        self._core: _core.PcfgParser = core
        self.language = language

    @property
    def objective(self) -> str:
        """Which tree is the best one: max-rule, variational or viterbi."""
        return self._core.objective

    @property
    def likelihoods(self) -> list[float]:
        """The natural logarithm of the likelihood before each step of EM, but for a constant.

        Empty unless just trained.
        """
        return self._core.likelihoods

    @property
    def symbols(self) -> int:
        """How many symbols its grammar has."""
        return self._core.sizes[0]

    @property
    def variants(self) -> int:
        """How many variants these symbols have together."""
        return self._core.sizes[1]

    def with_objective(self, objective: str, *, threshold: float | None = None) -> "PcfgParser":
        """The same parser with another objective, and another threshold of pruning if given."""
        return PcfgParser(self._core.with_search(objective, threshold), self.language)
