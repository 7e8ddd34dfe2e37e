"""The dependency language model in search: against brute force, and as a system."""

import math
import random
from pathlib import Path

import pytest
from conftest import Headway
from decode_oracle import Oracle, weighted
from headway import (
    ConfigError,
    InputError,
    ModelError,
    Settings,
    Translator,
    parse,
    train,
    tune_system,
)
from headway.parse import GraphParser
from headway.trees import draw, read_sentences
from processes import interrupted_at_work
from stack_decoder import Decoder
from test_decode import TARGET, UNPRUNED, World, random_weights, search, sentences, world

__all__ = ["world"]

WEIGHT = 0.2
EXACT = "dependency_states=words"
TAGS = dict(zip(TARGET, ["D", "N", "V", "D", "N", "R", "X", "."], strict=True))


@pytest.fixture(scope="module")
def parser(tmp_path_factory: pytest.TempPathFactory) -> GraphParser:
    """Of sentences whose heads are drawn by lot, so that weights are of all signs."""
    folder = tmp_path_factory.mktemp("parser")
    chance = random.Random(3)
    lines = []
    for _ in range(60):
        words = chance.choices(TARGET, k=chance.randint(2, 9))
        root = chance.randrange(len(words)) + 1
        for number, word in enumerate(words, 1):
            head = chance.choice([n for n in (number - 1, root) if n != number and n > 0] or [root])
            head = 0 if number == root else head
            lines.append(f"{number}\t{word}\t_\t_\t{TAGS[word]}\t_\t{head}\t_\t_\t_")
        lines.append("")
    (folder / "bank.conllu").write_text("\n".join([*lines, ""]))
    changes = ["search=mst", "tagger=streaming", "features=paper", "coarse=false", "rounds=4"]
    changes += ["feature_bits=16", "jackknife=2", "tagger_rounds=3", "lowercase=true"]
    settings = Settings.load(None, [f"parse.{change}" for change in changes]).parse
    trained = parse.train([folder / "bank.conllu"], folder, settings=settings).parser
    assert isinstance(trained, GraphParser)
    return trained


SCALE, CLIP = 0.7, 1.5
SCORES = ["raw", "log-probability", "margin"]


def value(parser: GraphParser, words: list[str], how: str, score: str = "raw") -> float:
    """The feature from scratch: all arcs, and the best tree or the best heads of them."""
    if not words:
        return 0.0
    scores = parser.scores(words, parser.tag(words))
    heads = parse.best_heads(scores, how, True)
    rows = zip(scores, heads, strict=True)
    return sum(worth(row, word, head, score) for word, (row, head) in enumerate(rows, 1))


def worth(row: list[float], word: int, head: int, score: str) -> float:
    """What a head counts, by the definition of the setting."""
    if score == "raw":
        return row[head]
    others = [other for place, other in enumerate(row) if place not in (word, head)]
    if score == "margin":
        return max(-CLIP, min(CLIP, row[head] - max(others, default=-math.inf)))
    total = math.fsum(math.exp(SCALE * other) for other in [row[head], *others])
    return max(-CLIP, SCALE * row[head] - math.log(total))


def decoder(world: World, parser: GraphParser, seed: int, *settings: str) -> Decoder:
    weights = {**random_weights(seed), "dependency": WEIGHT}
    return Decoder(
        world.table, {"lm": world.lm}, weights, settings=search(*settings), parser=parser._core
    )


@pytest.mark.parametrize("algorithm", ["cube", "stack"])
@pytest.mark.parametrize("how", ["mst", "local"])
@pytest.mark.parametrize("orientation", ["phrase", "hierarchical"])
def test_unpruned_search_finds_what_brute_force_finds(
    world: World, parser: GraphParser, algorithm: str, how: str, orientation: str
) -> None:
    loops = f"dependency_loops={str(how == 'local').lower()}"
    settings = [f"algorithm={algorithm}", loops, EXACT, f"orientation={orientation}"]
    values: dict[tuple[str, ...], float] = {}
    for seed, source in enumerate(sentences(5, [1, 2, 3, 3, 4])):
        oracle = Oracle(world.pairs, world.arpa, 3)
        weights = random_weights(seed)
        expected = -1e9
        for steps in oracle.derivations(source):
            words = tuple(word for _, _, pair in steps for word in pair.target)
            if words not in values:
                values[words] = value(parser, list(words), how)
            plain = weighted(oracle.features(steps, orientation == "hierarchical"), weights)
            expected = max(expected, plain + WEIGHT * values[words])
        found = decoder(world, parser, seed, "distortion_limit=3", *UNPRUNED, *settings)
        (best,) = found.translate([source])
        assert best.score == pytest.approx(expected, abs=1e-3)
        assert best.features["dependency"] == pytest.approx(
            value(parser, best.words, how), abs=1e-3
        )


