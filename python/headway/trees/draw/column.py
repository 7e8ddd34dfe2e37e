"""A word per line with arcs at the left: for sentences of any length.

The line of a word begins at its head's arc; every junction further right is a child.
"""

from dataclasses import dataclass

from headway._core import DependencyTree
from headway.trees.draw.canvas import Canvas, pad, printable, width_of
from headway.trees.draw.levels import arcs_of, ordered_levels, shown
from headway.trees.draw.paint import Paint

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
    """The drawing. Only a tree of extreme depth is wider than `width`."""
    parts = parts_of(tree, width)
    rows = zip(parts.arcs, parts.numbers, parts.forms, parts.tags, parts.labels, strict=True)
    return [
        f"{paint.arc(arc)} {paint.number(number)} {paint.word(form)}  {paint.tag(tag)}  "
        f"{paint.label(label)}".rstrip()
        for arc, number, form, tag, label in rows
    ]


def parts_of(tree: DependencyTree, width: int, mirrored: bool = False) -> Column:
    """What stands on each line, arcs drawn for the right side if `mirrored`."""
    numbers = [str(word) for word in range(1, len(tree) + 1)]
    forms = [pad(form, min(_WIDEST, width_of(form))) for form in map(printable, tree.forms)]
    tags = [printable(shown(tag)) for tag in tree.tags]
    texts = [_even(numbers, right=True), _even(forms), _even(tags), _even(_labels(tree))]
    rest = sum(_width(part) + 2 for part in texts)
    return Column(_arcs(tree, width - rest, mirrored), *texts)


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


def _arcs(tree: DependencyTree, room: int, mirrored: bool) -> list[str]:
    links = arcs_of(tree)
    height = ordered_levels(tree, links)
    tallest = max(height.values(), default=0)
    step = 2 if 2 * tallest + 2 <= room else 1
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
