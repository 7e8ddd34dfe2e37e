"""`headway trees` as people type it."""

import gzip
import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from conftest import PATIENCE, Headway
from headway.trees import DependencyTree, Sentence, write_sentences

SOURCE = DependencyTree(["das", "Haus"], [2, 0], ["DET", "NOUN"], ["det", "root"])
TARGET = DependencyTree(["the", "house"], [2, 0], ["DET", "NOUN"], ["det", "root"])


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Three pairs of trees with links, the last tree of the source cyclic."""
    cyclic = DependencyTree(["a", "b"], [2, 1])
    source, target = [SOURCE, SOURCE, cyclic], [TARGET, TARGET, TARGET]
    for name, trees in (("de.conllu.gz", source), ("en.conllu", target)):
        sentences = [Sentence.from_tree(tree) for tree in trees]
        for number, sentence in enumerate(sentences, start=1):
            sentence.set_value("sent_id", f"s{number}")
        write_sentences(tmp_path / name, sentences)
    (tmp_path / "links").write_text("0-0 1-1\n0-0\n\n")
    return tmp_path


def test_draw_one_by_number_or_id(headway: Headway, files: Path) -> None:
    by_number = headway("trees", "draw", files / "de.conllu.gz", "--index", 2)
    by_id = headway("trees", "draw", files / "de.conllu.gz", "--id", "s2")
    assert by_number.stdout == by_id.stdout
    assert by_number.stdout.startswith("# s2: das Haus\n")
    assert "╭─det" in by_number.stdout


def test_draw_all_from_standard_input(headway: Headway, files: Path) -> None:
    text = gzip.decompress((files / "de.conllu.gz").read_bytes())
    done = headway("trees", "draw", "-", "--width", 20, stdin=text)
    assert [row for row in done.stdout.split("\n") if row.startswith("#")] == [
        "# s1: das Haus",
        "# s2: das Haus",
        "# s3: a b",
    ]


def test_draw_pairs(headway: Headway, files: Path) -> None:
    pair = ["--pair", files / "en.conllu", "--alignment", files / "links"]
    done = headway("trees", "draw", files / "de.conllu.gz", *pair, "--index", 1)
    assert "Haus 2 →2 ┊ ←2 2 house" in " ".join(done.stdout.split())
    out = files / "pair.svg"
    done = headway("trees", "draw", files / "de.conllu.gz", *pair, "--svg", out)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert ET.parse(out).getroot().tag.endswith("svg")  # noqa: S314
    done = headway("trees", "draw", files / "de.conllu.gz", "--svg", "-")
    assert ET.fromstring(done.stdout).tag.endswith("svg")  # noqa: S314


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["de.conllu.gz", "--index", "9"], "de.conllu.gz: no sentence 9 among its 3"),
        (["de.conllu.gz", "--id", "x"], "de.conllu.gz: no sentence with sent_id x among its 3"),
        (["de.conllu.gz", "--pair", "en.conllu"], "--pair and --alignment go together"),
        (["empty", "--svg", "x.svg"], "empty: no sentence 1 among its 0"),
        (
            ["de.conllu.gz", "--pair", "en.conllu", "--alignment", "short"],
            "short: ends after 1 sentences, but de.conllu.gz goes on",
        ),
        (
            ["de.conllu.gz", "--pair", "en.conllu", "--alignment", "outside"],
            "outside:1: link 0-7 is outside the sentences",
        ),
        (["de.conllu.gz", "--tags", "x"], 'no tags "x"; expected upos or xpos'),
    ],
)
def test_draw_says_what_is_wrong(
    headway: Headway, files: Path, arguments: list[str], message: str
) -> None:
    (files / "empty").touch()
    (files / "short").write_text("0-0\n")
    (files / "outside").write_text("0-7\n")
    done = headway("trees", "draw", *arguments, cwd=files)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_draw_shows_words_without_heads(headway: Headway, files: Path) -> None:
    some = [Sentence.from_columns(["a", "b"]), Sentence.from_columns(["c", "d"], head=[2, None])]
    write_sentences(files / "some.conllu", [*some, Sentence.from_tree(SOURCE)])
    done = headway("trees", "draw", "some.conllu", "--width", 60, cwd=files)
    assert (done.returncode, done.stderr) == (0, "")
    first, second, third = done.stdout.split("# sentence")[1:]
    assert [part.count("no head") for part in (first, second, third)] == [2, 1, 0]
    done = headway("trees", "draw", "some.conllu", "--svg", "x.svg", cwd=files)
    assert done.returncode == 0
    assert "no head" in (files / "x.svg").read_text()


def test_check_counts_and_names_lines(headway: Headway, files: Path) -> None:
    done = headway("trees", "check", files / "de.conllu.gz")
    rows = [row.split() for row in done.stdout.splitlines()]
    assert rows[0] == ["sentences", "3"]
    assert ["cyclic", "1", "line", "9"] in rows
    done = headway("trees", "check", files / "de.conllu.gz", "--json")
    counts = json.loads(done.stdout)
    assert (counts["words"], counts["trees"], counts["projective_share"]) == (6, 2, 1.0)
    assert counts["cyclic"] == {"count": 1, "lines": [9]}


def test_check_of_an_empty_file(headway: Headway, tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    done = headway("trees", "check", tmp_path / "empty", "--json")
    assert json.loads(done.stdout)["sentences"] == 0


def test_convert_through_a_pipe(headway: Headway, files: Path) -> None:
    source = files / "en.conllu"
    done = headway("trees", "convert", source, "-", "--to", "dp", "-q")
    assert (done.stdout, done.stderr) == (
        "the\t_\t2\nhouse\t_\t0\n\n".replace("_", "DET", 1).replace("_", "NOUN") * 3,
        "",
    )
    done = headway("trees", "convert", "-", "-", stdin=source.read_bytes())
    assert done.stdout == source.read_text()
    assert done.stderr == "3 trees\n"


def test_brackets_are_printed_and_stripped(headway: Headway, tmp_path: Path) -> None:
    path = tmp_path / "a.mrg"
    path.write_text("( (S (NP-SBJ (NN a)) (VP (VB b) (-NONE- *))))\n")
    done = headway("trees", "draw", path, "--width", 30)
    assert done.stdout == "(\n  (S\n    (NP-SBJ (NN a))\n    (VP (VB b) (-NONE- *))))\n"
    done = headway("trees", "convert", path, "-", "--strip", "-q")
    assert done.stdout == "(S (NP (NN a)) (VP (VB b)))\n"
    done = headway("trees", "check", path, "--json")
    assert json.loads(done.stdout) == {
        "trees": 1,
        "words": 2,
        "traces": 1,
        "empty": 0,
        "longest": 2,
    }
    done = headway("trees", "convert", path, tmp_path / "a.conllu")
    assert done.returncode == 0
    done = headway("trees", "convert", tmp_path / "a.conllu", tmp_path / "b.mrg")
    assert done.returncode == 2
    assert "constituents, not dependencies" in done.stderr


def test_a_reader_that_goes_away_is_no_error(files: Path) -> None:
    many = files / "many.conllu"
    many.write_text((files / "en.conllu").read_text() * 5000)
    for command in ("draw {}", "convert {} -"):
        line = f"{sys.executable} -m headway trees {command.format(many)} | head -1"
        done = subprocess.run(
            ["sh", "-c", line], capture_output=True, timeout=PATIENCE, check=False
        )
        assert done.stdout.startswith(b"# s1") or done.stdout == b"# sent_id = s1\n"
        assert done.stderr == b""
