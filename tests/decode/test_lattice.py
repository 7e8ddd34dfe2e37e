"""Lattice parsing against all paths and all trees, by features computed from their definitions."""

import random
from collections.abc import Mapping, Sequence
from math import isclose

import pytest
from headway import ConfigError, _core
from headway._core import Translation
from lattice_decoder import STRING_TO_TREE, TREE_TO_TREE, lattice_decoder
from qpdg_oracle import features, is_tree, projective_trees
from test_decode import UNPRUNED, World, random_weights, search, sentences, world

__all__ = ["world"]

TREES = [*STRING_TO_TREE, *TREE_TO_TREE]
WHOLE = [*UNPRUNED, "lattice_edges=5000", "distortion_limit=3"]


def tree_weights(seed: int, names: Sequence[str] = TREES) -> dict[str, float]:
    chance = random.Random(seed)
    return dict.fromkeys(TREES, 0.0) | {name: chance.uniform(-1, 1) for name in names}


def source_heads(seed: int, words: int) -> list[int]:
    """A tree, projective or not; now and then a second root."""
    chance = random.Random(seed)
    order = list(range(1, words + 1))
    chance.shuffle(order)
    heads = [0] * words
    for place, word in enumerate(order[1:], 1):
        heads[word - 1] = 0 if chance.random() < 0.1 else chance.choice(order[:place])
    return heads


def with_tree(words: list[str], heads: list[int]) -> _core.Source:
    return _core.Source(words, trees=[(_core.DependencyTree(words, heads), 1.0)])


def decoder(
    world: World, weights: Mapping[str, float], *settings: str, coarse: int | None = None
) -> _core.Decoder:
    other = None if coarse is None else random_weights(coarse)
    return lattice_decoder(world.table, {"lm": world.lm}, weights, search(*settings), other)


def score(values: Mapping[str, float], weights: Mapping[str, float]) -> float:
    return sum(value * weights[name] for name, value in values.items())


def enumerated(
    world: World, words: list[str], heads: list[int], weights: Mapping[str, float]
) -> list[float]:
    """The scores of all trees over all derivations of phrase-based search, the best first."""
    phrases = {name: weights[name] for name in weights if name not in TREES}
    found = world.decoder(phrases, *WHOLE).translate([words], n_best=1_000_000)[0].n_best
    scores = []
    for entry in found:
        spans = [source for source, _, _ in entry.segments]
        trees = (features(tree, spans, heads) for tree in projective_trees(len(spans)))
        scores += [entry.score + score(values, weights) for values in trees]
    return sorted(scores, reverse=True)


def check_entry(
    entry: Translation, words: list[str], heads: list[int], weights: Mapping[str, float]
) -> None:
    """Its tree is one, and its features are those of its derivation and its tree."""
    assert entry.phrase_heads is not None
    tree = [head for head in entry.phrase_heads if head is not None]
    assert len(tree) == len(entry.segments)
    assert is_tree(tree)
    values = features(tree, [source for source, _, _ in entry.segments], heads)
    assert {name: entry.features[name] for name in TREES} == pytest.approx(
        {name: values[name] for name in TREES}, abs=1e-5
    )
    assert entry.score == pytest.approx(score(entry.features, weights), abs=1e-6)
    covered = sorted(word for (start, end), _, _ in entry.segments for word in range(start, end))
    assert covered == list(range(len(words)))


@pytest.mark.parametrize(
    "names", [[name] for name in TREES] + [STRING_TO_TREE, TREE_TO_TREE, TREES], ids=str
)
def test_each_feature_alone_and_all_together_find_what_brute_force_finds(
    world: World, names: list[str]
) -> None:
    seed = TREES.index(names[0]) + 100 * len(names)
    for number, words in enumerate(sentences(seed, [1, 2, 3, 3])):
        heads = source_heads(seed + number, len(words))
        weights = random_weights(number) | tree_weights(seed, names)
        found = decoder(world, weights, *WHOLE, coarse=50).translate([with_tree(words, heads)])[0]
        assert found.score == pytest.approx(enumerated(world, words, heads, weights)[0], abs=1e-3)
        check_entry(found, words, heads, weights)


@pytest.mark.parametrize("parsing", ["exact", "bound", "path"])
def test_every_search_finds_the_best_and_the_list_of_brute_force(
    world: World, parsing: str
) -> None:
    how = [f"lattice_parse={parsing}", "goals=1000000000"]
    for seed, words in enumerate(sentences(70, [2, 3, 4])):
        heads = source_heads(seed, len(words))
        weights = random_weights(seed) | tree_weights(seed)
        expected = enumerated(world, words, heads, weights)
        found = decoder(world, weights, *WHOLE, *how).translate(
            [with_tree(words, heads)], n_best=100, trees=True
        )[0]
        assert found.score == pytest.approx(expected[0], abs=1e-3)
        scores = [entry.score for entry in found.n_best]
        assert scores == pytest.approx(expected[: len(scores)], abs=1e-3)
        assert len(scores) == min(100, len(expected))
        for entry in found.n_best:
            check_entry(entry, words, heads, weights)
            assert entry.tree is not None
            assert entry.tree.is_tree
            assert entry.tree.forms == entry.words


