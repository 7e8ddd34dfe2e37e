"""Two trees with the links between their words, for the terminal."""

from itertools import zip_longest

from headway._core import DependencyTree
from headway.trees.draw.canvas import pad, printable, width_of
from headway.trees.draw.column import Column, column, parts_of
from headway.trees.draw.paint import Paint

Links = list[tuple[int, int]]


def pair(
    source: DependencyTree, target: DependencyTree, links: Links, width: int, paint: Paint
) -> list[str]:
    """Side by side, arcs outside, the numbers of linked words inside; else one below the other."""
    rows = _beside(source, target, links, width, paint)
    return _below(source, target, links, width, paint) if rows is None else rows


def _beside(
    source: DependencyTree, target: DependencyTree, links: Links, width: int, paint: Paint
) -> list[str] | None:
    half = width // 2 - 4
    left, right = parts_of(source, half), parts_of(target, half, mirrored=True)
    outwards = _numbers(len(source), links, 0)
    inwards = _numbers(len(target), links, 1)
    left_rows = _left(left, outwards, paint)
    right_rows = _right(right, inwards, paint)
    widest = _total(left, outwards) + 3 + _total(right, inwards)
    if widest > width:
        return None
    empty = " " * _total(left, outwards)
    rows = zip_longest(left_rows, right_rows)
    return [f"{mine or empty} {paint.arc('┊')} {yours or ''}".rstrip() for mine, yours in rows]


def _left(parts: Column, linked: list[str], paint: Paint) -> list[str]:
    rows = zip(
        parts.arcs, parts.labels, parts.tags, parts.forms, parts.numbers, linked, strict=True
    )
    return [
        f"{paint.arc(arc)} {paint.label(label)} {paint.tag(tag)} {paint.word(form)} "
        f"{paint.number(number)} {paint.link(numbers)}"
        for arc, label, tag, form, number, numbers in rows
    ]


def _right(parts: Column, linked: list[str], paint: Paint) -> list[str]:
    rows = zip(
        parts.arcs, parts.labels, parts.tags, parts.forms, parts.numbers, linked, strict=True
    )
    return [
        f"{paint.link(numbers)} {paint.number(number)} {paint.word(form)} {paint.tag(tag)} "
        f"{paint.label(label)} {paint.arc(arc)}"
        for arc, label, tag, form, number, numbers in rows
    ]


def _total(parts: Column, linked: list[str]) -> int:
    arcs, rest = parts.widths()
    return arcs + rest + 1 + max(map(width_of, linked), default=0)


def _numbers(words: int, links: Links, side: int) -> list[str]:
    """For each word the numbers of those it is linked to, all of one width."""
    arrow = ("→", "←")[side]
    lists = [
        [str(link[1 - side]) for link in links if link[side] == word]
        for word in range(1, words + 1)
    ]
    texts = [f"{arrow}{','.join(numbers)}" if numbers else "" for numbers in lists]
    size = max(map(width_of, texts), default=0)
    return [pad(text, size) for text in texts]


def _below(
    source: DependencyTree, target: DependencyTree, links: Links, width: int, paint: Paint
) -> list[str]:
    return [
        *_with_links(source, target, links, 0, width, paint),
        "",
        *_with_links(target, source, links, 1, width, paint),
    ]


def _with_links(
    tree: DependencyTree, other: DependencyTree, links: Links, side: int, width: int, paint: Paint
) -> list[str]:
    rows = column(tree, width, paint)
    for word, row in enumerate(rows, start=1):
        numbers = [link[1 - side] for link in links if link[side] == word]
        named = ", ".join(f"{number} {printable(other.forms[number - 1])}" for number in numbers)
        rows[word - 1] = f"{row}  {paint.link(f'→ {named}')}" if named else row
    return rows
