"""Weights by feature name."""

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from math import isfinite

from headway.errors import ConfigError


def default_weights(features: Sequence[str], defaults: Mapping[str, float]) -> dict[str, float]:
    """A weight for each feature: its own, or that of the family its name begins with.

    `reordering` goes for `reordering.backward.swap` unless `reordering.backward` is there too.
    Features that nothing is known about weigh 0, so that they change nothing until tuned.
    """
    return {name: _of_family(name, defaults) for name in features}


def _of_family(name: str, defaults: Mapping[str, float]) -> float:
    family = name
    while family not in defaults:
        family, dot, _ = family.rpartition(".")
        if not dot:
            return 0.0
    return defaults[family]


def check_families(
    changes: Mapping[str, float], defaults: Mapping[str, float], foreign: Mapping[str, str]
) -> None:
    """Refuses names that a system cannot have, before an hour of training finds them out.

    `foreign` are those of other systems, and why they are not of this one.
    """
    families = list(dict.fromkeys(name.partition(".")[0] for name in defaults))
    for name in changes:
        family = name.partition(".")[0]
        if family not in families:
            raise ConfigError(f"weight {name}: no such feature{nearest(name, families)}")
        if family in foreign:
            raise ConfigError(f"weight {name}: no such feature: {foreign[family]}")


def changed_weights(
    weights: Mapping[str, float], changes: Mapping[str, float], *, known: Iterable[str] = ()
) -> dict[str, float]:
    """The weights with some of them changed; refuses names that the model does not have."""
    names = list(dict.fromkeys([*weights, *known]))
    for name, value in changes.items():
        if name not in names:
            raise ConfigError(f"weight {name}: no such feature{nearest(name, names)}")
        if not isfinite(value):
            raise ConfigError(f"weight {name}: expected a number, found {value}")
    return {**weights, **changes}


def nearest(name: str, names: Sequence[str]) -> str:
    """`; did you mean lm?`, or what there is."""
    close = get_close_matches(name, names, n=1, cutoff=0.5)
    return f"; did you mean {close[0]}?" if close else f"; it has {', '.join(names) or 'none'}"


def parse_weights(options: Iterable[str]) -> dict[str, float]:
    """`NAME=VALUE` of the command line."""
    weights = {}
    for option in options:
        name, equals, text = option.rpartition("=")
        try:
            weights[name.strip()] = float(text)
        except ValueError:
            equals = ""
        if not equals or not name.strip():
            raise ConfigError(f"--weight {option}: expected NAME=VALUE, such as 'lm=0.5'")
    return weights
