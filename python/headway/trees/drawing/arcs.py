"""Arcs above the words, tags below: for sentences that fit into a line."""

from headway._core import DependencyTree
from headway.trees.drawing.canvas import Canvas, centre, printable, width_of
from headway.trees.drawing.levels import Arc, arcs_of, levels, shown
from headway.trees.drawing.paint import Paint

# Each word has three places for arcs: to children at its left, from its head, to children at
# its right. So lines of a word never touch each other.
_NARROWEST = 3


def arcs(tree: DependencyTree, width: int, paint: Paint) -> list[str] | None:
    """The drawing, or None if it does not fit into `width` columns or a label not on its arc."""
    loops = any(word == head for word, head in enumerate(tree.heads, start=1))
    if not len(tree) or len(tree) * _NARROWEST > width or loops:
        return None
    links = arcs_of(tree)
    cells = _cells(tree, links)
    total = cells[-1][0] + cells[-1][1]
    if total > width:
        return None
    centres = [0] + [start + size // 2 for start, size in cells]
    picture = _picture(tree, links, centres, total)
    if picture is None:
        return None
    rows = [paint.arc(row) for row in picture]
    forms, tags = (_spread(texts, cells) for texts in (tree.forms, [*map(shown, tree.tags)]))
    return [*rows, paint.word(forms), paint.tag(tags)]


def _cells(tree: DependencyTree, links: list[Arc]) -> list[tuple[int, int]]:
    """Where the cell of each word starts and how wide it is: room for labels between centres."""
    rows = zip(tree.forms, tree.tags, tree.labels, tree.heads, strict=True)
    sizes = [
        max(
            _NARROWEST,
            *(width_of(printable(text)) for text in (form, tag, "" if head else shown(label))),
        )
        for form, tag, label, head in rows
    ]
    wanted: dict[int, list[Arc]] = {}
    for link in links:
        wanted.setdefault(link.right, []).append(link)
    cells: list[tuple[int, int]] = []
    for word, size in enumerate(sizes, start=1):
        start = cells[-1][0] + cells[-1][1] + 1 if cells else 0
        for link in wanted.get(word, []):
            left, left_size = cells[link.left - 1]
            # Stems stand beside the centre; a dash is left on both sides of the label.
            needed = left + left_size // 2 + width_of(printable(link.label)) + 5
            start = max(start, needed - size // 2)
        cells.append((start, size))
    return cells


def _picture(
    tree: DependencyTree, links: list[Arc], centres: list[int], total: int
) -> list[str] | None:
    height = levels(tree, links)
    tallest = max(height.values(), default=0)
    feet = tallest + 1  # row 0 is for the labels of roots, the last one for arrowheads
    canvas = Canvas(total, feet + 1)
    for link in links:
        _draw_arc(canvas, link, centres, tallest + 1 - height[link], feet)
    for root in tree.roots:
        canvas.vertical(centres[root], 0, feet)
    if not all(_draw_label(canvas, link, centres, tallest + 1 - height[link]) for link in links):
        return None
    for root in tree.roots:
        label = printable(shown(tree.labels[root - 1]))
        canvas.write(0, centres[root] - width_of(label) // 2, label)
    for word in range(1, len(tree) + 1):
        canvas.write(feet, centres[word], "▼")
    return canvas.rows()


def _ends(link: Arc, centres: list[int]) -> tuple[int, int]:
    """The columns of its stems: beside the centre of the head, on the centre of the word."""
    if link.head < link.word:
        return centres[link.head] + 1, centres[link.word]
    return centres[link.word], centres[link.head] - 1


def _draw_arc(canvas: Canvas, link: Arc, centres: list[int], row: int, feet: int) -> None:
    left, right = _ends(link, centres)
    canvas.horizontal(row, left, right)
    canvas.vertical(left, row, feet)
    canvas.vertical(right, row, feet)


def _draw_label(canvas: Canvas, link: Arc, centres: list[int], row: int) -> bool:
    """As near to the middle of the arc as no other line crosses; False if there is no room."""
    left, right = _ends(link, centres)
    label = printable(link.label)
    size = width_of(label)
    middle = left + 1 + (right - left - 1 - size) // 2
    places = sorted(range(left + 1, right - size + 1), key=lambda at: abs(at - middle))
    for at in places:
        if not any(canvas.crosses(row, at + step) for step in range(size)):
            canvas.write(row, at, label)
            return True
    return False


def _spread(texts: list[str], cells: list[tuple[int, int]]) -> str:
    line = ""
    for text, (start, size) in zip(texts, cells, strict=True):
        line += " " * (start - width_of(line)) + centre(printable(text), size)
    return line.rstrip()
