"""Forests from Python, against the enumeration of all their derivations."""

import itertools
import json
import math
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from headway import ConfigError, FormatError, InputError, ModelError
from headway.forest import Derivation, Edge, Forest, load, save
from hypothesis import assume, given
from hypothesis import strategies as st

VALUES = st.integers(-40, 40).map(lambda value: value / 8)
MOST = 150


@st.composite
def forests(draw: st.DrawFn, most_tails: int = 3) -> Forest:
    """Small forests, in which a tail may stand in an edge twice."""
    nodes = draw(st.integers(1, 5))
    edges = []
    for _ in range(draw(st.integers(0, 10))):
        head = draw(st.integers(0, nodes - 1))
        below = st.integers(0, head - 1) if head else st.nothing()
        tails = draw(st.lists(below, max_size=most_tails)) if head else []
        words: list[Any] = draw(st.lists(st.sampled_from("ab"), max_size=2))
        if most_tails > 1:
            target = draw(st.permutations([*words, *range(len(tails))]))
        else:
            target = [*range(len(tails)), *words]
        own = [place for place, symbol in enumerate(target) if isinstance(symbol, str)]
        edges.append(
            {
                "head": head,
                "tails": tails,
                "target": target,
                "spans": draw(st.sampled_from([[], [[0, 1]], [[0, 1], [2, 3]]])),
                "links": [[draw(st.integers(0, 2)), place] for place in own],
                "features": {"lm": draw(VALUES), "tm": draw(VALUES)},
            }
        )
    forest = Forest.from_json(
        json.dumps(
            {
                "format": "headway-forest-1",
                "features": ["lm", "tm"],
                "weights": {"lm": draw(VALUES), "tm": 0.5},
                "source": ["x", "y", "z"],
                "goal": nodes - 1,
                "nodes": [{"span": [0, 3]} for _ in range(nodes)],
                "edges": edges,
            }
        )
    )
    assume(forest.log_derivations <= math.log(MOST))
    return forest


def enumerate_all(forest: Forest) -> list[tuple[int, ...]]:
    """All derivations, as numbers of edges, each before those of its tails."""
    every: list[list[tuple[int, ...]]] = [[] for _ in forest.nodes]
    for number, edge in enumerate(forest.edges):  # in the order of heads
        for parts in itertools.product(*(every[tail] for tail in edge.tails)):
            every[edge.head].append((number, *itertools.chain.from_iterable(parts)))
    return every[forest.goal]


def score(forest: Forest, edges: list[Edge], derivation: tuple[int, ...]) -> float:
    weights = forest.weights
    return sum(
        weights[name] * value for edge in derivation for name, value in edges[edge].features.items()
    )


def spell(edges: list[Edge], derivation: tuple[int, ...]) -> list[tuple[str, frozenset[int]]]:
    """Target words, each with the source words it is linked to."""
    rest = iter(derivation)

    def below() -> list[tuple[str, frozenset[int]]]:
        edge = edges[next(rest)]
        parts = [below() for _ in edge.tails]
        words: list[tuple[str, frozenset[int]]] = []
        for place, symbol in enumerate(edge.target):
            if isinstance(symbol, int):
                words += parts[symbol]
            else:
                linked = frozenset(s for s, index in edge.links if index == place)
                words.append((symbol, linked))
        return words

    return below()


@given(forests())
def test_k_best_is_every_derivation_in_order(forest: Forest) -> None:
    every, own = set(enumerate_all(forest)), forest.edges
    found = forest.k_best(MOST + 5)
    assert {derivation.edges for derivation in found} == every
    assert len(found) == len(every)
    scores = sorted((score(forest, own, edges) for edges in every), reverse=True)
    assert [d.score for d in found] == pytest.approx(scores)
    assert forest.best() == (found[0] if found else None)
    assert math.exp(forest.log_derivations) == pytest.approx(len(every))


@given(forests())
def test_distinct_k_best_is_the_best_of_each_text(forest: Forest) -> None:
    best: dict[str, float] = defaultdict(lambda: -math.inf)
    own = forest.edges
    for edges in enumerate_all(forest):
        text = " ".join(word for word, _ in spell(own, edges))
        best[text] = max(best[text], score(forest, own, edges))
    found = forest.k_best(MOST + 5, distinct=True)
    assert [d.score for d in found] == sorted((d.score for d in found), reverse=True)
    assert {d.text: d.score for d in found} == pytest.approx(dict(best))
    assert len(found) == len(best)


