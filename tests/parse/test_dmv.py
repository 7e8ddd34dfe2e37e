"""Parsers learnt from tags alone; inside and outside are tested against all trees in the core."""

import itertools
import math
import random
from pathlib import Path

import pytest
from conftest import Headway
from headway import parse
from headway.errors import ConfigError, FormatError, ModelError
from headway.settings import ParseSettings, Settings
from headway.trees import read_trees
from treebanks import conllu, treebank


def quick(**changes: object) -> ParseSettings:
    chosen = {"kind": "dmv", "tagger_rounds": 3, "dmv.iterations": 20}
    names = {name.replace("__", "."): value for name, value in changes.items()}
    overrides = [f"parse.{name}={value}" for name, value in {**chosen, **names}.items()]
    return Settings.load(None, overrides).parse


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bank") / "train.conllu"
    path.write_text(treebank(1, 300))
    return path


@pytest.fixture(scope="module")
def trained(bank: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("parser")
    parse.train([bank], out, settings=quick())
    return out


def test_likelihood_rises_and_is_kept(bank: Path, tmp_path: Path) -> None:
    parser = parse.train([bank], tmp_path, settings=quick(dmv__tolerance=0)).parser
    assert isinstance(parser, parse.DmvParser)
    found = parser.likelihoods
    assert len(found) == 21
    assert all(after >= before - 1e-6 for before, after in itertools.pairwise(found))
    again = parse.load(tmp_path)
    assert isinstance(again, parse.DmvParser)
    assert again.likelihood == found[-1]
    assert (again.start, again.likelihoods, again.kind) == (0, [], "dmv")


def test_the_best_of_several_starts_is_kept(bank: Path, tmp_path: Path) -> None:
    def likelihood(**changes: object) -> tuple[float, int]:
        parser = parse.train([bank], tmp_path, settings=quick(**changes)).parser
        assert isinstance(parser, parse.DmvParser)
        return parser.likelihood, parser.start

    harmonic = likelihood()
    random_starts = likelihood(dmv__start="random", dmv__restarts=3)
    assert harmonic[1] == 0
    assert random_starts[1] in {1, 2, 3}
    assert likelihood(dmv__restarts=3) == max(harmonic, random_starts)
    with pytest.raises(ConfigError, match=r"a random start needs parse\.dmv\.restarts above 0"):
        likelihood(dmv__start="random")


def test_what_may_be_left_out_hangs_from_what_it_goes_with(tmp_path: Path) -> None:
    """Verbs are always there, nouns may be, adjectives come with nouns only."""
    patterns = ["V", "N V", "V N", "N V N", "A N V", "V A N", "A N V N", "N V A N", "A N V A N"]
    bank = tmp_path / "tags.conllu"
    bank.write_text(
        "".join(conllu([(tag, tag, 0, "_") for tag in f"{one} .".split()]) for one in patterns * 5)
    )
    parser = parse.train([bank], tmp_path, settings=quick(dmv__iterations=50)).parser
    tags = ["A", "N", "V", "A", "N", "."]
    tree = parser.parse_tagged(tags, tags)
    assert tree.heads == [2, 3, 0, 5, 3, 3]
    assert tree.labels == ["dep", "dep", "root", "dep", "dep", "punct"]


def test_punctuation_is_taken_out_whatever_its_tags(tmp_path: Path) -> None:
    """Czech has one tag of fifteen places for all of it, Chinese a tag for each mark."""
    words = {"N": "pes", "V": "vidí", "A": "starý", "Z:-------------": ",", "(": "（", "...": "…"}
    patterns = ["N V Z:-------------", "( A N ( V", "N ... V N Z:-------------", "V A N"]
    bank = tmp_path / "cs.conllu"
    rows = [[(words[tag], tag, 0, "_") for tag in one.split()] for one in patterns * 5]
    long = [("pes", "N", 0, "_")] * 11
    bank.write_text("".join(conllu(one) for one in [*rows, long]))
    found = parse.train([bank], tmp_path / "cs", settings=quick())
    assert (found.sentences, found.learnt_from) == (21, 20)
    for tree in found.parser.parse([[words[tag] for tag in one.split()] for one in patterns]):
        for form, label in zip(tree.forms, tree.labels, strict=True):
            assert (label == "punct") == (form in {",", "（", "…"}), tree
    assert "learnt_from = 20" in (tmp_path / "cs" / "model.toml").read_text()


def test_trees_are_not_looked_at(bank: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare.conllu"
    lines = (line.split("\t") for line in bank.read_text().splitlines())
    bare.write_text(
        "".join(
            "\t".join([*c[:6], "_", "_", "_", "_"]) + "\n" if len(c) > 1 else "\n" for c in lines
        )
    )
    for path, out in ((bank, "a"), (bare, "b")):
        (tmp_path / out).mkdir()
        found = parse.train([path], tmp_path / out, settings=quick())
        assert found.sentences == 300
    one, other = ((tmp_path / out / "parser.bin").read_bytes() for out in "ab")
    assert one == other


def test_threads_change_nothing(bank: Path, tmp_path: Path) -> None:
    for threads in (1, 3):
        settings = quick(dmv__restarts=1)
        parse.train([bank], tmp_path / str(threads), settings=settings, threads=threads)
    one, other = ((tmp_path / name / "parser.bin").read_bytes() for name in ("1", "3"))
    assert one == other


def test_odd_sentences_are_parsed(trained: Path) -> None:
    parser = parse.load(trained)
    long = random.Random(1).choices(["dog", "the", "sees", "."], k=1000)
    empty, one, many, dots = parser.parse([[], ["dog"], long, [".", ".", "."]])
    assert empty.heads == []
    assert one.heads == [0]
    assert many.is_tree
    assert dots.heads == [0, 1, 1]
    assert parser.parse_tagged(["dog", "x"], ["no", "such"]).is_tree
    [only] = parser.kbest(["the", "dog"], 5)
    assert only.probability == 1
    assert only.score < 0
    for scale in (math.inf, math.nan, -1.0):
        with pytest.raises(ConfigError, match=r"^scale: .* makes no probabilities"):
            parser.kbest(["the", "dog"], 3, scale=scale)


def test_bad_input_is_told(bank: Path, trained: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare.conllu"
    bare.write_text(bank.read_text().replace("\tN\tN\t", "\tN\t_\t"))
    with pytest.raises(FormatError, match=r"no tag in column 5 \(XPOS\); use --tags upos"):
        parse.train([bare], tmp_path / "a", settings=quick())
    with pytest.raises(ConfigError, match="no sentence of 1 to 2 words without punctuation; raise"):
        parse.train([bank], tmp_path / "b", settings=quick(dmv__max_words=2))
    empty = tmp_path / "empty.conllu"
    empty.write_text("")
    with pytest.raises(FormatError, match="no sentence in it"):
        parse.train([empty], tmp_path / "c", settings=quick())
    whole = (trained / "parser.bin").read_bytes()
    for damage in (whole[:-1], whole[: len(whole) // 2], whole[:100]):
        (tmp_path / "parser.bin").write_bytes(damage)
        with pytest.raises(ModelError):
            parse.load(tmp_path)


def test_the_commands_train_run_and_evaluate(bank: Path, tmp_path: Path, headway: Headway) -> None:
    out = tmp_path / "dmv"
    done = headway("parse", "train", "--kind", "dmv", "--treebank", bank, "--out", out)
    assert done.returncode == 0, done.stderr
    done = headway("parse", "run", out, "--tokenised", stdin="the old dog sees a cat .\n")
    assert done.returncode == 0, done.stderr
    assert "1\tthe\t_\t_\tD\t_\t" in done.stdout
    assert done.stdout.count("\t0\troot\t") == 1
    assert done.stdout.count("\tpunct\t") == 1
    done = headway("parse", "eval", out, bank)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("uas")


def test_real_tags_beat_both_chains(data: Path, tmp_path: Path) -> None:
    """Short sentences of EWT: more right heads than hanging each word from its neighbour."""
    bank = data / "ud" / "en_ewt-dev.conllu.gz"
    parser = parse.train([bank], tmp_path, settings=quick(tags="upos")).parser
    right = {"dmv": 0, "before": 0, "behind": 0}
    for tree in read_trees(bank, tags="upos"):
        words = [at for at, tag in enumerate(tree.tags) if tag != "PUNCT"]
        if not 1 <= len(words) <= 10:
            continue
        found = parser.parse_tagged(tree.forms, tree.tags).heads
        place = {at: number for number, at in enumerate(words)}
        for number, at in enumerate(words):
            head = tree.heads[at]
            gold = place.get(head - 1, -1) if head else -1
            right["dmv"] += found[at] == head
            right["before"] += gold == number - 1
            right["behind"] += gold == (number + 1 if number + 1 < len(words) else -1)
    assert right["dmv"] > max(right["before"], right["behind"])
