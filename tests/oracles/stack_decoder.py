"""The core's stack decoder over a table and language models of a test."""

from collections.abc import Callable, Mapping, Sequence

from headway import _core
from headway._core import Translation
from headway.lm import LanguageModel
from headway.settings import SearchSettings, Settings
from headway.systems.models import CoreModel
from headway.table import Rule, RuleTable

RuleFeature = Callable[[Rule], float]
"""A feature of single rules: called once for each different rule of a batch."""


def _models(
    parser: _core.GraphParser | None,
    order: _core.OrderModel | None,
    osm: _core.OperationModel | None,
) -> dict[str, CoreModel]:
    found: dict[str, CoreModel] = {}
    if parser is not None:
        found["parser"] = parser
    if order is not None:
        found["order"] = order
    if osm is not None:
        found["osm"] = osm
    return found


class Decoder:
    """A table, language models and weights; `features` are functions of rules."""

    def __init__(
        self,
        table: RuleTable,
        lms: Mapping[str, LanguageModel],
        weights: Mapping[str, float],
        *,
        settings: SearchSettings | None = None,
        features: Mapping[str, RuleFeature] | None = None,
        parser: _core.GraphParser | None = None,
        order: _core.OrderModel | None = None,
        osm: _core.OperationModel | None = None,
    ) -> None:
        self._table = table
        self._functions = dict(features or {})
        self._core = _core.Decoder(
            "stack",
            table._core,
            [(name, model._core) for name, model in lms.items()],
            dict(weights),
            settings or Settings.load().search,
            added=list(self._functions),
            models=_models(parser, order, osm),
        )

    @property
    def features(self) -> tuple[str, ...]:
        """Names of all features, in the order of `Translation.values`."""
        return tuple(self._core.features)

    def translate(
        self,
        sentences: Sequence[Sequence[str] | _core.Source],
        *,
        threads: int = 0,
        n_best: int = 0,
        distinct: bool = False,
        forests: bool = False,
        trees: bool = False,
    ) -> list[Translation]:
        """Every core at work unless `threads` says otherwise."""
        return self._core.translate(
            sentences,
            threads=threads,
            n_best=n_best,
            distinct=distinct,
            forests=forests,
            trees=trees,
            added=self._added(sentences),
        )

    def score(
        self,
        sentence: Sequence[str] | _core.Source,
        derivation: Sequence[tuple[tuple[int, int], Sequence[str]]],
    ) -> dict[str, float]:
        """All features of a derivation: source spans and their target words, in target order."""
        return dict(zip(self.features, self._core.score(sentence, derivation), strict=True))

    def _added(
        self, sentences: Sequence[Sequence[str] | _core.Source]
    ) -> _core.AddedFeatures | None:
        if not self._functions:
            return None
        options = self._core.options(sentences)
        rules = [self._table.rule_of(parts) for parts in options.rules()]
        columns = [
            [float(function(rule)) for rule in rules] for function in self._functions.values()
        ]
        return options.with_values(columns)