@given(forests())
def test_derivations_say_words_links_segments_and_features(forest: Forest) -> None:
    edges = forest.edges
    for derivation in forest.k_best(20):
        words = spell(edges, derivation.edges)
        assert derivation.tokens == tuple(word for word, _ in words)
        links = {(s, place) for place, (_, linked) in enumerate(words) for s in linked}
        assert derivation.alignment == tuple(sorted(links))
        places = [
            p for s in derivation.segments for start, end in s.target for p in range(start, end)
        ]
        assert sorted(places) == list(range(len(words)))
        assert all(segment.source == edges[segment.edge].spans for segment in derivation.segments)
        for name in forest.features:
            total = sum(edges[edge].features.get(name, 0.0) for edge in derivation.edges)
            assert derivation.features.get(name, 0.0) == pytest.approx(total)


@given(forests())
def test_sums_expectations_and_max_marginals(forest: Forest) -> None:
    every, own = enumerate_all(forest), forest.edges
    scores = [score(forest, own, edges) for edges in every]
    found, marginals = forest.inside_outside(), forest.max_marginals()
    total = math.log(sum(map(math.exp, scores))) if scores else -math.inf
    assert found.total == pytest.approx(total)
    for number in range(len(forest)):
        expected = sum(
            math.exp(s - total) * edges.count(number)
            for s, edges in zip(scores, every, strict=True)
        )
        assert found.posteriors[number] == pytest.approx(expected, abs=1e-9)
        using = [s for s, edges in zip(scores, every, strict=True) if number in edges]
        assert marginals[number] == pytest.approx(max(using, default=-math.inf))
    for name, value in forest.expected_features().items():
        totals = [sum(own[e].features.get(name, 0.0) for e in edges) for edges in every]
        pairs = zip(scores, totals, strict=True)
        assert value == pytest.approx(sum(math.exp(s - total) * t for s, t in pairs), abs=1e-9)


@given(forests(), st.integers(0, 30))
def test_pruning_keeps_what_is_near_the_best(forest: Forest, threshold: int) -> None:
    below = threshold / 4 + 1 / 77  # no difference of scores comes near it
    marginals = forest.max_marginals()
    best = max(marginals, default=-math.inf)
    kept = [m for m in marginals if m > -math.inf and m >= best - below]
    pruned = forest.prune(threshold=below)
    assert len(pruned) == len(kept)
    assert [d.text for d in pruned.k_best(1)] == [d.text for d in forest.k_best(1)]
    few = forest.prune(edges=max(1, threshold))
    assert few.k_best(1) == [] or few.k_best(1)[0].score == forest.k_best(1)[0].score
    own = set(forest.k_best(1)[0].edges) if forest.k_best(1) else set()
    assert len(few) <= max(threshold, 1, len(own))


@given(forests(), VALUES)
def test_weights_given_are_those_of_a_reweighted_forest(forest: Forest, lm: float) -> None:
    weights = {"lm": lm}
    again = forest.reweighted(weights)
    assert again.weights == {"lm": lm, "tm": 0.0}
    assert forest.k_best(9, weights) == again.k_best(9)
    assert forest.expected_features(weights) == again.expected_features()


@given(forests(most_tails=1))
def test_paths_of_the_lattice_are_the_derivations(forest: Forest) -> None:
    lattice = forest.lattice()
    ways: dict[int, list[tuple[tuple[str, ...], float]]] = defaultdict(list)
    ways[0] = [((), 0.0)]
    for arc in lattice.arcs:
        word = () if arc.word is None else (arc.word,)
        ways[arc.end] += [((*words, *word), sum_ + arc.score) for words, sum_ in ways[arc.start]]
    found = sorted(ways[lattice.end])
    expected = sorted((d.tokens, d.score) for d in forest.k_best(MOST + 1))
    assert [words for words, _ in found] == [words for words, _ in expected]
    assert sorted(s for _, s in found) == pytest.approx(sorted(s for _, s in expected))
    assert len(eval(lattice.to_plf())) == lattice.end  # noqa: S307  PLF is Python's own notation


@given(st.lists(forests(), max_size=3))
def test_files_give_back_what_was_saved(tmp_path_factory: Any, some: list[Forest]) -> None:
    folder = tmp_path_factory.mktemp("forests")
    assert save(folder / "a.forest", some) == len(some)
    assert load(folder / "a.forest") == some
    save(folder / "a.jsonl.gz", some)
    assert [f.to_json() for f in load(folder / "a.jsonl.gz")] == [f.to_json() for f in some]
    if len(some) == 1:
        assert Forest.load(folder / "a.forest") == some[0]
    else:
        with pytest.raises(ConfigError, match="where one is expected"):
            Forest.load(folder / "a.forest")


