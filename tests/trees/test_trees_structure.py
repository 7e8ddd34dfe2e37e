"""Dependency trees: their shape, and which spans are well-formed, against the definitions."""

import pickle
from pathlib import Path

import pytest
from headway import ConfigError
from headway.trees import DependencyTree, read_trees
from hypothesis import given
from hypothesis import strategies as st


def fixed_on(d: list[int], i: int, j: int, h: int) -> bool:
    """Definition 1 of Shen, Xu and Weischedel (2010), as printed; d[0] is unused."""
    span = range(i, j + 1)
    return (
        h in span
        and d[h] not in span
        and all(d[k] in span for k in span if k != h)
        and all(d[k] == h or d[k] not in span for k in range(1, len(d)) if k not in span)
    )


def floating_with(d: list[int], i: int, j: int, c: set[int], h: int) -> bool:
    """Definition 2, as printed, for one set of children and one head."""
    span = range(i, j + 1)
    return (
        bool(c)
        and h not in span
        and all(d[k] == h for k in c)
        and all(d[k] in span for k in span if k not in c)
        and all(d[k] not in span for k in range(1, len(d)) if k not in span)
    )


def category(heads: list[int], i: int, j: int) -> tuple[str, int | None, list[int]]:
    """Definition 3, as printed."""
    d = [-1, *heads]
    for h in range(i, j + 1):
        if fixed_on(d, i, j, h):
            return "fixed", h, []
    outside = {k for k in range(i, j + 1) if not i <= d[k] <= j}
    for h in range(len(d)):
        if floating_with(d, i, j, outside, h):
            return "floating-left" if j < h else "floating-right", h, sorted(outside)
    return "ill-formed", None, []


def check_all_spans(tree: DependencyTree) -> None:
    for i in range(1, len(tree) + 1):
        for j in range(i, len(tree) + 1):
            found = tree.structure(i, j)
            assert (found.kind, found.head, found.children) == category(tree.heads, i, j)


@st.composite
def any_trees(draw: st.DrawFn) -> DependencyTree:
    """Head arrays of any shape, near heads being likelier, so that many spans are well-formed."""
    n = draw(st.integers(1, 14))
    near = st.integers(-3, 3)
    heads = [
        draw(st.one_of(st.integers(0, n), near.map(lambda o, k=k: min(max(k + o, 0), n))))  # type: ignore[misc]
        for k in range(1, n + 1)
    ]
    return DependencyTree(["w"] * n, heads)


@given(any_trees())
def test_structures_are_those_of_the_definitions(tree: DependencyTree) -> None:
    check_all_spans(tree)


@given(any_trees(), st.integers(1, 5))
def test_all_well_formed_spans_are_listed(tree: DependencyTree, longest: int) -> None:
    listed = {(i, j): structure for i, j, structure in tree.structures(longest)}
    for i in range(1, len(tree) + 1):
        for j in range(i, min(len(tree), i + longest - 1) + 1):
            structure = tree.structure(i, j)
            assert listed.pop((i, j), None) == (structure if structure.is_well_formed else None)
    assert not listed


def test_structures_of_real_trees_are_those_of_the_definitions(data: Path) -> None:
    kinds = set()
    for number, tree in enumerate(read_trees(data / "ud" / "cs-test.conllu.gz")):
        if number % 40 == 0 and len(tree) <= 40:
            check_all_spans(tree)
            kinds |= {structure.kind for *_, structure in tree.structures()}
    assert kinds == {"fixed", "floating-left", "floating-right"}


def test_neighbouring_roots_float_to_the_right_of_head_0() -> None:
    structure = DependencyTree(["a", "b"], [0, 0]).structure(1, 2)
    assert (structure.kind, structure.head, structure.children) == ("floating-right", 0, [1, 2])


def test_odd_shapes_are_held_and_flagged() -> None:
    cyclic = DependencyTree(["a", "b", "c"], [2, 1, 0])
    assert cyclic.has_cycle
    assert not cyclic.is_tree
    assert cyclic.cycles == [[1, 2]]
    assert cyclic.depth(1) is None
    two_roots = DependencyTree(["a", "b"], [0, 0])
    assert two_roots.roots == [1, 2]
    assert not two_roots.is_tree
    assert two_roots.path(1, 2) is None


def test_queries_of_a_tree() -> None:
    tree = DependencyTree(["the", "boy", "will", "find", "it"], [2, 4, 4, 0, 4])
    assert tree.is_tree
    assert tree.is_projective
    assert tree.children(4) == [2, 3, 5]
    assert tree.children(0) == [4]
    assert tree.descendants(4) == [1, 2, 3, 5]
    assert tree.subtree_span(2) == (1, 2)
    assert tree.path(1, 5) == [1, 2, 4, 5]
    assert tree.ancestors(1) == [1, 2, 4]
    assert tree.depth(1) == 2
    assert not DependencyTree(["a", "b", "c", "d"], [3, 4, 0, 3]).is_projective


def test_what_is_no_tree_is_refused() -> None:
    with pytest.raises(ConfigError, match="word 2: head 3 is out of range"):
        DependencyTree(["a", "b"], [0, 3])
    with pytest.raises(ConfigError, match="expected 2 heads, found 1"):
        DependencyTree(["a", "b"], [0])
    with pytest.raises(OverflowError):
        DependencyTree(["a"], [-1])


@pytest.mark.parametrize("word", [0, 3, 2**32 - 1])
def test_words_that_are_not_there(word: int) -> None:
    tree = DependencyTree(["a", "b"], [0, 1])
    for query in (tree.descendants, tree.subtree_span, tree.depth, tree.ancestors):
        with pytest.raises(IndexError, match="words are numbered 1 to 2"):
            query(word)
    with pytest.raises(IndexError):
        tree.path(1, word)
    with pytest.raises(IndexError):
        tree.structure(word, word)


@given(any_trees())
def test_trees_are_values(tree: DependencyTree) -> None:
    again = pickle.loads(pickle.dumps(tree))  # noqa: S301
    assert again == tree
    assert hash(again) == hash(tree)
    assert again != DependencyTree(tree.forms, tree.heads, labels=["x"] * len(tree))
