"""Where tags go in a translation, by word alignment.

A tag holds the words that stand for the words it held. Tags stay nested and come out once each:
where words of two neighbouring elements are mixed, each holds its longest run.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

Links = dict[int, list[int]]
"""For each target word the source words that it stands for."""


@dataclass
class Point:
    """Something without words, before the source word of this number."""

    at: int
    raw: str
    glued: bool = False
    """Whether it stands right behind what is before it, and apart from what follows."""
    apart: bool = False
    """Whether white space stands on both sides."""


@dataclass
class Node:
    """An element, from a source word to before another; the whole sentence has no tags.

    One that begins before the sentence has no opening tag here, one that ends behind it no closing.
    """

    start: int
    end: int
    opening: str | None = None
    closing: str | None = None
    inside: "list[Node | Point]" = field(default_factory=list)
    """In the order of the source."""

    @property
    def nodes(self) -> "list[Node]":
        """The elements within it."""
        return [one for one in self.inside if isinstance(one, Node)]


@dataclass(frozen=True)
class Word:
    """A word of the translation."""

    number: int


@dataclass(frozen=True)
class Raw:
    """Markup: whether it ends an element, or stands right behind what is before it."""

    text: str
    behind: bool
    apart: bool = False


Piece = Word | Raw


def placed(whole: Node, links: Links, words: int) -> list[Piece]:
    """The words of a translation in order, with the tags between them."""
    return list(_region(whole, links, 0, words))


def _region(node: Node, links: Links, low: int, high: int) -> Iterator[Piece]:
    """What an element holds, which are the words from `low` to before `high`."""
    spans = _spans(node, links, low, high)
    points: dict[int, list[Raw]] = {}
    starts: dict[int, Node] = {}
    for one in node.inside:
        span = spans.get(id(one))
        if isinstance(one, Node) and span is not None:
            starts[span[0]] = one
        else:
            at = _anchor(one, node, links, (low, high), spans)
            points.setdefault(at, []).extend(_raw(one))
    at = low
    while True:
        yield from points.get(at, ())
        if at >= high:
            return
        inner = starts.get(at)
        if inner is None:
            yield Word(at)
            at += 1
            continue
        end = spans[id(inner)][1]
        if inner.opening is not None:
            yield Raw(inner.opening, behind=False)
        yield from _region(inner, links, at, end)
        if inner.closing is not None:
            yield Raw(inner.closing, behind=True)
        at = end


def _raw(one: Node | Point) -> Iterator[Raw]:
    """Something that holds no word of the translation, in the order of the source."""
    if isinstance(one, Point):
        yield Raw(one.raw, one.glued, one.apart)
        return
    if one.opening is not None:
        yield Raw(one.opening, behind=False)
    for inner in one.inside:
        yield from _raw(inner)
    if one.closing is not None:
        yield Raw(one.closing, behind=False)


def _spans(node: Node, links: Links, low: int, high: int) -> dict[int, tuple[int, int]]:
    """For the elements within one, the words that each holds; they do not overlap."""
    nodes = node.nodes
    owners = [_owner(nodes, links.get(word, ())) for word in range(low, high)]
    found: dict[int, tuple[int, int]] = {}
    first, last = 0, len(owners)
    for number, one in enumerate(nodes):
        # One that goes on from the sentence before, or into the next one, keeps to that side.
        if one.opening is None:
            first = _prefix(owners[:last], number)
            found[id(one)] = (low, low + first)
        elif one.closing is None:
            last -= _prefix(owners[first:last][::-1], number)
            found[id(one)] = (low + last, high)
    for number, one in enumerate(nodes):
        run = _longest_run(owners[first:last], number)
        if id(one) not in found and run is not None:
            found[id(one)] = (low + first + run[0], low + first + run[1])
    return {key: span for key, span in found.items() if span[0] < span[1]}


def _owner(nodes: Sequence[Node], sources: Sequence[int]) -> int | None:
    """The element that most of the source words of a word are in; the first of equals."""
    counts = [sum(node.start <= source < node.end for source in sources) for node in nodes]
    most = max(counts, default=0)
    return counts.index(most) if most else None


def _prefix(owners: Sequence[int | None], own: int) -> int:
    """How many of the first words an element holds: most of those linked to it, few of others."""
    best, worth, many = 0, 0, 0
    for at, owner in enumerate(owners, 1):
        worth += (owner == own) - (owner is not None and owner != own)
        if worth > best:
            best, many = worth, at
    return many


def _longest_run(owners: Sequence[int | None], own: int) -> tuple[int, int] | None:
    """From the first to behind the last word of the longest run that no other element breaks."""
    best: tuple[int, int] | None = None
    most = count = start = 0
    for at, owner in enumerate(owners):
        if owner == own:
            start, count = (at, 1) if count == 0 else (start, count + 1)
            if count > most:
                best, most = (start, at + 1), count
        elif owner is not None:
            count = 0
    return best


def _anchor(
    one: Node | Point,
    node: Node,
    links: Links,
    region: tuple[int, int],
    spans: dict[int, tuple[int, int]],
) -> int:
    """Where something without words goes: behind the word before it, or before the word behind."""
    if isinstance(one, Node) and one.closing is None:
        return region[1]  # goes on in the next sentence: nothing that is not in it may follow
    at = one.at if isinstance(one, Point) else one.start
    place = _near(at, node, links, region)
    for inner in node.nodes:
        span = spans.get(id(inner), (place, place))
        if inner.opening is None:
            place = max(place, span[1])
        elif inner.closing is None:
            place = min(place, span[0])
        elif span[0] < place < span[1]:
            return span[1] if at >= inner.end else span[0]
    return place


def _near(at: int, node: Node, links: Links, region: tuple[int, int]) -> int:
    """After the translation of the source word before a place, or before that of the word there."""
    targets: dict[int, list[int]] = {}
    for word in range(*region):
        for source in links.get(word, ()):
            targets.setdefault(source, []).append(word)
    before = next(
        (source for source in range(at - 1, node.start - 1, -1) if source in targets), None
    )
    behind = next((source for source in range(at, node.end) if source in targets), None)
    if at <= node.start:
        return region[0]
    if at >= node.end:
        return region[1]
    if before is not None and (behind is None or at - before <= behind - at + 1):
        return max(targets[before]) + 1
    return region[0] if behind is None else min(targets[behind])
