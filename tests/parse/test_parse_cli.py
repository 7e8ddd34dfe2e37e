"""The commands of parsers: what they refuse, what they warn of, how they end."""

import json
from pathlib import Path

import pytest
from conftest import Headway
from headway import parse
from headway.settings import Settings
from processes import interrupted_at_work
from treebanks import treebank

COARSE = {"D": "DET", "A": "ADJ", "N": "NOUN", "V": "VERB", ".": "PUNCT"}
QUICK = ["rounds=2", "feature_bits=16", "jackknife=0", "tagger_rounds=2", "label_rounds=2"]
SETS = [f"--set=parse.{change}" for change in QUICK]


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bank") / "train.conllu"
    text = treebank(1, 120)
    for tag, coarse in COARSE.items():
        text = text.replace(f"\t{tag}\t{tag}\t", f"\t{coarse}\t{tag}\t")
    path.write_text(text)
    return path


@pytest.fixture(scope="module")
def trained(bank: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("parser")
    settings = Settings.load(None, [f"parse.{change}" for change in QUICK]).parse
    parse.train([bank], out, settings=settings)
    return out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--beam", "4"], "--beam is an option of --kind transition; the parser is of kind graph"),
        (["--system", "swap"], "--system is an option of --kind transition"),
        (["--kind", "dmv", "--search", "mst"], "--search is an option of --kind graph"),
        (["--kind", "transition", "--features", "paper"], "--features is an option of --kind"),
        (["--set", "parse.kind=dmv", "--between", "all"], "--between is an option of --kind graph"),
        (["--search", "mst", "--set", "parse.k=5"], "parse.k: 5 trees are for parse.update=trees"),
        (["--language", "no language"], "is no language code"),
    ],
)
def test_options_that_would_do_nothing_are_refused(
    headway: Headway, bank: Path, tmp_path: Path, options: list[str], message: str
) -> None:
    done = headway("parse", "train", "--treebank", bank, "--out", tmp_path / "p", *options)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert message in done.stderr
    assert not (tmp_path / "p").exists()


