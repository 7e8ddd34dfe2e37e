"""What the core declares about searches and features, as `_core` returns it."""

from typing import TypedDict


class SearchKindTable(TypedDict):
    """A search."""

    name: str
    settings: list[str]
    fixed: list[tuple[str, str, str]]
    """Settings of which it has only one value: the setting, the value, the reason."""
    families: list[str]
    """Families of weights besides those of its rule table."""
    joining: str
    """The feature that counts parts put side by side, unless a feature replaces it."""
    lattices: bool
    """Whether what it keeps can be seen as a word lattice."""


class SearchFeatureTable(TypedDict):
    """A feature with a state."""

    model: str
    """The model that it is computed with; `rules` is the table."""
    searches: list[str]
    families: list[str]
    """Families of weights: names of features, or what they begin with before a dot."""
    settings: list[str]
    joining: str | None
    """What it replaces the search's `joining` by, if it does."""
    trees: bool
    """Whether translations come with a tree that it makes."""
    exact: bool
    """Whether its values in a forest are those of the derivation taken."""
