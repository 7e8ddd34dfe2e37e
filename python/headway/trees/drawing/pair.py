"""Two trees with the links between their words, for the terminal."""

from itertools import zip_longest

from headway._core import DependencyTree
from headway.trees.drawing.canvas import pad, printable, width_of
from headway.trees.drawing.column import Column, column, parts_of
from headway.trees.drawing.paint import Paint

Links = list[tuple[int, int]]


def pair(
    source: DependencyTree, target: DependencyTree, links: Links, width: int, paint: Paint
) -> list[str]:
    """Side by side, arcs outside, the numbers of linked words inside; else one below the other."""
    outwards, inwards = _numbers(len(source), links, 0), _numbers(len(target), links, 1)
    for narrow in (False, True):
        left = parts_of(source, narrow=narrow)
        right = parts_of(target, narrow=narrow, mirrored=True)
        if _total(left, outwards) + 3 + _total(right, inwards) <= width:
            rows = zip_longest(_left(left, outwards, paint), _right(right, inwards, paint))
            empty, line = " " * _total(left, outwards), paint.arc("┊")
            return [f"{mine or empty} {line} {yours or ''}".rstrip() for mine, yours in rows]
    return _below(source, target, links, width, paint)


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
    back = sorted((right, left) for left, right in links)
    above = _with_links(column(source, width, paint), target, links, paint)
    return [*above, "", *_with_links(column(target, width, paint), source, back, paint)]


def _with_links(rows: list[str], other: DependencyTree, links: Links, paint: Paint) -> list[str]:
    """The rows of a tree, each with the words of the other tree that its word is linked to."""
    named: dict[int, list[str]] = {}
    for word, number in links:
        named.setdefault(word, []).append(f"{number} {printable(other.forms[number - 1])}")
    texts = {word: paint.link(f"→ {', '.join(names)}") for word, names in named.items()}
    numbered = enumerate(rows, start=1)
    return [f"{row}  {texts.get(word, '')}".rstrip() for word, row in numbered]
