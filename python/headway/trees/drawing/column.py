"""A word per line with arcs at the left: for sentences of any length.

The line of a word begins at its head's arc; every junction further right is a child.
"""

from dataclasses import dataclass

from headway._core import DependencyTree
from headway.trees.drawing.canvas import Canvas, pad, printable, width_of
from headway.trees.drawing.levels import arcs_of, ordered_levels, shown
from headway.trees.drawing.paint import Paint

_WIDEST = 24  # columns for a form; longer ones are cut


@dataclass(frozen=True)
class Column:
    """The parts of the drawing, each a list with a text per word, all of one width."""

    arcs: list[str]
    numbers: list[str]
    forms: list[str]
    tags: list[str]
    labels: list[str]

    def widths(self) -> tuple[int, int]:
        """Of the arcs, and of all else with spaces between."""
        rest = (self.numbers, self.forms, self.tags, self.labels)
        return _width(self.arcs), sum(_width(part) + 1 for part in rest)


def column(tree: DependencyTree, width: int, paint: Paint) -> list[str]:
    """Rows of one width. Only a tree of extreme depth makes them wider than `width`."""
    parts = parts_of(tree)
    if sum(parts.widths()) + 2 > width:
        parts = parts_of(tree, narrow=True)
    rows = zip(parts.arcs, parts.numbers, parts.forms, parts.tags, parts.labels, strict=True)
    return [
        f"{paint.arc(arc)} {paint.number(number)} {paint.word(form)}  {paint.tag(tag)}  "
        f"{paint.label(label)}"
        for arc, number, form, tag, label in rows
    ]


def parts_of(tree: DependencyTree, narrow: bool = False, mirrored: bool = False) -> Column:
    """What stands on each line, arcs drawn closer if `narrow`, for the right if `mirrored`."""
    numbers = [str(word) for word in range(1, len(tree) + 1)]
    forms = [pad(form, min(_WIDEST, width_of(form))) for form in map(printable, tree.forms)]
    tags = [printable(shown(tag)) for tag in tree.tags]
    texts = [_even(numbers, right=True), _even(forms), _even(tags), _even(_labels(tree))]
    return Column(_arcs(tree, 1 if narrow else 2, mirrored), *texts)


def _labels(tree: DependencyTree) -> list[str]:
    """The labels; on a cycle with the head, which the drawing alone may not tell there."""
    cyclic = {word for cycle in tree.cycles for word in cycle}
    words = enumerate(zip(tree.labels, tree.heads, strict=True), start=1)
    return [
        f"{printable(shown(label))} ↻ {head}".lstrip()
        if word in cyclic
        else printable(shown(label))
        for word, (label, head) in words
    ]


def _arcs(tree: DependencyTree, step: int, mirrored: bool) -> list[str]:
    links = arcs_of(tree)
    height = ordered_levels(tree, links)
    tallest = max(height.values(), default=0)
    edge = step * tallest  # where lines meet the arrowheads
    canvas = Canvas(edge + 2, len(tree))
    reach = [edge + 1] * (len(tree) + 1)
    for link in links:
        at = step * (tallest - height[link])
        canvas.vertical(at, link.left - 1, link.right - 1)
        reach[link.head], reach[link.word] = min(reach[link.head], at), min(reach[link.word], at)
    for word, head in enumerate(tree.heads, start=1):
        if reach[word] <= edge:
            canvas.horizontal(word - 1, reach[word], edge + 1)
        canvas.write(word - 1, edge + 1, "▪" if head == 0 else "↻" if head == word else "▸")
    rows = [pad(row, edge + 2) for row in canvas.rows()]
    return [row[::-1].translate(_MIRROR) for row in rows] if mirrored else rows


_MIRROR = str.maketrans("╭╮╰╯├┤▸", "╮╭╯╰┤├◂")


def _even(texts: list[str], right: bool = False) -> list[str]:
    width = _width(texts)
    return [text.rjust(width) if right else pad(text, width) for text in texts]


def _width(texts: list[str]) -> int:
    return max(map(width_of, texts), default=0)
