"""Search with hierarchical rules against brute force."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import headway.lm
import pytest
from arpa_oracle import Arpa
from chart_oracle import SLOTS, Derived, Oracle, Rule
from decode_oracle import TRANSLATION, Features, weighted
from headway import ConfigError, ModelError, _core
from headway.lm import LanguageModel
from headway.settings import Settings
from headway.table import RuleTable, import_moses

SOURCE = ["der", "hund", "sieht", "die", "katze", "nicht", "."]
TARGET = ["the", "dog", "sees", "a", "cat", "not", "does", "."]
NAMES = [*TRANSLATION, "phrase-penalty", "word-penalty", "unknown-word", "glue", "lm"]
UNPRUNED = ("stack=1000000", "pop_limit=10000000", "options=1000")


@dataclass(frozen=True)
class World:
    table: RuleTable
    rules: list[Rule]
    lm: LanguageModel
    arpa: Arpa

    def decoder(
        self, weights: Mapping[str, float], *settings: str, added: tuple[str, ...] = ()
    ) -> _core.Decoder:
        search = Settings.load(None, [f"search.{setting}" for setting in settings]).search
        models = [("lm", self.lm._core)]
        return _core.Decoder(
            "chart", self.table._core, models, dict(weights), search, added=list(added)
        )


def random_rule(chance: random.Random) -> Rule:
    slots = list(SLOTS[: chance.choice([0, 0, 1, 1, 2])])
    words = chance.choices(SOURCE[:6], k=chance.randint(0 if len(slots) > 1 else 1, 2))
    source = words + slots
    chance.shuffle(source)
    ordered = iter(SLOTS)
    source = [next(ordered) if symbol in SLOTS else symbol for symbol in source]
    target = chance.choices(TARGET, k=chance.randint(0 if slots else 1, 3)) + slots
    chance.shuffle(target)
    scores = tuple(round(chance.uniform(0.05, 1), 4) for _ in range(4))
    return Rule(tuple(source), tuple(target), scores)


def make(folder: Path, seed: int, many: int = 14) -> World:
    chance = random.Random(seed)
    text = [" ".join(chance.choices(TARGET, k=chance.randint(2, 9))) for _ in range(200)]
    (folder / "text").write_text("\n".join(text) + "\n")
    headway.lm.train(folder / "text", folder / "lm.arpa", order=3)
    sides: dict[tuple[tuple[str, ...], tuple[str, ...]], Rule] = {}
    for _ in range(many):
        rule = random_rule(chance)
        sides[rule.source, rule.target] = rule
    (folder / "rules").write_text("".join(rule.moses() for rule in sides.values()))
    import_moses([folder / "rules"], folder / "table")
    table = RuleTable.open(folder / "table")
    lm = LanguageModel.load(folder / "lm.arpa")
    return World(table, list(sides.values()), lm, Arpa(folder / "lm.arpa"))


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> list[World]:
    return [make(tmp_path_factory.mktemp("chart"), seed) for seed in range(6)]


def random_weights(seed: int) -> Features:
    chance = random.Random(seed)
    weights = {name: chance.uniform(0.02, 0.3) for name in NAMES}
    changed = {"phrase-penalty": chance.uniform(-0.3, 0.3), "glue": chance.uniform(-0.3, 0.3)}
    return weights | changed | {"unknown-word": 0.01}


def sentence(seed: int, length: int) -> list[str]:
    return random.Random(seed).choices(SOURCE, k=length)


def check(world: World, weights: Features, source: list[str], *settings: str) -> None:
    limits = [int(s.partition("=")[2]) for s in settings if s.startswith("span_limit")]
    oracle = Oracle(world.rules, world.arpa, *limits)
    derived = oracle.derivations(source)
    expected = max(weighted(oracle.features(one), weights) for one in derived)
    (found,) = world.decoder(weights, *UNPRUNED, *settings).translate([source])
    assert found.score == pytest.approx(expected, abs=1e-3), source
    literal = oracle.features(_derived(world, found))
    assert found.features == pytest.approx(literal, abs=1e-3)
    assert sum(found.features[name] * weights[name] for name in NAMES) == pytest.approx(
        found.score, abs=1e-4
    )


def _derived(world: World, found: _core.Translation) -> Derived:
    """The derivation that search says it made: words, and rules looked up in the grammar."""
    by_sides = {(rule.source, rule.target): rule for rule in world.rules}
    rules = []
    for rule, (_, _, unknown) in zip(found.rules, found.segments, strict=True):
        assert rule is not None
        sides = [
            tuple(word.replace("[X1]", "[1]").replace("[X2]", "[2]") for word in side.split())
            for side in rule
        ]
        known = by_sides.get((sides[0], sides[1]))
        assert (known is None) == (unknown is not None)
        rules.append(known or Rule(sides[0], sides[1], ()))
    slots = sum(word in SLOTS for rule in rules for word in rule.source)
    # Whatever fills no slot was put side by side.
    return Derived(tuple(found.words), tuple(rules), len(rules) - slots)


@pytest.mark.parametrize("number", range(6))
def test_unpruned_search_finds_what_brute_force_finds(worlds: list[World], number: int) -> None:
    for seed, length in enumerate([1, 2, 3, 4, 5, 6, 4, 5]):
        check(worlds[number], random_weights(seed), sentence(seed + 10 * number, length))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_each_feature_alone_is_searched_exactly(
    worlds: list[World], name: str, sign: float
) -> None:
    weights = dict.fromkeys(NAMES, 0.0) | {name: sign}
    for number, world in enumerate(worlds[:3]):
        check(world, weights, sentence(number, 4))


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_spans_beyond_the_limit_are_joined_by_glue_alone(worlds: list[World], limit: int) -> None:
    for number, world in enumerate(worlds):
        check(world, random_weights(number), sentence(number, 5), f"span_limit={limit}")


def test_the_forest_holds_every_derivation(worlds: list[World]) -> None:
    for number, world in enumerate(worlds):
        weights, source = random_weights(number), sentence(number + 50, 4)
        oracle = Oracle(world.rules, world.arpa)
        expected = sorted(
            (weighted(oracle.features(one), weights) for one in oracle.derivations(source)),
            reverse=True,
        )
        (found,) = world.decoder(weights, *UNPRUNED).translate(
            [source], n_best=len(expected) + 10, forests=True
        )
        assert [entry.score for entry in found.n_best] == pytest.approx(expected, abs=1e-3)
        assert found.forest is not None
        best = found.n_best[0]
        assert best.words == found.words
        assert best.score == pytest.approx(found.score, abs=1e-4)
        assert best.segments == found.segments
        assert best.alignment == found.alignment


def test_every_entry_of_an_n_best_list_has_the_features_of_some_derivation(
    worlds: list[World],
) -> None:
    for number, world in enumerate(worlds):
        weights, source = random_weights(number), sentence(number + 70, 4)
        oracle = Oracle(world.rules, world.arpa)
        by_words: dict[tuple[str, ...], list[Features]] = {}
        for one in oracle.derivations(source):
            by_words.setdefault(one.words, []).append(oracle.features(one))
        (found,) = world.decoder(weights, *UNPRUNED).translate([source], n_best=60)
        for entry in found.n_best:
            near = by_words[tuple(entry.words)]
            assert any(entry.features == pytest.approx(values, abs=1e-3) for values in near)


def test_distinct_lists_have_different_words(worlds: list[World]) -> None:
    decoder = worlds[1].decoder(random_weights(1), *UNPRUNED)
    (found,) = decoder.translate([sentence(5, 5)], n_best=30, distinct=True)
    texts = [tuple(entry.words) for entry in found.n_best]
    assert len(set(texts)) == len(texts) > 1


def test_a_python_feature_counts_for_every_rule(worlds: list[World]) -> None:
    for number, world in enumerate(worlds[:3]):
        weights = random_weights(number) | {"long": 0.7}
        decoder = world.decoder(weights, *UNPRUNED, added=("long",))
        source = sentence(number + 5, 4)
        options = decoder.options([source])
        rules = [world.table.rule_of(parts) for parts in options.rules()]
        values = [float(len(rule.target)) for rule in rules]
        (found,) = decoder.translate([source], added=options.with_values([values]))
        oracle = Oracle(world.rules, world.arpa)

        def long(one: Derived) -> float:
            return float(sum(len(rule.target) for rule in one.rules if rule.scores))

        expected = max(
            weighted(oracle.features(one), random_weights(number)) + 0.7 * long(one)
            for one in oracle.derivations(source)
        )
        assert found.score == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize("treatment", ["copy", "drop", "mark"])
def test_unknown_words_are_copied_dropped_or_marked(worlds: list[World], treatment: str) -> None:
    decoder = worlds[0].decoder(random_weights(0), f"unknown={treatment}")
    (found,) = decoder.translate([["Zweig"]], n_best=2, forests=True)
    assert found.words == {"copy": ["Zweig"], "drop": [], "mark": ["UNK:Zweig"]}[treatment]
    assert [unknown for _, _, unknown in found.segments] == [treatment]
    assert found.features["unknown-word"] == -100
    assert found.n_best[0].segments == found.segments


def test_pruning_never_finds_more_and_threads_change_nothing(worlds: list[World]) -> None:
    world, weights = worlds[2], random_weights(2)
    sources = [sentence(seed, 3 + seed % 4) for seed in range(20)]
    exact = world.decoder(weights, *UNPRUNED).translate(sources)
    for settings in (("pop_limit=1",), ("pop_limit=5", "stack=2"), ("threshold=0.5",)):
        decoder = world.decoder(weights, *settings)
        found = decoder.translate(sources, n_best=3)
        again = decoder.translate(sources, n_best=3, threads=2)
        assert [t.words for t in found] == [t.words for t in again]
        assert [t.score for t in found] == [t.score for t in again]
        assert all(a.score <= b.score + 1e-4 for a, b in zip(found, exact, strict=True))


def test_any_sentence_gets_a_translation(worlds: list[World]) -> None:
    decoder = worlds[3].decoder(random_weights(3), "pop_limit=20", "time_limit=0.2")
    odd = [[], ["\u00a0"], ["", " "], ["[X]"], ["|||"], SOURCE * 60]
    found = decoder.translate(odd, n_best=2, forests=True)
    assert found[0].words == []
    assert found[0].score == 0.0
    assert all(answer.words for answer in found[1:])
    assert all(answer.forest is not None for answer in found)


def test_time_that_is_up_is_told(worlds: list[World]) -> None:
    decoder = worlds[3].decoder(random_weights(3), "time_limit=0.000001")
    (found,) = decoder.translate([SOURCE * 3], n_best=1)
    assert found.hurried
    assert found.words
    assert found.n_best[0].hurried


def test_lists_are_short_when_time_is_up(worlds: list[World]) -> None:
    weights, long = random_weights(3), [SOURCE * 60]
    for limit in ("0", "0.000001"):
        decoder = worlds[3].decoder(weights, f"time_limit={limit}")
        (found,) = decoder.translate(long, n_best=500, distinct=True)
        assert len(found.n_best) == (500 if limit == "0" else 10)
        assert found.hurried == (limit != "0")
        assert found.words == found.n_best[0].words


def test_weights_and_settings_that_do_not_fit_are_refused(worlds: list[World]) -> None:
    weights = random_weights(1)
    with pytest.raises(ConfigError, match="no weight for glue"):
        worlds[0].decoder({name: w for name, w in weights.items() if name != "glue"})
    with pytest.raises(ConfigError, match=r"search\.span_limit is 0"):
        worlds[0].decoder(weights, "span_limit=0")


def test_options_of_another_search_are_refused(worlds: list[World], tmp_path: Path) -> None:
    weights = random_weights(1) | {"long": 1.0}
    chart = worlds[0].decoder(weights, added=("long",))
    rules = [rule for rule in worlds[0].rules if not set(rule.source) & set(SLOTS)]
    (tmp_path / "rules").write_text("".join(rule.moses() for rule in rules))
    import_moses([tmp_path / "rules"], tmp_path / "table")
    table = RuleTable.open(tmp_path / "table")
    search = Settings.load().search
    flat = {name: w for name, w in weights.items() if name != "glue"} | {"distortion": 0.1}
    models = [("lm", worlds[0].lm._core)]
    stack = _core.Decoder("stack", table._core, models, flat, search, added=["long"])
    options = stack.options([SOURCE])
    values = options.with_values([[0.0] * len(options)])
    with pytest.raises(ConfigError, match="of another search"):
        chart.translate([SOURCE], added=values)


def test_rules_with_three_slots_are_refused(worlds: list[World], tmp_path: Path) -> None:
    line = "[X][X] a [X][X] b [X][X] [X] ||| [X][X] a [X][X] b [X][X] [X]"
    scores = "0.5 0.5 0.5 0.5 ||| 0-0 2-2 4-4 ||| 1 1 1 ||| |||"
    (tmp_path / "rules").write_text(f"{line} ||| {scores}\n")
    import_moses([tmp_path / "rules"], tmp_path / "table")
    table = RuleTable.open(tmp_path / "table")
    search = Settings.load().search
    models = [("lm", worlds[0].lm._core)]
    with pytest.raises(ModelError, match="3 slots; chart search takes at most two"):
        _core.Decoder("chart", table._core, models, random_weights(0), search)


def test_long_sentences_are_searched_in_pieces(worlds: list[World]) -> None:
    """Values are those of the derivation; what stands before a piece counts in it."""
    for number, world in enumerate(worlds):
        weights, source = random_weights(number), sentence(number + 90, 6)
        oracle = Oracle(world.rules, world.arpa)
        by_words: dict[tuple[str, ...], list[Features]] = {}
        for one in oracle.derivations(source):
            by_words.setdefault(one.words, []).append(oracle.features(one))
        whole = world.decoder(weights, *UNPRUNED).translate([source])[0]
        decoder = world.decoder(weights, *UNPRUNED, "max_words=2")
        for n_best in (0, 12):
            (found,) = decoder.translate([source], n_best=n_best, forests=n_best > 0)
            assert (whole.split, found.split) == (False, True)
            assert found.score < whole.score + 1e-4
            literal = oracle.features(_derived(world, found))
            assert found.features == pytest.approx(literal, abs=1e-3)
            assert all(link in range(6) for link, _ in found.alignment)
            assert found.steps[-1][0] == (0, 6)
            pieces = [start for (start, end), *_ in found.steps if end - start <= 2]
            assert {0, 2, 4} <= set(pieces)
        best = found.n_best[0]
        assert (best.words, best.segments) == (found.words, found.segments)
        assert best.score == pytest.approx(found.score, abs=1e-3)
        scores = [entry.score for entry in found.n_best]
        assert scores == sorted(scores, reverse=True)
        for entry in found.n_best:
            near = by_words[tuple(entry.words)]
            assert any(entry.features == pytest.approx(values, abs=1e-3) for values in near)
        assert found.forest is not None
        listed = found.forest.k_best(12, None, None)
        assert [one.score for one in listed] == pytest.approx(scores, abs=1e-3)


def test_lists_of_pieces_are_distinct_if_asked(worlds: list[World]) -> None:
    decoder = worlds[0].decoder(random_weights(3), "max_words=3")
    (found,) = decoder.translate([sentence(5, 12)], n_best=40, distinct=True)
    words = [tuple(entry.words) for entry in found.n_best]
    assert len(words) == len(set(words)) > 5