def test_the_place_of_a_parser_is_looked_at_first(
    headway: Headway, bank: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("mine")
    for out in ("file", "file/deeper/p"):
        done = headway("parse", "train", "--treebank", bank, "--out", tmp_path / out)
        assert (done.returncode, done.stderr.count("\n")) == (1, 1), done.stderr
        assert f"{tmp_path / 'file'} is a file; name a directory" in done.stderr
    assert (tmp_path / "file").read_text() == "mine"
    bare = tmp_path / "bare.conllu"
    bare.write_text("1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n")
    done = headway("parse", "train", "--treebank", bare, "--out", tmp_path / "new" / "p")
    assert done.returncode == 2
    assert not (tmp_path / "new").exists()


def test_a_parser_of_another_language_is_refused_or_doubted(
    headway: Headway, bank: Path, trained: Path, tmp_path: Path
) -> None:
    english = tmp_path / "en"
    done = headway("parse", "train", "--treebank", bank, "--out", english, "-l", "en-GB", *SETS)
    assert done.returncode == 0, done.stderr
    loaded = parse.load(english)
    assert (loaded.language, loaded.with_search("mst").language) == ("en-GB", "en-GB")
    for name in ("text", "trees.conllu"):
        source = tmp_path / name
        source.write_text(bank.read_text() if name.endswith("u") else "the dog\n")
        done = headway("parse", "run", english, source, "-l", "de")
        assert (done.returncode, done.stdout) == (2, "")
        assert "the parser is one of language en-GB, and the text is said to be de" in done.stderr
        assert headway("parse", "run", english, source, "-l", "eng").returncode == 0
    source.write_text("1\tpsi\t_\t_\t_\t_\t0\t_\t_\t_\n\n")
    assert "1 of 1 words are unknown" in headway("parse", "run", english, source).stderr
    assert "unknown" not in headway("parse", "run", english, source, "-l", "en").stderr
    foreign = "der alte Hund sieht the Katze 7 .\n"
    warning = "the text: 5 of 6 words are unknown to the parser; is it one of this language?"
    for parser, options in ((trained, ["-l", "en"]), (english, [])):
        done = headway("parse", "run", parser, *options, stdin=foreign)
        assert (done.returncode, done.stderr.splitlines()[0]) == (0, f"warning: {warning}")
        assert done.stdout.count("\n") == 10
    assert "warning" not in headway("parse", "run", english, "-l", "en", stdin=foreign).stderr
    assert "warning" not in headway("parse", "run", trained, stdin="the old dog\n").stderr
    (trained / "model.toml").rename(tmp_path / "card")
    assert parse.load(trained).language is None
    (tmp_path / "card").rename(trained / "model.toml")


def test_gold_trees_of_another_language_are_doubted(
    headway: Headway, bank: Path, trained: Path, tmp_path: Path
) -> None:
    assert "warning" not in headway("parse", "eval", trained, bank).stderr
    gold = tmp_path / "cs.conllu"
    gold.write_text("1\tpsi\t_\tNOUN\tNNMP1\t_\t0\troot\t_\t_\n\n")
    done = headway("parse", "eval", trained, gold)
    assert done.returncode == 0
    tags, words = done.stderr.splitlines()
    assert "none of its 1 tags (NNMP1, …) is one that the parser knows" in tags
    assert "1 of 1 words are unknown to the parser" in words


def test_trees_parsed_anew_have_both_columns_of_tags(
    headway: Headway, bank: Path, trained: Path, tmp_path: Path
) -> None:
    source = tmp_path / "old.conllu"
    source.write_text(
        "# sent_id = 7\n1\tthe\tthe\tX\tY\tF=1\t0\t_\t_\t_\n"
        "2\tdog\tdog\tX\tY\t_\t0\t_\t_\tM=1\n\n" + bank.read_text() * 10
    )
    done = headway("parse", "run", trained, source)
    assert done.returncode == 0, done.stderr
    first = done.stdout.split("\n\n")[0].splitlines()
    assert first[0] == "# sent_id = 7"
    assert [line.split("\t")[1:6] for line in first[1:]] == [
        ["the", "the", "DET", "D", "F=1"],
        ["dog", "dog", "NOUN", "N", "_"],
    ]
    assert "\tX\t" not in done.stdout
    assert "1,201 sentences" in done.stderr


def test_gold_without_tags_or_labels_gives_no_figures_for_them(
    headway: Headway, trained: Path, tmp_path: Path
) -> None:
    gold = tmp_path / "bare.conllu"
    gold.write_text("1\tthe\t_\t_\t_\t_\t2\t_\t_\t_\n2\tdog\t_\t_\t_\t_\t0\t_\t_\t_\n\n")
    done = headway("parse", "eval", trained, gold, trained)
    assert done.returncode == 0, done.stderr
    rows = [line.split() for line in done.stdout.splitlines()]
    assert rows[1] == ["las", "–", "–"]
    assert rows[3] == ["tags", "–", "–"]
    assert rows[6][:2] == ["1–10", "2"]
    table = json.loads(headway("parse", "eval", trained, gold, trained, "--json").stdout)
    assert (table["las"], table["tags"], table["p"]["las"]) == (None, None, None)
    assert list(table["by_sentence_length"]) == ["1-10"]


def test_two_searches_of_one_parser_are_compared(
    headway: Headway, bank: Path, trained: Path, tmp_path: Path
) -> None:
    picture = tmp_path / "a.svg"
    both = ["--search", "local", "--other-search", "eisner"]
    done = headway("parse", "eval", trained, bank, trained, *both, "--json", "--svg", picture)
    assert done.returncode == 0, done.stderr
    found = {}
    for search in ("local", "eisner"):
        done_alone = headway("parse", "eval", trained, bank, "--search", search, "--json")
        found[search] = json.loads(done_alone.stdout)["uas"]
    table = json.loads(done.stdout)
    assert (table["uas"], table["other"]["uas"]) == (found["local"], found["eisner"])
    text = picture.read_text()
    assert f"{trained}, local: UAS" in text
    assert f"{trained}, eisner: UAS" in text
    headway("parse", "eval", trained, bank, trained, "--svg", picture)
    assert f"{trained} (1): UAS" in picture.read_text()
    assert f"{trained} (2): UAS" in picture.read_text()
    done = headway("parse", "eval", trained, bank, "--other-beam", 3)
    assert done.returncode == 2
    assert "there is no second parser; name PARSER2" in done.stderr


@pytest.mark.parametrize("name", ["train", "run"])
def test_an_interrupted_command_leaves_nothing_behind(
    name: str, bank: Path, trained: Path, tmp_path: Path
) -> None:
    work = [f"parse.{key}=1000" for key in ("rounds", "tagger_rounds", "label_rounds")]
    rest = {
        "train": [
            "--treebank",
            str(bank),
            "--out",
            "new/p",
            *(part for one in work for part in ("--set", one)),
        ],
        "run": [str(trained), "-", "--tokenised", "-o", "trees.conllu"],
    }
    line = b"the old dog sees a new cat near this house .\n"
    ended = interrupted_at_work("parse", name, *rest[name], cwd=tmp_path, endless=line * 1000)
    assert ended == (130, "headway: interrupted")
    assert not [*tmp_path.iterdir()]
