"""Structures that are built from the bottom up."""

import pytest
from headway import ConfigError
from headway.trees import DependencyTree, PartialStructure

TREE = DependencyTree(
    ["the", "boy", "will", "find", "it", "interesting"], [2, 4, 4, 0, 4, 4]
)  # Figure 1 of the paper


def test_the_example_of_the_paper_is_built_as_its_tree_has_it() -> None:
    the, boy, will, find, it, interesting = map(PartialStructure.word, range(1, 7))
    subject = the.join("left-adjoin", boy)
    assert subject is not None
    before = subject.join("left-concatenate", will)
    assert before is not None
    assert before.category == ("floating-left", [2, 3])
    assert before == PartialStructure.of_span(TREE, 1, 3)
    after = it.join("right-concatenate", interesting)
    assert after is not None
    verb = before.join("left-adjoin", find)
    assert verb is not None
    whole = verb.join("right-adjoin", after)
    assert whole is not None
    assert whole.heads == TREE.heads
    assert whole.category == ("fixed", [4])
    assert repr(whole) == "<1–6 fixed on 4>"
    assert hash(whole) == hash(PartialStructure.of_span(TREE, 1, 6))


def test_undefined_operations_give_nothing_or_the_null_structure() -> None:
    right = PartialStructure.word(1).join("right-concatenate", PartialStructure.word(2))
    assert right is not None
    word = PartialStructure.word(3)
    assert right.join("left-adjoin", word) is None
    null = right.join_or_null("left-adjoin", word)
    assert null.category is None
    assert (null.null_words, null.heads) == (3, [None, None, None])
    assert repr(null) == "<1–3 null>"
    joined = null.join_or_null("right-adjoin", PartialStructure.word(4))
    assert (joined.category, joined.null_words) == (("fixed", [4]), 3)
    assert PartialStructure.of_span(TREE, 2, 3) is None
    assert PartialStructure.of_span(TREE, 0, 99) is None


def test_what_cannot_be_joined_is_named() -> None:
    one, three = PartialStructure.word(1), PartialStructure.word(3)
    with pytest.raises(ConfigError, match="the right neighbour begins with word 2, this one 3"):
        one.join("left-adjoin", three)
    with pytest.raises(ConfigError, match='operation "adjoin"; expected left-adjoin'):
        one.join("adjoin", PartialStructure.word(2))
    with pytest.raises(ConfigError, match="at most"):
        PartialStructure.null(1, 1 << 40)
