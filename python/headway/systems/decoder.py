"""The search behind a bundle: opens its files and asks the core."""

from collections.abc import Mapping, Sequence
from math import nan
from typing import Any

from headway import _core
from headway.errors import ConfigError, ModelError
from headway.files import MANIFEST
from headway.progress import Progress
from headway.settings import SearchSettings, Settings
from headway.systems.bundle import Bundle, Manifest
from headway.systems.features import RuleFeature, missing
from headway.systems.models import CoreModel, Models
from headway.systems.registry import SYSTEMS
from headway.systems.searches import StatefulFeature, features_of
from headway.systems.source import Source
from headway.systems.system import System
from headway.systems.weights import changed_weights, check_stored, nearest
from headway.table import Rule

_LARGEST = 1e9
"""The largest value of a feature that the core takes."""


def system_of(bundle: Bundle) -> System:
    """The system that a bundle is of."""
    name, where = bundle.manifest.system, bundle.directory / MANIFEST
    if name not in SYSTEMS:
        message = f"{where}: system {name}: this headway has no such one{nearest(name, [*SYSTEMS])}"
        raise ModelError(message, where)
    return SYSTEMS[name]


def stateful_features(bundle: Bundle) -> list[StatefulFeature]:
    """The features with a state that the models of a bundle call for."""
    system = system_of(bundle)
    return features_of(system.decoder, filter(bundle.names, system.model_kinds))


def has_trees(bundle: Bundle) -> bool:
    """Whether translations have target trees: built by rules, or by a parser in search."""
    return any(feature.trees for feature in stateful_features(bundle))


def feature_names(bundle: Bundle) -> list[str]:
    """The features of a bundle's model in order."""
    models = Models(bundle, system_of(bundle).models)
    return _names(bundle, models, search_settings(bundle, {}))


def _names(bundle: Bundle, models: Models, search: SearchSettings) -> list[str]:
    lms = [(name, model._core) for name, model in models.lms]
    kind, table, others = system_of(bundle).decoder, models.table._core, models.others(search)
    return _core.feature_names(kind, table, lms, search, models=others)


def search_settings(bundle: Bundle, changes: Mapping[str, Any]) -> SearchSettings:
    """The bundle's search settings with some of them changed; defaults where it is silent."""
    table = dict(Settings.load().search)
    for where, values in (
        (f"{bundle.directory / MANIFEST}: ", bundle.manifest.search),
        ("", changes),
    ):
        for key in values:
            if key not in table:
                names = [f"search.{name}" for name in table]
                message = f"{where}search.{key}: unknown setting"
                raise ConfigError(message + nearest(f"search.{key}", names))
        table.update(values)
    _core.check_search(table)
    return table


