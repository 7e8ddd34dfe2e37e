"""The systems there are: one small description each.

A system is a list of steps that turn a corpus into components, and a decoder that uses them. Its
features are what its rule table and its decoder have, by name. Adding a system is adding its
description to `SYSTEMS`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial

from headway.errors import ConfigError
from headway.systems import steps
from headway.systems.pipeline import Pipeline

Step = Callable[[Pipeline], None]


@dataclass(frozen=True)
class System:
    """What a system is made of."""

    name: str
    about: str
    steps: tuple[Step, ...]
    decoder: str
    """Which search uses it; `stack` is left to right over phrases."""


_TEXT = (steps.clean_pairs, steps.prepare_text, steps.align, steps.language_model)

SYSTEMS = {
    system.name: system
    for system in (
        System(
            "phrase",
            "phrase-based, with lexicalised reordering",
            (*_TEXT, partial(steps.extract_rules, kind="phrase")),
            "stack",
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
