"""Two trees and the links between their words as a standalone SVG."""

from collections.abc import Collection

from headway._core import DependencyTree
from headway.trees.drawing.levels import shown
from headway.trees.drawing.svg import words
from headway.trees.drawing.svg_arcs import Arcs
from headway.trees.drawing.svg_layout import MARGIN, lay_out
from headway.trees.drawing.svg_text import clean, document

_BETWEEN = 110.0  # from the tags of the source to the words of the target
_CLOSER = 26.0  # by so much words without tags are nearer to what follows


def svg_pair(source: DependencyTree, target: DependencyTree, links: list[tuple[int, int]]) -> str:
    """The source with its arcs above, the target with its arcs below, links between."""
    return document(*pair_parts(source, target, links))


def pair_parts(
    source: DependencyTree,
    target: DependencyTree,
    links: list[tuple[int, int]],
    arcs: tuple[bool, bool] = (True, True),
    doubted: tuple[Collection[int], Collection[int]] = ((), ()),
) -> tuple[float, float, str, list[str]]:
    """Width, height, title and elements of the drawing.

    `arcs` says which sides have a tree; words that are `doubted` (from 0) stand out.
    """
    lines = [lay_out(tree, None) for tree in (source, target)]
    width = max((line.end for (line,) in filter(None, lines)), default=MARGIN) + MARGIN
    above, below = (
        line[0].shifted((width - MARGIN - line[0].end) / 2) if line else None for line in lines
    )
    body: list[str] = []
    base = 12.0
    if above:
        if arcs[0]:
            drawn = Arcs(source, above)
            base += drawn.height
            body += drawn.draw(base, width)
        body += words(source, above, base, "source", doubted[0])
    start = base + 44 - _without_tags(source)
    top = start + _BETWEEN  # of the target's words
    bottom = top + 46 - _without_tags(target)
    if above and below:
        for left, right in links:
            ends = above.centre(left), start, below.centre(right), top
            title = f"{source.forms[left - 1]} – {target.forms[right - 1]}"
            body.append(_link(ends, (left - 1, right - 1), title))
    if below:
        if arcs[1]:
            drawn = Arcs(target, below, way=1)
            body += drawn.draw(bottom, width)
            bottom += drawn.height
        body += words(target, below, top, "target", doubted[1])
    title = f"{' '.join(source.forms)} / {' '.join(target.forms)}"
    return width, bottom + 14, title, body


def _without_tags(tree: DependencyTree) -> float:
    return 0.0 if any(map(shown, tree.tags)) else _CLOSER - 10


def _link(ends: tuple[float, float, float, float], places: tuple[int, int], title: str) -> str:
    x, start, other, end = ends
    middle = (start + end) / 2
    path = (
        f"M{x:.1f} {start:.1f}C{x:.1f} {middle:.1f} {other:.1f} {middle:.1f} {other:.1f} {end:.1f}"
    )
    data = f'data-source="{places[0]}" data-target="{places[1]}"'
    return f'<path class="link" {data} d="{path}"><title>{clean(title)}</title></path>'
