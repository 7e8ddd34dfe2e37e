"""Several models as one."""

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike

from headway import _core
from headway.lm.model import LanguageModel, TextScore
from headway.printing import described, prints_briefly
from headway.progress import Progress


@prints_briefly
@dataclass(frozen=True)
class Tuning:
    """What `Mixture.tune` found on held-out text."""

    weights: list[float]
    words: int
    """Words of the text that some model knows; the others say nothing about weights."""
    perplexity_before: float
    """Per such word, with equal weights."""
    perplexity: float
    """Per such word, with the weights found."""


class Mixture:
    """Models interpolated at query time: each word's probabilities, weighted and added up.

    A word that some of the models know is impossible in those that do not; a word that none
    knows is the unknown word of each. Weights are divided by their sum.
    """

    def __init__(self, models: Sequence[LanguageModel], weights: Sequence[float] | None = None):
        self.models = list(models)
        given = [1.0] * len(self.models) if weights is None else list(weights)
        self._core = _core.Mixture([model._core for model in self.models], given)

    def __repr__(self) -> str:
        return described("Mixture", models=self.models, weights=self.weights)

    @property
    def weights(self) -> list[float]:
        """One per model; they sum to one."""
        return self._core.weights

    @classmethod
    def tune(
        cls,
        models: Sequence[LanguageModel],
        sentences: Sequence[str],
        *,
        threads: int = 0,
        progress: Progress | None = None,
    ) -> tuple["Mixture", Tuning]:
        """The mixture under which the sentences are most probable (by EM), and its figures."""
        equal = cls(models)
        tuning = Tuning(*equal._core.tune(list(sentences), threads, progress))
        return cls(models, tuning.weights), tuning

    def score_texts(
        self,
        sentences: Sequence[str],
        *,
        begin: bool = True,
        end: bool = True,
        threads: int = 0,
        progress: Progress | None = None,
    ) -> list[TextScore]:
        """The score of each sentence with its words and unknown words counted."""
        rows = self._core.score_parts(list(sentences), begin, end, threads, progress)
        return [TextScore(*row) for row in rows]

    def score(
        self, sentences: Sequence[str], *, begin: bool = True, end: bool = True
    ) -> list[float]:
        """The log probability of each sentence."""
        return [score.log_prob for score in self.score_texts(sentences, begin=begin, end=end)]

    def evaluate(self, sentences: Sequence[str], *, threads: int = 0) -> TextScore:
        """The score of a whole text: its perplexity, with and without unknown words."""
        return TextScore.total(self.score_texts(sentences, threads=threads))

    def write_arpa(self, path: str | PathLike[str], *, progress: Progress | None = None) -> None:
        """Writes one back-off model with the n-grams of all models.

        Each has the mixture's probability; back-offs are new, so that every context sums to one.
        n-grams that no model has score by backing off: near the mixture, not the same.
        """
        self._core.write_arpa(path, progress)
