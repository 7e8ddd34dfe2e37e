"""Drawings of dependency trees, for the terminal and as SVG."""

from collections.abc import Iterable
from typing import TypeAlias

from headway._core import DependencyTree, Sentence
from headway.arguments import named_arguments
from headway.errors import ConfigError
from headway.trees.compressions import LONGEST, compressions
from headway.trees.drawing.and_or import and_or, and_or_svg
from headway.trees.drawing.arcs import arcs
from headway.trees.drawing.column import column
from headway.trees.drawing.paint import PLAIN, TERMINAL
from headway.trees.drawing.pair import pair
from headway.trees.drawing.svg import svg
from headway.trees.drawing.svg_pair import svg_pair

__all__ = [
    "draw",
    "draw_compressions",
    "draw_compressions_svg",
    "draw_pair",
    "draw_pair_svg",
    "draw_svg",
]


Tree: TypeAlias = DependencyTree | Sentence
"""A tree, or a sentence of a treebank that has one."""


@named_arguments
def draw(tree: Tree, width: int = 80, colour: bool = False) -> str:
    """The tree, or that of a sentence, as text for a terminal of `width` columns.

    Arcs above the words where they fit into one line, else a word per line with arcs at the
    left: there the line of a word leads, from its leftmost end, to its head, and every branch
    further right to one of its children.
    """
    paint = TERMINAL if colour else PLAIN
    drawn = _tree(tree)
    lines = arcs(drawn, width, paint)
    lines = column(drawn, width, paint) if lines is None else lines
    return "\n".join(line.rstrip() for line in lines)


@named_arguments
def draw_pair(
    source: Tree,
    target: Tree,
    alignment: Iterable[tuple[int, int]],
    width: int = 80,
    colour: bool = False,
) -> str:
    """Two trees side by side with their word alignment, or below each other where it is narrow.

    `alignment` holds pairs of a source and a target position from 0, as Pharaoh lines do.
    """
    left, right = _tree(source), _tree(target)
    links = _checked(left, right, alignment)
    return "\n".join(pair(left, right, links, width, TERMINAL if colour else PLAIN))


@named_arguments
def draw_svg(tree: Tree, width: int = 1200) -> str:
    """The tree as a standalone SVG, in as many lines as `width` pixels ask for."""
    return svg(_tree(tree), width)


@named_arguments
def draw_pair_svg(source: Tree, target: Tree, alignment: Iterable[tuple[int, int]]) -> str:
    """Two trees, one above the other, with their word alignment, as a standalone SVG.

    `alignment` holds pairs of a source and a target position from 0, as Pharaoh lines do.
    """
    left, right = _tree(source), _tree(target)
    return svg_pair(left, right, _checked(left, right, alignment))


@named_arguments
def draw_compressions(tree: Tree, longest: int = LONGEST, colour: bool = False) -> str:
    """All compressions of a tree into phrases of up to `longest` words, as an and–or tree.

    Phrases are in brackets. Below a phrase are the labels of the subtrees that it leaves, all of
    which are needed; below a label are the phrases to choose from. `↑` refers to a subtree that
    is drawn further up.
    """
    rows = and_or(compressions(_tree(tree), longest), TERMINAL if colour else PLAIN)
    return "\n".join(rows)


@named_arguments
def draw_compressions_svg(tree: Tree, longest: int = LONGEST) -> str:
    """The same as a standalone SVG."""
    return and_or_svg(compressions(_tree(tree), longest))


def _tree(tree: Tree) -> DependencyTree:
    """A sentence's tree, with the tags of its first column that has any."""
    if isinstance(tree, DependencyTree):
        return tree
    tagged = any(tag not in ("", "_") for tag in tree.tree("upos").tags)
    return tree.tree("upos" if tagged else "xpos")


def _checked(
    source: DependencyTree, target: DependencyTree, alignment: Iterable[tuple[int, int]]
) -> list[tuple[int, int]]:
    """The links in order, numbered from 1 as words are."""
    links = sorted({(left + 1, right + 1) for left, right in alignment})
    for left, right in links:
        if not (1 <= left <= len(source) and 1 <= right <= len(target)):
            raise ConfigError(
                f"link {left - 1}-{right - 1} is outside the sentences, which have "
                f"{len(source)} and {len(target)} words; positions count from 0"
            )
    return links
