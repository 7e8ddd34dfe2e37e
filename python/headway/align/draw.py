"""Pictures of alignments: a grid with source words as rows and target words as columns."""

from collections.abc import Sequence
from html import escape

from rich.cells import cell_len

from headway._core import Alignment

# What a cell says, by (found, in gold).
_MARKS = {(True, True): "■", (True, False): "▣", (False, True): "□", (False, False): "·"}
_CELL = 22


def draw_grid(
    source: Sequence[str],
    target: Sequence[str],
    alignment: Alignment,
    gold: Alignment | None = None,
) -> str:
    """The grid as text: ■ a link, · none; with gold, ▣ found only, □ missed.

    Target words run downwards above their columns.
    """
    margin = max(map(cell_len, source), default=0)
    lines = [" " * margin + heading for heading in _headings(target)]
    for row, word in enumerate(source):
        marks = (_mark(alignment, gold, (row, column)) for column in range(len(target)))
        lines.append(" " * (margin - cell_len(word)) + word + "".join(f" {mark}" for mark in marks))
    return "\n".join(lines)


def _mark(alignment: Alignment, gold: Alignment | None, link: tuple[int, int]) -> str:
    found = link in alignment
    return _MARKS[found, link in gold if gold is not None else found]


def _headings(words: Sequence[str]) -> list[str]:
    """Lines in which the words run downwards, all ending at the bottom."""
    height = max(map(len, words), default=0)
    columns = [[*" " * (height - len(word)), *word] for word in words]
    return [
        # A wide character takes the gap before it too.
        "".join(" " * (2 - cell_len(column[line])) + column[line] for column in columns)
        for line in range(height)
    ]


def grid_svg(
    source: Sequence[str],
    target: Sequence[str],
    alignment: Alignment,
    gold: Alignment | None = None,
) -> str:
    """The grid as a standalone SVG file; with gold, links found only and missed differ."""
    left = 16 + 9 * max(map(cell_len, source), default=0)
    top = 16 + 7 * max(map(cell_len, target), default=0)
    width, height = left + _CELL * len(target) + 60, top + _CELL * len(source) + 16
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    font = 'font-family="sans-serif" font-size="14"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {font}>',
        f"<style>{_STYLE}</style>",
        *_svg_words(source, target, left, top),
        *_svg_cells(source, target, alignment, gold, left=left, top=top),
        "</svg>\n",
    ]
    return "\n".join(parts)


_STYLE = (
    ":root{color-scheme:light dark} text{fill:currentColor} svg{color:#222} "
    ".none{fill:none;stroke:#bbb} .both{fill:#2a6fbb;stroke:#2a6fbb} "
    ".found{fill:#e08a2e;stroke:#e08a2e} .missed{fill:none;stroke:#c33;stroke-width:2} "
    "@media (prefers-color-scheme:dark){svg{color:#ddd} .none{stroke:#555}}"
)
_CLASSES = {"■": "both", "▣": "found", "□": "missed", "·": "none"}


def _svg_words(source: Sequence[str], target: Sequence[str], left: int, top: int) -> list[str]:
    rows = [
        f'<text x="{left - 8}" y="{top + _CELL * row + 16}" text-anchor="end">{escape(word)}</text>'
        for row, word in enumerate(source)
    ]
    columns = [
        f'<text transform="translate({left + _CELL * column + 15},{top - 6}) rotate(-55)">'
        f"{escape(word)}</text>"
        for column, word in enumerate(target)
    ]
    return rows + columns


def _svg_cells(
    source: Sequence[str],
    target: Sequence[str],
    alignment: Alignment,
    gold: Alignment | None,
    *,
    left: int,
    top: int,
) -> list[str]:
    return [
        f'<rect class="{_CLASSES[_mark(alignment, gold, (row, column))]}" '
        f'x="{left + _CELL * column + 2}" y="{top + _CELL * row + 2}" '
        f'width="{_CELL - 4}" height="{_CELL - 4}" rx="3"/>'
        for row in range(len(source))
        for column in range(len(target))
    ]
