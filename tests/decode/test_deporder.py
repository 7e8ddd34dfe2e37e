"""Search with source trees, against brute force."""

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path

import headway.lm
import pytest
from arpa_oracle import Arpa
from decode_oracle import Features, Pair, weighted
from headway import ConfigError, _core, deporder
from headway.deporder import OrderModel
from headway.lm import LanguageModel
from headway.table import RuleTable, import_moses
from headway.trees import DependencyTree
from order_oracle import Order, OrderOracle, Tree
from stack_decoder import Decoder
from test_decode import NAMES, UNPRUNED, random_weights, search, write_tables

SOURCE = ["der", "hund", "sieht", "katze", ",", "unbekannt"]
TARGET = ["the", "dog", "sees", "cat", ","]
LABELS = ["subj", "obj", "det"]
ORDER = ["dependency-order", "unlicensed", "cohesion"]
LIMIT = 3


@dataclass(frozen=True)
class World:
    table: RuleTable
    pairs: dict[tuple[str, ...], list[Pair]]
    lm: LanguageModel
    arpa: Arpa
    model: OrderModel
    apart: OrderModel
    """Trained without punctuation, with the sizes of dependents."""

    def decoder(self, weights: Features, order: Order, *settings: str) -> Decoder:
        model = self.apart if order.apart else self.model
        chosen = search(*settings_of(order), *settings)
        return Decoder(self.table, {"lm": self.lm}, weights, settings=chosen, order=model._core)


def settings_of(order: Order) -> Iterator[str]:
    scoring = "none" if order.score is None else "lexical" if order.lexical else "plain"
    yield f"dependency_order={scoring}"
    yield f"spans={'licensed' if order.licensed else 'all'}"
    yield f"contiguous={str(order.contiguous).lower()}"
    yield f"licensed_words={order.longest}"
    yield f"linear_distortion={str(order.linear).lower()}"
    yield f"source_trees={max(1, len(order.trees))}"
    yield f"distortion_limit={LIMIT}"
    yield f"soft_constraints={str(order.soft).lower()}"


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    folder = tmp_path_factory.mktemp("deporder")
    chance = random.Random(8)
    text = [" ".join(chance.choices(TARGET, k=chance.randint(2, 9))) for _ in range(200)]
    (folder / "text").write_text("\n".join(text) + "\n")
    headway.lm.train(folder / "text", folder / "lm.arpa", order=2)
    pairs: dict[tuple[str, ...], list[Pair]] = {}
    singles = [(word,) for word in SOURCE[:5]]
    longer = [tuple(chance.choices(SOURCE[:5], k=k)) for k in (2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3)]
    for source in [*singles, ("hund",), *longer]:
        target = tuple(chance.choices(TARGET, k=chance.randint(1, 3)))
        if all(pair.target != target for pair in pairs.get(source, [])):
            pairs.setdefault(source, []).append(random_pair(chance, source, target))
    write_tables(folder, pairs)
    import_moses([folder / "phrases"], folder / "table", reordering=folder / "reordering")
    write_trees(chance, folder / "trees.conllu")
    models = []
    for apart in (False, True):
        path = folder / f"order.{apart}"
        deporder.estimate(
            folder / "trees.conllu", path, punctuation_apart=apart, sizes=apart, longest=5
        )
        models.append(OrderModel.open(path))
    table, lm = RuleTable.open(folder / "table"), LanguageModel.load(folder / "lm.arpa")
    return World(table, pairs, lm, Arpa(folder / "lm.arpa"), models[0], models[1])


def random_pair(chance: random.Random, source: Sequence[str], target: tuple[str, ...]) -> Pair:
    scores = tuple(round(chance.uniform(0.05, 1), 4) for _ in range(10))
    links = {
        (chance.randrange(len(source)), chance.randrange(len(target)))
        for _ in range(chance.randint(1, 3))
    }
    return Pair(target, scores, tuple(sorted(links)))


def write_trees(chance: random.Random, path: Path) -> None:
    """Trees of the target in which labels prefer a side, and words another."""
    lines = []
    for _ in range(150):
        words = chance.choices(TARGET, k=chance.randint(1, 8))
        tree = random_tree(chance, len(words))
        for number, word in enumerate(words, 1):
            head, label = tree.heads[number - 1], tree.labels[number - 1]
            if head and word == "cat":
                label = "subj" if number < head else "obj"
            lines.append(f"{number}\t{word}\t_\t_\t_\t_\t{head}\t{label}\t_\t_")
        lines.append("")
    path.write_text("\n".join([*lines, ""]))


