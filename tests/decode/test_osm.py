"""Search with operation sequence models, against brute force."""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

import headway.lm
import pytest
from arpa_oracle import LN10, Arpa
from decode_oracle import Features, Oracle, Pair, Step, weighted
from headway import _core, osm
from headway.lm import LanguageModel, WordClasses
from headway.table import RuleTable, import_moses
from osm_oracle import Teller
from stack_decoder import Decoder
from test_decode import NAMES, UNPRUNED, random_weights, search, write_tables

SOURCE = ["der", "hund", "sieht", "katze", "Obama"]
TARGET = ["the", "dog", "sees", "cat", "Obama"]
COUNTS = ["gaps", "open-gaps", "distance", "deletions"]
OSM = ["osm", "class-osm", *(f"osm-counts.{name}" for name in COUNTS)]
CLASSES = [{"der": 0, "hund": 1, "katze": 1}, {"the": 0, "dog": 1, "cat": 1, "sees": 2}]
LIMIT = 3


@dataclass(frozen=True)
class World:
    table: RuleTable
    pairs: dict[tuple[str, ...], list[Pair]]
    lm: LanguageModel
    arpa: Arpa
    model: _core.OperationModel
    arpas: tuple[Arpa, Arpa]
    """Of operations of words and of classes."""

    def decoder(self, weights: Features, *settings: str) -> Decoder:
        chosen = search(f"distortion_limit={LIMIT}", *settings)
        return Decoder(self.table, {"lm": self.lm}, weights, settings=chosen, osm=self.model)


def random_links(chance: random.Random, source: int, target: int) -> list[tuple[int, int]]:
    drawn = {
        (chance.randrange(source), chance.randrange(target))
        for _ in range(chance.randint(1, max(source, target)))
    }
    return sorted(drawn)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    folder = tmp_path_factory.mktemp("osm")
    chance = random.Random(11)
    texts: list[list[str]] = [[], [], []]
    for _ in range(300):
        source, target = (chance.choices(it, k=chance.randint(2, 7)) for it in (SOURCE, TARGET))
        links = random_links(chance, len(source), len(target))
        rows = (source, target, [f"{i}-{k}" for i, k in links])
        for text, row in zip(texts, rows, strict=True):
            text.append(" ".join(row) + "\n")
    files = [folder / name for name in ("source", "target", "links")]
    for file, text in zip(files, texts, strict=True):
        file.write_text("".join(text))
    classes = []
    for number, side in enumerate(CLASSES):
        path = folder / f"classes.{number}"
        path.write_text("".join(f"{word}\t{label}\n" for word, label in side.items()))
        classes.append(WordClasses.load(path))
    for name, given in (("osm", None), ("class-osm", (classes[0], classes[1]))):
        osm.write_operations(files[0], files[1], files[2], folder / f"{name}.text", classes=given)
        headway.lm.train(folder / f"{name}.text", folder / f"{name}.arpa", order=3)
    headway.lm.train(folder / "target", folder / "lm.arpa", order=2)
    pairs: dict[tuple[str, ...], list[Pair]] = {}
    lengths = (1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3)
    sources = [(word,) for word in SOURCE] + [
        tuple(chance.choices(SOURCE, k=length)) for length in lengths
    ]
    for words in sources:
        said = tuple(chance.choices(TARGET, k=chance.randint(1, 3)))
        scores = tuple(round(chance.uniform(0.05, 1), 4) for _ in range(10))
        linked = tuple(random_links(chance, len(words), len(said)))
        if all(pair.target != said for pair in pairs.get(words, [])):
            pairs.setdefault(words, []).append(Pair(said, scores, linked))
    write_tables(folder, pairs)
    import_moses([folder / "phrases"], folder / "table", reordering=folder / "reordering")
    by_word, of_classes = (LanguageModel.load(folder / f"{it}.arpa") for it in ("osm", "class-osm"))
    model = _core.OperationModel(
        by_word._core, (of_classes._core, classes[0]._core, classes[1]._core)
    )
    return World(
        RuleTable.open(folder / "table"),
        pairs,
        LanguageModel.load(folder / "lm.arpa"),
        Arpa(folder / "lm.arpa"),
        model,
        (Arpa(folder / "osm.arpa"), Arpa(folder / "class-osm.arpa")),
    )


def known(arpa: Arpa, operation: str) -> bool:
    return (operation,) in arpa.entries


