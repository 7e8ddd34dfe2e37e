"""Constraints in every search against brute force over all derivations."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import pytest
from chart_oracle import SLOTS, Derived, _fill, matches
from chart_oracle import Oracle as ChartOracle
from chart_oracle import Rule as ChartRule
from decode_oracle import TRANSLATION, Features, Oracle, Pair, Step, weighted
from headway import ConfigError, Source, _core
from headway.systems import Constraint, Forced, Wall, Zone
from headway.systems.constraints import Mode
from lattice_decoder import lattice_decoder
from str2dep_oracle import Derived as TreeDerived
from str2dep_oracle import Oracle as TreeOracle
from str2dep_oracle import Rule as TreeRule
from str2dep_oracle import Tree, _joined, join, leaf
from str2dep_oracle import _fill as _fill_tree
from test_chart import World as ChartWorld
from test_chart import make
from test_chart import random_weights as chart_weights
from test_chart_trees import World as TreeWorld
from test_chart_trees import make as make_trees
from test_chart_trees import random_heads
from test_chart_trees import random_weights as tree_chart_weights
from test_decode import UNPRUNED, World, random_weights, search, sentences, world
from test_lattice import TREES, tree_weights

__all__ = ["world"]

MODES: list[Mode] = ["exclusive", "inclusive", "constraint"]
WORDS = ["the", "dog", "zebra", "sees"]
Span = tuple[int, int]


def core(words: Sequence[str], constraints: Sequence[Constraint]) -> _core.Source:
    found = Source(tuple(words), constraints=constraints).core(words)
    assert isinstance(found, _core.Source)
    return found


def crosses(one: Span, other: Span) -> bool:
    a, b = sorted((one, other))
    return a[0] < b[0] < a[1] < b[1]


def overlaps(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def holds(outer: Span, inner: Span) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def random_span(chance: random.Random, length: int, least: int = 1) -> Span:
    start = chance.randrange(length - least + 1)
    return start, chance.randint(start + least, min(length, start + 4))


def random_constraints(seed: int, length: int) -> list[Constraint]:
    """Some that do not contradict each other."""
    chance = random.Random(seed)
    found: list[Constraint] = []
    for _ in range(20):
        if len(found) == chance.randint(1, 4):
            break
        kind = chance.choice(["forced", "zone", "wall"])
        new: Constraint
        if kind == "wall":
            new = Wall(chance.randint(1, length))
        elif kind == "zone" and length > 1:
            new = Zone(*random_span(chance, length, 2))
        else:
            said = tuple(chance.choices(WORDS, k=chance.randint(0, 3)))
            mode = chance.choice(MODES)
            new = Forced(*random_span(chance, length), said, mode, chance.choice([1.0, 0.2]))
        if all(fits(new, other) for other in found):
            found.append(new)
    return found


def fits(one: Constraint, other: Constraint) -> bool:
    if isinstance(one, Wall) or isinstance(other, Wall):
        return True
    spans = (one.start, one.end), (other.start, other.end)
    if isinstance(one, Forced) and isinstance(other, Forced):
        return not overlaps(*spans)
    return not crosses(*spans)


@dataclass(frozen=True)
class Part:
    """A source symbol of a rule: the words it stands for, and where it is on the target side."""

    span: Span
    slot: bool
    places: tuple[int, ...]


def around(wall: Wall, constraints: Sequence[Constraint], length: int) -> Span:
    """The words that a wall is for."""
    zones = [
        (it.start, it.end)
        for it in constraints
        if isinstance(it, Zone) and it.start < wall.place < it.end
    ]
    return min(zones, key=lambda zone: zone[1] - zone[0], default=(0, length))


def allowed(
    parts: Sequence[Part],
    target: Sequence[str],
    constraints: Sequence[Constraint],
    length: int,
) -> bool:
    """Whether a rule of the table may be used where it is."""
    span = parts[0].span[0], parts[-1].span[1]
    for one in constraints:
        if isinstance(one, Zone):
            zone = one.start, one.end
            fine = not crosses(zone, span) and kept(parts, zone)
        elif isinstance(one, Wall):
            fine = upright(parts, one.place, around(one, constraints, length))
        else:
            fine = one.mode == "inclusive" or agrees(parts, target, one)
        if not fine:
            return False
    return True


def kept(parts: Sequence[Part], zone: Span) -> bool:
    inside = [p for part in parts if holds(zone, part.span) for p in part.places]
    others = [p for part in parts if not holds(zone, part.span) for p in part.places]
    return not any(
        min(inside) < place < max(inside) and place not in inside for place in others if inside
    )


def upright(parts: Sequence[Part], wall: int, whole: Span) -> bool:
    own = [part for part in parts if overlaps(whole, part.span)]
    left = [p for part in own if part.span[1] <= wall for p in part.places]
    right = [p for part in own if part.span[0] >= wall for p in part.places]
    over = [p for part in own if part.span[0] < wall < part.span[1] for p in part.places]
    pairs = [*product(left, right), *product(left, over), *product(over, right)]
    return all(first <= second for first, second in pairs)


def agrees(parts: Sequence[Part], target: Sequence[str], one: Forced) -> bool:
    span, there = (parts[0].span[0], parts[-1].span[1]), (one.start, one.end)
    if overlaps(there, span) and not holds(span, there):
        return False
    words = [part for part in parts if not part.slot and overlaps(there, part.span)]
    if not words:
        return True
    said = "\n" + "\n".join(target) + "\n"
    wanted = "\n" + "\n".join(one.words) + "\n" if one.words else "\n"
    return one.mode == "constraint" and len(words) == one.end - one.start and wanted in said


@dataclass(frozen=True)
class ForcedPair(Pair):
    """What a constraint offers: its scores are the same for each feature of the table."""


class Restricted(Oracle):
    """All derivations of phrases that constraints allow."""

    constraints: Sequence[Constraint] = ()

    def options(self, source: list[str], start: int, end: int) -> list[Pair]:
        span = (start, end)
        given = [it for it in self.constraints if isinstance(it, Forced)]
        found = []
        settled = any((it.start, it.end) == span and it.mode != "inclusive" for it in given)
        for pair in super().options(source, start, end):
            if settled and not pair.scores:
                continue
            parts = [
                Part((at, at + 1), False, tuple(t for s, t in pair.links if s == at - start))
                for at in range(start, end)
            ]
            if allowed(parts, pair.target, self.constraints, len(source)):
                found.append(pair)
        for it in given:
            if (it.start, it.end) == span:
                share = it.probability ** (1 / len(TRANSLATION))
                scores = (share,) * len(TRANSLATION) + (1.0,) * 6
                found.append(ForcedPair(it.words, scores, ()))
        return found

    def obeyed(self, steps: list[Step], length: int) -> bool:
        """Whether the order of phrases keeps zones together and goes over no wall."""
        order = [word for start, end, _ in steps for word in range(start, end)]
        for one in self.constraints:
            if isinstance(one, Zone):
                places = [at for at, word in enumerate(order) if one.start <= word < one.end]
                step = [
                    n for n, (a, b, _) in enumerate(steps) if overlaps((a, b), (one.start, one.end))
                ]
                if step[-1] - step[0] + 1 != len(step):
                    return False
                alone = [steps[n] for n in step]
                if len(step) > 1 and any(not holds((one.start, one.end), it[:2]) for it in alone):
                    return False
                assert places
            elif isinstance(one, Wall):
                low, high = around(one, self.constraints, length)
                for n, (start, end, _) in enumerate(steps):
                    behind = overlaps((start, end), (one.place, high))
                    later = [w for a, b, _ in steps[n + 1 :] for w in range(a, b)]
                    if behind and any(low <= word < one.place for word in later):
                        return False
        return True


def restricted(world: World, constraints: Sequence[Constraint], limit: int) -> Restricted:
    oracle = Restricted(world.pairs, world.arpa, limit)
    oracle.constraints = constraints
    return oracle


def stack_values(oracle: Restricted, source: list[str]) -> Iterator[Features]:
    for steps in oracle.derivations(source):
        if oracle.obeyed(steps, len(source)):
            yield oracle.features(steps)


@pytest.mark.parametrize("algorithm", ["cube", "stack"])
@pytest.mark.parametrize("seed", range(60))
def test_stacks_find_what_brute_force_finds(world: World, algorithm: str, seed: int) -> None:
    (source,) = sentences(seed, [2 + seed % 4])
    constraints = random_constraints(seed, len(source))
    limit = [-1, 2, 3][seed % 3]
    oracle, weights = restricted(world, constraints, limit), random_weights(seed)
    expected = max((weighted(it, weights) for it in stack_values(oracle, source)), default=None)
    decoder = world.decoder(
        weights, f"distortion_limit={limit}", f"algorithm={algorithm}", *UNPRUNED
    )
    given = core(source, constraints)
    (found,) = decoder.translate([given], n_best=50)
    assert found.ignored == []
    if expected is not None:  # else a forced span or zone is longer than what can be jumped over
        assert found.score == pytest.approx(expected, abs=1e-3), constraints
    steps = [((a, b), found.words[c:d]) for (a, b), (c, d), _ in found.segments]
    assert decoder.score(given, steps) == pytest.approx(found.features, abs=1e-6)
    for entry in (found, *found.n_best):
        taken = [(a, b, Pair((), ())) for (a, b), _, _ in entry.segments]
        assert oracle.obeyed(taken, len(source)), constraints
    (one,) = decoder.translate([given], threads=2)
    assert (one.words, one.score) == (found.words, found.score)


class RestrictedChart(ChartOracle):
    """All derivations of rules with slots that constraints allow."""

    constraints: Sequence[Constraint] = ()

    def _of_span(
        self,
        source: list[str],
        start: int,
        end: int,
        spans: dict[Span, list[Derived]],
    ) -> Iterator[Derived]:
        span, length = (start, end), len(source)
        if not allowed([Part(span, True, (0,))], (), self._spans_only(), length):
            return
        given = [it for it in self.constraints if isinstance(it, Forced)]
        for it in given:
            if (it.start, it.end) == span:
                share = it.probability ** (1 / len(TRANSLATION))
                rule = ChartRule(tuple(source[start:end]), it.words, (share,) * len(TRANSLATION))
                yield Derived(it.words, (rule,))
        own = tuple(source[start:end])
        settled = any((it.start, it.end) == span and it.mode != "inclusive" for it in given)
        unknown = end == start + 1 and all(rule.source != own for rule in self.rules)
        if unknown and not settled:
            yield Derived(own, (ChartRule(own, own, ()),))
        for rule in self.rules:
            for slots in matches(rule.source, source, start, end):
                parts = rule_parts(rule, slots, start)
                if allowed(parts, rule.target, self.constraints, length):
                    for inner in product(*(spans[slot] for slot in slots)):
                        yield _fill(rule, inner)

    def _spans_only(self) -> list[Constraint]:
        return [it for it in self.constraints if not isinstance(it, Wall)]


def rule_parts(rule: ChartRule, slots: Sequence[Span], start: int) -> list[Part]:
    parts: list[Part] = []
    at = start
    for symbol in rule.source:
        if symbol in SLOTS:
            span = slots[SLOTS.index(symbol)]
            places: tuple[int, ...] = (rule.target.index(symbol),)
        else:
            span, places = (at, at + 1), ()  # links of slots are all that the table has
        parts.append(Part(span, symbol in SLOTS, places))
        at = span[1]
    return parts


@pytest.fixture(scope="module")
def chart_worlds(tmp_path_factory: pytest.TempPathFactory) -> list[ChartWorld]:
    return [make(tmp_path_factory.mktemp("chart"), seed) for seed in range(4)]


@pytest.mark.parametrize("seed", range(60))
def test_charts_find_what_brute_force_finds(chart_worlds: list[ChartWorld], seed: int) -> None:
    world = chart_worlds[seed % 4]
    source = random.Random(seed).choices(["der", "hund", "sieht", "die", "."], k=2 + seed % 4)
    constraints = random_constraints(seed, len(source))
    oracle = RestrictedChart(world.rules, world.arpa)
    oracle.constraints = constraints
    weights = chart_weights(seed)
    derived = oracle.derivations(source)
    expected = max(weighted(oracle.features(one), weights) for one in derived)
    decoder = world.decoder(weights, *UNPRUNED)
    given = core(source, constraints)
    (found,) = decoder.translate([given], n_best=20, forests=True)
    assert found.ignored == []
    assert found.score == pytest.approx(expected, abs=1e-3), constraints
    values = [one.words for one in derived]
    assert all(tuple(entry.words) in values for entry in found.n_best)


@pytest.mark.parametrize("seed", range(20))
def test_lattices_find_what_brute_force_finds(world: World, seed: int) -> None:
    (source,) = sentences(seed + 100, [2 + seed % 2])
    constraints = random_constraints(seed + 100, len(source))
    settings = [*UNPRUNED, "lattice_edges=5000", "distortion_limit=-1"]
    weights = random_weights(seed) | dict.fromkeys(TREES, 0.0)
    oracle = restricted(world, constraints, -1)
    values = [*stack_values(oracle, source)]
    # A lattice has no path without words, unless it has no other.
    said = [it for it in values if it["word-penalty"] < 0] or values
    expected = max(weighted(it, weights) for it in said)
    models = (world.table, {"lm": world.lm})
    decoder = lattice_decoder(*models, weights, search(*settings), random_weights(50))
    (found,) = decoder.translate([core(source, constraints)])
    assert found.ignored == []
    assert found.score == pytest.approx(expected, abs=1e-3), constraints
    trees = lattice_decoder(*models, weights | tree_weights(seed), search(*settings))
    for entry in trees.translate([core(source, constraints)], n_best=30)[0].n_best:
        taken = [(a, b, Pair((), ())) for (a, b), _, _ in entry.segments]
        assert oracle.obeyed(taken, len(source)), constraints


class RestrictedTrees(TreeOracle):
    """All derivations with target trees that constraints allow."""

    constraints: Sequence[Constraint] = ()

    def derivations(self, source: list[str]) -> list[TreeDerived]:
        spans: dict[Span, list[TreeDerived]] = {}
        for length in range(1, len(source) + 1):
            for start in range(len(source) - length + 1):
                span = (start, start + length)
                free = allowed([Part(span, True, (0,))], (), self._spans_only(), len(source))
                joins = free and not self._settled(span)
                joined = [*_joined(*span, spans)] if joins else []
                spans[span] = [*self._of_span(source, *span, spans), *joined] if free else []
        return spans[0, len(source)]

    def _spans_only(self) -> list[Constraint]:
        return [it for it in self.constraints if not isinstance(it, Wall)]

    def _settled(self, span: Span) -> bool:
        given = [it for it in self.constraints if isinstance(it, Forced)]
        return any((it.start, it.end) == span and it.mode != "inclusive" for it in given)

    def _of_span(
        self, source: list[str], start: int, end: int, spans: dict[Span, list[TreeDerived]]
    ) -> Iterator[TreeDerived]:
        own = tuple(source[start:end])
        for it in self.constraints:
            if isinstance(it, Forced) and (it.start, it.end) == (start, end):
                share = it.probability ** (1 / len(TRANSLATION))
                tree = Tree(())
                for word in reversed(it.words):  # all hang from the last one
                    tree = join("left-adjoin", leaf(word), tree) if tree.words else leaf(word)
                rule = TreeRule(own, it.words, (share,) * len(TRANSLATION))
                yield TreeDerived(tree, (rule,))
        unknown = end == start + 1 and all(rule.source != own for rule in self.rules)
        if unknown and not self._settled((start, end)):
            yield TreeDerived(leaf(own[0]), (TreeRule(own, own, ()),))
        for rule in self.rules:
            for slots in matches(rule.source, source, start, end):
                parts = rule_parts(rule, slots, start)
                if allowed(parts, rule.target, self.constraints, len(source)):
                    for inner in product(*(spans[slot] for slot in slots)):
                        yield _fill_tree(rule, inner)


@pytest.fixture(scope="module")
def tree_worlds(tmp_path_factory: pytest.TempPathFactory) -> list[TreeWorld]:
    return [make_trees(tmp_path_factory.mktemp("trees"), seed) for seed in range(3)]


@pytest.mark.parametrize("seed", range(30))
def test_charts_with_trees_find_what_brute_force_finds(
    tree_worlds: list[TreeWorld], seed: int
) -> None:
    world = tree_worlds[seed % 3]
    source = random.Random(seed).choices(["der", "hund", "sieht", "."], k=2 + seed % 3)
    constraints = random_constraints(seed, len(source))
    plain = world.oracle()
    oracle = RestrictedTrees(plain.rules, plain.lm, plain.dependency)
    oracle.constraints = constraints
    weights = tree_chart_weights(seed)
    expected = max(weighted(oracle.features(it), weights) for it in oracle.derivations(source))
    decoder = world.decoder(weights, *UNPRUNED)
    (found,) = decoder.translate([core(source, constraints)], n_best=5)
    assert found.score == pytest.approx(expected, abs=1e-3), constraints
    total = sum(found.features[name] * weights[name] for name in world.names)
    assert total == pytest.approx(found.score, abs=1e-4)
    assert len(found.heads or []) == len(found.words)


def long_constraints(seed: int, length: int) -> list[Constraint]:
    chance = random.Random(seed)
    found: list[Constraint] = []
    for _ in range(40):
        start = chance.randrange(length - 2)
        end = min(length, start + chance.randint(2, 9))
        kind = chance.randrange(3)
        new: Constraint = Zone(start, end)
        if kind == 0:
            new = Wall(start + 1)
        elif kind == 1:
            new = Forced(start, min(end, start + 3), ("the", "zebra"), chance.choice(MODES))
        if len(found) < 12 and all(fits(new, other) for other in found):
            found.append(new)
    return found


def check_order(
    oracle: Restricted, source: list[str], entries: Sequence[_core.Translation]
) -> None:
    """Every phrase of a derivation may be used, and the order is one that is allowed."""
    for entry in entries:
        taken = [(a, b, Pair((), ())) for (a, b), _, _ in entry.segments]
        assert sorted(word for a, b, _ in taken for word in range(a, b)) == [*range(len(source))]
        assert oracle.obeyed(taken, len(source))
        for (a, b), (c, d), _ in entry.segments:
            said = tuple(entry.words[c:d])
            assert any(pair.target == said for pair in oracle.options(source, a, b))


@pytest.mark.parametrize(
    "settings",
    [
        ("distortion_limit=3",),
        ("distortion_limit=0", "algorithm=stack"),
        ("distortion_limit=-1", "stack=3", "pop_limit=4"),
        ("distortion_limit=2", "stack=2", "pop_limit=3", "algorithm=stack"),
        ("max_words=5", "distortion_limit=4"),
        ("time_limit=1e-9", "distortion_limit=4"),
    ],
    ids=" ".join,
)
def test_long_sentences_obey_whatever_is_pruned(world: World, settings: tuple[str, ...]) -> None:
    decoder = world.decoder(random_weights(3), *settings)
    sources = sentences(17, [14, 20, 25, 31, 40])
    constraints = [long_constraints(seed, len(source)) for seed, source in enumerate(sources)]
    given = [core(*pair) for pair in zip(sources, constraints, strict=True)]
    found = decoder.translate(given, n_best=10)
    for source, own, one in zip(sources, constraints, found, strict=True):
        check_order(restricted(world, own, -1), source, [one, *one.n_best])
    again = decoder.translate(given, n_best=10, threads=1)
    assert [(it.words, it.score) for it in again] == [(it.words, it.score) for it in found]


def test_charts_obey_whatever_is_pruned(chart_worlds: list[ChartWorld]) -> None:
    for settings in (("stack=3", "pop_limit=5"), ("max_words=6",), ("span_limit=2",),
                     ("time_limit=1e-9",)):  # fmt: skip
        decoder = chart_worlds[1].decoder(chart_weights(2), *settings)
        for seed, length in enumerate([9, 14, 22]):
            source = random.Random(seed).choices(["der", "hund", "sieht", "die", "."], k=length)
            constraints = long_constraints(seed, length)
            (found,) = decoder.translate([core(source, constraints)])
            for one in constraints:
                if isinstance(one, Forced) and one.mode == "exclusive":
                    assert ((one.start, one.end), list(one.words)) in [
                        (span, found.words[c:d]) for span, (c, d), _ in found.segments
                    ]


@pytest.mark.parametrize("contiguous", ["true", "false"])
@pytest.mark.parametrize("algorithm", ["cube", "stack"])
def test_constraints_go_before_source_trees(world: World, contiguous: str, algorithm: str) -> None:
    settings = ("spans=licensed", f"contiguous={contiguous}", f"algorithm={algorithm}")
    decoder = world.decoder(random_weights(3), *settings, "distortion_limit=3")
    for seed, source in enumerate(sentences(5, [5, 8, 11, 14, 17])):
        tree = _core.DependencyTree(source, random_heads(random.Random(seed), len(source)))
        constraints = long_constraints(seed, len(source))
        given = Source(tuple(source), ((tree, 1.0),), constraints).core(source)
        (found,) = decoder.translate([given], n_best=5)
        assert found.ignored == []
        check_order(restricted(world, constraints, -1), source, [found, *found.n_best])


def made(source: Source) -> object:
    source.check()
    return source.core(source.words)


def test_what_is_no_constraint_is_refused() -> None:
    words = ("a", "b", "c")
    for wrong, message in [
        ([Zone(1, 4)], "the sentence has 3"),
        ([Zone(2, 2)], "expected numbers of words"),
        ([Wall(0)], "above 0"),
        ([Zone(0, 2), Zone(1, 3)], "contradict each other"),
        ([Forced(0, 2, ("x",)), Forced(1, 2, ("y",))], "contradict each other"),
        ([Forced(0, 1, ("x y",))], "white space"),
        ([Forced(0, 1, "xy")], "expected a list of words"),  # type: ignore[arg-type]
        ([Forced(0, 1, ("x",), "maybe")], "expected one of exclusive"),  # type: ignore[arg-type]
        ([Forced(0, 1, ("x",), probability=2.0)], "probability"),
        (["wall"], "expected Forced, Zone or Wall"),
    ]:
        with pytest.raises(ConfigError, match=message):
            made(Source(words, constraints=wrong))  # type: ignore[arg-type]
