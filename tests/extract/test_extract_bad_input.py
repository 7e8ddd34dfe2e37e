"""What extraction says about input that does not fit, and what it leaves behind."""

import contextlib
from pathlib import Path

import pytest
from conftest import Headway
from headway.errors import ConfigError, FormatError, HeadwayError, InputError, OutputError
from headway.extract import extract
from headway.settings import Settings
from processes import endless_file, interrupted_at_work

TREE = "1\tx\t_\tN\tN\t_\t2\t_\t_\t_\n2\ty\t_\tV\tV\t_\t0\t_\t_\t_\n\n"


def attempt(
    folder: Path,
    source: str = "a b\n",
    target: str = "x y\n",
    alignment: str = "0-0 1-1\n",
    trees: str | None = None,
    *changes: str,
) -> int:
    files = {"s": source, "t": target, "a": alignment} | ({} if trees is None else {"c": trees})
    for name, text in files.items():
        (folder / name).write_text(text)
    found = extract(
        folder / "s",
        folder / "t",
        folder / "a",
        folder / "out.txt",
        target_trees=None if trees is None else folder / "c",
        settings=Settings.load(None, [f"extract.{change}" for change in changes]).extract,
    )
    return found.rules


@pytest.mark.parametrize(
    ("files", "place", "message"),
    [
        (("a b\n", "x y\n", "0-0 1-9\n"), "a:1", "link 1-9 is outside"),
        (("a b\n", "x y\n", "0-0 1:1\n"), "a:1", "expected a link such as 0-2"),
        (("a b\n", "x y\n", "0-0 -1-1\n"), "a:1", "expected a link such as 0-2"),
        (("a\na\n", "x\n", "0-0\n0-0\n"), ":2", "a line without partner"),
        (("a\n", "x\nx\n", "0-0\n0-0\n"), ":2", "a line without partner"),
        (("a\na\n", "x\nx\n", "0-0\n"), ":2", "a line without partner"),
        (("a b\n", "x\n", "0-0\n", TREE), "c:1", "expected the tree of a sentence of 1 words"),
        (("a b\n" * 2, "x y\n" * 2, "0-0\n" * 2, TREE), "t:2", "a sentence without tree"),
        (("a b\n", "x y\n", "0-0\n", TREE * 2), "c:4", "a tree without sentence"),
        (("a b\n", "x y\n", "0-0\n", TREE.replace("\t2\t", "\t7\t")), "c:1", "head"),
        (("a b\n", "x y\n", "0-0\n", TREE.replace("\t0\t", "\t_\t")), "c:1", "have none"),
    ],
)
def test_what_does_not_fit_is_named_with_file_and_line(
    tmp_path: Path, files: tuple[str, ...], place: str, message: str
) -> None:
    source, target, alignment, *rest = files
    trees = rest[0] if rest else None
    changes = ["kind=str2dep"] if rest else []
    with pytest.raises(FormatError, match=message) as error:
        attempt(tmp_path, source, target, alignment, trees, *changes)
    assert f"{place}: " in str(error.value)
    assert "\n" not in str(error.value)
    assert not (tmp_path / "out.txt").exists()


@pytest.mark.parametrize("kind", ["phrase", "hiero", "str2dep", "filtered"])
@pytest.mark.parametrize(
    ("source", "target", "alignment", "trees"),
    [
        ("", "", "", ""),
        ("\n", "\n", "\n", ""),
        ("a b\n", "\n", "\n", ""),
        ("a b\n", "x y\n", "\n", TREE),
        ("a b\n", "x y\n", "0-0 1-1\n", TREE.replace("\t2\t", "\t1\t")),  # a word heads itself
        ("a b\n", "x y\n", "0-0 1-1\n", TREE.replace("\t2\t", "\t0\t")),  # two roots
        ("a b\r\n", "x y\r\n", "0-0 1-1 0-0\r\n", TREE),
        (
            "a " * 200 + "\n",
            "x\n",
            "0-0\n",
            TREE.split("\n", maxsplit=1)[0].replace("2", "0") + "\n\n",
        ),
    ],
)
def test_odd_pairs_give_what_they_have(
    tmp_path: Path, kind: str, source: str, target: str, alignment: str, trees: str
) -> None:
    rules = attempt(tmp_path, source, target, alignment, trees, f"kind={kind}")
    assert rules == len((tmp_path / "out.txt").read_text().splitlines())
    assert (rules > 0) == ("0-0" in alignment)


