"""Weights by feature name."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path

from headway._core import MOST_WEIGHT
from headway.errors import ConfigError, ModelError

# Families with more than one feature.
_MANY = ("reordering",)


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


def check_names(
    changes: Mapping[str, float],
    defaults: Mapping[str, float],
    foreign: Mapping[str, str],
    added: Collection[str] = (),
) -> None:
    """Refuses what a system cannot have, before an hour of training finds it out.

    `foreign` are features of other systems, and why they are not of this one; `added` are Python's.
    """
    for name in added:
        if name.partition(".")[0] in defaults:
            raise ConfigError(f"feature {name}: the model has one of that name; rename yours")
    for name, value in defaults.items():
        check_weight(name, value)
    families = [name for name in defaults if "." not in name and name not in foreign]
    for name, value in changes.items():
        if name in added:
            check_weight(name, value)
            continue
        family, dot, _ = name.partition(".")
        if family in foreign:
            raise ConfigError(f"weight {name}: no such feature: {foreign[family]}")
        if family not in families or (dot and family not in _MANY):
            raise ConfigError(f"weight {name}: no such feature{nearest(name, [*families, *added])}")
        if not dot and family in _MANY:
            advice = f"weigh them all with --set weights.{name}={value:g}, or one by its name"
            raise ConfigError(f"weight {name}: stands for several features; {advice}")
        check_weight(name, value)


def check_weight(name: str, value: float) -> None:
    """Refuses a weight that search cannot add up: not a number, or out of range."""
    if wrong := _out_of_range(name, value):
        raise ConfigError(wrong)


def check_stored(where: Path, weights: Mapping[str, float]) -> None:
    """The same for weights that a model file holds."""
    for name, value in weights.items():
        if wrong := _out_of_range(name, value):
            raise ModelError(f"{where}: {wrong}; correct it or tune again", where)


def _out_of_range(name: str, value: float) -> str | None:
    if abs(value) <= MOST_WEIGHT:  # false for NaN
        return None
    most = f"{MOST_WEIGHT:,.0f}"
    return f"weight {name}: expected a number from -{most} to {most}, found {value}"


def changed_weights(
    weights: Mapping[str, float], changes: Mapping[str, float], *, known: Iterable[str] = ()
) -> dict[str, float]:
    """The weights with some of them changed; refuses names that the model does not have."""
    names = list(dict.fromkeys([*weights, *known]))
    for name, value in changes.items():
        if name not in names:
            raise ConfigError(f"weight {name}: no such feature{nearest(name, names)}")
        check_weight(name, value)
    return {**weights, **changes}


def nearest(name: str, names: Sequence[str]) -> str:
    """`; did you mean lm?`, or what there is."""
    close = get_close_matches(name, names, n=1, cutoff=0.5)
    return f"; did you mean {close[0]}?" if close else f"; it has {', '.join(names) or 'none'}"


def parse_weights(options: Iterable[str]) -> dict[str, float]:
    """`NAME=VALUE` of the command line."""
    weights: dict[str, float] = {}
    for option in options:
        name, equals, text = option.rpartition("=")
        name = name.strip()
        if name in weights:
            raise ConfigError(f"--weight {option}: {name} has a weight already; give one of them")
        try:
            weights[name] = float(text)
        except ValueError:
            equals = ""
        if not equals or not name:
            raise ConfigError(f"--weight {option}: expected NAME=VALUE, such as 'lm=0.5'")
    return weights
