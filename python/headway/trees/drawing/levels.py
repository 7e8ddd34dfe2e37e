"""How high each arc must be so that no two that overlap lie on each other."""

from dataclasses import dataclass

from headway._core import DependencyTree


@dataclass(frozen=True)
class Arc:
    """From a head to a dependent, numbered from 1. Loops of a word to itself are no arcs."""

    head: int
    word: int
    label: str

    @property
    def left(self) -> int:
        """The word at its left end."""
        return min(self.head, self.word)

    @property
    def right(self) -> int:
        """The word at its right end."""
        return max(self.head, self.word)


def shown(text: str) -> str:
    """A label or tag as it is drawn: `_` stands for none."""
    return "" if text == "_" else text


def arcs_of(tree: DependencyTree) -> list[Arc]:
    """The arcs between words, shorter ones first."""
    words = enumerate(zip(tree.heads, tree.labels, strict=True), start=1)
    arcs = [Arc(head, word, shown(label)) for word, (head, label) in words if head not in (0, word)]
    return sorted(arcs, key=lambda arc: (arc.right - arc.left, arc.left))


class Skyline:
    """The highest level taken so far over each gap between two words."""

    def __init__(self, words: int) -> None:
        self._levels = [0] * (words + 2)

    def place(self, left: int, right: int, above: int = 0) -> int:
        """The lowest level over the gaps from `left` to `right` that is free and over `above`."""
        level = 1 + max(above, *self._levels[left:right], 0)
        self._levels[left:right] = [level] * (right - left)
        return level


def levels(tree: DependencyTree, arcs: list[Arc]) -> dict[Arc, int]:
    """Levels from 1: of two overlapping arcs the longer is higher."""
    skyline = Skyline(len(tree))
    return {arc: skyline.place(arc.left, arc.right) for arc in arcs}


def ordered_levels(tree: DependencyTree, arcs: list[Arc]) -> dict[Arc, int]:
    """Levels by which the arc to a word's head is higher than those to its children.

    On a cycle that cannot hold for every word; there, as elsewhere, overlapping arcs differ.
    """
    skyline, found = Skyline(len(tree)), dict[Arc, int]()
    highest = [0] * (len(tree) + 1)
    depths = [0] + [tree.depth(word) or 0 for word in range(1, len(tree) + 1)]
    cyclic = {word for word in range(1, len(tree) + 1) if tree.depth(word) is None}
    # Children before heads; what hangs on a cycle comes last.
    arcs = sorted(arcs, key=lambda arc: (arc.head in cyclic, -depths[arc.head]))
    for arc in arcs:
        found[arc] = skyline.place(arc.left, arc.right, highest[arc.word])
        highest[arc.head] = max(highest[arc.head], found[arc])
    return found
