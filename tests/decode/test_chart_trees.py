"""Search that builds target trees, against brute force."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import headway.lm
import pytest
from arpa_oracle import Arpa
from chart_oracle import SLOTS
from decode_oracle import Features, weighted
from headway import ConfigError, _core
from headway.lm import DependencyModel, LanguageModel
from headway.settings import Settings
from headway.table import RuleTable, import_moses
from headway.trees import DependencyTree
from str2dep_oracle import NAMES, DependencyArpa, Oracle, Rule, heads
from test_chart import SOURCE, TARGET, UNPRUNED, random_rule
from treebanks import tagless

# X is a tag like any other, and not the label that matches nothing.
LABELS = ["NN", "VB", "X"]


@dataclass(frozen=True)
class World:
    table: RuleTable
    rules: list[Rule]
    lm: LanguageModel
    arpa: Arpa
    folder: Path
    names: tuple[str, ...]
    stop: bool

    def decoder(self, weights: Mapping[str, float], *settings: str) -> _core.Decoder:
        search = Settings.load(None, [f"search.{setting}" for setting in settings]).search
        dependency = DependencyModel.load(self.folder / "deplm", stop=self.stop)
        return _core.Decoder(
            "chart",
            self.table._core,
            [("lm", self.lm._core)],
            {name: weights[name] for name in self.names},
            search,
            models={"dependency": dependency._core},
        )

    def oracle(self, limit: int = 20) -> Oracle:
        dependency = DependencyArpa(self.folder / "deplm", stop=self.stop)
        return Oracle(self.rules, self.arpa, dependency, limit)


def random_heads(chance: random.Random, words: int) -> list[int]:
    """A random projective tree."""
    found = [0] * words

    def attach(first: int, end: int, head: int) -> None:
        root = chance.randrange(first, end)
        found[root] = head
        for start, stop in ((first, root), (root + 1, end)):
            at = start
            while at < stop:
                after = chance.randint(at + 1, stop)
                attach(at, after, root + 1)
                at = after

    attach(0, words, 0)
    return found


def with_structure(chance: random.Random, rule: Rule, labels: list[str]) -> Rule:
    slots = sum(symbol in SLOTS for symbol in rule.target)
    slot_labels = tuple(chance.choice(labels) for _ in range(slots))
    kind = chance.choice(["fixed", "fixed", "left", "right", ""])
    if not kind:
        return rule
    if kind == "fixed" or len(rule.target) == 1:
        found = random_heads(chance, len(rule.target))
        kind = f"fixed-{found.index(0)}"
        return Rule(rule.source, rule.target, rule.scores, kind, tuple(found),
                    chance.choice(labels), slot_labels)  # fmt: skip
    cut = chance.randint(1, len(rule.target) - 1)
    parts = [random_heads(chance, cut), random_heads(chance, len(rule.target) - cut)]
    moved = [head + cut if head else 0 for head in parts[1]]
    return Rule(
        rule.source, rule.target, rule.scores, kind, (*parts[0], *moved), "[X]", slot_labels
    )


def make(folder: Path, seed: int, *, labels: bool = True, many: int = 7) -> World:
    chance = random.Random(seed)
    text = [" ".join(chance.choices(TARGET, k=chance.randint(2, 9))) for _ in range(200)]
    (folder / "text").write_text("\n".join(text) + "\n")
    headway.lm.train(folder / "text", folder / "lm.arpa", order=3)
    trees = [(line.split(), random_heads(chance, len(line.split()))) for line in text]
    (folder / "trees.conllu").write_text(tagless(trees))
    order = 2 + seed % 3
    headway.lm.train_dependency(folder / "trees.conllu", folder / "deplm", order=order, arpa=True)
    sides: dict[tuple[tuple[str, ...], tuple[str, ...]], Rule] = {}
    named = [*LABELS, "[X]"] if labels else ["[X]"]
    for _ in range(many):
        plain = random_rule(chance)
        rule = Rule(plain.source, plain.target, plain.scores)
        sides[rule.source, rule.target] = with_structure(chance, rule, named)
    (folder / "rules").write_text("".join(rule.moses() for rule in sides.values()))
    import_moses([folder / "rules"], folder / "table")
    names = NAMES if labels else NAMES[:-1]
    return World(
        RuleTable.open(folder / "table"),
        list(sides.values()),
        LanguageModel.load(folder / "lm.arpa"),
        Arpa(folder / "lm.arpa"),
        folder,
        names,
        stop=seed % 2 == 1,
    )


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> list[World]:
    return [make(tmp_path_factory.mktemp("trees"), seed) for seed in range(6)]


def random_weights(seed: int) -> Features:
    chance = random.Random(seed)
    weights = {name: chance.uniform(0.02, 0.3) for name in NAMES}
    signed = ("phrase-penalty", "special-rules", "ill-formed", "unmatched-labels")
    return weights | {name: chance.uniform(-0.5, 0.3) for name in signed} | {"unknown-word": 0.01}


def sentence(seed: int, length: int) -> list[str]:
    return random.Random(seed).choices(SOURCE, k=length)


def check(world: World, weights: Features, source: list[str], limit: int = 20) -> None:
    oracle = world.oracle(limit)
    by_tree = features_by_tree(oracle, source)
    expected = max(weighted(values, weights) for one in by_tree.values() for values in one)
    decoder = world.decoder(weights, *UNPRUNED, f"span_limit={limit}")
    (found,) = decoder.translate([source])
    assert found.score == pytest.approx(expected, abs=1e-3), source
    total = sum(found.features[name] * weights[name] for name in world.names)
    assert total == pytest.approx(found.score, abs=1e-4)
    check_tree(world, found)
    check_features(world, found, by_tree)


ByTree = dict[tuple[tuple[str, ...], tuple[int | None, ...]], list[Features]]


def features_by_tree(oracle: Oracle, source: list[str]) -> ByTree:
    """Of all derivations, by the words and heads that come of them."""
    found: ByTree = {}
    for one in oracle.derivations(source):
        key = (one.tree.words, tuple(heads(one.tree)))
        found.setdefault(key, []).append(oracle.features(one))
    return found


def check_features(world: World, found: _core.Translation, by_tree: ByTree) -> None:
    """All values are those of a derivation with the same words and the same tree."""
    assert set(found.features) == set(world.names)
    near = by_tree[tuple(found.words), tuple(found.heads or ())]
    named = ({name: values[name] for name in world.names} for values in near)
    assert any(found.features == pytest.approx(values, abs=1e-3) for values in named)


def check_tree(world: World, found: _core.Translation) -> None:
    """A tree over exactly the words, words in no structure flagged and counted."""
    assert found.heads is not None
    assert len(found.heads) == len(found.words)
    null = sum(head is None for head in found.heads)
    assert null == found.features["ill-formed"]
    roots = sum(head == 0 for head in found.heads)
    assert roots <= 1
    assert null or roots == 1
    # Words in no structure are roots of their own parts, which may stand within others.
    tree = DependencyTree(found.words, [head or 0 for head in found.heads])
    assert not tree.has_cycle
    arcs = [sorted((place, head)) for place, head in enumerate(found.heads, 1) if head]
    assert not any(a < c < b < d for a, b in arcs for c, d in arcs), "arcs cross"
    if not null:
        assert tree.is_projective
        dependency = DependencyModel.load(world.folder / "deplm", stop=world.stop)
        assert found.features["dependency-lm"] == pytest.approx(dependency.score(tree), abs=1e-3)


@pytest.mark.parametrize("number", range(6))
def test_unpruned_search_finds_what_brute_force_finds(worlds: list[World], number: int) -> None:
    for seed, length in enumerate([1, 2, 3, 3, 3, 4]):
        check(worlds[number], random_weights(seed), sentence(seed + 10 * number, length))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_each_feature_alone_is_searched_exactly(
    worlds: list[World], name: str, sign: float
) -> None:
    weights = dict.fromkeys(NAMES, 0.0) | {name: sign}
    for number, world in enumerate(worlds[:3]):
        check(world, weights, sentence(number, 3))


@pytest.mark.parametrize("limit", [1, 2])
def test_spans_beyond_the_limit_are_joined_from_left_to_right(
    worlds: list[World], limit: int
) -> None:
    for number, world in enumerate(worlds):
        check(world, random_weights(number), sentence(number, 4), limit)


def test_the_forest_holds_every_derivation_with_its_tree(worlds: list[World]) -> None:
    for number, world in enumerate(worlds):
        weights, source = random_weights(number), sentence(number + 50, 3)
        oracle = world.oracle()
        expected = sorted(
            ((weighted(oracle.features(one), weights), one) for one in oracle.derivations(source)),
            key=lambda pair: -pair[0],
        )
        (found,) = world.decoder(weights, *UNPRUNED).translate(
            [source], n_best=len(expected) + 10, forests=True
        )
        scores = [score for score, _ in expected]
        assert [entry.score for entry in found.n_best] == pytest.approx(scores, abs=1e-3)
        trees = {(one.tree.words, tuple(heads(one.tree))) for _, one in expected}
        for entry in found.n_best:
            check_tree(world, entry)
            assert (tuple(entry.words), tuple(entry.heads or ())) in trees
        best = found.n_best[0]
        assert best.score == pytest.approx(found.score, abs=1e-3)


def test_features_of_a_list_are_those_of_derivations(worlds: list[World]) -> None:
    for number, world in enumerate(worlds):
        weights, source = random_weights(number), sentence(number + 70, 3)
        by_tree = features_by_tree(world.oracle(), source)
        (found,) = world.decoder(weights, *UNPRUNED).translate([source], n_best=60)
        for entry in found.n_best:
            check_features(world, entry, by_tree)


def test_without_labels_there_is_no_feature_of_labels(tmp_path: Path) -> None:
    world = make(tmp_path, 3, labels=False)
    weights = random_weights(3) | {"unmatched-labels": 0.0}
    assert "unmatched-labels" not in world.decoder(weights).features
    for seed in range(4):
        check(world, weights, sentence(seed, 3))


def test_pruning_never_finds_more_and_threads_change_nothing(worlds: list[World]) -> None:
    world, weights = worlds[2], random_weights(2)
    sources = [sentence(seed, 3 + seed % 4) for seed in range(20)]
    exact = world.decoder(weights, *UNPRUNED).translate(sources)
    for settings in (("pop_limit=1",), ("pop_limit=5", "stack=2"), ("threshold=0.5",)):
        decoder = world.decoder(weights, *settings)
        found = decoder.translate(sources, n_best=3)
        again = decoder.translate(sources, n_best=3, threads=2)
        assert [(t.words, t.score, t.heads) for t in found] == [
            (t.words, t.score, t.heads) for t in again
        ]
        assert all(a.score <= b.score + 1e-3 for a, b in zip(found, exact, strict=True))
        for one in found:
            check_tree(world, one)


def test_a_limit_that_is_not_reached_changes_nothing(worlds: list[World]) -> None:
    """With few extensions the second pass is at times worse than the first."""
    sources = [sentence(seed, 8 + seed % 8) for seed in range(400)]
    found = [
        worlds[2]
        .decoder(random_weights(2), "pop_limit=20", f"time_limit={limit}")
        .translate(sources)
        for limit in (0, 1000)
    ]
    assert [(t.words, t.score) for t in found[0]] == [(t.words, t.score) for t in found[1]]


@pytest.mark.parametrize("treatment", ["copy", "drop", "mark"])
def test_unknown_words_are_words_of_the_tree(worlds: list[World], treatment: str) -> None:
    decoder = worlds[0].decoder(random_weights(0), f"unknown={treatment}")
    (found,) = decoder.translate([["Zweig"]], n_best=2, forests=True)
    assert found.heads == ([] if treatment == "drop" else [0])
    assert found.features["ill-formed"] == 0


def test_any_sentence_gets_a_translation_and_a_tree(worlds: list[World]) -> None:
    decoder = worlds[3].decoder(random_weights(3), "pop_limit=10", "time_limit=0.2")
    odd = [[], ["\u00a0"], ["", " "], ["[X]"], ["|||"], SOURCE * 40]
    found = decoder.translate(odd, n_best=2, forests=True)
    assert (found[0].words, found[0].heads) == ([], [])
    assert all(answer.words for answer in found[1:])
    for answer in found[1:]:
        check_tree(worlds[3], answer)


def test_weights_of_trees_must_be_there(worlds: list[World]) -> None:
    weights = random_weights(1)
    missing = [name for name in NAMES if name != "ill-formed"]
    world = World(**{**vars(worlds[0]), "names": tuple(missing)})
    with pytest.raises(ConfigError, match="no weight for ill-formed"):
        world.decoder(weights)


def test_trees_grow_over_the_pieces_of_a_long_sentence(worlds: list[World]) -> None:
    for number, world in enumerate(worlds):
        weights, source = random_weights(number), sentence(number + 90, 4)
        by_tree = features_by_tree(world.oracle(), source)
        decoder = world.decoder(weights, *UNPRUNED, "max_words=2")
        (found,) = decoder.translate([source], n_best=8, forests=True)
        assert found.split
        assert found.forest is not None
        for one in (found, *found.n_best):
            check_tree(world, one)
            check_features(world, one, by_tree)
            assert one.steps[-1][0] == (0, 4)
        scores = [entry.score for entry in found.n_best]
        assert scores[0] == pytest.approx(found.score, abs=1e-3)
        assert [one.score for one in found.forest.k_best(8, None, None)] == pytest.approx(
            scores, abs=1e-3
        )