def test_circles_are_not_structures(tmp_path: Path) -> None:
    circle = TREE.replace("\t0\t", "\t1\t")
    files = ("a b\n", "x y\n", "0-0 1-1\n", circle)
    assert attempt(tmp_path, *files, "kind=hiero") > attempt(tmp_path, *files, "kind=filtered")
    assert "x y" not in (tmp_path / "out.txt").read_text()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("kind=syntax", 'extract.kind: unknown choice "syntax"; expected one of phrase, hiero'),
        ("kind=str2dep", "give --target-trees"),
        ("kind=filtered", "give --target-trees"),
        ("phrase.max_length=0", "expected 1 to 200"),
        ("phrase.max_length=1000", "expected 1 to 200"),
        ("phrase.max_length=-1", "max_length"),
        ("hiero.slots=3", "extract.hiero.slots: expected int <= 2"),
        ("max_sentence_length=1000000", "expected 1 to 10000"),
        ("memory=lots", "expected a size such as"),
        ("memory=1M", "at least 64M"),
        ("smoothing=magic", "none, good-turing, kneser-ney"),
        ("significance=high", "alpha\\+epsilon"),
        ("significance=nan", "finite"),
        ("reordering.model=all", "word, phrase, hierarchical, none"),
        ("reordering.smoothing=-1", "expected 0 or more"),
        ("str2dep.phrasal=often", "none, treeless, ill-formed"),
        ("tags=pos", "upos, xpos"),
    ],
)
def test_settings_that_cannot_be_are_refused(tmp_path: Path, change: str, message: str) -> None:
    for name, text in (("s", "a\n"), ("t", "x\n"), ("a", "0-0\n")):
        (tmp_path / name).write_text(text)
    inputs = (tmp_path / "s", tmp_path / "t", tmp_path / "a")
    with pytest.raises(ConfigError, match=message):  # noqa: PT012  either may refuse
        settings = Settings.load(None, [f"extract.{change}"]).extract
        extract(*inputs, tmp_path / "out.table", settings=settings)


def test_settings_that_exclude_each_other_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="fractional_counts"):
        attempt(tmp_path, "a\n", "x\n", "0-0\n", None, "kind=hiero", "smoothing=kneser-ney")
    with pytest.raises(ConfigError, match="phrase pairs"):
        attempt(tmp_path, "a\n", "x\n", "0-0\n", None, "kind=hiero", "significance=9")


def test_files_that_cannot_be_used_are_named(tmp_path: Path) -> None:
    for name in "sta":
        (tmp_path / name).write_text("0-0\n")
    s, t, a = (tmp_path / name for name in "sta")
    cases: list[tuple[type[HeadwayError], str, tuple[object, ...], dict[str, object]]] = [
        (InputError, "no such file", (tmp_path / "none", t, a, tmp_path / "o"), {}),
        (InputError, "is a directory", (s, tmp_path, a, tmp_path / "o"), {}),
        (OutputError, "no such directory", (s, t, a, tmp_path / "none" / "o.gz"), {}),
        (OutputError, "--temp", (s, t, a, tmp_path / "o"), {"temp": tmp_path / "none"}),
        (ConfigError, "written over", (s, t, a, s), {}),
        (ConfigError, "named twice", ("-", "-", a, tmp_path / "o"), {}),
        (ConfigError, "holds everything", (s, t, a, tmp_path / "o"), {"reordering_table": "r"}),
    ]
    for kind, message, files, options in cases:
        with pytest.raises(kind, match=message):
            extract(*files, **options)  # type: ignore[arg-type]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "s", "t"]


def test_the_command_extracts_a_table_and_says_what_it_did(
    tmp_path: Path, headway: Headway
) -> None:
    (tmp_path / "s").write_text("das haus\ndas buch\n")
    (tmp_path / "t").write_text("the house\nthe book\n")
    (tmp_path / "a").write_text("0-0 1-1\n0-0 1-1\n")
    files = ["--source", "s", "--target", "t", "--alignment", "a"]
    done = headway("extract", *files, "-o", "-", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "das haus ||| the house ||| 1 1 1 1 ||| 0-0 1-1 ||| 1 1 1 ||| |||\n" in done.stdout
    assert done.stderr == "2 pairs, 5 rules\n"
    done = headway("extract", *files, "-o", "phrases.table", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "2 pairs, 5 rules\n")
    assert (tmp_path / "phrases.table").read_bytes().startswith(b"\x89headway")
    done = headway("extract", *files, "-o", "o", "--kind", "str2dep", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "--target-trees" in done.stderr


def test_an_interrupted_command_leaves_nothing_behind(tmp_path: Path) -> None:
    words = " ".join(f"w{n}" for n in range(30))
    links = " ".join(f"{n}-{n}" for n in range(30))
    temp = tmp_path / "temp"
    temp.mkdir()
    arguments = ["--source", "s", "--target", "t", "--alignment", "a", "-o", "out.table"]
    arguments += ["--kind", "hiero", "--memory", "64M", "--temp", str(temp)]
    with contextlib.ExitStack() as files:
        for name, line in (("s", words), ("t", words), ("a", links)):
            files.enter_context(endless_file(tmp_path / name, f"{line}\n".encode() * 1000))
        ended = interrupted_at_work("extract", *arguments, cwd=tmp_path)
    assert ended == (130, "headway: interrupted")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "s", "t", "temp"]
    assert not [*temp.iterdir()]