def test_forests_hold_the_best_and_lists_are_distinct(world: World) -> None:
    weights = random_weights(3) | tree_weights(3)
    for words in sentences(71, [5, 8, 12]):
        heads = source_heads(1, len(words))
        found = decoder(world, weights, "lattice_edges=100").translate(
            [with_tree(words, heads)], n_best=40, distinct=True, forests=True
        )[0]
        texts = [tuple(entry.words) for entry in found.n_best]
        assert len(set(texts)) == len(texts) > 1
        assert texts[0] == tuple(found.words)
        scores = [entry.score for entry in found.n_best]
        assert scores == sorted(scores, reverse=True)
        assert found.forest is not None
        (best,) = found.forest.k_best(1, None, None)
        assert best.score == pytest.approx(found.score, abs=1e-3)
        alone = decoder(world, weights, "lattice_edges=100").translate([with_tree(words, heads)])
        assert alone[0].words == found.words
        assert alone[0].score == pytest.approx(found.score, abs=1e-6)


def test_a_lattice_of_one_edge_is_the_best_path_of_the_coarse_search(world: World) -> None:
    weights = random_weights(4) | tree_weights(4)
    for words in sentences(72, [3, 7, 11]):
        coarse = world.decoder(random_weights(5)).translate([words])[0]
        found = decoder(world, weights, "lattice_edges=1", coarse=5).translate([words])[0]
        assert found.words == coarse.words
        assert [it[0] for it in found.segments] == [it[0] for it in coarse.segments]


def test_more_goals_and_parents_find_no_worse_scores(world: World) -> None:
    weights = random_weights(6) | tree_weights(6)
    given = [with_tree(words, source_heads(2, len(words))) for words in sentences(73, [6, 8, 9])]

    def total(*settings: str) -> float:
        found = decoder(world, weights, "lattice_edges=150", *settings).translate(given)
        return sum(translation.score for translation in found)

    exact = total()
    goals = [total("lattice_parse=path", f"goals={goals}") for goals in (1, 20, 1_000_000)]
    assert goals == sorted(goals)
    assert isclose(goals[-1], exact, abs_tol=1e-2)
    assert isclose(total("lattice_parse=bound", "goals=1"), exact, abs_tol=1e-2)
    limits = ["parents_least=1", "parents_most=150"]
    parents = [total(*limits, f"parents_mean={mean}") for mean in (1, 10, 150)]
    assert parents[0] <= exact + 1e-3
    assert parents[1] <= exact + 1e-3
    assert isclose(parents[-1], exact, abs_tol=1e-2)


def test_threads_change_nothing_and_pieces_make_one_tree(world: World) -> None:
    weights = random_weights(7) | tree_weights(7)
    given = sentences(74, [0, 1, 9, 14, 25, 30])
    one = decoder(world, weights, "max_words=8", "lattice_edges=120")
    alone, together = (one.translate(given, threads=threads, n_best=5) for threads in (1, 2))
    for words, first, second in zip(given, alone, together, strict=True):
        assert (first.words, first.score, first.values) == (
            second.words,
            second.score,
            second.values,
        )
        assert [it.words for it in first.n_best] == [it.words for it in second.n_best]
        assert first.split == (len(words) > 8)
        if words:
            assert first.phrase_heads is not None
            assert first.phrase_heads.count(0) == 1
            assert [it[0] for it in first.segments] != []


def test_words_that_are_dropped_stand_in_no_structure(world: World) -> None:
    weights = random_weights(8) | tree_weights(8)
    one = decoder(world, weights, "unknown=drop")
    (found,) = one.translate([["x", "der", "hund", "y", "z", "sieht", "q"]])
    dropped = [place for place, it in enumerate(found.segments) if it[2] == "drop"]
    assert len(dropped) >= 4
    assert found.phrase_heads is not None
    for place, (_, target, _) in enumerate(found.segments):
        assert (found.phrase_heads[place] is None) == (target[0] == target[1])
    (nothing,) = one.translate([["x", "y"]], n_best=3, forests=True, trees=True)
    assert nothing.words == []
    assert nothing.phrase_heads is None
    assert len(nothing.segments) == 2
    assert not nothing.hurried


def test_a_sentence_without_time_gets_its_best_path(world: World) -> None:
    weights = random_weights(9) | tree_weights(9)
    (words,) = sentences(75, [20])
    (found,) = decoder(world, weights, "time_limit=0.000000001").translate(
        [words], n_best=3, forests=True
    )
    assert found.hurried
    assert found.words
    assert found.phrase_heads is not None
    assert found.score == pytest.approx(score(found.features, weights), abs=1e-6)


def test_without_trees_of_the_source_their_features_are_zero(world: World) -> None:
    weights = random_weights(1) | tree_weights(1)
    (words,) = sentences(76, [6])
    (found,) = decoder(world, weights).translate([words])
    assert all(found.features[name] == 0 for name in TREE_TO_TREE)
    assert sum(found.features[name] for name in STRING_TO_TREE) == len(found.segments) - 1
    phrases = {name: weights[name] for name in weights if name not in TREE_TO_TREE}
    without = decoder(world, phrases, "tree_to_tree=false")
    assert not set(without.features) & set(TREE_TO_TREE)
    assert without.translate([words])[0].score == pytest.approx(found.score, abs=1e-5)


def test_mistakes_are_named(world: World) -> None:
    weights = random_weights(1)
    with pytest.raises(ConfigError, match="which the model does not have"):
        lattice_decoder(
            world.table, {"lm": world.lm}, weights, search(), {"string-to-tree.left-same": 1.0}
        )
    with pytest.raises(ConfigError, match=r"search.parents_mean is 20; expected 0, or from"):
        decoder(world, weights, "parents_mean=20")
    with pytest.raises(ConfigError, match="expected exact or bound or path"):
        decoder(world, weights, "lattice_parse=all")
