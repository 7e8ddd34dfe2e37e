"""Accuracy by length as a picture."""

from collections.abc import Sequence
from html import escape
from pathlib import Path

from headway.files import write_text
from headway.parse.evaluate import Counts, Evaluation

_COLOURS = ("#2a6fbb", "#e08a2e")
_STYLE = (
    ":root{color-scheme:light dark} text{fill:#222} line{stroke:#999} "
    "@media (prefers-color-scheme:dark){text{fill:#ddd}}"
)
_WIDTH, _HEIGHT, _LEFT, _TOP = 640, 200, 50, 40


def bars_svg(path: Path, results: Sequence[tuple[str, Evaluation]]) -> None:
    """Writes bars of UAS by sentence length and by arc length, one colour a parser and its name."""
    total = 2 * (_HEIGHT + 90) + 20
    size = f'width="{_WIDTH}" height="{total}" viewBox="0 0 {_WIDTH} {total}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="12">',
        f"<style>{_STYLE}</style>",
        *(
            f'<text x="{_LEFT + 280 * at}" y="18" style="fill:{_COLOURS[at % 2]}">'
            f"{escape(name)}: UAS {result.uas:.2f}</text>"
            for at, (name, result) in enumerate(results)
        ),
        *_panel("words in the sentence", [one.by_length for _, one in results], _TOP),
        *_panel("length of the arc", [one.by_arc for _, one in results], _TOP + _HEIGHT + 90),
        "</svg>\n",
    ]
    write_text(path, "\n".join(parts))


def range_name(name: str) -> str:
    """A group of lengths as it is printed: `1-10` with a dash."""
    return name.replace("-", "–")


def _panel(title: str, groups: list[dict[str, Counts]], top: int) -> list[str]:
    names = [name for name in groups[0] if groups[0][name].words]
    step = (_WIDTH - _LEFT - 20) / max(len(names), 1)
    width = min(40.0, 0.8 * step / len(groups))
    bottom = top + _HEIGHT
    parts = [f'<line x1="{_LEFT}" y1="{bottom}" x2="{_WIDTH - 20}" y2="{bottom}"/>']
    parts += [
        f'<text x="8" y="{bottom - value * _HEIGHT / 100 + 4:.0f}">{value} %</text>'
        for value in (0, 50, 100)
    ]
    for at, name in enumerate(names):
        left = _LEFT + at * step + 0.1 * step
        for parser, group in enumerate(groups):
            counts = group[name]
            share = counts.heads / counts.words if counts.words else 0.0
            x, height = left + parser * width, share * _HEIGHT
            parts.append(
                f'<rect x="{x:.1f}" y="{bottom - height:.1f}" width="{width:.1f}" '
                f'height="{height:.1f}" fill="{_COLOURS[parser % 2]}">'
                f"<title>{100 * share:.2f} % of {counts.words:,}</title></rect>"
            )
        parts.append(f'<text x="{left:.1f}" y="{bottom + 16}">{range_name(name)}</text>')
    parts.append(f'<text x="{_LEFT}" y="{bottom + 36}">{escape(title)}</text>')
    return parts
