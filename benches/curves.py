"""Drawings of what a bench measured."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from matplotlib.figure import Figure

PLACE = Path("target/curves")


def draw(
    name: str, across: str, up: str, lines: Mapping[str, Sequence[tuple[float, float]]]
) -> None:
    """One curve per line over a logarithmic axis, as `target/curves/NAME.svg`."""
    figure = Figure(figsize=(6, 3.6), layout="constrained")
    axes = figure.add_subplot()
    for label, points in lines.items():
        axes.plot(*zip(*points, strict=True), marker="o", label=label)
    axes.set(xlabel=across, ylabel=up, xscale="log", ylim=(0, None))
    axes.grid(alpha=0.3)
    if len(lines) > 1:
        axes.legend()
    path = PLACE / f"{name}.svg"
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path)
    print(f"drawn: {path}")
