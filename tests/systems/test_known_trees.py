"""Trees of a file by the words of their sentences, with odd trees in it."""

import random
from itertools import chain
from pathlib import Path

import pytest
from headway import FormatError, InputError
from headway.systems.known_trees import KnownTrees
from headway.systems.parsers import is_learnable
from headway.trees import Sentence, read_sentences, write_sentences

Heads = list[int | None]


def known(place: Path, trees: dict[str, Heads], *, cyclic: bool, headless: bool) -> KnownTrees:
    path = place / "trees.conllu"
    write_sentences(path, (Sentence.from_columns(w.split(), head=h) for w, h in trees.items()))
    return KnownTrees(path, cyclic=cyclic, headless=headless)


TREES: dict[str, Heads] = {"a b": [2, 0], "c d e": [2, 1, 0], "f g": [2, 1]}
LINES = [["A", "b"], ["C", "d", "e"], [], ["f", "g"], ["h"]]


@pytest.mark.parametrize(
    ("cyclic", "heads", "missing"),
    [
        (True, [[2, 0], [2, 1, 0], [], [2, 1], [None]], (1, 5, "h")),
        (False, [[2, 0], [None] * 3, [], [None] * 2, [None]], (3, 2, "C d e")),
    ],
)
def test_trees_with_a_cycle_are_trees_where_they_may_be(
    tmp_path: Path, cyclic: bool, heads: list[Heads], missing: tuple[int, int, str]
) -> None:
    for headless in (True, False):
        trees = known(tmp_path, TREES, cyclic=cyclic, headless=headless)
        found = list(trees.trees_of(LINES, "line"))
        assert [one.forms for one in found] == LINES
        assert [one.heads for one in found] == heads
        told = trees.missing
        assert (told.count, told.number, told.words) == missing
        assert trees.found == 4 - missing[0]
        assert trees.asked == 5


@pytest.mark.parametrize("cyclic", [True, False])
def test_words_without_a_head(tmp_path: Path, cyclic: bool) -> None:
    odd: dict[str, Heads] = {"a b": [2, None], "c": [None]}
    lines = [["a", "b"], ["c"]]
    trees = known(tmp_path, odd, cyclic=cyclic, headless=True)
    assert [one.heads for one in trees.trees_of(lines, "line")] == [[2, None], [None]]
    assert trees.missing.count == 1
    with pytest.raises(FormatError, match=r"trees.conllu:1: word 2 of this sentence has no head"):
        known(tmp_path, odd, cyclic=cyclic, headless=False)


def test_files_without_a_tree(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="no sentence with a tree in it"):
        known(tmp_path, {"a b": [2, 1]}, cyclic=False, headless=True)
    with pytest.raises(InputError, match="no such file"):
        KnownTrees(tmp_path / "nothing", cyclic=True, headless=True)
    trees = known(tmp_path, TREES, cyclic=True, headless=True)
    with pytest.raises(FormatError, match="has no tree of any line of x; are its words the same"):
        list(trees.trees_of([["x"], []], "line of x"))


def test_each_sentence_gets_the_next_tree_of_its_words(tmp_path: Path) -> None:
    """Against a search through the whole file for each sentence."""
    chance = random.Random(5)
    path = tmp_path / "trees.conllu"
    texts = [list(words) for words in ("ab", "aB", "b", "bab", "c")]
    for _ in range(50):
        chosen = chance.choices(texts, k=chance.randint(1, 12))
        heads = [[chance.randint(0, len(words)) for words in [one] * len(one)] for one in chosen]
        pairs = zip(chosen, heads, strict=True)
        write_sentences(path, (Sentence.from_columns(words, head=two) for words, two in pairs))
        given = list(read_sentences(path))
        lines = [["C"], *chance.choices(texts, k=15), *chosen[:1]]
        cyclic = chance.random() < 0.5
        usable = [one for one in given if cyclic or not one.tree().has_cycle]
        if not usable:
            continue
        expected = []
        for at, words in enumerate(lines):
            lower = [word.lower() for word in words]
            same = [one.heads for one in usable if [it.lower() for it in one.forms] == lower]
            before = sum([it.lower() for it in one] == lower for one in lines[:at])
            expected.append(same[min(before, len(same) - 1)] if same else [None] * len(words))
        if all(head is None for head in chain.from_iterable(expected)):
            continue
        trees = KnownTrees(path, cyclic=cyclic, headless=False)
        assert [one.heads for one in trees.trees_of(lines, "line")] == expected


@pytest.mark.parametrize(
    ("heads", "cyclic", "plain"),
    [
        ([], False, False),
        ([2, 0], True, True),
        ([0, 0], True, True),
        ([2, 1, 0], True, False),
        ([2, 1, 2], False, False),  # without a root
        ([None, 0], False, False),
    ],
)
def test_what_can_be_learnt_from(heads: Heads, cyclic: bool, plain: bool) -> None:
    words = [str(at) for at in range(len(heads))]
    sentence = Sentence.from_columns(words, head=heads)
    assert is_learnable(sentence, cyclic=True) is cyclic
    assert is_learnable(sentence, cyclic=False) is plain
