"""Phrase-based search against brute force."""

import math
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import headway.lm
import pytest
from arpa_oracle import Arpa
from decode_oracle import MSD, TRANSLATION, Features, Oracle, Pair, weighted
from headway import ConfigError, _core
from headway.lm import LanguageModel
from headway.settings import SearchSettings, Settings
from headway.table import Rule, RuleTable, import_moses
from stack_decoder import Decoder

SOURCE = ["der", "hund", "sieht", "die", "katze", "nicht", "."]
TARGET = ["the", "dog", "sees", "a", "cat", "not", "does", "."]
REORDERING = [f"reordering.{way}.{event}" for way in ("backward", "forward") for event in MSD]
NAMES = [
    *TRANSLATION,
    *REORDERING,
    "phrase-penalty",
    "word-penalty",
    "unknown-word",
    "distortion",
    "lm",
]
UNPRUNED = ["stack=1000000", "pop_limit=10000000", "options=1000"]


@dataclass(frozen=True)
class World:
    table: RuleTable
    pairs: dict[tuple[str, ...], list[Pair]]
    lm: LanguageModel
    arpa: Arpa

    def decoder(self, weights: Features, *settings: str) -> Decoder:
        return Decoder(self.table, {"lm": self.lm}, weights, settings=search(*settings))


def search(*settings: str) -> SearchSettings:
    return Settings.load(None, [f"search.{setting}" for setting in settings]).search


def random_weights(seed: int) -> Features:
    chance = random.Random(seed)
    weights = {name: chance.uniform(0.02, 0.3) for name in NAMES}
    return weights | {"phrase-penalty": chance.uniform(-0.3, 0.3), "unknown-word": 0.01}


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    folder = tmp_path_factory.mktemp("decode")
    chance = random.Random(7)
    text = [" ".join(chance.choices(TARGET, k=chance.randint(2, 9))) for _ in range(200)]
    (folder / "text").write_text("\n".join(text) + "\n")
    headway.lm.train(folder / "text", folder / "lm.arpa", order=3)
    pairs: dict[tuple[str, ...], list[Pair]] = {}
    for length in (1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3):
        source = tuple(chance.choices(SOURCE[:6], k=length))
        for _ in range(chance.randint(1, 2)):
            target = tuple(chance.choices(TARGET, k=chance.randint(1, 3)))
            scores = tuple(round(chance.uniform(0.05, 1), 4) for _ in range(10))
            if all(pair.target != target for pair in pairs.get(source, [])):
                pairs.setdefault(source, []).append(Pair(target, scores))
    write_tables(folder, pairs)
    import_moses([folder / "phrases"], folder / "table", reordering=folder / "reordering")
    table = RuleTable.open(folder / "table")
    return World(table, pairs, LanguageModel.load(folder / "lm.arpa"), Arpa(folder / "lm.arpa"))


def write_tables(folder: Path, pairs: dict[tuple[str, ...], list[Pair]]) -> None:
    phrases, reordering = [], []
    for source, options in pairs.items():
        for pair in options:
            sides = f"{' '.join(source)} ||| {' '.join(pair.target)} |||"
            scores = " ".join(map(str, pair.scores[:4]))
            links = " ".join(f"{source}-{target}" for source, target in pair.links)
            phrases.append(f"{sides} {scores} ||| {links} ||| |||\n")
            reordering.append(f"{sides} {' '.join(map(str, pair.scores[4:]))}\n")
    (folder / "phrases").write_text("".join(phrases))
    (folder / "reordering").write_text("".join(reordering))


def sentences(seed: int, lengths: list[int]) -> list[list[str]]:
    chance = random.Random(seed)
    return [chance.choices(SOURCE, k=length) for length in lengths]


def check(world: World, weights: Features, source: list[str], limit: int, *settings: str) -> None:
    hierarchical = "orientation=hierarchical" in settings
    oracle = Oracle(world.pairs, world.arpa, limit)
    all_values = [oracle.features(steps, hierarchical) for steps in oracle.derivations(source)]
    expected = max(weighted(values, weights) for values in all_values)
    decoder = world.decoder(weights, f"distortion_limit={limit}", *UNPRUNED, *settings)
    (found,) = decoder.translate([source])
    assert found.score == pytest.approx(expected, abs=1e-3), (source, settings)
    steps = [((a, b), found.words[c:d]) for (a, b), (c, d), _ in found.segments]
    assert decoder.score(source, steps) == pytest.approx(found.features, abs=1e-6)
    literal = [
        (a, b, next(p for p in oracle.options(source, a, b) if list(p.target) == words))
        for (a, b), words in steps
    ]
    assert found.features == pytest.approx(oracle.features(literal, hierarchical), abs=1e-3)