@pytest.mark.parametrize("how", ["mst", "local"])
@pytest.mark.parametrize("score", SCORES[1:])
def test_heads_count_by_what_they_are_compared_with(
    world: World, parser: GraphParser, score: str, how: str
) -> None:
    loops = f"dependency_loops={str(how == 'local').lower()}"
    numbers = f"dependency_scale={SCALE}", f"dependency_clip={CLIP}"
    settings = [loops, EXACT, f"dependency_score={score}", *numbers]
    for seed, source in enumerate(sentences(7, [1, 2, 3, 4])):
        oracle, weights = Oracle(world.pairs, world.arpa, 3), random_weights(seed)
        values: dict[tuple[str, ...], float] = {}
        expected = -math.inf
        for steps in oracle.derivations(source):
            words = tuple(word for _, _, pair in steps for word in pair.target)
            if words not in values:
                values[words] = value(parser, list(words), how, score)
            plain = weighted(oracle.features(steps), weights)
            expected = max(expected, plain + WEIGHT * values[words])
        found = decoder(world, parser, seed, "distortion_limit=3", *UNPRUNED, *settings)
        (best,) = found.translate([source], n_best=20)
        assert best.score == pytest.approx(expected, abs=1e-3)
        for entry in [best, *best.n_best]:
            own = value(parser, entry.words, how, score)
            assert entry.features["dependency"] == pytest.approx(own, abs=1e-3)


@pytest.mark.parametrize("algorithm", ["cube", "stack"])
def test_every_entry_of_an_n_best_list_has_its_own_value_and_tree(
    world: World, parser: GraphParser, algorithm: str
) -> None:
    found = decoder(world, parser, 1, f"algorithm={algorithm}", "stack=20", "pop_limit=50")
    for answer in found.translate(sentences(9, [3, 6, 9, 12]), n_best=30, trees=True):
        scores = [entry.score for entry in answer.n_best]
        assert scores == sorted(scores, reverse=True)
        assert answer.tree is not None
        for entry in [answer, *answer.n_best]:
            expected = value(parser, entry.words, "mst")
            assert entry.features["dependency"] == pytest.approx(expected, abs=1e-3)
            assert entry.tree is not None
            assert entry.tree.forms == entry.words
            rows = parser.scores(entry.words, parser.tag(entry.words))
            assert entry.tree.heads == parse.best_heads(rows, "mst", True)


def test_recombining_by_tags_finds_no_more_than_by_words(world: World, parser: GraphParser) -> None:
    for seed, source in enumerate(sentences(6, [4, 5, 6, 7])):
        found = [
            decoder(world, parser, seed, *UNPRUNED, f"dependency_states={how}").translate([source])
            for how in ("tags", "words")
        ]
        (tags,), (words,) = found
        assert tags.score <= words.score + 1e-3


def test_results_do_not_depend_on_threads_and_neighbours(world: World, parser: GraphParser) -> None:
    found = decoder(world, parser, 2)
    sources = sentences(8, [5, 9, 3, 14, 7, 1, 0, 11])
    one = [(t.words, t.score) for t in found.translate(sources, threads=1)]
    assert one == [(t.words, t.score) for t in found.translate(sources, threads=2)]
    assert one == [
        (t.words, t.score) for source in sources for t in found.translate([source], threads=1)
    ]


def test_odd_settings_are_refused(world: World, parser: GraphParser) -> None:
    with pytest.raises(ConfigError, match='dependency_states is "all"; expected tags or words'):
        decoder(world, parser, 1, "dependency_states=all")
    expected = 'dependency_score is "best"; expected raw or log-probability or margin'
    with pytest.raises(ConfigError, match=expected):
        decoder(world, parser, 1, "dependency_score=best")
    with pytest.raises(ConfigError, match="dependency_clip is -1; expected 0"):
        decoder(world, parser, 1, "dependency_clip=-1")


