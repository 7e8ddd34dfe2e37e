"""Features of trees over phrases (Gimpel & Smith 2011) from their definitions, and all trees."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product

Span = tuple[int, int]
CONFIGURATIONS = (
    "parent-child",
    "child-parent",
    "grandparent-grandchild",
    "sibling",
    "c-command",
)


def is_tree(heads: Sequence[int]) -> bool:
    """Whether heads from 1 are a projective tree with one word under the root, 0."""
    ways = [_way_up(heads, word) for word in range(1, len(heads) + 1)]
    if list(heads).count(0) != 1 or any(0 not in way for way in ways):
        return False
    arcs = [(min(pair), max(pair), pair[1]) for pair in enumerate(heads, 1) if pair[1]]
    return all(
        head in ways[between - 1] for start, end, head in arcs for between in range(start, end)
    )


@cache
def projective_trees(words: int) -> list[tuple[int, ...]]:
    return [heads for heads in product(range(words + 1), repeat=words) if is_tree(heads)]


def features(
    heads: Sequence[int], spans: Sequence[Span], source: Sequence[int]
) -> dict[str, float]:
    """All of a tree over phrases with these source spans, and heads (from 1) of the source."""
    found: dict[str, float] = defaultdict(float)
    for child, head in enumerate(heads):
        if not head:
            if any(source[word] == 0 for word in range(*spans[child])):
                found["tree-to-tree.root-root"] += 1
            continue
        parent = head - 1
        side = "left" if child < parent else "right"
        same = (child < parent) == (spans[child] < spans[parent])
        order = "same" if same else "swapped"
        found[f"string-to-tree.{side}-{order}"] += 1
        name = configuration(spans[parent], spans[child], source)
        found[f"tree-to-tree.{name}-{order}"] += 1
        found["tree-to-tree.path"] += path(spans[parent], spans[child], source, directed=False)
        found["tree-to-tree.directed-path"] += path(
            spans[parent], spans[child], source, directed=True
        )
    return found


def configuration(parent: Span, child: Span, source: Sequence[int]) -> str:
    """Of the two words farthest apart that have one; of equally far ones the first in order."""
    found = [
        (-abs(j - k), CONFIGURATIONS.index(name))
        for j, k in _pairs(parent, child)
        if (name := _of_words(j, k, {*_words(parent), *_words(child)}, source))
    ]
    return CONFIGURATIONS[min(found)[1]] if found else "other"


def _of_words(j: int, k: int, inside: set[int], source: Sequence[int]) -> str | None:
    def head(word: int) -> int:
        return source[word - 1] if word else 0

    above_j, above_k = _way_up(source, j)[1:], _way_up(source, k)[1:]
    if head(k) == j:
        return "parent-child"
    if head(j) == k:
        return "child-parent"
    if head(head(k)) == j and head(k) not in inside:
        return "grandparent-grandchild"
    if head(j) and head(j) == head(k) and head(j) not in inside:
        return "sibling"
    if j not in above_k and k not in above_j:
        for one, others in ((head(j), above_k), (head(k), above_j)):
            if one and one in others and one not in inside:
                return "c-command"
    return None


def path(parent: Span, child: Span, source: Sequence[int], *, directed: bool) -> float:
    lengths = []
    for j, k in _pairs(parent, child):
        up, down = _way_up(source, j), _way_up(source, k)
        meetings = [word for word in up if word in down and word]
        if meetings and (not directed or meetings[0] == j):
            lengths.append(up.index(meetings[0]) + down.index(meetings[0]))
    return 1 / min(lengths) if lengths else 0.0


def _way_up(heads: Sequence[int], word: int) -> list[int]:
    way = [word]
    while way[-1] and len(way) <= len(heads):
        way.append(heads[way[-1] - 1])
    return way


def _words(span: Span) -> range:
    return range(span[0] + 1, span[1] + 1)


def _pairs(parent: Span, child: Span) -> Iterator[tuple[int, int]]:
    return product(_words(parent), _words(child))
