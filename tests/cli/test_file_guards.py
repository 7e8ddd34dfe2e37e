"""Outputs that would cost an input or one another are refused before any work."""

import os
from pathlib import Path

import pytest
from conftest import Headway
from headway.errors import ConfigError, OutputError
from headway.files import check_files
from headway.table import RuleTable, import_moses

TABLE = "a ||| x ||| 1 1 1 1 ||| 0-0\nb ||| y ||| 1 1 1 1 ||| 0-0\n"
REORDERING = "a ||| x ||| 1 1 1 1 1 1\nb ||| y ||| 1 1 1 1 1 1\n"
TREES = "1\ta\t_\tN\tN\t_\t0\troot\t_\t_\n2\tb\t_\tN\tN\t_\t1\tdep\t_\t_\n\n"
FILES = {
    "s": "a b\n",
    "t": "x y\n",
    "a": "0-0 1-1\n",
    "b": "0-0\n",
    "m": TABLE,
    "r": REORDERING,
    "p.conllu": TREES,
    "gold": TREES,
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    import_moses([tmp_path / "m"], tmp_path / "rules", reordering=tmp_path / "r")
    (tmp_path / "link").symlink_to("s")
    return tmp_path


EXTRACT = ["extract", "--source", "s", "--target", "t", "--alignment", "a"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["align", "s", "t", "-o", "s"], "s: is read and would be written over"),
        (["align", "s", "t", "-o", "link"], "link: is read and would be written over"),
        (["align", "s", "t", "-o", "o", "--save", "t"], "t: is read and would be"),
        (["align", "s", "t", "-o", "o", "--lexicon", "./o"], "two outputs have this name"),
        (["align", "s", "t", "--lexicon", "-"], "standard output is named twice"),
        (["align", "-", "-", "-o", "o"], "standard input is named twice"),
        (["align", "s", "t", "--save", "-", "-o", "o"], "name a file, not standard output"),
        (["align", "s", "t", "-o", "nodir/x"], "nodir/x: cannot write: no such directory"),
        (["align", "s", "t", "-o", "o", "--save", "nodir/x"], "no such directory"),
        (["align", "s", "t", "-o", "o", "--lexicon", "nodir/x"], "no such directory"),
        (["align", "s", "t", "-o", "."], "is a directory"),
        ([*EXTRACT, "-o", "{}/s"], "is read and would be written over"),
        ([*EXTRACT, "-o", "d.txt", "--reordering-table", "d.txt"], "two outputs"),
        (["table", "build", "m", "-o", "m"], "m: is read and would be written over"),
        (["table", "build", "m", "--reordering", "r", "-o", "r"], "r: is read and would"),
        (["table", "build", "-", "--reordering", "-", "-o", "o"], "standard input is named"),
        (["table", "export", "rules", "-o", "rules"], "rules: is read and would"),
        (["table", "export", "rules", "-o", "x.gz", "--reordering", "x.gz"], "two outputs"),
        (["table", "export", "rules", "-o", "-", "--reordering", "-"], "standard output is named"),
        (["table", "filter", "rules", "-i", "s", "-o", "s"], "s: is read and would"),
        (["alignments", "join", "a", "b", "-o", "a"], "a: is read and would"),
        (["alignments", "draw", "s", "t", "a", "--svg", "a"], "a: is read and would"),
        (["parse", "run", "p.conllu", "s", "-o", "s"], "s: is read and would"),
        (["parse", "run", "p.conllu", "s", "-o", "link"], "link: is read and would"),
        (["parse", "run", "p.conllu", "s", "-o", "p.conllu"], "p.conllu: is read and would"),
        (["parse", "run", "p.conllu", "p.conllu", "-o", "p.conllu"], "p.conllu: is read and would"),
        (["parse", "run", "p.conllu", "s", "-o", "nodir/x"], "no such directory"),
        (["parse", "eval", "p.conllu", "gold", "--svg", "gold"], "gold: is read and would"),
        (["parse", "eval", "p.conllu", "gold", "--svg", "p.conllu"], "p.conllu: is read and"),
        (["parse", "eval", "s", "gold", "p.conllu", "--svg", "p.conllu"], "p.conllu: is read"),
        (["parse", "eval", "p.conllu", "gold", "--svg", "-"], "--svg: name a file"),
    ],
)
def test_it_is_refused_and_everything_stays(
    headway: Headway, folder: Path, arguments: list[str], message: str
) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    done = headway(*(argument.format(folder) for argument in arguments), cwd=folder)
    unwritable = "no such directory" in message
    assert (done.returncode, done.stdout) == (1 if unwritable else 2, "")
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_table_is_filtered_in_place_only_from_python(headway: Headway, folder: Path) -> None:
    done = headway("table", "filter", "rules", "-i", "s", "-o", "rules", cwd=folder)
    assert (done.returncode, "rules: is read and would" in done.stderr) == (2, True)
    opened = RuleTable.open(folder / "rules")
    (folder / "one").write_text("a\n")
    assert opened.filter(folder / "rules", inputs=[folder / "one"]) == 1
    assert len(RuleTable.open(folder / "rules")) == 1
    assert len(list(opened)) == 2


def test_files_are_compared_not_names(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("")
    os.link(tmp_path / "f", tmp_path / "hard")
    (tmp_path / "here").symlink_to(tmp_path)
    for other in (tmp_path / "hard", tmp_path / "here" / "f", tmp_path / "x" / ".." / "f"):
        with pytest.raises((ConfigError, OutputError)):
            check_files([tmp_path / "f"], [other])
    with pytest.raises(ConfigError, match="two outputs"):
        check_files([], [tmp_path / "new", tmp_path / "here" / "new"])
    check_files(["-", "/dev/null"], ["-", "/dev/null", "/dev/null", tmp_path / "new"])
    check_files([tmp_path / "absent"], [tmp_path / "new"])