SMALL = [
    "align.fertility_iterations=2", "lm.order=3", "run.threads=2", "tune.iterations=2",
    "tune.n_best=20", "tune.random_starts=2", "parse.rounds=2", "parse.jackknife=2",
    "parse.feature_bits=18", "parse.tagger_rounds=2",
]  # fmt: skip


@pytest.fixture(scope="module")
def system(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Trained and tuned on the built-in corpus and its trees."""
    out = tmp_path_factory.mktemp("deplm") / "model"
    trained = train(
        "phrase-deplm",
        corpus / "train.de",
        corpus / "train.en",
        out,
        dev_source=corpus / "dev.de",
        dev_target=corpus / "dev.en",
        treebanks=[f"{corpus / 'train.en.conllu'}:2"],
        settings=Settings.load(None, SMALL),
    )
    assert trained.bundle.manifest.facts["treebank-1"]["sentences"] == 1500
    assert "dependency" in trained.bundle.manifest.weights
    return out


def test_a_weight_of_the_default_is_estimated_and_one_that_was_chosen_is_not(
    system: Path, corpus: Path, tmp_path: Path
) -> None:
    cases: list[tuple[dict[str, float], str]] = [({}, "estimated dependency")]
    for weights, note in [*cases, ({"dependency": 0.5}, "")]:
        plain = tmp_path / f"plain-{len(weights)}"
        train(
            "phrase-deplm",
            corpus / "train.de",
            corpus / "train.en",
            plain,
            treebanks=[f"{corpus / 'train.en.conllu'}:2"],
            weights=weights,
            settings=Settings.load(None, SMALL),
            work=system.with_name("model.work"),
        )
        report = tune_system(
            plain, corpus / "dev.de", corpus / "dev.en", settings=Settings.load(None, SMALL)
        )
        assert report.start.note == note


def test_translations_come_with_a_tree_each(
    system: Path, corpus: Path, tmp_path: Path, headway: Headway
) -> None:
    trees, n_best = tmp_path / "trees.conllu", tmp_path / "n-best"
    run = headway(
        "translate", system, "-i", corpus / "test.de", "--trees", trees, "--n-best", "3", n_best
    )
    assert run.returncode == 0, run.stderr
    words = Translator.load(system).translate((corpus / "test.de").read_text().splitlines())
    assert run.stdout.splitlines() == [one.text for one in words]
    found = list(read_sentences(trees))
    assert [tuple(sentence.forms) for sentence in found] == [one.words for one in words]
    assert len(found) == 60
    assert all(sentence.tree().is_tree for sentence in found)
    assert "dependency= " in n_best.read_text()


def test_a_translator_answers_trees_and_parses_what_it_says(system: Path) -> None:
    translator = Translator.load(system)
    (found,) = translator.translate(["Der Hund schläft ."], trees=True, n_best=2)
    assert found.tree is not None
    assert tuple(found.tree.forms) == found.words
    assert found.table()["heads"] == list(found.tree.heads)
    (empty,) = translator.translate([""], trees=True)
    assert empty.tree is not None
    assert len(empty.tree) == 0
    assert translator.translate(["Der Hund schläft ."])[0].tree is None


def test_values_and_trees_are_those_of_parsing_from_scratch(system: Path, corpus: Path) -> None:
    words = (corpus / "test.de").read_text().split()
    lines = [" ".join(words[at : at + n]) for n in (5, 20, 60) for at in range(0, 300, 60)]
    parser = parse.load(system / "parser.bin")
    assert isinstance(parser, parse.GraphParser)
    seen = 0
    for found in Translator.load(system).translate(lines, n_best=3, trees=True):
        for entry in (found, *found.n_best):
            target = list(entry.words)
            scores = parser.scores(target, parser.tag(target))
            heads = parse.best_heads(scores, "mst", single_root=True)
            value = sum(row[head] for row, head in zip(scores, heads, strict=True))
            assert entry.features["dependency"] == pytest.approx(value, abs=1e-5 * len(target))
            assert entry.heads == tuple(heads)
            seen += 1
    assert seen > 50


@pytest.mark.parametrize("score", SCORES)
def test_real_sentences_score_higher_than_the_same_words_shuffled(
    system: Path, corpus: Path, score: str
) -> None:
    parser, chance = parse.load(system / "parser.bin"), random.Random(1)
    assert isinstance(parser, GraphParser)
    unseen = (sentence.forms for sentence in read_sentences(corpus / "dev.en.conllu"))
    real = [words for words in unseen if len(words) > 4]
    shuffled = [chance.sample(words, len(words)) for words in real]
    assert len(real) > 40
    higher = sum(
        value(parser, one, "mst", score) > value(parser, other, "mst", score)
        for one, other in zip(real, shuffled, strict=True)
    )
    assert higher > 0.9 * len(real)


def test_least_risk_is_of_the_whole_list(system: Path, corpus: Path) -> None:
    """Lists are put right, so that the first entry may be another one than the best of search."""
    translator = Translator.load(system, weights={"dependency": 2.0}, search={"pop_limit": 20})
    lines = (corpus / "train.de").read_text().splitlines()[:400]
    found = translator.translate(lines, mbr=True, n_best=300)
    others = translator.translate(lines)
    for one, other in zip(found, others, strict=True):
        assert one.words in [entry.words for entry in one.n_best] or one.words == other.words
    first = [
        (one, other)
        for one, other in zip(found, others, strict=True)
        if one.n_best and one.n_best[0].words != other.words
    ]
    assert first, "no list was put right: another weight is needed"
    assert any(one.words == one.n_best[0].words for one, _ in first)


def test_tags_are_written_to_their_own_column(system: Path, corpus: Path, tmp_path: Path) -> None:
    coarse = Settings.load(None, [*SMALL, "parse.tags=upos"])
    sides = (corpus / "train.de", corpus / "train.en", tmp_path / "m")
    train("phrase-deplm", *sides, treebanks=[corpus / "train.en.conllu"], settings=coarse)
    for bundle, column, other in ((system, "xpos", "upos"), (sides[2], "upos", "xpos")):
        (found,) = Translator.load(bundle).translate(["Der Hund schläft ."], trees=True, n_best=2)
        for entry in (found, *found.n_best):
            assert entry.tree is not None
            sentence = entry.sentence()
            assert sentence.column(column) == list(entry.tree.tags)
            assert sentence.column(other) == ["_"] * len(entry.words)


def test_inspect_draws_the_tree(system: Path, headway: Headway) -> None:
    run = headway("inspect", system, "Der Hund schläft .")
    assert run.returncode == 0, run.stderr
    (found,) = Translator.load(system).translate(["Der Hund schläft ."], trees=True)
    assert found.tree is not None
    assert draw(found.sentence().tree(), 100) in run.stdout


def test_search_settings_are_checked_before_training(corpus: Path, tmp_path: Path) -> None:
    sides = (corpus / "train.de", corpus / "train.en", tmp_path / "m")
    for change, message in (
        ("search.dependency_states=all", "expected tags or words"),
        ("search.pop_limit=0", "at least 1 is needed"),
    ):
        with pytest.raises(ConfigError, match=message):
            Settings.load(None, [change])
        name, value = change.removeprefix("search.").split("=")
        chosen = Settings.load()
        chosen.search[name] = int(value) if value.isdigit() else value
        with pytest.raises(ConfigError, match=message):
            train("phrase-deplm", *sides, treebanks=[corpus / "train.en.conllu"], settings=chosen)
    assert not (tmp_path / "m.work").exists()


def test_marked_words_are_marked_in_trees_too(system: Path) -> None:
    translator = Translator.load(system, search={"alike": 0.75, "unknown": "mark"})
    (found,) = translator.translate(["Der kleinne Hund schläft ."], trees=True, n_best=2)
    for one in (found, *found.n_best):
        assert one.tree is not None
        assert one.tree.forms == list(one.words) == one.sentence().forms
        assert any(word.startswith("UNK:kleinne=") for word in one.words)


def test_forests_are_not_tuned_on(system: Path, corpus: Path) -> None:
    chosen = Settings.load(None, ["tune.method=mert", "tune.forests=true"])
    with pytest.raises(ConfigError, match=r"not of the way taken; set tune\.forests=false"):
        tune_system(system, corpus / "dev.de", corpus / "dev.en", settings=chosen)


def test_an_interrupted_sentence_ends_soon(system: Path, corpus: Path, tmp_path: Path) -> None:
    words = (corpus / "test.de").read_text().split()[:600]
    (tmp_path / "long").write_text(" ".join(words) + "\n")
    options = ["--set", "search.algorithm=stack", "--set", "search.stack=100000000"]
    code, errors = interrupted_at_work(
        "translate", str(system), "-i", "long", "-o", "out", *options, cwd=tmp_path
    )
    assert (code, errors) == (130, "headway: interrupted")
    assert [path.name for path in tmp_path.iterdir()] == ["long"]


def test_lists_are_short_when_time_is_up(system: Path, corpus: Path) -> None:
    line = " ".join((corpus / "test.de").read_text().split()[:80])
    for limit, entries in ((0.0, 300), (1e-6, 10)):
        translator = Translator.load(system, search={"time_limit": limit})
        (found,) = translator.translate([line], n_best=300)
        assert len(found.n_best) == entries
        assert ("hurried" in found.flags) == (limit > 0)


def test_a_parser_can_be_given_in_place_of_a_treebank(
    system: Path, corpus: Path, tmp_path: Path
) -> None:
    settings = Settings.load(None, SMALL)
    sides = (corpus / "train.de", corpus / "train.en")
    given = system / "parser.bin"
    trained = train("phrase-deplm", *sides, tmp_path / "m", parser=given, settings=settings)
    assert trained.bundle.path("parser").read_bytes() == given.read_bytes()


def test_a_treebank_of_another_language_is_doubted(
    corpus: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The trees of the source side, whose words the target side does not have."""
    for name in ("en", "de"):
        caplog.clear()
        train(
            "phrase-deplm", corpus / "dev.de", corpus / "dev.en", tmp_path / name,
            treebanks=[corpus / f"dev.{name}.conllu"], settings=Settings.load(None, SMALL),
        )  # fmt: skip
        doubts = [one for one in caplog.messages if "unknown to the parser" in one]
        assert len(doubts) == (name == "de")


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        (
            "phrase-deplm",
            {},
            "phrase-deplm needs trees .* give --treebank F.conllu or --parser DIR",
        ),
        ("phrase-deplm", {"treebanks": "", "parser": "full"}, "from more than one place"),
        ("phrase", {"treebanks": ""}, "phrase uses no trees"),
        ("phrase-deplm", {"parser": "full"}, "train one with --tagger streaming"),
        ("phrase-deplm", {"parser": "german"}, "one of language de, and the text is said to be en"),
        ("phrase-deplm", {"treebanks": "", "kind": "dmv"}, "parse.kind is dmv; a parser"),
        ("str2dep", {"treebanks": "", "kind": "pcfg"}, "pcfg, which a system does not train"),
        ("phrase-deplm", {"treebanks": ":0"}, r"bank.conllu:0: the weight of a treebank is"),
        ("phrase-deplm", {"treebanks": "", "rules": "no"}, "no: no such file"),
    ],
)
def test_what_does_not_fit_is_said_before_training(
    corpus: Path, tmp_path: Path, name: str, arguments: dict[str, object], message: str
) -> None:
    bank = tmp_path / "bank.conllu"
    bank.write_text(
        "1\tdogs\t_\tNOUN\tNNS\t_\t2\tnsubj\t_\t_\n2\tbark\t_\tVERB\tVBP\t_\t0\troot\t_\t_\n\n"
    )
    chosen = Settings.load(None, SMALL).parse
    for place, language in (("full", None), ("german", "de")):
        if arguments.get("parser") == place:
            parse.train([bank], tmp_path / place, settings=chosen, language=language)
    named: dict[str, object] = {}
    if "treebanks" in arguments:
        named["treebanks"] = [f"{bank}{arguments['treebanks']}"]
    if "parser" in arguments:
        named["parser"] = tmp_path / str(arguments["parser"])
    changes = [f"parse.kind={arguments.get('kind', 'graph')}"]
    changes += [f"text.treebank_rules={tmp_path / 'no'}"] if "rules" in arguments else []
    named["settings"] = Settings.load(None, changes)
    with pytest.raises((ConfigError, ModelError, InputError), match=message):
        train(name, corpus / "train.de", corpus / "train.en", tmp_path / "m", **named)  # type: ignore[arg-type]
    assert not (tmp_path / "m.work").exists()


def test_systems_without_trees_say_so(headway: Headway, tmp_path: Path, model: Path) -> None:
    run = headway("translate", model, "--trees", tmp_path / "t.conllu", stdin="Ein Hund .\n")
    assert run.returncode == 2
    assert "phrase makes no trees" in run.stderr
