"""Phrase-based search, with features written in Python if there are any."""

from collections.abc import Callable, Mapping, Sequence

from headway import _core
from headway._core import Translation
from headway.errors import ConfigError
from headway.lm import LanguageModel
from headway.progress import Progress
from headway.settings import SearchSettings, Settings
from headway.table import Rule, RuleTable

RuleFeature = Callable[[Rule], float]
"""A feature of single rules: called once for each different rule of a batch."""


class Decoder:
    """A table, language models and weights, ready to translate.

    `weights` names every feature: those of the table, the keys of `lms` and of `features`, and
    `phrase-penalty`, `word-penalty`, `unknown-word` and `distortion`.
    """

    def __init__(
        self,
        table: RuleTable,
        lms: Mapping[str, LanguageModel],
        weights: Mapping[str, float],
        *,
        settings: SearchSettings | None = None,
        features: Mapping[str, RuleFeature] | None = None,
    ) -> None:
        self._table = table
        self._functions = dict(features or {})
        self._core = _core.StackDecoder(
            table._core,
            [(name, model._core) for name, model in lms.items()],
            dict(weights),
            settings or Settings.load().search,
            added=list(self._functions),
        )

    @property
    def features(self) -> tuple[str, ...]:
        """Names of all features, in the order of `Translation.values`."""
        return tuple(self._core.features)

    def translate(
        self,
        sentences: Sequence[Sequence[str]],
        *,
        threads: int = 0,
        n_best: int = 0,
        distinct: bool = False,
        forests: bool = False,
        progress: Progress | None = None,
    ) -> list[Translation]:
        """One translation for each list of words, in order and for any number of threads the same.

        No sentence fails: an empty one gives no words, a too long one is translated in pieces
        (`Translation.split`), one that takes too long is finished in a hurry (`hurried`).
        """
        if isinstance(sentences, str) or any(isinstance(words, str) for words in sentences):
            raise ConfigError("translate takes lists of words; split the text first")
        return self._core.translate(
            sentences,
            threads=threads,
            n_best=n_best,
            distinct=distinct,
            forests=forests,
            added=self._added(sentences),
            progress=progress,
        )

    def score(
        self, sentence: Sequence[str], derivation: Sequence[tuple[tuple[int, int], Sequence[str]]]
    ) -> dict[str, float]:
        """All features of a derivation: source spans and their target words, in target order."""
        return dict(zip(self.features, self._core.score(sentence, derivation), strict=True))

    def _added(self, sentences: Sequence[Sequence[str]]) -> _core.AddedFeatures | None:
        if not self._functions:
            return None
        options = self._core.options(sentences)
        rules = [self._table._rule(parts) for parts in options.rules()]
        columns = [
            [float(function(rule)) for rule in rules] for function in self._functions.values()
        ]
        return options.with_values(columns)


def minimum_risk(translations: Sequence[Translation], *, scale: float = 1.0) -> Translation:
    """The one of an n-best list that is on average most like all others, by sentence BLEU.

    Scores times `scale` count as logarithms of probabilities.
    """
    place = _core.least_risk([(entry.words, entry.score) for entry in translations], scale)
    if place is None:
        raise ConfigError("the least risk of no translation; give an n-best list")
    return translations[place]
