"""The search behind a bundle: opens its files and asks the core."""

from collections.abc import Mapping, Sequence, Set
from math import isfinite, nan
from typing import Any

import msgspec

from headway import _core
from headway.errors import ConfigError, ModelError
from headway.lm import DependencyModel, LanguageModel, WordClasses
from headway.progress import Progress
from headway.settings import SearchSettings, Settings
from headway.systems.bundle import MANIFEST, Bundle, Manifest
from headway.systems.features import RuleFeature, missing
from headway.systems.registry import SYSTEMS
from headway.systems.weights import changed_weights, check_stored, nearest
from headway.table import Rule, RuleTable

# Features of every model besides those of its table and language models.
_BUILTIN = ("phrase-penalty", "word-penalty", "unknown-word")
# What a parser adds to a model.
_DEPENDENCY = "dependency"
# What putting parts side by side is worth, by search.
_JOINING = {"stack": "distortion", "chart": "glue"}


def search_of(bundle: Bundle) -> str:
    """Which search a bundle's system has: `stack` or `chart`."""
    name, where = bundle.manifest.system, bundle.directory / MANIFEST
    if name not in SYSTEMS:
        message = f"{where}: system {name}: this headway has no such one{nearest(name, [*SYSTEMS])}"
        raise ModelError(message, where)
    return SYSTEMS[name].decoder


def feature_names(bundle: Bundle) -> list[str]:
    """The features of a bundle's model in order."""
    return _names(bundle, RuleTable.open(bundle.path("rules")))


def _names(bundle: Bundle, table: RuleTable) -> list[str]:
    joining, trees = _JOINING[search_of(bundle)], []
    if bundle.names("dependency"):
        joining, trees = "special-rules", _core.ChartDecoder.tree_features(table._core)
    elif bundle.names("parser"):
        trees = [_DEPENDENCY]
    return [*table.features, *_BUILTIN, joining, *_lm_names(bundle), *trees]


def has_trees(bundle: Bundle) -> bool:
    """Whether translations have target trees: built by rules, or by a parser in search."""
    return bool(bundle.names("dependency") or bundle.names("parser"))


def _lm_names(bundle: Bundle) -> list[str]:
    """Language models: first those over words, then those over classes."""
    return [*bundle.names("lm"), *bundle.names("class-lm")]


def _language_model(bundle: Bundle, name: str) -> LanguageModel:
    over_classes = bundle.manifest.components[name].kind == "class-lm"
    classes = WordClasses.load(bundle.path("classes")) if over_classes else None
    return LanguageModel.load(bundle.path(name), classes=classes)


def search_settings(bundle: Bundle, changes: Mapping[str, Any]) -> SearchSettings:
    """The bundle's search settings with some of them changed; defaults where it is silent."""
    table = msgspec.to_builtins(Settings.load().search)
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
    try:
        return msgspec.convert(table, SearchSettings)
    except msgspec.ValidationError as error:
        message, _, key = str(error).replace("`", "").partition(" - at $.")
        raise ConfigError(f"search.{key}: {message[:1].lower()}{message[1:]}") from None


# Words remembered with what they are read as, so that a program may translate for months.
_MOST_WORDS = 50_000


