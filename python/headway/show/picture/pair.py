"""The words of both sides, the links between them, and the trees where there are any."""

from collections.abc import Sequence

from headway._core import DependencyTree
from headway.show.picture.data import Picture
from headway.show.picture.words import marks_of
from headway.trees.drawing.svg_pair import pair_parts

Parts = tuple[float, float, str, list[str]]


def pair(picture: Picture) -> Parts:
    """Width, height, title and elements of the drawing."""
    source = _tree(picture.source_tree, picture.source)
    target = _tree(picture.target_tree, picture.target)
    links = sorted({(left + 1, right + 1) for left, right in picture.links})
    trees = picture.source_tree is not None, picture.target_tree is not None
    doubted = {place for place, _ in picture.unknown}, set(marks_of(picture))
    return pair_parts(source, target, links, trees, doubted)


def _tree(tree: DependencyTree | None, words: Sequence[str]) -> DependencyTree:
    """The tree, or words without one, which are laid out alike."""
    if tree is not None and tree.forms == list(words):
        return tree
    if tree is not None:  # over words that are marked, or read as others
        return DependencyTree(list(words), tree.heads, tree.tags, tree.labels)
    blank = [""] * len(words)
    return DependencyTree(list(words), [0] * len(words), blank, blank)
