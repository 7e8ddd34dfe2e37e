"""Agreement, precision, recall and shapes of trees, against values worked out by hand."""

from collections.abc import Sequence

import pytest
from headway.compare import Accuracy, Agreement, Parses, Shapes, accuracy, agreement, shapes
from headway.compare.differences import differences
from headway.compare.heads import NO_HEAD, differing_words, heads_of
from headway.trees import Sentence
from hypothesis import given
from hypothesis import strategies as st

# Five lines: a tree each; none by the second source; an empty line; two roots; a cycle.
ONE = Parses("one", [[2, 0, 2], [0, 1], [], [0, 0], [2, 3, 1, 0]])
OTHER = Parses("other", [[3, 0, 2], [], [], [0, 1], [2, 0, 1, NO_HEAD]])
WORDS = [3, 2, 0, 2, 4]


def test_agreement_counts_lines_that_both_have() -> None:
    # Lines 1, 4 and 5: nine words. Line 1 differs in word 1, line 4 in word 2, line 5 in words 2
    # and 4. The root is the same in line 1 only: line 4 has roots 1 and 2 against 1.
    assert agreement(ONE, OTHER) == Agreement("one", "other", 3, 1, 9, 5)
    found = agreement(ONE, OTHER)
    assert found.roots == pytest.approx(100 / 3)
    assert found.heads == pytest.approx(500 / 9)
    assert found.table()["heads"] == found.heads


def test_words_without_head_agree_with_nothing() -> None:
    nothing = Parses("a", [[0, NO_HEAD]])
    assert agreement(nothing, nothing) == Agreement("a", "a", 1, 1, 2, 1)
    rootless = Parses("a", [[2, 1]])
    assert agreement(rootless, rootless) == Agreement("a", "a", 1, 0, 2, 2)


def test_shapes() -> None:
    assert shapes(ONE, WORDS) == Shapes(sentences=4, missing=0, illegal=2, cyclic=1, cycles=1)
    assert shapes(OTHER, WORDS) == Shapes(sentences=3, missing=1, illegal=1, cyclic=0, cycles=0)


def test_a_tree_may_have_several_cycles_and_words_without_head_beside() -> None:
    # 1 and 2, and 3 alone; 4 hangs from nothing, 5 from the root.
    found = Parses("a", [[2, 1, 3, NO_HEAD, 0]])
    assert shapes(found, [5]) == Shapes(1, 0, 1, 1, 2)


def test_missing_heads_lower_recall_and_not_precision() -> None:
    gold = Parses("gold", [[2, 0, 2], [0, 1], [], [], []])
    # Line 1: 2 of 3 are right; line 2 has no tree: 2 more arcs that are not found.
    assert accuracy(OTHER, gold) == Accuracy(sentences=2, right=2, found=3, gold=5)
    found = accuracy(OTHER, gold)
    assert found.precision == pytest.approx(200 / 3)
    assert found.recall == 40


def test_arcs_where_gold_has_none_lower_precision() -> None:
    gold = Parses("gold", [[2, 0, NO_HEAD]])
    assert accuracy(Parses("a", [[2, 0, 2]]), gold) == Accuracy(1, 2, 3, 2)


def test_a_sentence_without_any_head_has_no_tree() -> None:
    nothing: list[int | None] = [None, None]
    assert heads_of(Sentence.from_columns(["a", "b"], head=nothing)) == []
    assert heads_of(Sentence.from_columns(["a", "b"], head=[None, 1])) == [NO_HEAD, 1]


def test_the_sentences_that_differ_most_come_first() -> None:
    one = Parses("one", [[0, 1], [0, 1, 2], [0, 1, 1], [0], [2, 0]])
    other = Parses("other", [[0, 1], [2, 3, 0], [0, 1, 2], [], [0, 1]])
    (pair,) = differences([one, other], 2)
    assert [(it.line, it.words) for it in pair.found] == [(1, [1, 2, 3]), (4, [1, 2])]
    assert [it.line for it in differences([one, other], 9)[0].found] == [1, 4, 2]


def test_long_sentences_are_shown_only_where_there_are_no_short_ones() -> None:
    long, other = [*range(30)], [0, *range(29)]
    (pair,) = differences([Parses("a", [long, [2, 0]]), Parses("b", [other, [0, 1]])], 5)
    assert [it.line for it in pair.found] == [1]
    (pair,) = differences([Parses("a", [long]), Parses("b", [other])], 5)
    assert [it.line for it in pair.found] == [0]


def literal_cycles(heads: Sequence[int]) -> set[frozenset[int]]:
    """Words that come back to themselves, by the words on the way."""
    found = set()
    for word in range(1, len(heads) + 1):
        way, at = [word], heads[word - 1]
        while at > 0 and at not in way:
            way.append(at)
            at = heads[at - 1]
        if at == word:
            found.add(frozenset(way))
    return found


def tree(length: int) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(NO_HEAD, length), min_size=length, max_size=length)


TEXTS = st.lists(st.integers(0, 5), max_size=6).flatmap(
    lambda lengths: st.tuples(
        st.just(lengths),
        *(st.tuples(*(st.just([]) | tree(length) for length in lengths)) for _ in range(2)),
    )
)


@given(TEXTS)
def test_counts_are_those_of_the_definitions(
    text: tuple[list[int], tuple[list[int], ...], tuple[list[int], ...]],
) -> None:
    lengths, left, right = text
    one, other = Parses("one", list(left)), Parses("other", list(right))
    both = [(a, b) for a, b in zip(left, right, strict=True) if a and b]
    found = agreement(one, other)
    roots = [[{w for w, h in enumerate(heads) if h == 0} for heads in two] for two in both]
    assert found.sentences == len(both)
    assert found.same_roots == sum(a == b and bool(a) for a, b in roots)
    assert found.words == sum(len(a) for a, _ in both)
    same = [{w for w in range(len(a)) if a[w] == b[w] and a[w] != NO_HEAD} for a, b in both]
    assert found.same_heads == sum(map(len, same))
    for (a, b), agreed in zip(both, same, strict=True):
        assert differing_words(a, b) == [w + 1 for w in range(len(a)) if w not in agreed]

    arcs = [
        {(line, w, h) for line, heads in enumerate(two) for w, h in enumerate(heads) if h >= 0}
        for two in (left, right)
    ]
    known = {line for line, heads in enumerate(right) if heads}
    proposed = {arc for arc in arcs[0] if arc[0] in known}
    assert accuracy(one, other) == Accuracy(
        len(known), len(proposed & arcs[1]), len(proposed), len(arcs[1])
    )

    trees = [heads for heads in left if heads]
    cycles = [literal_cycles(heads) for heads in trees]
    legal = [
        NO_HEAD not in heads and heads.count(0) == 1 and not loops
        for heads, loops in zip(trees, cycles, strict=True)
    ]
    assert shapes(one, lengths) == Shapes(
        len(trees),
        sum(length > 0 and not heads for length, heads in zip(lengths, left, strict=True)),
        legal.count(False),
        sum(map(bool, cycles)),
        sum(map(len, cycles)),
    )