def random_tree(chance: random.Random, length: int, roots: int = 1, weight: float = 1.0) -> Tree:
    """Any tree: mostly not projective."""
    words = list(range(1, length + 1))
    chance.shuffle(words)
    heads = dict.fromkeys(words, 0)
    for at, word in enumerate(words[roots:], roots):
        heads[word] = chance.choice(words[:at])
    labels = tuple(chance.choice(LABELS) for _ in words)
    return Tree(tuple(heads[word] for word in sorted(words)), labels, weight)


def near_tree(chance: random.Random, length: int, weight: float = 1.0) -> Tree:
    """A projective tree, which licenses more."""

    def fill(first: int, last: int, head: int) -> None:
        while first <= last:
            end = chance.randint(first, last)
            top = chance.randint(first, end)
            heads[top] = head
            fill(first, top - 1, top)
            fill(top + 1, end, top)
            first = end + 1 if head else last + 1
            if not head and end < last:
                fill(end + 1, last, top)

    heads: dict[int, int] = {}
    fill(1, length, 0)
    labels = tuple(chance.choice(LABELS) for _ in range(length))
    return Tree(tuple(heads[word] for word in range(1, length + 1)), labels, weight)


def source(words: Sequence[str], trees: Sequence[Tree]) -> _core.Source:
    empty = [""] * len(words)
    given = [
        (DependencyTree(list(words), list(tree.heads), empty, list(tree.labels)), tree.weight)
        for tree in trees
    ]
    return _core.Source(list(words), trees=given)


@cache
def score(
    model: OrderModel,
    label: str,
    offset: int,
    governor: str | None,
    dependent: str | None,
    size: int,
) -> float:
    return math.log(model.probability(label, offset, governor, dependent, size, source=True))


def weights_of(seed: int) -> Features:
    chance = random.Random(seed)
    return random_weights(seed) | {
        "dependency-order": chance.uniform(0.1, 0.5),
        "unlicensed": chance.uniform(-0.5, 0.5),
        "cohesion": chance.uniform(-0.5, 0.5),
    }


def order_of(world: World, chance: random.Random, length: int, trees: int, how: Order) -> Order:
    """With trees that are drawn, and the model's scores if any."""
    drawn = [
        random_tree(chance, length, chance.randint(1, 2), chance.uniform(0.2, 1))
        if chance.random() < 0.3
        else near_tree(chance, length, chance.uniform(0.2, 1))
        for _ in range(trees)
    ]
    model = world.apart if how.apart else world.model
    scored = None if how.score is None else partial(score, model)
    drawn.sort(key=lambda tree: -tree.weight)
    return replace(how, trees=tuple(drawn), score=scored)


def any_score(*_: object) -> float:
    return 0.0


HARD = Order((), any_score)
SOFT = Order((), any_score, licensed=False, contiguous=False)
WAYS = {
    "lexical": HARD,
    "plain": replace(HARD, lexical=False, linear=False),
    "unscored": replace(HARD, score=None),
    "not contiguous": replace(HARD, contiguous=False),
    "soft": SOFT,
    "soft plain": replace(SOFT, lexical=False),
    "free": replace(SOFT, soft=False),
    "apart": replace(HARD, apart=True),
    "soft apart": replace(SOFT, apart=True),
}


def check(
    world: World, weights: Features, words: list[str], order: Order, *settings: str
) -> list[Features]:
    """Best score, values and n-best list; answers the values of all derivations."""
    hierarchical = "orientation=hierarchical" in settings
    oracle = OrderOracle(world.pairs, world.arpa, LIMIT, order)
    steps_of = list(oracle.derivations(words))
    values = [oracle.values(words, steps, hierarchical) for steps in steps_of]
    scores = sorted((weighted(value, weights) for value in values), reverse=True)
    decoder = world.decoder(weights, order, *UNPRUNED, *settings)
    given = source(words, order.trees)
    (found,) = decoder.translate([given])
    assert found.score == pytest.approx(scores[0], abs=1e-3), (words, order)
    (listed,) = decoder.translate([given], n_best=len(scores) + 10)
    assert [entry.score for entry in listed.n_best] == pytest.approx(scores, abs=1e-3)
    for entry in [found, *listed.n_best[:50]]:
        steps = [((a, b), entry.words[c:d]) for (a, b), (c, d), _ in entry.segments]
        assert decoder.score(given, steps) == pytest.approx(entry.features, abs=1e-3)
    steps = [((a, b), found.words[c:d]) for (a, b), (c, d), _ in found.segments]
    literal = [
        (a, b, next(p for p in oracle.options(words, a, b) if list(p.target) == said))
        for (a, b), said in steps
    ]
    expected = oracle.values(words, literal, hierarchical)
    assert found.features == pytest.approx(expected, abs=1e-3)
    return values


