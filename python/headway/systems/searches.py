"""What the core declares about searches and about features with a state."""

from collections.abc import Iterable
from dataclasses import dataclass

from headway import _core


@dataclass(frozen=True)
class SearchKind:
    """A search: the settings of `[search]` that it reads, and the weights that it has."""

    name: str
    settings: frozenset[str]
    fixed: tuple[tuple[str, str, str], ...]
    """Settings of which it has only one value: the setting, the value, the reason."""
    families: tuple[str, ...]
    joining: str
    """The feature that counts parts put side by side, unless a feature replaces it."""
    lattices: bool
    """Whether what it keeps can be seen as a word lattice."""


@dataclass(frozen=True)
class StatefulFeature:
    """A feature that looks beyond one rule, computed with a model."""

    model: str
    """The kind of component that it is computed with; `rules` is always there."""
    searches: frozenset[str]
    families: tuple[str, ...]
    settings: frozenset[str]
    joining: str | None
    """What it replaces the search's `joining` by, if it does."""
    trees: bool
    """Whether translations come with a tree that it makes."""
    exact: bool
    """Whether its values in a forest are those of the derivation taken."""


SEARCHES = {
    kind["name"]: SearchKind(
        kind["name"],
        frozenset(kind["settings"]),
        tuple(kind["fixed"]),
        tuple(kind["families"]),
        kind["joining"],
        kind["lattices"],
    )
    for kind in _core.search_kinds()
}

STATEFUL = tuple(
    StatefulFeature(
        feature["model"],
        frozenset(feature["searches"]),
        tuple(feature["families"]),
        frozenset(feature["settings"]),
        feature["joining"],
        feature["trees"],
        feature["exact"],
    )
    for feature in _core.search_features()
)


def features_of(search: str, models: Iterable[str]) -> list[StatefulFeature]:
    """The features of a search that are computed with these models."""
    names = set(models)
    return [it for it in STATEFUL if search in it.searches and it.model in names]
