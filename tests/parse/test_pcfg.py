"""Parsers of Penn brackets; grammars and charts are tested against all trees in the core."""

import itertools
import random
from pathlib import Path

import pytest
from conftest import Headway
from headway import parse
from headway.errors import ConfigError, FormatError, ModelError
from headway.settings import ParseSettings, Settings
from headway.trees import ConstituentTree, read_penn, write_penn
from processes import interrupted_at_work
from treebanks import WORDS

QUICK = {"kind": "pcfg", "tagger_rounds": 2, "pcfg.cycles": 2, "pcfg.split_steps": 5}


def sets(**changes: object) -> list[str]:
    names = {name.replace("__", "."): value for name, value in changes.items()}
    return [f"--set=parse.{name}={value}" for name, value in {**QUICK, **names}.items()]


def quick(**changes: object) -> ParseSettings:
    names = {name.replace("__", "."): value for name, value in changes.items()}
    overrides = [f"parse.{name}={value}" for name, value in {**QUICK, **names}.items()]
    return Settings.load(None, overrides).parse


def sentence(rng: random.Random) -> str:
    """Subjects and objects as the small language of the tests has them, here in brackets."""

    def word(tag: str) -> str:
        return f"({tag} {rng.choice(WORDS[tag])})"

    def noun(function: str) -> str:
        adjectives = "".join(f" {word('A')}" for _ in range(rng.randrange(3)))
        phrase = f"(NP {word('D')}{adjectives} {word('N')})"
        if rng.random() < 0.3:
            phrase = f"(NP {phrase} (SBAR {word('R')} (S (VP {word('V')}))))"
        return phrase.replace("(NP", f"(NP{function}", 1)

    return f"( (S {noun('-SBJ')} (VP {word('V')} {noun('')} (NP (-NONE- *))) (. .)))"


def brackets(seed: int, sentences: int) -> str:
    """Many sentences."""
    rng = random.Random(seed)
    return "".join(sentence(rng) + "\n" for _ in range(sentences))


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bank") / "train.mrg"
    path.write_text(brackets(1, 200))
    return path


