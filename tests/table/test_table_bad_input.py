"""Damaged tables, other files, and Moses text that is not."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import Headway
from headway import Vocabulary
from headway.errors import ConfigError, FormatError, HeadwayError, ModelError
from headway.table import RuleTable, import_moses

GOOD = "a b ||| c ||| 0.5 0.5 0.5 0.5 ||| 0-0 1-0 ||| 1 1 1\n"


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("table")
    lines = [f"w{n} v{n % 7} ||| x{n % 11} ||| 0.{n} 0.5 1 0.25 ||| 0-0\n" for n in range(1, 300)]
    (folder / "t.txt").write_text("".join(lines))
    import_moses([folder / "t.txt"], folder / "t.rules")
    return folder / "t.rules"


def test_a_table_cut_anywhere_is_refused(table: Path, tmp_path: Path) -> None:
    whole = table.read_bytes()
    for size in [0, 7, 63, 100, len(whole) // 2, len(whole) - 1]:
        (tmp_path / "cut").write_bytes(whole[:size])
        with pytest.raises(ModelError, match="cut"):
            RuleTable.open(tmp_path / "cut")


def read_all(path: Path) -> Iterator[object]:
    opened = RuleTable.open(path)
    yield from opened
    yield opened.options("w1 v1", weights=[1, 1, 1, 1])


def test_a_flipped_bit_never_crashes_and_verify_finds_it(table: Path, tmp_path: Path) -> None:
    whole = table.read_bytes()
    for place in range(0, len(whole), 37):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << place % 8
        (tmp_path / "flipped").write_bytes(damaged)
        try:
            same = list(read_all(tmp_path / "flipped")) == list(read_all(table))
            RuleTable.open(tmp_path / "flipped").verify()
        except ModelError:
            continue
        assert same, place  # padding, which nobody reads


def test_other_files_are_told_by_what_they_are(tmp_path: Path) -> None:
    Vocabulary(["a"]).save(tmp_path / "vocabulary")
    with pytest.raises(ModelError, match="a headway vocab file where a rules file is expected"):
        RuleTable.open(tmp_path / "vocabulary")
    (tmp_path / "text").write_text(GOOD)
    with pytest.raises(ModelError, match="not a headway rules file"):
        RuleTable.open(tmp_path / "text")
    with pytest.raises(HeadwayError, match="is a directory"):
        RuleTable.open(tmp_path)
    with pytest.raises(HeadwayError, match="no such file"):
        RuleTable.open(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("a b", 'expected "source ||| target ||| scores'),
        ("a ||| b", 'expected "source ||| target ||| scores'),
        ("", 'expected "source ||| target ||| scores'),
        (" ||| b ||| 1 1 1 1", "the source side is empty"),
        ("a ||| b ||| 1 1 1", "expected 4 scores as in the first line, found 3"),
        ("a ||| b ||| 1 1 1 1 1", "expected 4 scores as in the first line, found 5"),
        ("a ||| b ||| ||| 0-0", "no scores where they are expected"),
        ("a ||| b ||| 1 nan 1 1", 'expected scores from 0 up, found "nan"'),
        ("a ||| b ||| 1 inf 1 1", 'expected scores from 0 up, found "inf"'),
        ("a ||| b ||| 1 1e99 1 1", 'expected scores from 0 up, found "1e99"'),
        ("a ||| b ||| 1 -0.5 1 1", 'expected scores from 0 up, found "-0.5"'),
        ("a ||| b ||| 1 one 1 1", 'expected scores from 0 up, found "one"'),
        ("a ||| b ||| 1 1 1 1 ||| 0-1", "the link 0-1 lies outside"),
        ("a ||| b ||| 1 1 1 1 ||| 0", 'expected a link like 0-1, found "0"'),
        ("a ||| b ||| 1 1 1 1 ||| 300-0", "expected a link like 0-1"),
        ("a ||| b ||| 1 1 1 1 ||| ||| 1 x 1", 'expected counts, found "x"'),
        (f"{'a ' * 300} ||| b ||| 1 1 1 1", "a side of more than 255 words"),
    ],
)
def test_bad_lines_are_named(tmp_path: Path, line: str, message: str) -> None:
    (tmp_path / "t.txt").write_text(f"{GOOD}{line}\n")
    with pytest.raises(FormatError) as error:
        import_moses([tmp_path / "t.txt"], tmp_path / "t.rules")
    assert str(error.value).startswith(f"{tmp_path / 't.txt'}:2: ")
    assert message in str(error.value)
    assert error.value.line == 2
    assert not (tmp_path / "t.rules").exists()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("a b ||| c [X] ||| 1", "expected a left-hand side like [X]"),
        ("[X] ||| [X] ||| 1", "the source side is empty"),
        ("a [X][X] [X] ||| b [X] ||| 1", "0 links join 1 source and 0 target slots"),
        ("[X][X] [X][X] [X] ||| [X][X] [X][X] [X] ||| 1 ||| 0-0", "1 links join 2 source and 2"),
        ("[X][X] [X][X] [X] ||| [X][X] [X][X] [X] ||| 1 ||| 0-0 0-1", "2 links join 2 source"),
        ("[X][X] a [X] ||| b [X][X] [X] ||| 1 ||| 0-0 1-1", "the link 0-0 joins a word and a slot"),
        ("a [X][NP] [X] ||| b [X][NP] [X] ||| 1 ||| 1-1", 'the non-terminal "NP" is not X'),
        ("a [X] ||| b [X] ||| 1 ||| ||| ||| ||| {{Dependency fixed-0 0 X}}", None),
        ("a [X] ||| b [X] ||| 1 ||| ||| ||| ||| {{Dependency fixed-0 1 X}}", "not a structure"),
        ("a [X] ||| b [X] ||| 1 ||| ||| ||| ||| {{Dependency fixed-9 0 X}}", "not a structure"),
        ("a [X] ||| b [X] ||| 1 ||| ||| ||| ||| {{Dependency fixed-0 5 X}}", "not a structure"),
        ("a [X] ||| b [X] ||| 1 ||| ||| ||| ||| {{Dependency up 0 X}}", "not a structure"),
    ],
)
def test_bad_hierarchical_lines_are_named(tmp_path: Path, line: str, message: str | None) -> None:
    (tmp_path / "t.txt").write_text(f"z [X] ||| z [X] ||| 1\n{line}\n")
    if message is None:
        assert import_moses([tmp_path / "t.txt"], tmp_path / "t.rules").rules == 2
        return
    with pytest.raises(FormatError) as error:
        import_moses([tmp_path / "t.txt"], tmp_path / "t.rules")
    assert error.value.line == 2
    assert message in str(error.value)


def test_a_broken_reordering_table_is_named(tmp_path: Path) -> None:
    (tmp_path / "t").write_text(GOOD)
    for text, message in [
        ("a b ||| c ||| 1 2\na b ||| c ||| 1\n", "r:2: expected 2 scores"),
        ("a b ||| c ||| \n", "r:1: no scores"),
        ("a b c\n", 'r:1: expected "source ||| target ||| probabilities"'),
    ]:
        (tmp_path / "r").write_text(text)
        with pytest.raises(FormatError, match=message.replace("|", r"\|")):
            import_moses([tmp_path / "t"], tmp_path / "o", reordering=tmp_path / "r")


def test_names_must_fit(tmp_path: Path) -> None:
    (tmp_path / "t").write_text(GOOD)
    with pytest.raises(ConfigError, match="2 names for 4 scores"):
        import_moses([tmp_path / "t"], tmp_path / "o", names=["x", "y"])
    with pytest.raises(ConfigError, match="q is the name of two scores"):
        import_moses([tmp_path / "t"], tmp_path / "o", names=["p", "q", "q", "s"])
    import_moses([tmp_path / "t"], tmp_path / "o", names=["p", "q", "r", "s"])
    table = RuleTable.open(tmp_path / "o")
    assert table.features == ("p", "q", "r", "s")
    with pytest.raises(ConfigError, match=r"weight q: expected a number from .* found NaN"):
        table.options("a b", weights=[1, float("nan"), 1, 1])
    with pytest.raises(ConfigError, match="memory"):
        import_moses([tmp_path / "t"], tmp_path / "o", memory=0)


def test_missing_fields_and_empty_tables_are_fine(tmp_path: Path) -> None:
    (tmp_path / "t").write_text("a ||| b ||| 1 1 1 1\nb |||  ||| 1 1 1 1 ||| |||\n")
    assert import_moses([tmp_path / "t"], tmp_path / "o").rules == 2
    (rule,) = RuleTable.open(tmp_path / "o").options("b")
    assert (rule.target, rule.links, rule.counts) == ((), (), None)
    (tmp_path / "t").write_text("")
    assert import_moses([tmp_path / "t"], tmp_path / "o").rules == 0
    assert list(RuleTable.open(tmp_path / "o")) == []


def test_the_command_line_says_it_in_one_line(
    headway: Headway, table: Path, tmp_path: Path
) -> None:
    (tmp_path / "half").write_bytes(table.read_bytes()[: table.stat().st_size // 2])
    (tmp_path / "t").write_text("a ||| b\n")
    good = tmp_path / "good"
    good.write_text(GOOD)
    for arguments, message in [
        (("table", "info", tmp_path / "half"), "bytes promised"),
        (("table", "info", tmp_path / "t"), "not a headway rules file"),
        (("inspect", tmp_path / "half", "a"), "bytes promised"),
        (("table", "build", tmp_path / "t", "-o", tmp_path / "o"), "t:1: expected"),
        (("table", "build", tmp_path / "no", "-o", tmp_path / "o"), "no such file"),
        (("table", "filter", table, "-o", tmp_path / "o"), "nothing to filter by"),
        (
            ("table", "export", table, "-o", tmp_path / "o", "--reordering", tmp_path / "r"),
            "no reordering",
        ),
        (("inspect", table, "w1", "--weight", "x"), "expected NAME=VALUE"),
        (("inspect", table, "w1", "--weight", "x=1"), "no feature x"),
        (("inspect", table, "w1", "-w", "p(e|f)=nan"), "weight p(e|f): expected a number"),
        (("inspect", table, "w1", "-w", "p(e|f)=1000001"), "to 1,000,000, found 1000001"),
        (("table", "filter", table, "-o", "o", "--top", 1, "-w", "p(e|f)=inf"), "to 1,000,000"),
        (("table", "filter", table, "-o", "o", "--top", 1, "-w", "p(e|f)=-2e6"), "found -2000000"),
        (("table", "build", good, "-o", tmp_path / "o", "--memory", "much"), "a size such as"),
    ]:
        done = headway(*arguments)
        assert done.returncode == 2, done.stderr
        assert message in done.stderr
        assert done.stderr.count("\n") == 1
        assert not (tmp_path / "o").exists()
