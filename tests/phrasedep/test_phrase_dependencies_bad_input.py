"""What does not fit, damaged tables, and the commands."""

import copy
import random
import struct
from pathlib import Path

import pytest
from headway import ConfigError, FormatError, HeadwayError, phrasedep
from headway.cli import run
from headway.phrasedep import PhraseDependencies
from spoiling import spoilt

TREE = "1\tx\t_\tN\tN\t_\t2\t_\t_\t_\n2\ty\t_\tV\tV\t_\t0\t_\t_\t_\n\n"
UNPARSED = TREE.replace("\t0\t", "\t_\t").replace("\t2\t", "\t_\t")
PATHS = "0\tx\t2\n1\ty\t2\n"


def extract(folder: Path, trees: str = TREE, **texts: str) -> Path:
    files = {"s": "a b\n", "t": "x y\n", "a": "0-0 1-1\n", "p": PATHS, "c": trees} | texts
    for name, text in files.items():
        (folder / name).write_text(text)
    source, target, links, parsed, paths = (folder / name for name in "stacp")
    phrasedep.extract(source, target, links, parsed, paths, folder / "table")
    return folder / "table"


@pytest.mark.parametrize(
    ("texts", "place", "message"),
    [
        ({"t": "x y\nx\n"}, "t:2", "a line without partner"),
        ({"s": "a b\na\n"}, "s:2", "a line without partner"),
        ({"a": ""}, ":1", "a line without partner"),
        ({"a": "0-0 1-9\n"}, "a:1", "link 1-9 is outside"),
        ({"trees": TREE * 2}, "c:4", "a tree without sentence"),
        ({"trees": ""}, "t:1", "a sentence without tree"),
        ({"t": "x z\n"}, "c:1", 'word 2 of the tree is "y"'),
        ({"t": "x y z\n"}, "c:1", "expected the tree of a sentence of 3 words"),
        ({"p": "0\tx\n"}, "p:1", "expected a word, a tab, a number"),
        ({"s": "", "t": "", "a": "", "trees": ""}, "t:1", "no words in it"),
        ({"s": "\n", "t": "\n", "a": "\n", "trees": ""}, "t:1", "no words in it"),
        ({"trees": UNPARSED}, "c:1", "no sentence has heads; parse"),
        ({"a": "\n"}, "t:1", "of 1 pairs 0 have more than 1000 words, 0 have no tree"),
    ],
)
def test_what_does_not_fit_is_named_with_file_and_line(
    tmp_path: Path, texts: dict[str, str], place: str, message: str
) -> None:
    with pytest.raises(FormatError, match=message) as error:
        extract(tmp_path, **texts)
    assert f"{place}: " in str(error.value)
    assert "\n" not in str(error.value)
    assert not (tmp_path / "table").exists()


def test_trees_may_differ_from_the_text_in_case(tmp_path: Path) -> None:
    table = PhraseDependencies.open(extract(tmp_path, t="X y\n"))
    assert table.scores("y", "X", left=True).phrase == 0.0


@pytest.mark.parametrize(
    "trees",
    [
        TREE.replace("\t2\t", "\t1\t"),  # a word heads itself
        TREE.replace("\t2\t", "\t0\t"),  # two roots
        TREE.replace("\t0\t", "\t1\t"),  # no root, a cycle
    ],
)
def test_strange_trees_give_what_is_well_formed(tmp_path: Path, trees: str) -> None:
    table = PhraseDependencies.open(extract(tmp_path, trees))
    assert table.scores("y", "x", left=True).phrase is None
    rooted = {one.child for one in table.children(None, left=False, many=9)}
    assert rooted == {
        TREE.replace("\t2\t", "\t1\t"): {"y", "x y"},
        TREE.replace("\t2\t", "\t0\t"): {"x", "y", "x y"},
    }.get(trees, set())