@pytest.mark.parametrize("algorithm", ["cube", "stack"])
@pytest.mark.parametrize("orientation", ["phrase", "hierarchical"])
def test_unpruned_search_finds_what_brute_force_finds(
    world: World, algorithm: str, orientation: str
) -> None:
    for seed, (limit, length) in enumerate([(-1, 4), (2, 5), (0, 6), (3, 6), (-1, 5), (4, 5)]):
        for source in sentences(seed, [length]):
            settings = (f"algorithm={algorithm}", f"orientation={orientation}")
            check(world, random_weights(seed), source, limit, *settings)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_each_feature_alone_is_searched_exactly(world: World, name: str, sign: float) -> None:
    weights = dict.fromkeys(NAMES, 0.0) | {name: sign}
    for source in sentences(5, [4, 4]):
        check(world, weights, source, 3)


def test_several_language_models_add_up(world: World) -> None:
    weights = random_weights(1)
    halves = {**weights, "lm": weights["lm"] / 2, "lm2": weights["lm"] / 2}
    settings = search("distortion_limit=3", *UNPRUNED)
    one = Decoder(world.table, {"lm": world.lm}, weights, settings=settings)
    two = Decoder(world.table, {"lm": world.lm, "lm2": world.lm}, halves, settings=settings)
    for source in sentences(2, [5, 6, 3]):
        (a,), (b,) = one.translate([source]), two.translate([source])
        assert a.score == pytest.approx(b.score, abs=1e-4)
        assert b.features["lm"] == b.features["lm2"]


def test_n_best_lists_hold_every_derivation_in_order(world: World) -> None:
    weights, source = random_weights(3), sentences(3, [4])[0]
    oracle = Oracle(world.pairs, world.arpa, 2)
    scores = sorted(
        (weighted(oracle.features(steps), weights) for steps in oracle.derivations(source)),
        reverse=True,
    )
    decoder = world.decoder(weights, "distortion_limit=2", *UNPRUNED)
    (found,) = decoder.translate([source], n_best=len(scores) + 10, forests=True)
    assert [entry.score for entry in found.n_best] == pytest.approx(scores, abs=1e-3)
    for entry in found.n_best:
        steps = [((a, b), entry.words[c:d]) for (a, b), (c, d), _ in entry.segments]
        assert decoder.score(source, steps) == pytest.approx(entry.features, abs=1e-4)
    (distinct,) = decoder.translate([source], n_best=20, distinct=True)
    texts = [tuple(entry.words) for entry in distinct.n_best]
    assert len(set(texts)) == len(texts)
    assert distinct.n_best[0].words == distinct.words
    assert found.forest is not None
    assert distinct.forest is None


def test_threads_change_nothing(world: World) -> None:
    decoder = world.decoder(random_weights(4), "pop_limit=30", "stack=20")
    batch = sentences(9, [0, 1, 7, 30, 12, 3] * 20)
    answers = [
        [
            (t.words, t.score, t.values, t.segments)
            for t in decoder.translate(batch, threads=threads)
        ]
        for threads in (1, 2, 5)
    ]
    assert answers[0] == answers[1] == answers[2]


def test_every_line_gets_a_translation(world: World) -> None:
    weights = random_weights(4)
    long = sentences(1, [500])[0]
    for settings in (
        [],
        ["distortion_limit=-1"],
        ["distortion_limit=0"],
        ["orientation=hierarchical"],
    ):
        decoder = world.decoder(weights, "max_words=60", "pop_limit=20", *settings)
        empty, split, odd = decoder.translate([[], long, ["", "\x00", " ", "x" * 9999]], n_best=3)
        assert (empty.words, empty.score, empty.segments) == ([], 0.0, [])
        assert split.split
        assert not split.hurried
        assert not odd.split
        assert sorted(word for s, _, _ in split.segments for word in range(*s)) == list(range(500))
        assert split.n_best[0].score == pytest.approx(split.score, abs=1e-2)
        assert odd.words == ["␣", "\x00", "␣", "x" * 9999]
        assert [unknown for _, _, unknown in odd.segments] == ["copy"] * 4
    hurried = world.decoder(weights, "time_limit=1e-6").translate([long])[0]
    assert hurried.hurried
    assert len(hurried.segments) > 50


@pytest.mark.parametrize(
    ("unknown", "words"), [("copy", ["xyz"]), ("drop", []), ("mark", ["UNK:xyz"])]
)
def test_unknown_words_are_treated_as_asked_and_marked(
    world: World, unknown: str, words: list[str]
) -> None:
    decoder = world.decoder(random_weights(4), f"unknown={unknown}")
    (found,) = decoder.translate([["xyz"]], n_best=1)
    assert found.words == words
    assert found.segments == [((0, 1), (0, len(words)), unknown)]
    assert found.n_best[0].segments == found.segments
    assert found.features["unknown-word"] == -100
    assert found.features["word-penalty"] == -len(words)