@pytest.mark.parametrize("algorithm", ["cube", "stack"])
@pytest.mark.parametrize("trees", [1, 3])
@pytest.mark.parametrize("way", WAYS)
def test_unpruned_search_finds_what_brute_force_finds(
    world: World, way: str, trees: int, algorithm: str
) -> None:
    lengths = [1, 2, 4, 5, 6] if WAYS[way].contiguous else [1, 3, 4, 4]
    for seed, length in enumerate(lengths):
        chance = random.Random(100 * seed + len(way))
        words = chance.choices(SOURCE, k=length)
        order = order_of(world, chance, length, trees, WAYS[way])
        settings = [f"algorithm={algorithm}"]
        if seed == 2:
            settings.append("orientation=hierarchical")
        check(world, weights_of(seed), words, order, *settings)


@pytest.mark.parametrize("name", [*ORDER, "distortion", "lm", "phrase-penalty"])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_each_feature_alone_is_searched_exactly(world: World, name: str, sign: float) -> None:
    weights = dict.fromkeys([*NAMES, *ORDER], 0.0) | {name: sign}
    spread = set()
    for seed, (way, trees) in enumerate([(HARD, 1), (HARD, 2), (SOFT, 1), (SOFT, 2)]):
        chance = random.Random(seed)
        words = chance.choices(SOURCE, k=4)
        order = order_of(world, chance, 4, trees, way)
        spread |= {round(values[name], 4) for values in check(world, weights, words, order)}
    assert len(spread) > 2


def test_subtrees_come_out_in_one_piece(world: World) -> None:
    chance = random.Random(3)
    for length in (9, 20, 40):
        words, tree = chance.choices(SOURCE, k=length), near_tree(chance, length)
        order = replace(HARD, trees=(tree,))
        decoder = world.decoder(weights_of(3), order, "pop_limit=50")
        (found,) = decoder.translate([source(words, [tree])], n_best=5)
        oracle = OrderOracle(world.pairs, world.arpa, LIMIT, order)
        for entry in [found, *found.n_best]:
            steps = [(a, b, Pair((), ())) for (a, b), _, _ in entry.segments]
            assert oracle.agreeing(words, steps) == [0]
            assert entry.features["unlicensed"] == entry.features["cohesion"] == 0


def test_threads_change_nothing(world: World) -> None:
    chance = random.Random(4)
    batch = []
    for length in (0, 1, 7, 25, 12, 3) * 6:
        words = chance.choices(SOURCE, k=length)
        batch.append(source(words, [near_tree(chance, length, w) for w in (0.6, 0.4) if length]))
    for way in (HARD, SOFT):
        decoder = world.decoder(weights_of(4), way, "pop_limit=30", "stack=20", "source_trees=2")
        answers = [
            [(t.words, t.score, t.values, t.segments) for t in decoder.translate(batch, threads=n)]
            for n in (1, 2, 5)
        ]
        assert answers[0] == answers[1] == answers[2]


def chain(length: int) -> Tree:
    return Tree(tuple(range(length)), ("subj",) * length)


@pytest.mark.parametrize("algorithm", ["cube", "stack"])
def test_every_line_gets_a_translation(world: World, algorithm: str) -> None:
    chance = random.Random(5)
    words = chance.choices(SOURCE, k=500)
    trees = {
        "chain": chain(500),
        "chain to the right": Tree((*range(2, 501), 0), ("obj",) * 500),
        "projective": near_tree(chance, 500),
        "several roots": random_tree(chance, 500, roots=9),
        "flat": Tree((250,) * 249 + (0,) + (250,) * 250, ("det",) * 500),
        "roots alone": Tree((0,) * 500, ("det",) * 500),
    }
    few = ["pop_limit=5", "stack=5", f"algorithm={algorithm}"]
    for way in (HARD, replace(HARD, apart=True), SOFT):
        decoder = world.decoder(weights_of(5), way, "max_words=60", *few)
        batch = [source(words, [tree]) for tree in trees.values()]
        for name, found in zip(trees, decoder.translate(batch, n_best=2), strict=True):
            covered = sorted(word for span, _, _ in found.segments for word in range(*span))
            assert covered == list(range(500)), name
            assert found.split
            assert found.n_best[0].score == pytest.approx(found.score, abs=0.05)
    whole = world.decoder(weights_of(5), HARD, "max_words=500", "time_limit=1e-6", *few)
    for found in whole.translate([source(words, [tree]) for tree in trees.values()]):
        assert found.hurried
        assert not found.split


