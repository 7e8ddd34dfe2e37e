"""Weights that no tuning should leave behind."""

from collections.abc import Mapping

from headway._core import MOST_WEIGHT

# Beyond this one feature decides alone, whatever the others say.
_HIGHEST_SHARE = 100.0


def degenerate(weights: Mapping[str, float]) -> str | None:
    """Why weights cannot be meant, or None if they can."""
    for name, value in weights.items():
        if not abs(value) <= MOST_WEIGHT:  # true for NaN
            return f"the weight of {name} is {value}"
    whole = sum(map(abs, weights.values()))
    if not whole:
        return "all weights are 0"
    name = max(weights, key=lambda name: abs(weights[name]))
    others = whole - abs(weights[name])
    if len(weights) > 1 and abs(weights[name]) > _HIGHEST_SHARE * others:
        return f"the weight of {name} is more than {_HIGHEST_SHARE:.0f} times that of all others"
    return None