def test_monotone_translations_keep_the_order(world: World) -> None:
    decoder = world.decoder(random_weights(4), "distortion_limit=0")
    for found in decoder.translate(sentences(11, [9] * 10)):
        spans = [span for span, _, _ in found.segments]
        assert spans == sorted(spans)
        assert found.features["distortion"] == 0


def test_functions_become_features(world: World) -> None:
    seen: list[Rule] = []

    def long_targets(rule: Rule) -> float:
        seen.append(rule)
        return float(len(rule.target))

    weights = random_weights(4) | {"long": 5.0}
    source = sentences(3, [6])[0]
    decoder = Decoder(world.table, {"lm": world.lm}, weights, features={"long": long_targets})
    (found,) = decoder.translate([source])
    sides = [(rule.source, rule.target) for rule in seen]
    assert len(sides) == len(set(sides)) > 0
    known = [d - c for _, (c, d), unknown in found.segments if unknown is None]
    assert found.features["long"] == sum(known)
    (plain,) = world.decoder(random_weights(4)).translate([source])
    assert len(found.words) >= len(plain.words)


def test_weights_and_settings_are_checked(world: World) -> None:
    weights = random_weights(4)
    with pytest.raises(ConfigError, match="no weight for lm; the model has p"):
        world.decoder({name: weight for name, weight in weights.items() if name != "lm"})
    with pytest.raises(ConfigError, match="weight for lmm, which the model does not have"):
        world.decoder(weights | {"lmm": 1.0})
    with pytest.raises(ConfigError, match="two features are named"):
        Decoder(world.table, {"distortion": world.lm}, weights)
    for setting in (
        "algorithm=beam",
        "stack=0",
        "unknown=keep",
        "orientation=x",
        "time_limit=-1.0",
    ):
        with pytest.raises(ConfigError, match=f"search.{setting.partition('=')[0]}"):
            world.decoder(weights, setting)
    with pytest.raises(ConfigError, match="the table has no rule"):
        world.decoder(weights).score(["der"], [((0, 1), ["nothing"])])
    with pytest.raises(ConfigError, match="no span"):
        world.decoder(weights).score(["der"], [((0, 2), ["the"])])


def test_the_highest_gain_is_what_most_agree_on(world: World) -> None:
    decoder = world.decoder(random_weights(4))
    (found,) = decoder.translate(sentences(3, [6]), n_best=30)
    (alone,) = decoder.translate(sentences(3, [6]))
    assert best_of([found], 1e6) == [tuple(found.words)]
    assert best_of([alone], 1.0) == [tuple(alone.words)]
    assert best_of([found], 1.0) == [tuple(highest_gain(found.n_best))]
    assert best_of([], 1.0) == []


def best_of(found: Sequence[_core.Translation], scale: float) -> list[tuple[str, ...]]:
    """By the vote of one member over its list."""
    lists = [[one] for one in found]
    votes = _core.votes(lists, [scale], [False], gain="bleu", edges=1000, negligible=0.0)
    weights = [float(name == "union.gain") for name in _core.vote_features(["m"])]
    return [tuple(vote.words(vote.ranked(weights, 1)[0][0])) for vote in votes]


def highest_gain(entries: Sequence[_core.Translation]) -> list[str]:
    """As the definition has it: BLEU against the expected counts of all entries."""

    def grams(words: list[str], n: int) -> Counter[tuple[str, ...]]:
        return Counter(tuple(words[at : at + n]) for at in range(len(words) - n + 1))

    best = max(entry.score for entry in entries)
    chances = [math.exp(entry.score - best) for entry in entries]
    expected: Counter[tuple[str, ...]] = Counter()
    for entry, chance in zip(entries, chances, strict=True):
        for n in range(1, 5):
            for gram, count in grams(entry.words, n).items():
                expected[gram] += chance / sum(chances) * count  # type: ignore[assignment]
    length = sum(len(it.words) * c for it, c in zip(entries, chances, strict=True)) / sum(chances)

    def bleu(words: list[str]) -> float:
        log = 0.0
        for n in range(1, 5):
            own = grams(words, n)
            matched = sum(min(count, expected[gram]) for gram, count in own.items()) + (n > 1)
            log += math.log(max(matched / max(own.total() + (n > 1), 1), 1e-9)) / 4
        return math.exp(log + min(0.0, 1 - length / len(words)))

    gains = [bleu(entry.words) for entry in entries]
    # What has the same words gains the same: the first of them, whatever rounding says.
    return next(
        it.words for it, gain in zip(entries, gains, strict=True) if gain > max(gains) - 1e-9
    )
