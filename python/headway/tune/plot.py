"""A drawing of a tuning: dev score per iteration, as SVG."""

from collections.abc import Callable, Sequence
from html import escape

from headway.tune.report import Report

_WIDTH, _HEIGHT, _LEFT, _TOP, _RIGHT, _BOTTOM = 640, 320, 64, 36, 20, 44


_STYLE = """
.plot text{font-family:Inter,'Helvetica Neue',Arial,sans-serif;font-size:12px;fill:#3d4b5e}
.plot .ground{fill:#ffffff}.plot text.title{font-size:14px;fill:#1b2330;text-anchor:start}
.plot .grid{stroke:#e0e4ea}.plot .curve{fill:none;stroke:#1f5fa8;stroke-width:2}
.plot .promised{fill:none;stroke:#a9b2bd;stroke-width:2;stroke-dasharray:4 3}
.plot .dot{fill:#1f5fa8}
@media (prefers-color-scheme:dark){.plot text{fill:#b9c6d6}.plot .ground{fill:#14181f}
.plot text.title{fill:#e8edf4}.plot .grid{stroke:#2a323d}.plot .curve{stroke:#6db3e4}
.plot .dot{fill:#6db3e4}.plot .promised{stroke:#6c7785}}
"""


def plot_svg(report: Report) -> str:
    """Dev score of each iteration and what the optimiser had promised for it."""
    scores = [iteration.score for iteration in report.iterations]
    promised = [None, *(iteration.expected for iteration in report.iterations[:-1])]
    title = f"{report.metric} on the dev set, tuned by {report.method}"
    best = report.iterations.index(report.best)
    return curve_svg(scores, best, f"{title}; grey: as promised", promised)


def curve_svg(
    scores: Sequence[float], best: int, title: str, promised: Sequence[float | None] = ()
) -> str:
    """A score by iteration, the best one marked; dashed what was promised for each."""
    values = [*scores, *(value for value in promised if value is not None)]
    low, high = min(values), max(values)
    if high - low < 0.1:
        low, high = low - 0.05, high + 0.05

    def x(place: int) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * place / max(1, len(scores) - 1)

    def y(value: float) -> float:
        return _HEIGHT - _BOTTOM - (_HEIGHT - _TOP - _BOTTOM) * (value - low) / (high - low)

    parts = [_head(title), *_grid(low, high, y), *_numbers(len(scores), x)]
    told = [(x(place), y(value)) for place, value in enumerate(promised) if value is not None]
    parts.append(_line(told, "promised"))
    points = [(x(place), y(value)) for place, value in enumerate(scores)]
    parts.append(_line(points, "curve"))
    for place, (left, top) in enumerate(points):
        size = 5 if place == best else 3
        parts.append(f'<circle cx="{left:.1f}" cy="{top:.1f}" r="{size}" class="dot"/>')
    return "\n".join([*parts, "</svg>", ""])


def _head(title: str) -> str:
    shown = escape(title)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        'class="plot" role="img">\n'
        f"<title>{shown}</title>\n<style>{_STYLE}</style>\n"
        f'<rect class="ground" width="{_WIDTH}" height="{_HEIGHT}"/>\n'
        f'<text x="{_LEFT}" y="20" class="title">{shown}</text>'
    )


def _grid(low: float, high: float, y: Callable[[float], float]) -> list[str]:
    lines = []
    for step in range(5):
        value = low + (high - low) * step / 4
        top = y(value)
        lines.append(
            f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{top:.1f}" y2="{top:.1f}" '
            f'class="grid"/><text x="{_LEFT - 8}" y="{top + 4:.1f}" style="text-anchor:end">'
            f"{value:.2f}</text>"
        )
    return lines


def _numbers(count: int, x: Callable[[int], float]) -> list[str]:
    every = max(1, count // 12)
    labels = [
        f'<text x="{x(place):.1f}" y="{_HEIGHT - _BOTTOM + 20}" style="text-anchor:middle">'
        f"{place + 1}</text>"
        for place in range(0, count, every)
    ]
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    labels.append(
        f'<text x="{middle}" y="{_HEIGHT - 6}" style="text-anchor:middle">iteration</text>'
    )
    return labels


def _line(points: list[tuple[float, float]], kind: str) -> str:
    path = " ".join(f"{left:.1f},{top:.1f}" for left, top in points)
    return f'<polyline points="{path}" class="{kind}"/>'
