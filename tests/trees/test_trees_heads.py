"""Dependency trees out of Penn brackets."""

from itertools import islice
from pathlib import Path

import pytest
from heads_oracle import heads as oracle_heads
from heads_oracle import parse
from headway.errors import ConfigError
from headway.trees import ConstituentTree, read_penn, read_sentences
from hypothesis import example, given
from hypothesis import strategies as st

TABLES = ("collins", "lth", "yamada")

PHRASES = ("S", "S-PRD", "NP", "NP-SBJ", "NP-TMP", "VP", "PP", "SBAR", "ADJP-PRD", "NX", "UCP")
MORE = ("QP", "FRAG", "PRN", "SINV", "WHNP-1", "S-TPC-1", "SBAR-2", "X", "", "ADVP|PRT", "WHPP")
TAGS = ("NN", "NNS", "VB", "MD", "TO", "IN", "DT", "CC", ",", ":", "POS", "CD", "JJ", "-LRB-", "$")


def leaves() -> st.SearchStrategy[str]:
    words = st.sampled_from(TAGS).map(lambda tag: f"({tag} w)")
    traces = st.sampled_from(("*T*-1", "*ICH*-2", "*-1", "0")).map(lambda t: f"(-NONE- {t})")
    return st.one_of(words, words, words, traces)


def phrases(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    labels = st.sampled_from(PHRASES + MORE)
    inside = st.lists(parts, min_size=1, max_size=7).map(" ".join)
    return st.builds("({} {})".format, labels, inside)


trees = st.recursive(leaves(), phrases, max_leaves=25).map("( (S {}))".format)


@given(trees)
@example("( (S (S (CC w) (CC w) (CC w))))")
def test_heads_of_random_trees_are_those_of_the_rules(text: str) -> None:
    for table in TABLES:
        found = ConstituentTree(text).dependencies(table)
        assert found.heads == oracle_heads(parse(text)[0], table), table
        assert found.is_tree or not len(found)


@pytest.mark.parametrize(
    "text",
    [
        "(NP (NNS cats) (CC and) (`` ``) (NNS dogs) ('' ''))",
        "(NP (NNS cats) ('' '') (CC and) (, ,) (`` ``) (NNS dogs) ('' ''))",
        "(NP (NNS cats) (CC and) (NNS dogs))",
    ],
)
def test_punctuation_beside_a_conjunction_is_passed_over(text: str) -> None:
    found = ConstituentTree(text).dependencies("collins").heads
    assert found == [0, *[1] * (len(found) - 1)] == oracle_heads(parse(text)[0], "collins")


def test_a_conjunction_at_the_beginning_coordinates_nothing() -> None:
    text = "(NP (CC and) (`` ``) (NNS dogs))"
    assert ConstituentTree(text).dependencies("collins").heads == [3, 3, 0]
    assert oracle_heads(parse(text)[0], "collins") == [3, 3, 0]


def test_heads_of_the_treebank_are_those_of_the_rules(data: Path) -> None:
    for tree in islice(read_penn(data / "ptb" / "wsj-sample.mrg.gz"), 0, None, 20):
        for table in TABLES:
            assert tree.dependencies(table).heads == oracle_heads(parse(str(tree))[0], table)


def test_the_sample_of_the_treebank_was_made_by_the_rules_of_yamada(data: Path) -> None:
    gold = read_sentences(data / "ptb" / "wsj-sample.dp.gz")
    trees = list(zip(read_penn(data / "ptb" / "wsj-sample.mrg.gz"), gold, strict=True))
    words = sum(len(sentence) for _, sentence in trees)
    shares = {}
    for table in TABLES:
        pairs = [(tree.dependencies(table).heads, gold.heads) for tree, gold in trees]
        same = sum(a == b for found, heads in pairs for a, b in zip(found, heads, strict=True))
        shares[table] = same / words
    assert shares["yamada"] == 1
    assert 0.84 < shares["collins"] < 0.86
    assert 0.8 < shares["lth"] < 1


def test_unknown_rules_are_refused() -> None:
    with pytest.raises(ConfigError, match='no head rules "magerman"; expected one of collins, lth'):
        ConstituentTree("(NN a)").dependencies("magerman")
