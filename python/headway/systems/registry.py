"""The systems there are: one small description each.

A system is a list of steps that turn a corpus into components, and a decoder that uses them. Its
features are what its rule table and its decoder have, by name. Adding a system is adding its
description to `SYSTEMS`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import partial
from typing import Any

import msgspec

from headway.errors import ConfigError
from headway.printing import prints_briefly
from headway.settings import Settings
from headway.systems import steps, target_parser, tree_steps
from headway.systems.pipeline import Pipeline

Step = Callable[[Pipeline], None]


@prints_briefly
@dataclass(frozen=True)
class System:
    """What a system is made of."""

    name: str
    about: str
    steps: tuple[Step, ...]
    decoder: str
    """Which search uses it: `stack` is left to right over phrases, `chart` span by span."""
    trees: bool = False
    """Whether it learns from target trees."""
    parses: bool = False
    """Whether it needs a parser of the target language, or a treebank to train one from."""
    search: Mapping[str, Any] = field(default_factory=dict)
    """Search settings that suit it better than those of `default.toml`."""
    training: Mapping[str, Any] = field(default_factory=dict)
    """The same for other settings, by section and key."""

    def training_settings(self, settings: Settings) -> Settings:
        """The settings in force; where nobody chose a value, those that suit the system."""
        return settings.suited(self.training)

    def search_settings(self, settings: Settings) -> dict[str, Any]:
        """The same for search."""
        suited = settings.suited({f"search.{name}": value for name, value in self.search.items()})
        chosen: dict[str, Any] = msgspec.to_builtins(suited.search)
        return chosen


_TEXT = (steps.clean_pairs, steps.prepare_text)
_MODELS = (steps.align, steps.language_model)

# Trees come before `_MODELS`: what is wrong with them is known before words are aligned.

# Rules with slots are many, and charts pay for every further model: what helps phrases is off.
_ONE_ALIGNMENT = {"align.samples": 1, "lm.classes.count": 0}

SYSTEMS = {
    system.name: system
    for system in (
        System(
            "phrase",
            "phrase-based, with lexicalised reordering",
            (*_TEXT, *_MODELS, partial(steps.extract_rules, kind="phrase")),
            "stack",
        ),
        System(
            "phrase-deplm",
            "phrase, and how well the words of a translation hang together as a tree",
            (
                *_TEXT,
                target_parser.adapt_treebanks,
                target_parser.train_parser,
                *_MODELS,
                partial(steps.extract_rules, kind="phrase"),
            ),
            "stack",
            trees=True,
            parses=True,
        ),
        System(
            "hiero",
            "hierarchical phrases, joined by glue",
            (*_TEXT, *_MODELS, partial(steps.extract_rules, kind="hiero")),
            "chart",
            search={"pop_limit": 1000, "hope": 0.25},
            training=_ONE_ALIGNMENT,
        ),
        System(
            "str2dep",
            "hierarchical phrases with target dependency trees",
            (
                *_TEXT,
                tree_steps.target_trees,
                *_MODELS,
                tree_steps.dependency_model,
                tree_steps.tree_rules,
            ),
            "chart",
            trees=True,
            search={"pop_limit": 1000, "hope": 0.1},
            training=_ONE_ALIGNMENT,
        ),
    )
}


def find_system(name: str) -> System:
    """The system of a name; says what there is if there is none."""
    if name in SYSTEMS:
        return SYSTEMS[name]
    close = get_close_matches(name, SYSTEMS, n=1)
    advice = f"did you mean {close[0]}?" if close else f"there are: {', '.join(SYSTEMS)}"
    raise ConfigError(f"{name}: no such system; {advice}")