@pytest.fixture(scope="module")
def trained(bank: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("parser")
    parse.train([bank], out, settings=quick())
    return out


def test_new_sentences_of_a_small_language_get_their_brackets(trained: Path) -> None:
    gold = [ConstituentTree(line) for line in brackets(2, 100).splitlines()]
    parser = parse.load(trained)
    found = parser.brackets([tree.strip().words for tree in gold])
    result = parse.evaluate_brackets(found, gold)
    assert result.all.f1 > 99
    assert result.all.tagging > 99
    assert (parser.kind, parser.tags) == ("pcfg", "xpos")
    assert parser.known_tags == {*WORDS, "."}


def test_what_is_learnt_is_told(bank: Path, tmp_path: Path) -> None:
    """Words alone decide on the tags' variants here, and nothing is smoothed: this is EM."""
    settings = quick(
        pcfg__class_weight=0, pcfg__word_smoothing=0, pcfg__merge_steps=0, pcfg__smooth_steps=0
    )
    parser = parse.train([bank], tmp_path, settings=settings).parser
    assert isinstance(parser, parse.PcfgParser)
    first, second = parser.likelihoods[1:6], parser.likelihoods[6:]
    for steps in (first, second):
        assert len(steps) == 5
        assert all(after >= before - 1e-6 for before, after in itertools.pairwise(steps))
    # S, VP, NP, SBAR, six tags, and the rests of S and NP; VP and SBAR have two children.
    assert parser.symbols == 12
    assert 12 < parser.variants <= 12 * 4
    again = parse.load(tmp_path)
    assert isinstance(again, parse.PcfgParser)
    assert (again.likelihoods, again.symbols, again.variants) == ([], 12, parser.variants)


def test_threads_change_nothing(bank: Path, tmp_path: Path) -> None:
    for threads in (1, 3):
        parse.train([bank], tmp_path / str(threads), settings=quick(), threads=threads)
    one, other = ((tmp_path / name / "parser.bin").read_bytes() for name in ("1", "3"))
    assert one == other
    parser = parse.load(tmp_path / "1")
    words = [tree.strip().words for tree in read_penn(bank)]
    assert parser.brackets(words, threads=1) == parser.brackets(words, threads=3)


def test_objectives_and_thresholds_can_be_chosen(trained: Path) -> None:
    parser = parse.load(trained)
    assert isinstance(parser, parse.PcfgParser)
    assert parser.objective == "max-rule"
    words = ["the", "old", "dog", "sees", "a", "cat", "."]
    for objective in ("max-rule", "variational", "viterbi"):
        exact, pruned = (
            parser.with_objective(objective, threshold=threshold).brackets([words])
            for threshold in (0, 1e-4)
        )
        assert exact == pruned
    with pytest.raises(ConfigError, match="expected one of max-rule, variational, viterbi"):
        parser.with_objective("best")
    with pytest.raises(ConfigError, match=r"parse\.pcfg\.threshold: 1 is not from 0 up to"):
        parser.with_objective("viterbi", threshold=1)


def test_odd_sentences_have_brackets(trained: Path) -> None:
    parser = parse.load(trained)
    long = random.Random(1).choices(["dog", "the", "sees", "."], k=400)
    empty, one, many, odd = parser.brackets([[], ["dog"], long, ["(", "no such", "*/*"]])
    assert str(empty) == "()"
    assert one.leaves == ["dog"]
    assert many.words == long
    assert odd.leaves == ["-LRB-", "no_such", "\\*\\/\\*"]
    assert parser.brackets([["x" * 10_000]])[0].leaves == ["x" * 10_000]
    with pytest.raises(ConfigError, match="sentence 3: a sentence of 4001 words; split it"):
        parser.brackets([["dog"] * 4001], first=3)


def test_bad_treebanks_are_told(tmp_path: Path) -> None:
    bank = tmp_path / "bank.mrg"
    for text, message in [
        ("", r"bank\.mrg:1: no tree with words in it; name a treebank of Penn brackets"),
        ("( (S (-NONE- *)))\n", r"bank\.mrg:1: no tree with words in it"),
        ("( (NP (NN a)))\n( (NP (NN a))\n", r"bank\.mrg:2: unbalanced brackets: 1 \) is missing"),
        ("( (NP (NN a))))\n", r"bank\.mrg:1: unbalanced brackets: this \) closes nothing"),
        ("1\ta\t_\tX\n", r'bank\.mrg:1: expected \(, found "1"'),
    ]:
        bank.write_text(text)
        with pytest.raises(FormatError, match=message):
            parse.train([bank], tmp_path / "p", settings=quick())
    bank.write_text("".join(f"( (X{n} (NN a) (NN b)))\n" for n in range(500)))
    with pytest.raises(ConfigError, match="501 different tags and labels of phrases, more than"):
        parse.train([bank], tmp_path / "p", settings=quick())
    table = tmp_path / "bank.conllu"
    table.write_text("")
    with pytest.raises(ConfigError, match=r"a pcfg parser learns from Penn brackets; name a \.mrg"):
        parse.train([table], tmp_path / "p", settings=quick())
    with pytest.raises(ConfigError, match=r"a dmv parser learns from dependency trees; name a"):
        parse.train([bank], tmp_path / "p", settings=quick(kind="dmv"))
    assert not (tmp_path / "p").exists()


def test_a_treebank_of_one_tree_is_enough(tmp_path: Path) -> None:
    bank = tmp_path / "bank.mrg"
    bank.write_text("( (S (NP (NN dogs)) (VP (VBP bark))))\n")
    found = parse.train([f"{bank}:3"], tmp_path / "p", settings=quick())
    assert (found.sentences, found.left_out.total) == (1, 0)
    [tree] = found.parser.brackets([["dogs", "bark"]])
    assert str(tree) == "( (S (NP (NN dogs)) (VP (VBP bark))))"


def test_damaged_parsers_are_refused(trained: Path, tmp_path: Path) -> None:
    whole = (trained / "parser.bin").read_bytes()
    flipped = bytearray(whole)
    flipped[len(whole) // 2] ^= 1
    for damage in (whole[:-1], whole[: len(whole) // 2], whole[:100], bytes(flipped)):
        (tmp_path / "parser.bin").write_bytes(damage)
        with pytest.raises(ModelError):
            parse.load(tmp_path)


def test_only_parsers_of_brackets_give_them(tmp_path: Path) -> None:
    trees = tmp_path / "trees.conllu"
    trees.write_text("1\ta\t_\tX\tX\t_\t0\troot\t_\t_\n\n")
    parser = parse.load(trees)
    with pytest.raises(ConfigError, match="gives no brackets; use one trained with --kind pcfg"):
        parser.brackets([["a"]])
    dmv = parse.train([trees], tmp_path / "dmv", settings=quick(kind="dmv")).parser
    with pytest.raises(ConfigError, match="no brackets; use one trained with --kind pcfg"):
        dmv.brackets([["a"]])


def test_the_commands_train_run_and_evaluate(bank: Path, tmp_path: Path, headway: Headway) -> None:
    out = tmp_path / "pcfg"
    done = headway("parse", "train", "--treebank", bank, "--out", out, *sets())
    assert done.returncode == 0, done.stderr
    done = headway("parse", "run", out, "--brackets", stdin="The dog sees (a) cat.\n\n")
    assert done.returncode == 0, done.stderr
    first, second = done.stdout.splitlines()
    assert " -LRB-)" in first
    assert second == "()"
    done = headway("parse", "run", out, "--tokenised", stdin="the dog sees a cat .\n")
    rows = [line.split("\t") for line in done.stdout.splitlines() if "\t" in line]
    tree = ConstituentTree("( (S (NP (D the) (N dog)) (VP (V sees) (NP (D a) (N cat))) (. .)))")
    assert [int(row[6]) for row in rows] == tree.dependencies().heads
    assert [row[4] for row in rows] == ["D", "N", "V", "D", "N", "."]
    done = headway("parse", "run", out, "--brackets", "--tokenised", stdin="a cat\n")
    assert ConstituentTree(done.stdout).leaves == ["a", "cat"]
    table = tmp_path / "words.conllu"
    table.write_text("1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n2\tcat\t_\t_\t_\t_\t_\t_\t_\t_\n\n")
    done = headway("parse", "run", out, table, "--brackets")
    assert ConstituentTree(done.stdout).leaves == ["a", "cat"]
    gold = tmp_path / "gold.mrg"
    write_penn(gold, list(read_penn(bank))[:20])
    done = headway("parse", "run", out, gold, "--brackets", "--output", tmp_path / "found.mrg")
    assert done.returncode == 0, done.stderr
    both = [headway("parse", "eval", name, gold) for name in (out, tmp_path / "found.mrg")]
    assert both[0].stdout == both[1].stdout
    assert both[0].stdout.splitlines()[0].split() == ["all", "<=", "40"]


def test_training_can_be_interrupted(tmp_path: Path) -> None:
    (tmp_path / "bank.mrg").write_text(brackets(1, 200))
    endless = sets(pcfg__split_steps=1000, pcfg__cycles=7)
    ended = interrupted_at_work(
        "parse", "train", "--treebank", "bank.mrg", "--out", "p", *endless, cwd=tmp_path
    )
    assert ended == (130, "headway: interrupted")
    assert not (tmp_path / "p").exists()


def test_real_brackets_are_learnt(data: Path, tmp_path: Path) -> None:
    """A twentieth of the WSJ sample: enough for most brackets of another twentieth."""
    trees = list(itertools.islice(read_penn(data / "ptb" / "wsj-sample.mrg.gz"), 250))
    write_penn(tmp_path / "train.mrg", trees[:200])
    parser = parse.train([tmp_path / "train.mrg"], tmp_path / "p", settings=quick()).parser
    gold = trees[200:]
    found = parser.brackets([tree.strip().words for tree in gold])
    result = parse.evaluate_brackets(found, gold)
    assert result.all.sentences + result.skipped == len(gold)
    assert result.skipped <= 1  # where a mark gets the tag of a word, as EVALB skips it
    assert result.all.f1 > 50
