"""What is wrong with a file of trees is said in one line, with its place."""

import gzip
from pathlib import Path

import pytest
from conftest import Headway
from headway import FormatError, InputError
from headway.corpus import read_alignments
from headway.trees import read_penn, read_sentences, write_sentences

ROW = "1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n"


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("1\ta\t_\t_\t_\t_\t0\troot\t_\n", 1, "expected 10 columns separated by tabs, found 9"),
        ("1 a _ _ _ _ 0 root _ _\n", 1, "expected 10 columns separated by tabs, found 1 column"),
        (f"{ROW}\n# c\n" + ROW.replace("\t0\t", "\t2\t"), 4, "head 2 is out of range"),
        (ROW.replace("\t0\t", "\t-1\t"), 1, "expected 0, the number of a word or _"),
        (ROW + ROW, 2, "ids out of order: expected word 2, found 1; is a blank line missing?"),
        (ROW.replace("1\ta", "2\ta"), 1, "ids out of order: expected word 1, found 2"),
        (ROW.replace("1\ta", "1-4\ta") + ROW, 1, "bad range 1-4: the sentence ends at word 1"),
        (ROW.replace("1\ta", "3-2\ta"), 1, "bad range 3-2: its end must come after its start"),
        (ROW.replace("1\ta", "x\ta"), 1, "expected 7, 7-8 or 7.1"),
        (f"{ROW}\n\0\n", 3, "NUL byte"),
        ("\n\n", 2, "nothing but blank lines"),
    ],
)
def test_bad_conllu(tmp_path: Path, text: str, line: int, message: str) -> None:
    path = tmp_path / "bad.conllu"
    path.write_text(text)
    with pytest.raises(FormatError) as caught:
        list(read_sentences(path))
    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.line == line


def test_bad_encoding_and_bad_compression(tmp_path: Path) -> None:
    path = tmp_path / "bad"
    path.write_bytes(ROW.encode() + b"\n# \xff\n")
    with pytest.raises(FormatError, match="bad:3: not UTF-8: byte 0xff"):
        list(read_sentences(path))
    path.write_bytes(gzip.compress(ROW.encode() * 50)[:-20])
    with pytest.raises(FormatError, match="cut short"):
        list(read_sentences(path))
    with pytest.raises(InputError, match="is a directory"):
        list(read_sentences(tmp_path))
    with pytest.raises(InputError, match="no such file"):
        list(read_penn(tmp_path / "none"))


@pytest.mark.parametrize(
    "text",
    [
        "",
        ROW,
        ROW + "\n",
        ROW.rstrip(),
        f"\ufeff{ROW}\n".replace("\n", "\r\n"),
        ROW.replace("\t0\t", "\t1\t"),  # a word that is its own head
        f"# {'x' * 10_000_000}\n{ROW.replace('a', 'y' * 10_000_000)}\n",
        ROW.replace("\t0\t", "\t_\t"),
        "# text =\n\n",
    ],
    ids=["empty", "open", "closed", "no end", "crlf", "cyclic", "10 MB", "no head", "no word"],
)
def test_odd_conllu_is_kept(tmp_path: Path, text: str) -> None:
    path, copy = tmp_path / "odd.conllu", tmp_path / "copy.conllu"
    path.write_bytes(text.encode())
    write_sentences(copy, read_sentences(path))
    assert copy.read_bytes() == text.encode()


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("(S (NN a))\n(S\n (NN b)\n", 2, "unbalanced brackets: 1 ) is missing"),
        ("(S (NN a)))\n", 1, "unbalanced brackets: this ) closes nothing"),
        ("(S (NN a))\nword\n", 2, 'expected (, found "word"'),
        ("(S (NN a b))\n", 1, "expected ( or ) inside (NN"),
    ],
)
def test_bad_brackets(tmp_path: Path, text: str, line: int, message: str) -> None:
    path = tmp_path / "bad.mrg"
    path.write_text(text)
    with pytest.raises(FormatError) as caught:
        list(read_penn(path))
    assert str(caught.value).startswith(f"{path}:{line}: {message}")


def test_bad_links(tmp_path: Path) -> None:
    path = tmp_path / "links"
    path.write_text("0-0 1-1\n0-0 1:1\n")
    with pytest.raises(FormatError, match='links:2: expected a link such as 0-2, found "1:1"'):
        list(read_alignments(path))


def test_a_failed_conversion_leaves_the_old_file(headway: Headway, tmp_path: Path) -> None:
    bad, out = tmp_path / "bad.conllu", tmp_path / "out.conllx"
    bad.write_text(f"{ROW}\n{ROW}{ROW}")
    out.write_text("old")
    done = headway("trees", "convert", bad, out)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"headway: {bad}:4: ids out of order")
    assert done.stderr.count("\n") == 1
    assert out.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []
