"""Systems that use trees of what they translate: trained, tuned and used.

The system is a toy: `phrase` with licensed spans only. `test_phrase_deporder.py` has the real one.
"""

import json
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from conftest import Headway, made_once
from headway import (
    Bundle,
    ConfigError,
    Corpus,
    FormatError,
    InputError,
    Settings,
    Source,
    Translator,
    TreeSource,
    fragment,
    parse,
    train,
    tune_system,
)
from headway.corpus import read_lines
from headway.parse.parser import TrainedParser
from headway.systems import SYSTEMS, System, Trained
from headway.systems.corpus_trees import SOURCE_TREES
from headway.systems.source import Given
from headway.systems.steps import ALIGNMENT, CLEANING, LANGUAGE_MODELS, PHRASES, TEXT
from headway.systems.system import Need, Trees
from headway.trees import DependencyTree, Sentence, read_sentences, write_sentences

PARTS = (CLEANING, TEXT, SOURCE_TREES, ALIGNMENT, LANGUAGE_MODELS, PHRASES)
TOY = System(
    "toy",
    "phrases that the tree of the source allows",
    PARTS,
    "stack",
    source_trees=Need(Trees.OF_CORPUS),
    search={"spans": "licensed"},
)
# Does without trees where none are given.
MAYBE = System(
    "maybe", "phrases", PARTS, "stack", source_trees=Need(Trees.OF_CORPUS, optional=True)
)

# A parser that is trained in no time, and little else to do.
FAST = [
    "parse.kind=transition", "parse.transition.beam=1", "parse.transition.rounds=1",
    "parse.tagger_rounds=1", "parse.jackknife=0", "parse.label_rounds=1", "parse.feature_bits=18",
    "align.samples=1", "align.fertility_iterations=2", "lm.classes.count=0",
    "tune.iterations=1", "tune.n_best=10", "tune.search.distortion_limits=[]",
]  # fmt: skip
SET = [word for setting in FAST for word in ("--set", setting)]


