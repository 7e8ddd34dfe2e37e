"""The and–or tree of all compressions of a tree, for the terminal and as SVG.

Phrases are in brackets, with the subtrees that they leave below, named by their labels; all of
these are needed. Below such a label are the phrases to choose from. This is Figure 5 of Hunter &
Resnik (2010). Where the same subtree would make a drawing too large, it is drawn once, and `↑`
refers to it.
"""

from dataclasses import dataclass, field

from headway.trees.compressions import Alternatives, Compressions, Phrase
from headway.trees.drawing.canvas import printable
from headway.trees.drawing.levels import shown
from headway.trees.drawing.paint import Paint
from headway.trees.drawing.svg_text import FORM, LABEL, document, text, width_of

_MOST = 100  # rows of a drawing in which subtrees may be repeated
_MARGIN, _GAP, _ROW, _BOX = 20.0, 16.0, 58.0, 28.0


@dataclass
class Node:
    """A label, a phrase, or a label with its only phrase; and what is below."""

    label: str = ""
    phrase: str = ""
    referring: bool = False
    """Whether the subtree is drawn elsewhere."""
    below: list["Node"] = field(default_factory=list)


class _Expansion:
    """Makes a tree out of the graph."""

    def __init__(self, compressions: Compressions) -> None:
        self._tree = compressions.tree
        self._drawn: set[int] = set()
        self._repeats = sum(map(_rows, compressions.roots)) <= _MOST

    def alternatives(self, found: Alternatives) -> Node:
        label = printable(shown(self._tree.labels[found.word - 1])) or "*"
        if len(found.phrases) == 1 and not found.phrases[0].rest:
            return self.phrase(found.phrases[0], label)
        if not self._repeats and found.word in self._drawn:
            return Node(label, printable(self._tree.forms[found.word - 1]), referring=True)
        self._drawn.add(found.word)
        if len(found.phrases) == 1:
            return self.phrase(found.phrases[0], label)
        return Node(label, below=[self.phrase(phrase) for phrase in found.phrases])

    def phrase(self, phrase: Phrase, label: str = "") -> Node:
        below = [self.alternatives(part) for part in phrase.rest]
        return Node(label, printable(phrase.words(self._tree)), below=below)


def _rows(found: Alternatives) -> int:
    """Rows of the drawing if all is repeated; more than `_MOST` is as good as any."""
    rows = 0 if len(found.phrases) == 1 else 1
    for phrase in found.phrases:
        rows += 1
        for part in phrase.rest:
            if rows > _MOST:
                return rows
            rows += _rows(part)
    return rows


def nodes(compressions: Compressions) -> list[Node]:
    """A tree for each root."""
    expansion = _Expansion(compressions)
    return [expansion.alternatives(root) for root in compressions.roots]


def and_or(compressions: Compressions, paint: Paint) -> list[str]:
    """The drawing as rows of text."""
    rows: list[str] = []

    def draw(node: Node, before: str, following: str) -> None:
        parts = [paint.label(node.label)] if node.label else []
        if node.phrase:
            parts.append(f"{node.phrase} ↑" if node.referring else paint.word(f"[{node.phrase}]"))
        rows.append(paint.arc(before) + " ".join(parts))
        for place, child in enumerate(node.below, start=1):
            is_last = place == len(node.below)
            corner, line = ("╰─", "  ") if is_last else ("├─", "│ ")
            draw(child, following + corner, following + line)

    for node in nodes(compressions):
        draw(node, "", "")
    return rows


def and_or_svg(compressions: Compressions) -> str:
    """The drawing as a standalone SVG."""
    body: list[str] = []
    x, bottom = _MARGIN, 0.0
    for node in nodes(compressions):
        width = _width(node)
        bottom = max(bottom, _draw(node, x, width, _MARGIN, body))
        x += width + _GAP
    title = f"compressions of {' '.join(compressions.tree.forms)}"
    return document(max(x - _GAP + _MARGIN, 2 * _MARGIN), bottom + _MARGIN, title, body)


def _caption(node: Node) -> str:
    return f"{node.phrase} ↑" if node.referring else node.phrase


def _own_width(node: Node) -> float:
    box = width_of(_caption(node), FORM) + 20 if node.phrase else 0.0
    return max(box, width_of(node.label, LABEL) + 12, 24.0)


def _width(node: Node) -> float:
    below = sum(map(_width, node.below)) + _GAP * max(0, len(node.below) - 1)
    return max(_own_width(node), below)


def _draw(node: Node, left: float, width: float, top: float, body: list[str]) -> float:
    """Draws a node in the middle of its part of the page, and what is below; how far it goes."""
    middle = left + width / 2
    bottom = top + (16 if node.label else 0)
    if node.label:
        body.append(text(middle, top + 11, "label", node.label))
    if node.phrase:
        half = _own_width(node) / 2
        box = f'x="{middle - half:.1f}" y="{bottom:.1f}" width="{2 * half:.1f}" height="{_BOX}"'
        if not node.referring:
            body.append(f'<rect class="arc" {box} rx="6"/>')
        body.append(text(middle, bottom + 20, "form", _caption(node)))
        bottom += _BOX
    end = bottom
    below = sum(map(_width, node.below)) + _GAP * max(0, len(node.below) - 1)
    x, start = left + (width - below) / 2, top + _ROW + (16 if node.label and node.phrase else 0)
    for child in node.below:
        own = _width(child)
        line = f"M{middle:.1f} {bottom + 2:.1f}L{x + own / 2:.1f} {start - 2:.1f}"
        body.append(f'<path class="arc" d="{line}"/>')
        end = max(end, _draw(child, x, own, start, body))
        x += own + _GAP
    return end
