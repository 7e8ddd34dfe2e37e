"""Arcs that cross are lifted in trees with cycles too, as far as their parts are trees."""

import random

import pytest
from headway.systems.corpus_trees import without_crossing
from headway.trees import DependencyTree


def lifted(heads: list[int]) -> list[int]:
    words = [str(at) for at in range(len(heads))]
    labels = [f"l{word}" for word in words]
    found = without_crossing(DependencyTree(words, heads, words, labels))
    assert (found.forms, found.tags, found.labels) == (words, words, labels)
    return found.heads


@pytest.mark.parametrize(
    ("heads", "expected"),
    [
        ([2, 1, 0, 5, 3, 4], [2, 1, 0, 5, 3, 5]),  # beside a cycle
        ([2, 1, 1, 5, 3, 4], [2, 1, 1, 5, 3, 5]),  # below one
        ([2, 1, 0, 1], [2, 1, 0, 1]),  # above word 4 is only a cycle
        ([3, 4, 1, 2], [3, 4, 1, 2]),  # two cycles that cross
    ],
)
def test_parts_are_lifted(heads: list[int], expected: list[int]) -> None:
    assert lifted(heads) == expected


def test_random_heads() -> None:
    chance = random.Random(3)
    changed = cyclic = 0
    for _ in range(2000):
        size = chance.randint(1, 9)
        heads = [
            chance.choice([it for it in range(size + 1) if it != at + 1]) for at in range(size)
        ]
        found = lifted(heads)
        words = [str(at) for at in range(size)]
        before, after = DependencyTree(words, heads), DependencyTree(words, found)
        assert after.cycles == before.cycles
        assert after.roots == before.roots or not before.has_cycle
        around = {word for cycle in before.cycles for word in cycle}
        for word, (old, new) in enumerate(zip(heads, found, strict=True), 1):
            assert word not in around or new == old
            assert new == old or new in [*before.ancestors(word), 0]
        if not before.has_cycle:
            assert found == before.projective().heads
            continue
        cyclic += 1
        changed += found != heads
        alone = [word for word in range(1, size + 1) if _is_beside(before, word)]
        assert all(found[word - 1] in (0, *alone) for word in alone)
    assert cyclic > 500
    assert changed > 50


def _is_beside(tree: DependencyTree, word: int) -> bool:
    """Whether a word hangs, over whatever heads, from a root."""
    return tree.depth(word) is not None