@pytest.fixture(autouse=True)
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    for system in (TOY, MAYBE):
        monkeypatch.setitem(SYSTEMS, system.name, system)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus of 200 pairs with trees of its words as headway cuts them, and a parser."""

    def make(place: Path) -> None:
        fragment.write(place, pairs=200, dev=12, test=6, seed=3)
        settings = Settings.load(None, FAST).parse
        parse.train([place / "train.de.conllu"], place / "parser", settings=settings, language="de")

    return made_once(tmp_path_factory, "source-trees", make)


def trained(small: Path, place: Path, **changes: Any) -> Trained:
    arguments: dict[str, Any] = {
        "dev_source": small / "dev.de",
        "dev_target": small / "dev.en",
        "settings": Settings.load(None, FAST),
        **changes,
    }
    return train("toy", small / "train.de", small / "train.en", place, **arguments)


def sides(small: Path) -> list[object]:
    return [
        "--source", small / "train.de", "--target", small / "train.en",
        "--dev-source", small / "dev.de", "--dev-target", small / "dev.en", *SET,
    ]  # fmt: skip


@contextmanager
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """How many sentences each call of a parser gets."""
    calls: list[int] = []
    usual = TrainedParser._parse

    def count(self: TrainedParser, sentences: Sequence[Sequence[str]], how: Any) -> Any:
        if sentences:
            calls.append(len(sentences))
        return usual(self, sentences, how)

    with monkeypatch.context() as patch:
        patch.setattr(TrainedParser, "_parse", count)
        yield calls


@pytest.mark.parametrize("way", ["treebank", "parser"])
def test_a_parser_of_the_bundle_parses_what_is_translated(
    small: Path, tmp_path: Path, headway: Headway, way: str
) -> None:
    given = {"treebank": f"{small / 'dev.de.conllu'}:2", "parser": small / "parser"}[way]
    out = tmp_path / "m"
    done = headway("train", "toy", *sides(small), f"--source-{way}", given, "--out", out)
    assert done.returncode == 0, done.stderr
    idle = "parse.kind has no effect: no source treebank is given, so no parser is trained"
    assert (idle in done.stderr) == (way == "parser")
    manifest = Bundle.open(out).manifest
    assert manifest.components["source-parser"].kind == "source-parser"
    assert manifest.facts["source_trees"] == manifest.facts["pairs"]
    assert ("source-treebank-1" in manifest.facts) == (way == "treebank")
    trees = list(read_sentences(tmp_path / "m.work" / "source-trees.conllu"))
    words = [line.split() for line in read_lines(tmp_path / "m.work" / "train.source")]
    assert [sentence.forms for sentence in trees] == words

    # It works wherever it is moved to, and without what it was made from.
    shutil.rmtree(tmp_path / "m.work")
    moved = tmp_path / "elsewhere"
    out.rename(moved)
    file = tmp_path / "derivations"
    done = headway("translate", moved, "-i", small / "test.de", "--derivations", file)
    assert done.returncode == 0, done.stderr
    assert "no source tree" not in done.stderr
    parser = parse.load(moved / "source-parser.bin")
    for line in read_lines(file):
        found = json.loads(line)
        (tree,) = parser.parse([found["source"]])
        assert found["source_trees"] == [
            {"weight": 1.0, "heads": tree.heads, "labels": tree.labels}
        ]
        assert found["flags"] == []
    done = headway("inspect", moved, "Der Hund schläft.")
    assert done.returncode == 0, done.stderr
    assert "source tree" in done.stdout


def test_trees_alone_make_a_bundle_without_a_parser(
    small: Path, tmp_path: Path, headway: Headway
) -> None:
    out, trees = tmp_path / "m", ["--source-trees", small / "train.de.conllu"]
    done = headway("train", "toy", *sides(small), *trees, "--out", out)
    assert done.returncode == 2
    assert "there is no source parser; give --dev-source-trees F.conllu" in done.stderr
    assert not (tmp_path / "m.work").exists()
    trees += ["--dev-source-trees", small / "dev.de.conllu"]
    done = headway("train", "toy", *sides(small), *trees, "--out", out)
    assert done.returncode == 0, done.stderr
    manifest = Bundle.open(out).manifest
    assert "source-parser" not in manifest.components
    assert (manifest.facts["source_trees"], manifest.facts["source_trees_missing"]) == (
        manifest.facts["pairs"],
        0,
    )
    # Labels and tags of both columns are kept.
    (first, *_) = read_sentences(tmp_path / "m.work" / "source-trees.conllu")
    assert "_" not in [*first.tree("upos").tags, *first.tree("xpos").tags, *first.tree().labels]

    text = small / "test.de"
    plain = headway("translate", out, "-i", text)
    assert plain.returncode == 0, plain.stderr
    told = "no source tree for 6 lines; the model has no source parser, so give --source-trees F"
    assert told in plain.stderr
    done = headway("translate", out, "-i", text, "--source-trees", small / "test.de.conllu")
    assert done.returncode == 0, done.stderr
    assert "source tree" not in done.stderr
    sources = [Source.of(sentence) for sentence in read_sentences(small / "test.de.conllu")]
    found = Translator.load(out).translate(sources)
    assert done.stdout.splitlines() == [one.text for one in found]
    assert all(one.source_trees and not one.flags for one in found)
    dev = ["--dev-source", small / "dev.de", "--dev-target", small / "dev.en", *SET[-6:]]
    done = headway("tune", out, *dev)
    assert done.returncode == 2
    assert "this toy uses source trees and has no parser for them; give --source-tr" in done.stderr
    done = headway("tune", out, *dev, "--source-trees", small / "dev.de.conllu")
    assert done.returncode == 0, done.stderr
    line = next(iter(read_lines(text)))
    done = headway("inspect", out, line, "--json")
    assert json.loads(done.stdout)["flags"] == ["no-source-tree"]
    one = tmp_path / "one.conllu"
    write_sentences(one, [next(iter(read_sentences(small / "test.de.conllu")))])
    done = headway("inspect", out, line, "--json", "--source-trees", one)
    found = json.loads(done.stdout)
    assert found["source_trees"][0]["heads"] == next(iter(read_sentences(one))).tree().heads
    done = headway("inspect", out, "--source-trees", one)
    assert done.returncode == 2
    assert "the tree of which sentence?" in done.stderr


def test_python_takes_the_same_and_a_corpus_of_both_sides(small: Path, tmp_path: Path) -> None:
    trained(small, tmp_path / "a", source_treebanks=small / "dev.de.conllu")
    whole = Corpus(
        small / "train.de",
        small / "train.en",
        dev_source=small / "dev.de",
        dev_target=small / "dev.en",
        source_trees=TreeSource(treebanks=small / "dev.de.conllu"),
    )
    train("toy", whole, out=tmp_path / "b", settings=Settings.load(None, FAST))
    names = Bundle.open(tmp_path / "a").manifest.components
    for part in names.values():
        assert (tmp_path / "a" / part.file).read_bytes() == (
            tmp_path / "b" / part.file
        ).read_bytes()
    found = [Bundle.open(tmp_path / name).manifest for name in ("a", "b")]
    assert found[0].weights == found[1].weights


@pytest.mark.parametrize(
    "label", ["training the source parser", "parsing the source side", "aligning words"]
)
def test_an_interrupted_training_goes_on_to_the_same_bytes(
    small: Path, tmp_path: Path, label: str
) -> None:
    banks = {"source_treebanks": small / "dev.de.conllu", "dev_source": None, "dev_target": ()}

    @contextmanager
    def stopping(name: str) -> Iterator[None]:
        if name == label:
            raise KeyboardInterrupt
        yield

    with pytest.raises(KeyboardInterrupt):
        trained(small, tmp_path / "a", watch=stopping, **banks)
    assert not (tmp_path / "a").exists()
    again = trained(small, tmp_path / "a", **banks)
    assert any(step.reused for step in again.steps)
    trained(small, tmp_path / "b", **banks)
    for file in ("source-parser.bin", "rules.table", "lm.bin", "model.toml"):
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()
    trees = [tmp_path / f"{name}.work" / "source-trees.conllu" for name in ("a", "b")]
    assert trees[0].read_bytes() == trees[1].read_bytes()


def test_a_dev_set_is_parsed_once(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings.load(None, [*FAST, "rescore.order=4", "lm.order=3", "rescore.n_best=10"])
    given = {"source_parser": small / "parser", "settings": settings}
    with counted(monkeypatch) as calls:
        trained(small, tmp_path / "m", **given)
    assert calls == [12]
    with counted(monkeypatch) as calls:
        report = tune_system(tmp_path / "m", small / "dev.de", small / "dev.en", settings=settings)
    assert (calls, len(report.iterations) > 1, report.second_pass is not None) == ([12], True, True)
    with counted(monkeypatch) as calls:  # all trees are given
        trained(small, tmp_path / "n", **given, dev_source_trees=small / "dev.de.conllu")
    assert calls == []


@pytest.fixture(scope="module")
def bundle(small: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A toy with a parser; tests leave it as it is."""

    def make(place: Path) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setitem(SYSTEMS, TOY.name, TOY)
            changes = {"source_parser": small / "parser", "dev_source": None, "dev_target": ()}
            trained(small, place / "bundle", **changes)

    return made_once(tmp_path_factory, "source-trees-bundle", make) / "bundle"