def test_standard_input_cannot_be_read_twice(tmp_path: Path) -> None:
    extract(tmp_path)
    with pytest.raises(ConfigError, match="two passes"):
        phrasedep.extract(
            "-",
            tmp_path / "t",
            tmp_path / "a",
            tmp_path / "c",
            tmp_path / "p",
            tmp_path / "table",
        )


def test_damaged_tables_are_refused(tmp_path: Path) -> None:
    table = extract(tmp_path)
    content = table.read_bytes()
    cases = {
        "promised": content[:-100],
        "not a headway": b"else" + content[4:],
        "newer headway": content[:16] + struct.pack("<I", 99) + content[20:],
        "damaged": content[:-1] + b"\xff",
    }
    for message, changed in cases.items():
        table.write_bytes(changed)
        with pytest.raises(HeadwayError, match=message) as error:
            PhraseDependencies.open(table)
        assert "\n" not in str(error.value)


@pytest.mark.parametrize("seed", range(20))
def test_damaged_tables_never_crash(tmp_path: Path, seed: int) -> None:
    path = extract(tmp_path)
    if seed % 2:
        _noise(path, seed)
    else:
        spoilt(path, random.Random(seed), 0.3)
    try:
        table = PhraseDependencies.open(path, verify=False)
    except HeadwayError:
        return
    for phrase in ("x", "y", "x y"):
        table.scores(phrase, "x", left=True)
        table.children(phrase, left=True, many=5)
    table.most_frequent(5)


def _noise(path: Path, seed: int) -> None:
    chance, content = random.Random(seed), bytearray(path.read_bytes())
    for place in chance.sample(range(768, len(content)), 40):
        content[place] = chance.randrange(256)
    path.write_bytes(content)


def test_tables_can_be_copied(tmp_path: Path) -> None:
    table = PhraseDependencies.open(extract(tmp_path))
    again = copy.copy(table)
    assert again.scores("y", "x", left=True) == table.scores("y", "x", left=True)
    assert "3 phrases, 3 dependencies" in repr(table)


def test_the_commands_make_and_show_tables(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    extract(tmp_path)
    out = tmp_path / "again"
    inputs = zip(
        ["--source", "--target", "--alignment", "--target-trees", "--classes"], "stacp", strict=True
    )
    arguments = [part for option, name in inputs for part in (option, str(tmp_path / name))]
    assert run(["phrase-dependencies", *arguments, "-o", str(out)]) == 0
    assert "1 pairs, 3 dependencies of 3 phrases" in capsys.readouterr().err
    assert out.read_bytes() == (tmp_path / "table").read_bytes()
    assert run(["inspect", str(out), "--phrase-dependencies", "y"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown == [
        "most frequent",
        "        1  $ ← x y",
        "",
        "y: children on the left",
        "    1.000  lexical 1.000  x → y",
    ]
    assert run(["inspect", str(out), "--phrase-dependencies", "$"]) == 0
    assert "$ ← y" in capsys.readouterr().out
    assert run(["inspect", str(out), "--phrase-dependencies", "z", "--json"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 3


def test_what_has_no_phrase_dependencies_says_so(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["inspect", str(model), "--phrase-dependencies", "x"]) == 2
    assert "has no phrase dependencies" in capsys.readouterr().err
    assert run(["inspect", str(tmp_path / "none"), "--phrase-dependencies", "x"]) == 2
    assert run(["inspect", str(extract(tmp_path)), "x", "--phrase-dependencies", "x"]) == 2
    capsys.readouterr()
    assert run(["inspect", str(tmp_path / "table")]) == 2
    assert "for a table, give SOURCE or --phrase-dependencies" in capsys.readouterr().err
    assert run(["inspect", str(tmp_path / "none")]) == 2
    assert "none: no such file; check the path" in capsys.readouterr().err
    assert run(["inspect", str(tmp_path / "table"), "--phrase-dependencies", " "]) == 2
    assert "the phrase is empty; give words, or $" in capsys.readouterr().err
