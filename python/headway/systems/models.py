"""Which components of a bundle become which models of its decoder."""

from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass
from threading import Lock

from headway import _core
from headway.deporder import OrderModel
from headway.lm import DependencyModel, LanguageModel, WordClasses
from headway.phrasedep import PhraseDependencies
from headway.settings import SearchSettings
from headway.systems.bundle import Bundle
from headway.table import RuleTable

CoreModel = (
    _core.GraphParser
    | _core.DependencyModel
    | _core.OrderModel
    | _core.PhraseDependencies
    | _core.OperationModel
    | dict[str, float]
)
"""A model of a feature, or weights of a coarse search."""


@dataclass(frozen=True)
class Opener:
    """How the components of one kind become the model of a feature."""

    open: Callable[[Bundle, SearchSettings], CoreModel]
    settings: tuple[str, ...] = ()
    """Search settings that the model depends on."""


def _parser(bundle: Bundle, _: SearchSettings) -> CoreModel:
    (name, *_more) = bundle.names("parser")
    return _core.GraphParser.load(bundle.path(name))


def _dependency(bundle: Bundle, search: SearchSettings) -> CoreModel:
    return DependencyModel.load(bundle.directory, stop=bool(search["stop"]))._core


def _order(bundle: Bundle, _: SearchSettings) -> CoreModel:
    (name, *_more) = bundle.names("order")
    return OrderModel.open(bundle.path(name))._core


def _phrase_dependencies(bundle: Bundle, _: SearchSettings) -> CoreModel:
    (name, *_more) = bundle.names("phrase-dependencies")
    return PhraseDependencies.open(bundle.path(name), verify=False)._core


def _operations(bundle: Bundle, _: SearchSettings) -> CoreModel:
    words = LanguageModel.load(bundle.path("osm"))._core
    if not bundle.names("class-osm"):
        return _core.OperationModel(words)
    of_classes = LanguageModel.load(bundle.path("class-osm"))._core
    source, target = (
        WordClasses.load(bundle.path(name))._core for name in ("source-classes", "classes")
    )
    return _core.OperationModel(words, (of_classes, source, target))


OPERATION_MODELS = Opener(_operations)
PARSER = Opener(_parser)
ORDER_MODEL = Opener(_order)
PHRASE_DEPENDENCIES = Opener(_phrase_dependencies)
DEPENDENCY_MODEL = Opener(_dependency, ("stop",))

# Words remembered with what they are read as, so that a program may translate for months.
_MOST_WORDS = 50_000


class Models:
    """The opened files of a bundle: shared by decoders that differ in weights and settings.

    Threads may share them too.
    """

    def __init__(self, bundle: Bundle, openers: Mapping[str, Opener]) -> None:
        """`openers` are by kind of component, which is also the name of the model."""
        self.table = RuleTable.open(bundle.path("rules"))
        self.lms = [(name, _language_model(bundle, name)) for name in lm_names(bundle)]
        self._bundle, self._openers = bundle, openers
        self._others: dict[tuple[object, ...], CoreModel] = {}
        self._alike: dict[float, dict[str, str]] = {}
        self._lock = Lock()

    def others(self, search: SearchSettings) -> dict[str, CoreModel]:
        """The models of features, for these settings."""
        found = {}
        for kind, opener in self._openers.items():
            if self._bundle.names(kind):
                key = (kind, *(search[name] for name in opener.settings))
                with self._lock:  # whoever comes second waits, and opens nothing twice
                    if key not in self._others:
                        self._others[key] = opener.open(self._bundle, search)
                    found[kind] = self._others[key]
        return found

    def alike(self, words: Set[str], share: float) -> Mapping[str, str]:
        """For each of these words what it is read as: itself if it is known or like no other."""
        with self._lock:
            known = self._alike.setdefault(share, {})
            found = {word: known[word] for word in words if word in known}
        new = sorted(words - found.keys())
        read = self.table._core.alike(new, share)  # not under the lock: it takes a while
        asked = {word: to or word for word, to in zip(new, read, strict=True)}
        with self._lock:
            if len(known) > _MOST_WORDS:
                known.clear()
            known.update(asked)
        return found | asked


def lm_names(bundle: Bundle) -> list[str]:
    """Language models: first those over words, then those over classes."""
    return [*bundle.names("lm"), *bundle.names("class-lm")]


def _language_model(bundle: Bundle, name: str) -> LanguageModel:
    over_classes = bundle.manifest.components[name].kind == "class-lm"
    classes = WordClasses.load(bundle.path("classes")) if over_classes else None
    return LanguageModel.load(bundle.path(name), classes=classes)
