"""One tree as a standalone SVG."""

from collections.abc import Collection

from headway._core import DependencyTree
from headway.trees.drawing.levels import shown
from headway.trees.drawing.svg_arcs import Arcs
from headway.trees.drawing.svg_layout import MARGIN, Line, lay_out
from headway.trees.drawing.svg_text import document, text

_BELOW = 46.0  # from the base of the arcs to the end of a line of words and tags


def svg(tree: DependencyTree, width: float) -> str:
    """The drawing, in lines of up to `width` pixels."""
    return document(*tree_parts(tree, width))


def tree_parts(tree: DependencyTree, width: float) -> tuple[float, float, str, list[str]]:
    """Width, height, title and elements of the drawing."""
    drawn = [_fitted(Arcs(tree, line)) for line in lay_out(tree, width)]
    edge = max((arcs.overhang[1] for arcs in drawn), default=MARGIN)
    body: list[str] = []
    y = 12.0
    for arcs in drawn:
        base = y + arcs.height
        body += arcs.draw(base, edge)
        body += words(tree, arcs.line, base)
        y = base + _BELOW + 10
    return edge + MARGIN / 2, max(y, 40.0), " ".join(tree.forms), body


def _fitted(arcs: Arcs) -> Arcs:
    """The same, with its words far enough right for the labels at its left."""
    return Arcs(arcs.tree, arcs.line.shifted(arcs.overhang[0]))


def words(
    tree: DependencyTree,
    line: Line,
    base: float,
    side: str = "",
    doubted: Collection[int] = (),
) -> list[str]:
    """The words of a line and their tags, below `base`.

    With a `side`, words have the attribute `data-SIDE` with their place from 0. Those that are
    `doubted`, also from 0, stand out.
    """
    elements = []
    for word in range(line.first, line.last + 1):
        x = line.centre(word)
        place = {side: word - 1} if side else {}
        kind = "form doubt" if word - 1 in doubted else "form"
        elements.append(text(x, base + 20, kind, tree.forms[word - 1], **place))
        if tag := shown(tree.tags[word - 1]):
            elements.append(text(x, base + 37, "tag", tag))
    return elements
