"""Reading, writing and converting parallel text."""

import gzip
import itertools
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import Headway
from headway import ConfigError, FormatError, InputError, OutputError
from headway.corpus import (
    corpus_files,
    read_pairs,
    read_tmx,
    read_tsv,
    write_pairs,
    write_tmx,
    write_tsv,
)
from hypothesis import given
from hypothesis import strategies as st

# What every form can hold: no control characters, nothing that a line or a column ends with.
plain = st.text(
    st.characters(
        exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp"], exclude_characters="\ufeff\ufffe\uffff"
    )
)
pairs_of_text = st.lists(st.tuples(plain, plain), max_size=8)

TMX = """<?xml version="1.0" encoding="{encoding}"?>
<tmx version="1.4"><header srclang="de"/><body>
<tu><tuv xml:lang="de-DE"><seg>Ein <bpt i="1">&lt;b&gt;</bpt>Hund<ept i="1">&lt;/b&gt;</ept>
  &amp; <hi>Katze</hi></seg></tuv><tuv lang="EN"><seg>A dog &amp; cat</seg></tuv></tu>
<tu><tuv xml:lang="de"><seg>allein</seg></tuv></tu>
</body></tmx>
"""


@given(pairs_of_text)
def test_pairs_survive_every_form(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[tuple[str, str]]
) -> None:
    folder = tmp_path_factory.mktemp("pairs")
    assert write_pairs(pairs, folder / "a.gz", folder / "b.zst") == len(pairs)
    assert list(read_pairs(folder / "a.gz", folder / "b.zst")) == pairs
    assert write_tsv(pairs, folder / "c.tsv.gz") == len(pairs)
    assert list(read_tsv(folder / "c.tsv.gz")) == pairs
    assert write_tmx(pairs, folder / "d.tmx", "de", "en-GB") == len(pairs)
    assert list(read_tmx(folder / "d.tmx", "de-AT", "en")) == pairs