def test_without_a_tree_search_is_that_of_phrases(world: World) -> None:
    chance = random.Random(6)
    words = chance.choices(SOURCE, k=12)
    weights, limit = weights_of(6), f"distortion_limit={LIMIT}"
    plain = {name: weights[name] for name in NAMES}
    phrase = Decoder(world.table, {"lm": world.lm}, plain, settings=search(limit))
    (expected,) = phrase.translate([words], n_best=5)
    cyclic = Tree((2, 1, *range(2, 12)), ("subj",) * 12)
    for way in (HARD, SOFT, replace(HARD, linear=False)):
        decoder = world.decoder(weights, way)
        for given in (words, source(words, []), source(words, [cyclic])):
            (found,) = decoder.translate([given], n_best=5)
            assert (found.words, found.segments) == (expected.words, expected.segments)
            assert found.score == pytest.approx(expected.score, abs=1e-5)
            assert [found.features[name] for name in ORDER] == [0, 0, 0]
            pairs = zip(found.n_best, expected.n_best, strict=True)
            assert all(a.words == b.words for a, b in pairs)


def test_a_cyclic_tree_among_others_is_passed_over(world: World) -> None:
    chance = random.Random(7)
    words, good = chance.choices(SOURCE, k=6), near_tree(chance, 6, 0.1)
    cyclic = Tree((2, 1, 2, 3, 4, 5), ("subj",) * 6, 0.9)
    decoder = world.decoder(weights_of(7), HARD)
    with_both, alone = decoder.translate([source(words, [cyclic, good]), source(words, [good])])
    assert with_both.score == alone.score


def test_random_spans_are_as_many_and_always_the_same(world: World) -> None:
    chance = random.Random(9)
    words = chance.choices(SOURCE[:5], k=60)
    given = source(words, [near_tree(chance, 60)])
    weights = weights_of(9) | {"phrase-penalty": -5.0}
    counts = {}
    for spans in ("all", "random", "licensed"):
        decoder = world.decoder(weights, SOFT, f"spans={spans}")
        first, second = decoder.translate([given, given])
        assert first.segments == second.segments
        counts[spans] = len(first.segments)
    assert counts["all"] < min(counts["random"], counts["licensed"])
    assert max(counts["random"], counts["licensed"]) < 60


def test_words_jumped_over_count_unless_they_are_left_out(world: World) -> None:
    chance = random.Random(10)
    words = chance.choices(SOURCE, k=15)
    given = source(words, [near_tree(chance, 15)])
    (linear,) = world.decoder(weights_of(1), SOFT).translate([given])
    (free,) = world.decoder(weights_of(1), replace(SOFT, linear=False)).translate([given])
    assert linear.features["distortion"] < 0
    assert free.features["distortion"] == 0


def test_trees_are_used_where_there_is_an_order_model_or_a_setting(world: World) -> None:
    plain = {name: weights_of(1)[name] for name in NAMES}
    phrase = Decoder(world.table, {"lm": world.lm}, plain)
    licensed = Decoder(world.table, {"lm": world.lm}, plain, settings=search("spans=licensed"))
    given = source(SOURCE, [chain(6)])
    assert phrase.translate([given])[0].ignored == ["trees"]
    assert licensed.translate([given])[0].ignored == []
    assert world.decoder(weights_of(1), SOFT).translate([given])[0].ignored == []


def test_settings_are_checked(world: World) -> None:
    for settings, message in (
        (["spans=some"], 'search.spans is "some"; expected all or random or licensed'),
        (["contiguous=true", "spans=all"], "search.contiguous is true; it needs search.spans=lic"),
        (["contiguous=true", "spans=random"], "search.contiguous is true"),
        (["dependency_order=words"], "expected none or plain or lexical"),
        (["source_trees=0"], "search.source_trees is 0; at least 1 is needed"),
        (["licensed_words=0"], "search.licensed_words is 0"),
    ):
        with pytest.raises(ConfigError, match=message):
            search(*settings)
