"""A drawing of a tuning: dev score per iteration, as SVG."""

from collections.abc import Callable
from html import escape

from headway.tune.report import Report

_WIDTH, _HEIGHT, _LEFT, _TOP, _RIGHT, _BOTTOM = 640, 320, 64, 36, 20, 44


def plot_svg(report: Report) -> str:
    """Dev score of each iteration and what the optimiser had promised for it."""
    scores = [iteration.score for iteration in report.iterations]
    promised = [None, *(iteration.expected for iteration in report.iterations[:-1])]
    values = [*scores, *(value for value in promised if value is not None)]
    low, high = min(values), max(values)
    if high - low < 0.1:
        low, high = low - 0.05, high + 0.05

    def x(place: int) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * place / max(1, len(scores) - 1)

    def y(value: float) -> float:
        return _HEIGHT - _BOTTOM - (_HEIGHT - _TOP - _BOTTOM) * (value - low) / (high - low)

    parts = [_head(report), *_grid(low, high, y), *_numbers(len(scores), x)]
    told = [(x(place), y(value)) for place, value in enumerate(promised) if value is not None]
    parts.append(_line(told, "#b0b0b0", "4 3"))
    points = [(x(place), y(value)) for place, value in enumerate(scores)]
    parts.append(_line(points, "#1f5fa8", ""))
    best = report.iterations.index(report.best)
    for place, (left, top) in enumerate(points):
        size = 5 if place == best else 3
        parts.append(f'<circle cx="{left:.1f}" cy="{top:.1f}" r="{size}" fill="#1f5fa8"/>')
    return "\n".join([*parts, "</svg>", ""])


def _head(report: Report) -> str:
    title = escape(f"{report.metric} on the dev set, tuned by {report.method}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        f'font-family="sans-serif" font-size="12">\n<title>{title}</title>\n'
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>\n'
        f'<text x="{_LEFT}" y="20" font-size="14">{title}; grey: as promised</text>'
    )


def _grid(low: float, high: float, y: Callable[[float], float]) -> list[str]:
    lines = []
    for step in range(5):
        value = low + (high - low) * step / 4
        top = y(value)
        lines.append(
            f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{top:.1f}" y2="{top:.1f}" '
            f'stroke="#e0e0e0"/><text x="{_LEFT - 8}" y="{top + 4:.1f}" text-anchor="end">'
            f"{value:.2f}</text>"
        )
    return lines


def _numbers(count: int, x: Callable[[int], float]) -> list[str]:
    every = max(1, count // 12)
    labels = [
        f'<text x="{x(place):.1f}" y="{_HEIGHT - _BOTTOM + 20}" text-anchor="middle">'
        f"{place + 1}</text>"
        for place in range(0, count, every)
    ]
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    labels.append(f'<text x="{middle}" y="{_HEIGHT - 6}" text-anchor="middle">iteration</text>')
    return labels


def _line(points: list[tuple[float, float]], colour: str, dashes: str) -> str:
    path = " ".join(f"{left:.1f},{top:.1f}" for left, top in points)
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dashed}/>'
