"""The transition-based parser in whole use on small data; its oracles are tested in the core."""

import json
import math
from pathlib import Path

import pytest
from conftest import Headway
from headway import parse
from headway.errors import ConfigError, FormatError, ModelError
from headway.settings import ParseSettings, Settings
from headway.trees import read_trees
from treebanks import conllu, treebank


def quick(**changes: object) -> ParseSettings:
    chosen = {"kind": "transition", "jackknife": 2, "tagger_rounds": 3, "transition.rounds": 4}
    names = {name.replace("__", "."): value for name, value in changes.items()}
    overrides = [f"parse.{name}={value}" for name, value in {**chosen, **names}.items()]
    return Settings.load(None, overrides).parse


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bank") / "train.conllu"
    path.write_text(treebank(1, 200, crossing=0.4))
    return path


@pytest.fixture(scope="module")
def trained(bank: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("parser")
    parse.train([bank], out, settings=quick(transition__beam=4))
    return out


def scored(parser: parse.Parser, place: Path, crossing: float) -> parse.Evaluation:
    test = place / "test.conllu"
    test.write_text(treebank(2, 60, crossing))
    gold = list(read_trees(test, tags="xpos"))
    return parse.evaluate(parser.parse([tree.forms for tree in gold]), gold)


@pytest.mark.parametrize(
    ("system", "crossing", "beam", "least"),
    # Whether a clause far ahead will ask for the subject, one greedy step cannot see.
    [("eager", 0.0, 1, 97), ("eager", 0.0, 4, 97), ("swap", 0.4, 1, 88), ("swap", 0.4, 4, 95)],
)
def test_a_small_language_is_learnt(
    system: str, crossing: float, beam: int, least: float, bank: Path, tmp_path: Path
) -> None:
    settings = quick(transition__system=system, transition__beam=beam)
    parser = parse.train([bank], tmp_path, settings=settings).parser
    found = scored(parser, tmp_path, crossing)
    assert found.uas > least
    assert found.las > least


def test_only_swaps_find_crossing_arcs(bank: Path, tmp_path: Path) -> None:
    sentence = ["the", "dog", "sees", "a", "cat", "that", "likes", "."]
    trees = {}
    for system in ("eager", "swap"):
        settings = quick(transition__system=system, transition__beam=1)
        parser = parse.train([bank], tmp_path, settings=settings).parser
        [trees[system]] = parser.parse([sentence])
    assert trees["eager"].is_projective
    assert trees["swap"].heads == [2, 3, 0, 5, 3, 7, 2, 3]


def test_what_is_saved_is_what_was_trained(bank: Path, trained: Path) -> None:
    parser = parse.load(trained)
    assert isinstance(parser, parse.TransitionParser)
    assert (parser.kind, parser.system, parser.beam, parser.tags) == (
        "transition",
        "eager",
        4,
        "xpos",
    )
    words = ["this", "old", "dog", "finds", "a", "new", "red", "tree", "."]
    assert parser.parse([words])[0].heads == [3, 3, 4, 0, 8, 8, 8, 4, 4]
    assert parser.with_beam(1).parse([words])[0].is_tree
    assert 'kind = "transition"' in (trained / "model.toml").read_text()
    with pytest.raises(ConfigError, match=r"a beam of 0 states; use 1 \(greedy\) to"):
        parser.with_beam(0)
    with pytest.raises(ConfigError, match="a transition parser cannot search by mst"):
        parser.with_search("mst")
    with pytest.raises(
        ConfigError, match="gives arcs no scores; use one trained with --kind graph"
    ):
        parser.scores(words, words)


def test_threads_and_repetition_change_nothing(bank: Path, tmp_path: Path) -> None:
    for beam in (1, 4):
        files = []
        for threads in (1, 3):
            out = tmp_path / f"{beam}-{threads}"
            settings = quick(transition__beam=beam, transition__rounds=2)
            parse.train([bank], out, settings=settings, threads=threads)
            files.append((out / "parser.bin").read_bytes())
        assert files[0] == files[1]


def test_kbest_trees_are_sorted_distinct_and_start_with_the_best(trained: Path) -> None:
    parser = parse.load(trained).with_beam(16)
    words = ["the", "old", "dog", "sees", "a", "cat", "."]
    ranked = parser.kbest(words, 10)
    assert ranked[0].tree == parser.parse([words])[0]
    assert 2 <= len(ranked) <= 10
    assert len({one.tree for one in ranked}) == len(ranked)
    scores = [one.score for one in ranked]
    assert scores == sorted(scores, reverse=True)
    assert sum(one.probability for one in ranked) == pytest.approx(1)
    assert parser.kbest(words, 0) == []
    for scale in (math.inf, math.nan, -1.0):
        with pytest.raises(ConfigError, match=r"^scale: .* makes no probabilities"):
            parser.kbest(words, 3, scale=scale)


@pytest.mark.parametrize("system", ["eager", "swap"])
def test_odd_sentences_are_parsed(system: str, bank: Path, tmp_path: Path) -> None:
    settings = quick(transition__system=system, transition__beam=2, transition__rounds=1)
    parser = parse.train([bank], tmp_path, settings=settings).parser
    long = ["dog", "the", "sees", "which"] * 250
    empty, one, many, strange = parser.parse([[], ["dog"], long, ["🦉", "ΩΩ", "qqq"]])
    assert empty.heads == []
    assert one.heads == [0]
    assert len(many.heads) == 1000
    assert many.is_tree
    assert strange.is_tree
    assert parser.parse_tagged(["dog", "x"], ["no", "such"]).is_tree
    with pytest.raises(ConfigError, match="expected 2 tags"):
        parser.parse_tagged(["a", "b"], ["N"])


def test_odd_treebanks_are_learnt_from_or_refused(bank: Path, tmp_path: Path) -> None:
    text = bank.read_text()
    bare = tmp_path / "bare.conllu"
    bare.write_text(text.replace("\tN\tN\t", "\tN\t_\t"))
    with pytest.raises(FormatError, match=r"no tag in column 5 \(XPOS\); use --tags upos"):
        parse.train([bare], tmp_path / "a", settings=quick())
    odd = tmp_path / "odd.conllu"
    rows = [("dog", "N", 2, "x"), ("cat", "N", 1, "y")]
    roots = [("dog", "N", 0, "root"), ("cat", "N", 0, "root"), (".", ".", 2, "punct")]
    odd.write_text(text + conllu(rows) + conllu(roots) * 3)
    settings = quick(transition__beam=1)
    found = parse.train([odd], tmp_path / "b", settings=settings)
    assert found.left_out == parse.LeftOut(cyclic=1, unparsed=0, empty=0)
    assert found.parser.parse([["dog", "cat", "."]])[0].is_tree
    several = parse.train([odd], tmp_path / "c", settings=quick(single_root="false"))
    assert several.parser.parse([["dog", "cat", "."]])[0].heads == [0, 0, 2]
    unlabelled = tmp_path / "unlabelled.conllu"
    lines = [line.split("\t") for line in text.splitlines()]
    unlabelled.write_text(
        "".join("\t".join([*c[:7], "_", "_", "_"]) + "\n" if len(c) > 1 else "\n" for c in lines)
    )
    parser = parse.train([unlabelled], tmp_path / "d", settings=settings).parser
    assert set(parser.parse([["the", "dog", "sees", "a", "cat"]])[0].labels) == {"_"}
    with pytest.raises(ConfigError, match=r"parse\.transition\.system: .lazy.: expected one of"):
        parse.train([bank], tmp_path / "e", settings=quick(transition__system="lazy"))
    with pytest.raises(ConfigError, match=r"parse\.kind: .magic.: expected one of"):
        parse.train([bank], tmp_path / "f", settings=quick(kind="magic"))


def test_damaged_files_are_told(trained: Path, tmp_path: Path) -> None:
    whole = (trained / "parser.bin").read_bytes()
    place = tmp_path / "parser.bin"
    for damage in (whole[:10], whole[: len(whole) // 2], whole[:-1], b"", b"text"):
        place.write_bytes(damage)
        with pytest.raises(ModelError):
            parse.load(tmp_path)
    middle = len(whole) // 2
    place.write_bytes(whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :])
    with pytest.raises(ModelError, match="damaged"):
        parse.load(tmp_path)


def test_the_commands_train_run_and_compare(bank: Path, tmp_path: Path, headway: Headway) -> None:
    greedy, beam = tmp_path / "greedy", tmp_path / "beam"
    fast = ["--set", "parse.jackknife=0", "--set", "parse.transition.rounds=3"]
    for out, options in ((greedy, ["--beam", 1]), (beam, ["--system", "swap", "--beam", 4])):
        arguments = ["--treebank", bank, "--out", out, *options, *fast]
        done = headway("parse", "train", "--kind", "transition", *arguments)
        assert done.returncode == 0, done.stderr
    done = headway("parse", "run", greedy, "--tokenised", stdin="the dog sees a cat .\n\n")
    assert done.returncode == 0, done.stderr
    assert "cat\t_\t_\tN\t_\t3\tobj" in done.stdout
    assert (
        done.stdout
        == headway(
            "parse", "run", greedy, "--tokenised", "--beam", 3, stdin="the dog sees a cat .\n\n"
        ).stdout
    )
    done = headway("parse", "eval", greedy, bank, beam, "--json")
    assert done.returncode == 0, done.stderr
    table = json.loads(done.stdout)
    assert table["other"]["uas"] > table["uas"] > 80
    done = headway("parse", "eval", greedy, bank, "--search", "mst")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