@given(pairs_of_text)
def test_written_tmx_is_what_another_parser_reads(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[tuple[str, str]]
) -> None:
    path = tmp_path_factory.mktemp("tmx") / "a.tmx"
    write_tmx(pairs, path, "de", "en")
    root = ET.parse(path).getroot()  # noqa: S314
    assert (root.tag, root.get("version")) == ("tmx", "1.4")
    header = root.find("header")
    assert header is not None
    assert {"creationtool", "creationtoolversion", "segtype", "o-tmf", "adminlang"} < set(
        header.keys()
    )
    assert (header.get("srclang"), header.get("datatype")) == ("de", "plaintext")
    found = [tuple(seg.text or "" for seg in unit.iter("seg")) for unit in root.iter("tu")]
    assert found == pairs


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_tmx_is_read_leniently(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "a.tmx.gz"
    path.write_bytes(gzip.compress(TMX.format(encoding=encoding).encode(encoding)))
    for languages in [("de", "en"), ("de-AT", "en-US"), ("DE", "eng")]:
        pairs = read_tmx(path, *languages)
        assert list(pairs) == [("Ein Hund & Katze", "A dog & cat")]
        assert pairs.skipped == 1


def test_further_columns_of_tsv_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("a\tb\tc\td\ne\tf\n\t\n")
    assert list(read_tsv(path)) == [("a", "b"), ("e", "f"), ("", "")]


def test_borders_within_a_text_become_spaces(tmp_path: Path) -> None:
    pairs = [("a\tb", "c\nd\r")]
    write_tsv(pairs, tmp_path / "a.tsv")
    assert list(read_tsv(tmp_path / "a.tsv")) == [("a b", "c d ")]
    write_pairs(pairs, tmp_path / "a", tmp_path / "b")
    assert list(read_pairs(tmp_path / "a", tmp_path / "b")) == [("a\tb", "c d ")]


def test_a_corpus_streams(tmp_path: Path) -> None:
    """The first pairs are there long before the last line has been looked at."""
    path = tmp_path / "a.tsv"
    path.write_bytes(b"a\tb\n" * 500_000 + b"\xff\n")
    pairs = read_tsv(path)
    assert len(list(itertools.islice(pairs, 10))) == 10
    with pytest.raises(FormatError, match=r"a\.tsv:500001: "):
        list(pairs)


def test_an_unfinished_corpus_does_not_appear(tmp_path: Path) -> None:
    def failing() -> Iterator[tuple[str, str]]:
        yield "a", "b"
        raise ValueError("no more")

    with pytest.raises(ValueError, match="no more"):
        write_pairs(failing(), tmp_path / "a", tmp_path / "b")
    with pytest.raises(OutputError, match=r"XML cannot hold U\+0001, found in pair 2"):
        write_tmx([("a", "b"), ("\x01", "c")], tmp_path / "a.tmx", "de", "en")
    assert list(tmp_path.iterdir()) == []


def test_differing_line_counts_name_both_files(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("1\n2\n")
    (tmp_path / "b").write_text("1\n2\ndrei\n4\n")
    for paths in [("a", "b"), ("b", "a")]:
        with pytest.raises(FormatError) as caught:
            list(read_pairs(*(tmp_path / path for path in paths)))
        assert (caught.value.path, caught.value.line) == (tmp_path / "b", 3)
        message = str(caught.value)
        assert all(part in message for part in ["b has 4", "a has 2", '"drei"'])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "found the end of the file"),
        ("<html></html>", "expected <tmx>"),
        ("<tmx>\n<body>\n<tu></body></tmx>", r"a.tmx:3: not well-formed XML"),
        ("<tmx>\n<body>\n<tu>", r"a.tmx:3: .*still open"),
        (
            "<tmx><body><tu><tuv xml:lang='de'><seg>&foo;</seg></tuv></tu></body></tmx>",
            "unknown entity",
        ),
        ("<?xml version='1.0' encoding='latin-1'?><tmx/>", "iconv"),
    ],
)
def test_malformed_tmx_is_told_with_its_line(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "a.tmx"
    path.write_text(content)
    with pytest.raises(FormatError, match=message):
        list(read_tmx(path, "de", "en"))


def test_forms_are_told_by_name_and_number() -> None:
    assert corpus_files(["a", "b"]).form == "lines"
    assert corpus_files(["a.TSV.gz"]).form == "tsv"
    assert corpus_files(["a.tmx.zst"]).form == "tmx"
    assert corpus_files(["-"], "tmx").form == "tmx"
    for paths, form in [
        (["a"], None),
        ([], None),
        (["a", "b"], "tsv"),
        (["a"], "lines"),
        (["a"], "x"),
    ]:
        with pytest.raises(ConfigError):
            corpus_files(paths, form)
    with pytest.raises(ConfigError, match="both sides"):
        read_pairs("a", "a")
    with pytest.raises(InputError, match="no such file"):
        read_pairs("a", "b")
    with pytest.raises(ConfigError, match="is no language code"):
        write_tmx([], "x.tmx", '"', "en")


def test_the_command_line_converts_between_forms(headway: Headway, tmp_path: Path) -> None:
    pairs = [(f"Satz {number} & <x>", f"sentence {number}") for number in range(3000)]
    write_pairs(pairs, tmp_path / "a.de", tmp_path / "a.en")
    steps: list[tuple[list[str], list[str]]] = [
        (["a.de", "a.en"], ["b.tsv.gz"]),
        (["b.tsv.gz"], ["c.tmx.zst"]),
        (["c.tmx.zst"], ["d.de", "d.en"]),
    ]
    for files, outputs in steps:
        options = [option for output in outputs for option in ("-o", output)]
        done = headway("convert", *files, *options, "--languages", "de,en", cwd=tmp_path)
        assert (done.returncode, done.stdout) == (0, "")
        assert done.stderr == "wrote 3,000 pairs\n"
    assert list(read_pairs(tmp_path / "d.de", tmp_path / "d.en")) == pairs


def test_the_command_line_reads_and_writes_standard_streams(headway: Headway) -> None:
    done = headway("convert", "-", "-o", "-", "--to", "tmx", "--languages", "de,en", stdin="a\tb\n")
    assert done.returncode == 0
    back = headway(
        "convert", "-", "--from", "tmx", "-o", "-", "--languages", "de,en", stdin=done.stdout
    )
    assert back.stdout == "a\tb\n"


def test_names_of_files_tell_the_languages_of_tmx(headway: Headway, tmp_path: Path) -> None:
    pairs = [("ein Haus", "a house"), ("zwei", "two")]
    write_pairs(pairs, tmp_path / "a.de.gz", tmp_path / "a.en.gz")
    for command in ("convert", "clean"):
        to = headway(command, "a.de.gz", "a.en.gz", "-o", "b.tmx", cwd=tmp_path)
        back = headway(command, "b.tmx", "-o", "c.de", "-o", "c.en", cwd=tmp_path)
        assert (to.returncode, back.returncode) == (0, 0), to.stderr + back.stderr
        assert list(read_tmx(tmp_path / "b.tmx", "de", "en")) == pairs
        assert list(read_pairs(tmp_path / "c.de", tmp_path / "c.en")) == pairs
    other = headway("convert", "b.tmx", "-o", "c.txt", "-o", "d.txt", cwd=tmp_path)
    assert other.returncode == 2
    assert "needs the languages" in other.stderr


def test_the_command_line_says_what_is_missing(headway: Headway) -> None:
    for arguments, message in [
        (("convert", "a.tmx", "-o", "b.tsv"), "needs the languages"),
        (("convert", "a.tmx", "-o", "b.tsv", "--languages", "de"), "two codes such as de,en"),
        (("convert", "a", "-o", "b.tsv"), "neither .tsv nor .tmx"),
        (("convert", "a", "b", "c", "-o", "b.tsv"), "expected two line-aligned files"),
    ]:
        done = headway(*arguments)
        assert done.returncode == 2
        assert message in done.stderr
