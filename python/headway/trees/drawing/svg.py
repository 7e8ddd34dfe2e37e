"""One tree as a standalone SVG."""

from headway._core import DependencyTree
from headway.trees.drawing.levels import shown
from headway.trees.drawing.svg_arcs import Arcs
from headway.trees.drawing.svg_layout import MARGIN, Line, lay_out
from headway.trees.drawing.svg_text import document, text

_BELOW = 46.0  # from the base of the arcs to the end of a line of words and tags


def svg(tree: DependencyTree, width: float) -> str:
    """The drawing, in lines of up to `width` pixels."""
    drawn = [_fitted(Arcs(tree, line)) for line in lay_out(tree, width)]
    edge = max((arcs.overhang[1] for arcs in drawn), default=MARGIN)
    body: list[str] = []
    y = 12.0
    for arcs in drawn:
        base = y + arcs.height
        body += arcs.draw(base, edge)
        body += words(tree, arcs.line, base)
        y = base + _BELOW + 10
    return document(edge + MARGIN / 2, max(y, 40.0), " ".join(tree.forms), body)


def _fitted(arcs: Arcs) -> Arcs:
    """The same, with its words far enough right for the labels at its left."""
    return Arcs(arcs.tree, arcs.line.shifted(arcs.overhang[0]))


def words(tree: DependencyTree, line: Line, base: float) -> list[str]:
    """The words of a line and their tags, below `base`."""
    elements = []
    for word in range(line.first, line.last + 1):
        x = line.centre(word)
        elements.append(text(x, base + 20, "form", tree.forms[word - 1]))
        elements.append(text(x, base + 37, "tag", shown(tree.tags[word - 1])))
    return elements