class Models:
    """The opened files of a bundle: shared by decoders that differ in weights and settings."""

    def __init__(self, bundle: Bundle) -> None:
        self.table = RuleTable.open(bundle.path("rules"))
        self.lms = [(name, _language_model(bundle, name)) for name in _lm_names(bundle)]
        parsers = [_core.GraphParser.load(bundle.path(name)) for name in bundle.names("parser")]
        self.parser = parsers[0] if parsers else None
        self._dependency: dict[bool, _core.DependencyModel] = {}
        self._alike: dict[float, dict[str, str]] = {}

    def alike(self, words: Set[str], share: float) -> Mapping[str, str]:
        """For these words at least, what an unknown one is read as, and known ones themselves."""
        known = self._alike.setdefault(share, {})
        if len(known) > _MOST_WORDS:
            known.clear()
        new = sorted(words - known.keys())
        found = self.table._core.alike(new, share)
        known.update((word, to or word) for word, to in zip(new, found, strict=True))
        return known

    def dependency(self, bundle: Bundle, *, stop: bool) -> _core.DependencyModel | None:
        """The model of target trees, if there is one; with or without the end of children."""
        if not bundle.names("dependency"):
            return None
        if stop not in self._dependency:
            self._dependency[stop] = DependencyModel.load(bundle.directory, stop=stop)._core
        return self._dependency[stop]


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
        self.models = Models(bundle) if models is None else models
        self._table = self.models.table
        self._features = dict(features)
        self.weights = self._weights(bundle, weights)
        self._core = self._search(bundle)

    @property
    def features(self) -> list[str]:
        """Names of all features, in the order of their values."""
        return self._core.features

    def _search(self, bundle: Bundle) -> _core.SearchDecoder:
        """The search of the bundle's system, with its models."""
        lms = [(name, model._core) for name, model in self.models.lms]
        table, added = self._table._core, list(self._features)
        if search_of(bundle) == "stack":
            parser = self.models.parser
            return _core.StackDecoder(
                table, lms, self.weights, self.search, added=added, parser=parser
            )
        dependency = self.models.dependency(bundle, stop=self.search.stop)
        return _core.ChartDecoder(
            table, lms, self.weights, self.search, added=added, dependency=dependency
        )

    def _weights(self, bundle: Bundle, changes: Mapping[str, float]) -> dict[str, float]:
        """One for each feature of the model: the bundle's, changed, and 0 where it has none."""
        names = _names(bundle, self._table)
        for name in self._features:
            if name in names:
                raise ConfigError(f"feature {name}: the model has one of that name; rename yours")
        names += self._features
        where = bundle.directory / MANIFEST
        for name in bundle.manifest.weights:
            if name in bundle.manifest.features and name not in names:
                if not counts(bundle.manifest, name):
                    continue
                place = bundle.manifest.features[name]
                raise ModelError(f"{where}: {missing(name, place)}", where)
            if name not in names:
                message = f"{where}: weight {name}: no such feature{nearest(name, names)}"
                raise ModelError(message, where)
        check_stored(where, bundle.manifest.weights)
        found = {name: bundle.manifest.weights.get(name, 0.0) for name in names}
        return changed_weights(found, changes)

    def translate(
        self,
        sentences: list[list[str]],
        *,
        threads: int,
        n_best: int,
        distinct: bool,
        forests: bool,
        trees: bool = False,
        before: int = 0,
        progress: Progress | None,
    ) -> list[_core.Translation]:
        """What search finds for each sentence; errors count `before` more before the first."""
        read = self.read(sentences)
        return self._core.translate(
            read,
            threads=threads,
            n_best=n_best,
            distinct=distinct,
            forests=forests,
            added=self._added(read) if self._features else None,
            before=before,
            progress=progress,
            **({"trees": True} if trees else {}),
        )

    def read(self, sentences: Sequence[Sequence[str]]) -> list[list[str]]:
        """The words as search sees them: the known word most alike in place of an unknown one."""
        if not self.search.alike:
            return [list(words) for words in sentences]
        words = {word for words in sentences for word in words}
        read = self.models.alike(words, self.search.alike)
        return [[read.get(word, word) for word in words] for words in sentences]

    @property
    def tag_column(self) -> str:
        """The column of CoNLL-U that tags of trees are of."""
        return self.models.parser.tags if self.models.parser else "xpos"

    def counters(self) -> dict[str, int]:
        """What the dependency language model took so far; nothing where there is none."""
        return self._core.counters() if isinstance(self._core, _core.StackDecoder) else {}

    def _added(self, sentences: list[list[str]]) -> _core.AddedFeatures:
        """Asks the Python features about every rule that these sentences could use."""
        options = self._core.options(sentences)
        rules = [self._table.rule_of(parts) for parts in options.rules()]
        columns = []
        for name, feature in self._features.items():
            columns.append([_value(name, rule, feature(rule)) for rule in rules])
        return options.with_values(columns)


def counts(manifest: Manifest, name: str) -> bool:
    """Whether a feature has a weight other than 0 in either pass."""
    again = manifest.rescoring.weights if manifest.rescoring is not None else {}
    return bool(manifest.weights.get(name) or again.get(name))


def _value(name: str, rule: Rule, value: object) -> float:
    """What a Python feature said of a rule, if it is a number."""
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        number = nan
    if not isfinite(number):
        sides = f"{rule.source_text!r} → {rule.target_text!r}"
        raise ConfigError(f"feature {name}: is {value!r} for {sides}; give a number")
    return number
