"""Weights that no tuning should leave behind."""

from collections.abc import Mapping
from math import isfinite
from statistics import median

# Beyond this one feature decides alone, whatever the others say.
_HIGHEST_RATIO = 1000.0


def degenerate(weights: Mapping[str, float]) -> str | None:
    """Why weights cannot be meant, or None if they can."""
    for name, value in weights.items():
        if not isfinite(value):
            return f"the weight of {name} is {value}"
    sizes = [abs(value) for value in weights.values() if value]
    if not sizes:
        return "all weights are 0"
    highest, middle = max(sizes), median(sizes)
    if highest > _HIGHEST_RATIO * middle:
        name = max(weights, key=lambda name: abs(weights[name]))
        return f"the weight of {name} is {highest / middle:,.0f} times as large as is usual"
    return None
