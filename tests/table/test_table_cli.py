"""`headway table …` and `headway inspect`."""

import json
from pathlib import Path

from conftest import Headway

TABLE = """\
das Haus ||| the house ||| 0.5 0.25 1 0.125 ||| 0-0 1-1 ||| 2 1 1
das Haus ||| house ||| 0.1 0.2 0.3 0.4 ||| 1-0 ||| 2 1 1
Haus ||| house ||| 0 0.25 1 0.125 ||| 0-0 ||| 2 1 1 ||| sparse 1
"""


def test_a_table_goes_in_and_out(headway: Headway, tmp_path: Path) -> None:
    built = headway("table", "build", "-", "-o", tmp_path / "t", stdin=TABLE)
    assert built.returncode == 0, built.stderr
    assert "3 rules" in built.stderr
    assert "1 scores of 0" in built.stderr
    assert "1 lines with sparse features" in built.stderr
    exported = headway("table", "export", tmp_path / "t", "-o", "-")
    assert [line.split(" ||| ")[:2] for line in exported.stdout.splitlines()] == [
        ["Haus", "house"],
        ["das Haus", "house"],
        ["das Haus", "the house"],
    ]
    info = headway("table", "info", tmp_path / "t", "--verify")
    assert "rules" in info.stdout
    assert "all checksums agree" in info.stderr
    assert "lex(e|f)" in info.stdout
    facts = json.loads(headway("table", "info", tmp_path / "t", "--json").stdout)
    assert (facts["rules"], facts["sources"], facts["source_words"]) == (3, 2, 2)


def test_filtering_by_text_and_by_number(headway: Headway, tmp_path: Path) -> None:
    headway("table", "build", "-", "-o", tmp_path / "t", stdin=TABLE)
    kept = headway(
        "table", "filter", tmp_path / "t", "-i", "-", "-o", tmp_path / "s", stdin="ein Haus\n"
    )
    assert "1 of 3 rules" in kept.stderr
    headway("table", "filter", tmp_path / "t", "-o", tmp_path / "s", "--top", 1, "-w", "p(e|f)=1")
    shown = headway("inspect", tmp_path / "s", "das Haus")
    assert shown.stdout.split("\t")[2] == "the house"


def test_inspect_shows_the_best_first(headway: Headway, tmp_path: Path) -> None:
    headway("table", "build", "-", "-o", tmp_path / "t", stdin=TABLE)
    shown = headway("inspect", tmp_path / "t", "das Haus")
    lines = [line.split("\t") for line in shown.stdout.splitlines()]
    assert [line[2] for line in lines] == ["the house", "house"]
    assert lines[0][3] == "p(f|e)=0.5 lex(f|e)=0.25 p(e|f)=1 lex(e|f)=0.125"
    assert lines[0][4:6] == ["0-0 1-1", "2 1 1"]
    turned = headway("inspect", tmp_path / "t", "das Haus", "--weight", "p(f|e)=-1", "--top", 1)
    assert turned.stdout.split("\t")[2] == "house"
    spans = headway("inspect", tmp_path / "t", "das Haus", "--all-spans")
    assert [line.split("\t")[1] for line in spans.stdout.splitlines()] == [
        "das Haus",
        "das Haus",
        "Haus",
    ]
    rule = json.loads(headway("inspect", tmp_path / "t", "Haus", "--json").stdout)
    assert rule["features"]["p(f|e)"] == -100.0
    nothing = headway("inspect", tmp_path / "t", "die Haus")
    assert (nothing.returncode, nothing.stdout) == (0, "")
    assert "no rules for 'die Haus'" in nothing.stderr
