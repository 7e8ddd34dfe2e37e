"""What a system is: one value that says what it needs, how it is trained, and how it searches.

A system is a list of parts. A part is a step of training with what it declares: the settings that
it reads, the components that it makes, and the weights of the features that come with them. What
a system has no use for is what none of its parts declares; nothing else has to say so.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from headway.printing import prints_briefly
from headway.settings import SearchSettings, Settings
from headway.systems.corpus import Corpus
from headway.systems.models import Opener
from headway.systems.pipeline import Pipeline
from headway.systems.sides import SOURCE_SIDE, TARGET_SIDE, Side

Step = Callable[[Pipeline], None]


@dataclass(frozen=True)
class Choice:
    """What a training was asked for."""

    settings: Settings
    corpus: Corpus
    tuned: bool = True
    """Whether weights are tuned, given a dev set."""


Reason = Callable[[Choice], str]
"""Why something has no effect with a choice; empty where it has one."""


def never(_: Choice) -> str:
    """No reason."""
    return ""


@dataclass(frozen=True)
class Uses:
    """Names that a part has a use for, unless there is a reason why not.

    The name of a section goes for all that is in it. Where several uses of one part cover a name,
    all of them must have no reason against it.
    """

    names: tuple[str, ...]
    unless: Reason = never

    def covers(self, name: str) -> bool:
        """Whether it says anything about a name."""
        return any(name == own or name.startswith(f"{own}.") for own in self.names)


def uses(*names: str, unless: Reason = never) -> Uses:
    """Names that a part has a use for, unless there is a reason why not."""
    return Uses(names, unless)


@dataclass(frozen=True)
class Part:
    """A step of training, and what it declares."""

    run: Step
    settings: tuple[Uses, ...] = ()
    """Settings that it reads, by name: `lm.order`."""
    components: tuple[Uses, ...] = ()
    """Kinds of components that it makes."""
    weights: tuple[Uses, ...] = ()
    """Families of weights that its components bring, besides those that the core declares."""


class Trees(Enum):
    """What a system needs of the dependency trees of one side."""

    NONE = "no trees"
    OF_CORPUS = "trees of the corpus, given or by a parser"
    PARSER = "a parser, given or trained on a treebank"


@dataclass(frozen=True)
class Need:
    """What a system needs of one side's trees."""

    trees: Trees
    optional: bool = False
    """Whether it does without them where none are given."""
    cyclic: bool = False
    """Whether given trees with a cycle are of use: it learns from their well-formed parts."""
    spare: Reason = never
    """Why a choice has no use for them; empty where it has one."""
    without: str = ""
    """What to do about a bundle that was trained without them."""


NO_TREES = Need(Trees.NONE)


@prints_briefly
@dataclass(frozen=True)
class System:
    """A system: what it needs, how it is trained, and how it searches."""

    name: str
    about: str
    parts: tuple[Part, ...]
    decoder: str
    """The search that uses it, as the core names it: `stack`, `chart` or `lattice`."""
    target_trees: Need = NO_TREES
    source_trees: Need = NO_TREES
    coarse: str = ""
    """The system that makes the lattices which it parses; its weights are tuned first."""
    models: Mapping[str, Opener] = field(default_factory=dict)
    """By kind of component: how it becomes the model of a feature with a state."""
    search: Mapping[str, Any] = field(default_factory=dict)
    """Search settings that suit it better than those of `default.toml`."""
    training: Mapping[str, Any] = field(default_factory=dict)
    """The same for other settings, by section and key."""

    @property
    def needs(self) -> tuple[tuple[Side, Need], ...]:
        """What it needs of either side's trees."""
        return (SOURCE_SIDE, self.source_trees), (TARGET_SIDE, self.target_trees)

    @property
    def model_kinds(self) -> frozenset[str]:
        """Kinds of components that features are computed with."""
        return frozenset({"rules", *self.models})

    def training_settings(self, settings: Settings) -> Settings:
        """The settings in force; where nobody chose a value, those that suit the system."""
        return settings.suited(self.training)

    def search_settings(self, settings: Settings) -> SearchSettings:
        """The same for search."""
        suited = settings.suited({f"search.{name}": value for name, value in self.search.items()})
        return dict(suited.search)