def literal(world: World, source: list[str], steps: Sequence[Step], counts: bool) -> Features:
    """What the operations of the whole derivation score, told after it is finished."""
    arpa = world.arpas[0]

    def identical(one: str, other: str) -> bool:
        unknown = (one,) not in world.pairs
        return (unknown or one == other) and not known(arpa, f"{one}→{other}")

    values: Features = {}
    for name, number in (("osm", 0), ("class-osm", 1)):
        teller = Teller(source)
        write = [
            str if number == 0 else (lambda word, side=side: str(side.get(word, "?")))
            for side in CLASSES
        ]
        for start, end, pair in steps:
            teller.phrase((start, end, pair.target, pair.links), write[0], write[1], identical)
        scores = world.arpas[number].words(" ".join(teller.operations))
        values[name] = math.fsum(score for score, _, _ in scores) * LN10
    for name, count in teller.counts.items():
        values[f"osm-counts.{name}"] = -float(count) if counts else 0.0
    return values


def sentence(world: World, chance: random.Random, length: int) -> list[str]:
    """Source words of whole phrases, long ones among them."""
    phrases = sorted(world.pairs)
    words: list[str] = []
    while len(words) < length:
        words.extend(chance.choice(phrases))
    return words[:length]


def weights_of(seed: int) -> Features:
    chance = random.Random(seed)
    drawn = {name: chance.uniform(-0.1, 0.3) for name in OSM}
    return random_weights(seed) | drawn


def check(world: World, weights: Features, source: list[str], *settings: str) -> list[Features]:
    """Best score, values and n-best list; answers the values of all derivations."""
    counts = "operation_counts=true" in settings
    oracle = Oracle(world.pairs, world.arpa, LIMIT)
    steps_of = list(oracle.derivations(source))
    values = [oracle.features(it) | literal(world, source, it, counts) for it in steps_of]
    scores = sorted((weighted(value, weights) for value in values), reverse=True)
    decoder = world.decoder(weights, *UNPRUNED, *settings)
    (found,) = decoder.translate([source], n_best=len(scores) + 10)
    assert found.score == pytest.approx(scores[0], abs=1e-3), source
    assert [entry.score for entry in found.n_best] == pytest.approx(scores, abs=1e-3)
    for entry in [found, *found.n_best[:30]]:
        steps = [((a, b), entry.words[c:d]) for (a, b), (c, d), _ in entry.segments]
        assert decoder.score(source, steps) == pytest.approx(entry.features, abs=1e-3)
        taken = [
            (a, b, next(p for p in oracle.options(source, a, b) if list(p.target) == words))
            for (a, b), words in steps
        ]
        expected = oracle.features(taken) | literal(world, source, taken, counts)
        assert entry.features == pytest.approx(expected, abs=1e-3)
    return values


@pytest.mark.parametrize("algorithm", ["cube", "stack"])
@pytest.mark.parametrize("counts", ["true", "false"])
def test_unpruned_search_finds_what_brute_force_finds(
    world: World, algorithm: str, counts: str
) -> None:
    for seed, length in enumerate([1, 3, 4, 5]):
        chance = random.Random(seed)
        source = sentence(world, chance, length)
        source[chance.randrange(length)] = "unbekannt" if seed % 2 else "katze"
        settings = [f"algorithm={algorithm}", f"operation_counts={counts}"]
        check(world, weights_of(seed), source, *settings)


@pytest.mark.parametrize("name", OSM)
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_each_feature_alone_is_searched_exactly(world: World, name: str, sign: float) -> None:
    weights = dict.fromkeys([*NAMES, *OSM], 0.0) | {name: sign}
    spread = set()
    for seed in range(3):
        source = sentence(world, random.Random(seed), 4)
        found = check(world, weights, source, "operation_counts=true")
        spread |= {round(values[name], 4) for values in found}
    assert len(spread) > 2


def test_threads_change_nothing(world: World) -> None:
    chance = random.Random(5)
    batch = [chance.choices([*SOURCE, "neu"], k=length) for length in (0, 1, 7, 25, 12, 3) * 6]
    decoder = world.decoder(weights_of(4), "pop_limit=30", "stack=20", "operation_counts=true")
    answers = [
        [(t.words, t.score, t.values, t.segments) for t in decoder.translate(batch, threads=n)]
        for n in (1, 2, 5)
    ]
    assert answers[0] == answers[1] == answers[2]


def test_operations_go_on_from_piece_to_piece(world: World) -> None:
    source = random.Random(6).choices(SOURCE, k=40)
    decoder = world.decoder(weights_of(6), "max_words=9", "pop_limit=30", "operation_counts=true")
    (found,) = decoder.translate([source], n_best=3)
    assert found.split
    oracle = Oracle(world.pairs, world.arpa, LIMIT)
    for entry in [found, *found.n_best]:
        taken = [
            (a, b, next(p for p in oracle.options(source, a, b) if list(p.target) == said))
            for (a, b), said in (((a, b), entry.words[c:d]) for (a, b), (c, d), _ in entry.segments)
        ]
        expected = literal(world, source, taken, counts=True)
        assert {name: entry.features[name] for name in OSM} == pytest.approx(expected, abs=1e-3)