class Decoder:
    """A bundle's model and settings in the core, ready to translate words."""

    def __init__(
        self,
        bundle: Bundle,
        weights: Mapping[str, float],
        search: Mapping[str, Any],
        features: Mapping[str, RuleFeature],
        models: Models | None = None,
    ) -> None:
        self.search = search_settings(bundle, search)
        self.models = models or Models(bundle, system_of(bundle).models)
        self._table = self.models.table
        self._features = dict(features)
        self.weights = self._weights(bundle, weights)
        self._core = self._search(bundle)

    @property
    def features(self) -> list[str]:
        """Names of all features, in the order of their values."""
        return self._core.features

    @property
    def uses_trees(self) -> bool:
        """Whether search looks at trees of the source."""
        return "trees" in self._core.uses

    def pieces(self, source: _core.Source | Sequence[str]) -> list[tuple[int, int]]:
        """The spans of words that search takes one after the other: one unless it is long."""
        return self._core.pieces(source)

    def licensed(self, source: _core.Source | Sequence[str]) -> list[tuple[int, int]] | None:
        """The spans of words that its trees license as phrases; None without a tree to use."""
        return self._core.licensed(source)

    def _search(self, bundle: Bundle) -> _core.Decoder:
        """The search of the bundle's system, with its models."""
        return _core.Decoder(
            system_of(bundle).decoder,
            self._table._core,
            [(name, model._core) for name, model in self.models.lms],
            self.weights,
            self.search,
            models=self._others(bundle),
            added=list(self._features),
        )

    def _others(self, bundle: Bundle) -> dict[str, CoreModel]:
        """The models of features, and the weights of the search before this one."""
        coarse = {n: it for n, it in bundle.manifest.coarse.items() if n in self.weights}
        return {**self.models.others(self.search), **({"coarse": coarse} if coarse else {})}

    def _weights(self, bundle: Bundle, changes: Mapping[str, float]) -> dict[str, float]:
        """One for each feature of the model: the bundle's, changed, and 0 where it has none."""
        names = _names(bundle, self.models, self.search)
        for name in self._features:
            if name in names:
                raise ConfigError(f"feature {name}: the model has one of that name; rename yours")
        names += self._features
        where = bundle.directory / MANIFEST
        stored = {**bundle.manifest.weights, **bundle.manifest.coarse}
        unknown = [name for name in stored if name not in names]
        # Other settings of search may leave features out: their weights wait.
        own = _names(bundle, self.models, search_settings(bundle, {})) if unknown else []
        for name in unknown:
            if name in bundle.manifest.features:
                if counts(bundle.manifest, name):
                    place = bundle.manifest.features[name]
                    raise ModelError(f"{where}: {missing(name, place)}", where)
            elif name not in own:
                message = f"{where}: weight {name}: no such feature{nearest(name, names)}"
                raise ModelError(message, where)
        check_stored(where, bundle.manifest.weights)
        check_stored(where, bundle.manifest.coarse)
        found = {name: bundle.manifest.weights.get(name, 0.0) for name in names}
        return changed_weights(found, changes)

    def translate(
        self,
        sources: Sequence[Source | Sequence[str]],
        *,
        threads: int,
        n_best: int,
        distinct: bool,
        forests: bool,
        trees: bool = False,
        safest: tuple[str, float] | None = None,
        before: int = 0,
        progress: Progress | None,
    ) -> list[_core.Translation]:
        """What search finds for each source; errors count `before` more before the first.

        With `safest`, a gain and a scale, lists have what all derivations agree with most.
        """
        whole = [it if isinstance(it, Source) else Source(tuple(it)) for it in sources]
        read = self.read([source.words for source in whole])
        given = [source.core(words) for source, words in zip(whole, read, strict=True)]
        return self._core.translate(
            given,
            threads=threads,
            n_best=n_best,
            distinct=distinct,
            forests=forests,
            added=self._added(given) if self._features else None,
            before=before,
            progress=progress,
            trees=trees,
            safest=safest,
        )

    def read(self, sentences: Sequence[Sequence[str]]) -> list[list[str]]:
        """The words as search sees them: the known word most alike in place of an unknown one."""
        share = float(self.search["alike"])
        if not share:
            return [list(words) for words in sentences]
        words = {word for words in sentences for word in words}
        read = self.models.alike(words, share)
        return [[read.get(word, word) for word in words] for words in sentences]

    @property
    def tag_column(self) -> str:
        """The column of CoNLL-U that tags of trees are of."""
        parser = self.models.others(self.search).get("parser")
        return parser.tags if isinstance(parser, _core.GraphParser) else "xpos"

    def counters(self) -> dict[str, int]:
        """What features with a state took so far, such as arcs scored."""
        return self._core.counters()

    def _added(self, sources: Sequence[_core.Source | Sequence[str]]) -> _core.AddedFeatures:
        """Asks the Python features about every rule that these sources could use."""
        options = self._core.options(sources)
        rules = [self._table.rule_of(parts) for parts in options.rules()]
        columns = []
        for name, feature in self._features.items():
            columns.append([_value(name, rule, feature(rule)) for rule in rules])
        return options.with_values(columns)


def counts(manifest: Manifest, name: str) -> bool:
    """Whether a feature has a weight other than 0 in some pass."""
    again = manifest.rescoring.weights if manifest.rescoring is not None else {}
    passes = (manifest.coarse, manifest.weights, again)
    return any(weights.get(name) for weights in passes)


def _value(name: str, rule: Rule, value: object) -> float:
    """What a Python feature said of a rule, if it is a number."""
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        number = nan
    if not abs(number) <= _LARGEST:
        sides = f"{rule.source_text!r} → {rule.target_text!r}"
        advice = "give a number from -1e9 to 1e9"
        raise ConfigError(f"feature {name}: is {value!r} for {sides}; {advice}")
    return number