def lattice_json(**changes: Any) -> str:
    forest = {
        "format": "headway-forest-1",
        "features": ["lm"],
        "weights": {"lm": 1.0},
        "source": ["ein", "Haus"],
        "goal": 2,
        "nodes": [{"covered": []}, {"covered": [0]}, {"covered": [0, 1], "label": "S"}],
        "edges": [
            {"head": 0},
            {"head": 1, "tails": [0], "target": [0, "a"], "spans": [[0, 1]], "links": [[0, 1]],
             "features": {"lm": -1}, "rule": 4},
            {"head": 2, "tails": [1], "target": [0, "house"], "spans": [[1, 2]], "links": [[1, 1]],
             "features": {"lm": -1}, "flags": ["unknown-copied"]},
            {"head": 2, "tails": [0], "target": [0, "home"], "spans": [[0, 2]],
             "features": {"lm": -3}, "heads": [2, 0]},
        ],
    }  # fmt: skip
    return json.dumps({**forest, **changes})


def test_a_forest_shows_its_parts() -> None:
    forest = Forest.from_json(lattice_json())
    assert repr(forest) == "<Forest of 3 nodes, 4 edges>"
    assert (len(forest), forest.goal, forest.source) == (4, 2, ("ein", "Haus"))
    assert (forest.nodes[2].covered, forest.nodes[2].label) == ((0, 1), "S")
    assert forest.edges[1].rule == 4
    assert forest.edges[2].flags == ("unknown-copied",)
    assert forest.edges[3].heads == (2, 0)
    best = forest.best()
    assert isinstance(best, Derivation)
    assert (best.text, best.score, best.alignment) == ("a house", -2.0, ((0, 0), (1, 1)))
    assert [segment.source for segment in best.segments] == [((0, 1),), ((1, 2),)]
    assert [segment.target for segment in best.segments] == [((0, 1),), ((1, 2),)]
    assert forest.best({"lm": -1}).text == "home"  # type: ignore[union-attr]
    assert "digraph" in forest.to_dot()
    assert "recombined" in forest.to_search_graph()


def test_what_cannot_be_used_is_refused() -> None:
    forest = Forest.from_json(lattice_json())
    with pytest.raises(ConfigError, match="no feature tm; it has lm"):
        forest.best({"tm": 1})
    with pytest.raises(ConfigError, match=r"weight lm: expected a number from .* found NaN"):
        forest.best({"lm": math.nan})
    with pytest.raises(ConfigError, match="k is -1"):
        forest.k_best(-1)
    with pytest.raises(ConfigError, match="threshold of -1"):
        forest.prune(threshold=-1)
    with pytest.raises(ConfigError, match="not a forest in JSON"):
        Forest.from_json("{}")
    with pytest.raises(ConfigError, match="tail 2 does not stand before"):
        Forest.from_json(lattice_json(edges=[{"head": 2, "tails": [2]}]))
    chart = lattice_json(edges=[{"head": 0}, {"head": 2, "tails": [0, 0], "target": [0, 1]}])
    with pytest.raises(ConfigError, match="no lattice"):
        Forest.from_json(chart).lattice()
    with pytest.raises(ConfigError, match="no search graph"):
        Forest.from_json(chart).to_search_graph()


def test_a_forest_without_derivations_answers_nothing() -> None:
    forest = Forest.from_json(lattice_json(edges=[]))
    assert forest.best() is None
    assert forest.k_best(5, distinct=True) == []
    assert forest.log_derivations == -math.inf
    assert forest.expected_features() == {"lm": 0.0}
    assert len(forest.prune(edges=3)) == 0


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.forest"
    Forest.from_json(lattice_json()).save(path)
    whole = path.read_bytes()
    path.write_bytes(whole[:-20])
    with pytest.raises(ModelError, match="build the file again"):
        load(path)
    middle = whole.rindex(b"\x28\xb5\x2f\xfd") + 12  # inside the compressed block
    path.write_bytes(whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :])
    with pytest.raises(ModelError, match="damaged"):
        load(path)
    path.write_text(lattice_json() + "\n{}\n")
    with pytest.raises(FormatError, match=r"a\.forest:2: not a forest"):
        load(path)
    with pytest.raises(InputError, match="no such file"):
        load(tmp_path / "b")