def chain(words: Sequence[str]) -> DependencyTree:
    """Each word hangs from the one before."""
    return DependencyTree(list(words), list(range(len(words))))


def test_trees_that_are_given_come_before_parsing(
    bundle: Path, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    translator = Translator.load(bundle)
    lines = list(read_lines(small / "test.de"))[:3]
    words = translator.words(lines)
    own = chain(words[1])
    given: list[Given] = [lines[0], Source(tuple(words[1]), ((own, 0.5),)), words[2]]
    with counted(monkeypatch) as calls:
        found = translator.translate(given)
        assert calls == [2]
        ready = translator.sources(given)
        calls.clear()
        assert translator.translate(ready) == found
        assert calls == []
    assert found[1].source_trees == ((own, 0.5),)
    parser = parse.load(bundle / "source-parser.bin")
    for place in (0, 2):
        assert found[place].source_trees == ((parser.parse([words[place]])[0], 1.0),)


def test_search_that_uses_no_trees_needs_no_parser(
    bundle: Path, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    translator = Translator.load(bundle, search={"spans": "all"})
    with counted(monkeypatch) as calls:
        found = translator.translate(list(read_lines(small / "test.de")))
    assert calls == []
    assert all(not one.flags and not one.source_trees for one in found)


def test_every_line_translates_whatever_it_is(bundle: Path, small: Path) -> None:
    translator = Translator.load(bundle)
    long = " ".join(list(read_lines(small / "train.de"))[:60])
    lines = ["", "   ", "Hund", "👍 🎉", "\u200b", "a b\u0001", long, "Der Hund schläft."]
    found = translator.translate(lines)
    assert len(translator.words([long])[0]) > 500
    for one in found:
        assert "no-source-tree" not in one.flags
        assert len(one.source_trees) == (1 if one.source else 0)
        for tree, weight in one.source_trees:
            assert (tree.forms, weight, tree.has_cycle) == (list(one.source), 1.0, False)
    # What search takes in pieces is parsed in pieces: each has its root.
    (split,) = (one for one in found if "split" in one.flags)
    assert len(split.source_trees[0][0].roots) > 1
    many = [*lines, *list(read_lines(small / "train.de"))[:40]]
    for threads in (1, 3):
        assert translator.translate(many, threads=threads) == translator.translate(many)


def test_a_line_too_long_to_be_parsed_has_no_tree(bundle: Path) -> None:
    translator = Translator.load(bundle, search={"max_words": 1200})
    (found,) = translator.translate([" ".join(["Hund"] * 1100)])
    assert found.flags == {"no-source-tree"}


def test_a_tree_with_a_cycle_is_no_tree(bundle: Path) -> None:
    loop = DependencyTree(["der", "Hund"], [2, 1])
    (found,) = Translator.load(bundle).translate([Source(("der", "Hund"), ((loop, 1.0),))])
    assert "no-source-tree" in found.flags


def test_the_best_few_trees_have_their_probabilities(small: Path, tmp_path: Path) -> None:
    settings = Settings.load(None, [*FAST, "parse.kind=graph", "parse.rounds=1"]).parse
    parse.train([small / "train.de.conllu"], tmp_path / "graph", settings=settings)
    changes = {"source_parser": tmp_path / "graph", "dev_source": None, "dev_target": ()}
    trained(small, tmp_path / "m", **changes)
    translator = Translator.load(tmp_path / "m", search={"source_trees": 4})
    parser = parse.load(tmp_path / "graph")
    text = list(read_lines(small / "test.de"))
    long = " ".join(text * 4)
    *short, last = translator.translate(["Hund", *text, long])
    assert len(short[0].source_trees) == 1
    for one in short:
        ranked = [it for it in parser.kbest(one.source, 4) if it.probability > 0]
        assert one.source_trees == tuple((it.tree, it.probability) for it in ranked)
        assert sum(weight for _, weight in one.source_trees) == pytest.approx(1)
    assert max(len(one.source_trees) for one in short) == 4
    assert len(last.source) > 100
    assert [weight for _, weight in last.source_trees] == [1.0]


def test_a_system_may_do_without_trees(small: Path, tmp_path: Path) -> None:
    quick = Settings.load(None, FAST)
    train("maybe", small / "train.de", small / "train.en", tmp_path / "m", settings=quick)
    components = Bundle.open(tmp_path / "m").manifest.components
    assert "source-parser" not in components
    assert not (tmp_path / "m.work" / "source-trees.conllu").exists()


def write(path: Path, *trees: str) -> Path:
    """Trees as `word head` pairs."""
    sentences = []
    for tree in trees:
        fields = tree.split()
        heads = [int(head) for head in fields[1::2]]
        sentences.append(Sentence.from_columns(fields[::2], head=heads))
    write_sentences(path, sentences)
    return path


def test_what_does_not_fit_is_refused_before_training(small: Path, tmp_path: Path) -> None:
    foreign = write(tmp_path / "foreign.conllu", "ja 0")

    def refused(kind: type[Exception], message: str, **changes: Any) -> None:
        with pytest.raises(kind, match=message):
            trained(small, tmp_path / "m", **changes)
        assert not (tmp_path / "m.work" / ".steps" / "align.json").exists()

    trees = {"source_trees": small / "train.de.conllu"}
    refused(ConfigError, "toy needs trees of the source language; give --source-treebank F")
    both = {**trees, "source_parser": small / "parser"}
    refused(ConfigError, "source trees from more than one place; give one of --source-", **both)
    missing = {**trees, "dev_source_trees": tmp_path / "no.conllu"}
    refused(InputError, "no.conllu: no such file", **missing)
    wrong = {**trees, "dev_source_trees": foreign}
    refused(FormatError, r"foreign.conllu:1: a tree of 'ja' for .*dev.de:1, which has", **wrong)
    wrong = {"source_trees": foreign, "dev_source_trees": small / "dev.de.conllu"}
    refused(FormatError, "foreign.conllu: has no tree of any source sentence", **wrong)
    refused(ConfigError, "a file of trees, not a parser", source_parser=foreign)
    refused(
        InputError, "nowhere.conllu: no such file", source_treebanks=tmp_path / "nowhere.conllu"
    )
    english = tmp_path / "english"
    settings = Settings.load(None, FAST).parse
    parse.train([small / "dev.en.conllu"], english, settings=settings, language="en")
    refused(ConfigError, "the parser is one of language en", source_parser=english)
    lonely = {**trees, "dev_source": None, "dev_target": (), "dev_source_trees": foreign}
    refused(ConfigError, "--dev-source-trees: trees of which text", **lonely)
    with pytest.raises(ConfigError, match="phrase uses no source trees; leave out --source-tree"):
        train(
            "phrase", small / "dev.de", small / "dev.en", tmp_path / "m",
            source_trees=trees["source_trees"],
        )  # fmt: skip
    with pytest.raises(ConfigError, match="the training text has no source trees; give them too"):
        train(
            "maybe", small / "train.de", small / "train.en", tmp_path / "m",
            dev_source=small / "dev.de", dev_target=small / "dev.en",
            dev_source_trees=small / "dev.de.conllu",
        )  # fmt: skip


def test_trees_that_search_does_not_use_are_refused(
    model: Path, small: Path, tmp_path: Path
) -> None:
    dev = (small / "dev.de", small / "dev.en")
    with pytest.raises(ConfigError, match="phrase uses no source trees; leave out --source-trees"):
        tune_system(model, *dev, source_trees=small / "dev.de.conllu", state=tmp_path / "state")
    licensed = Settings.load(None, ["search.spans=licensed"])
    with pytest.raises(ConfigError, match="spans is licensed, but the dev set has no source tr"):
        train(
            "phrase", small / "train.de", small / "train.en", tmp_path / "m",
            dev_source=dev[0], dev_target=dev[1], settings=licensed,
        )  # fmt: skip


def test_trees_of_some_sentences_and_cycles_are_counted(
    small: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    sentences = list(read_sentences(small / "train.de.conllu"))
    first, second = (one.forms for one in sentences[:2])
    looped = Sentence.from_columns(first, head=[2, 1, *[1] * (len(first) - 2)])
    unparsed = Sentence.from_columns(second)
    trees = tmp_path / "some.conllu"
    write_sentences(trees, [looped, unparsed, *sentences[2:]])
    found = trained(small, tmp_path / "m", source_trees=trees, dev_source=None, dev_target=())
    facts = found.bundle.manifest.facts
    assert (facts["source_trees_missing"], facts["source_trees"]) == (2, facts["pairs"] - 2)
    assert "no tree of 2 sentences" in caplog.text
    written = list(read_sentences(tmp_path / "m.work" / "source-trees.conllu"))
    assert [None in one.heads for one in written[:3]] == [True, True, False]


def test_settings_of_the_source_parser_count_with_its_treebank_only(
    small: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    trees = small / "train.de.conllu"
    word = next(iter(read_sentences(trees))).forms[1]
    rules = tmp_path / "rules"
    rules.write_text(f"{word} ||| {word[:2]} {word[2:]}\n")
    chosen = Settings.load(None, [*FAST, f"text.source_treebank_rules={rules}"])
    plain = {"dev_source": None, "dev_target": (), "settings": chosen}
    told = "text.source_treebank_rules has no effect: no source treebank is given, so no parser"
    trained(small, tmp_path / "a", **plain, source_treebanks=trees)
    assert told not in caplog.text
    first = next(iter(read_sentences(tmp_path / "a.work" / "source-treebank.1.conllu")))
    assert first.forms[1:3] == [word[:2], word[2:]]
    trained(small, tmp_path / "b", **plain, source_trees=trees)
    assert told in caplog.text
