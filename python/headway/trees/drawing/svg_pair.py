"""Two trees and the links between their words as a standalone SVG."""

from headway._core import DependencyTree
from headway.trees.drawing.svg import words
from headway.trees.drawing.svg_arcs import Arcs
from headway.trees.drawing.svg_layout import MARGIN, lay_out
from headway.trees.drawing.svg_text import clean, document

_BETWEEN = 110.0  # from the tags of the source to the words of the target


def svg_pair(source: DependencyTree, target: DependencyTree, links: list[tuple[int, int]]) -> str:
    """The source with its arcs above, the target with its arcs below, links between."""
    lines = [lay_out(tree, None) for tree in (source, target)]
    width = max((line.end for (line,) in filter(None, lines)), default=MARGIN) + MARGIN
    above, below = (
        line[0].shifted((width - MARGIN - line[0].end) / 2) if line else None for line in lines
    )
    body: list[str] = []
    base = 12.0
    if above:
        arcs = Arcs(source, above)
        base += arcs.height
        body += arcs.draw(base, width) + words(source, above, base)
    top = base + 44 + _BETWEEN  # of the target's words
    bottom = top + 46
    if above and below:
        for left, right in links:
            title = f"{source.forms[left - 1]} – {target.forms[right - 1]}"
            body.append(_link(above.centre(left), base + 44, below.centre(right), top, title))
    if below:
        arcs = Arcs(target, below, way=1)
        body += arcs.draw(bottom, width) + words(target, below, top)
        bottom += arcs.height
    title = f"{' '.join(source.forms)} / {' '.join(target.forms)}"
    return document(width, bottom + 14, title, body)


def _link(x: float, start: float, other: float, end: float, title: str) -> str:
    middle = (start + end) / 2
    path = (
        f"M{x:.1f} {start:.1f}C{x:.1f} {middle:.1f} {other:.1f} {middle:.1f} {other:.1f} {end:.1f}"
    )
    return f'<path class="link" d="{path}"><title>{clean(title)}</title></path>'
