"""Sentences and their files: nothing is lost, whatever is edited stays valid."""

import gzip
import pickle
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from headway import ConfigError, FormatError
from headway.trees import (
    Sentence,
    census,
    convert,
    guess_format,
    read_sentences,
    read_trees,
    write_sentences,
)
from hypothesis import example, given
from hypothesis import strategies as st

TEXT = """\
# sent_id = s1
# text = zum Haus!
1-2\tzum\t_\t_\t_\t_\t_\t_\t_\t_
1\tzu\tzu\tADP\tAPPR\t_\t3\tcase\t_\t_
2\tdem\tder\tDET\tART\tCase=Dat\t3\tdet\t_\t_
3\tHaus\tHaus\tNOUN\tNN\t_\t0\troot\t_\tSpaceAfter=No
3.1\tx\t_\t_\t_\t_\t_\t_\t3:y\t_
4\t!\t!\tPUNCT\t$.\t_\t3\tpunct\t_\t_

"""


def test_real_treebanks_are_kept_byte_for_byte(data: Path, tmp_path: Path) -> None:
    treebanks = sorted((data / "ud").glob("*.conllu.gz"))
    assert treebanks
    for path in treebanks:
        copy = tmp_path / "copy.conllu"
        write_sentences(copy, read_sentences(path))
        assert copy.read_bytes() == gzip.decompress(path.read_bytes()), path


def test_real_texts_follow_from_words_and_spacing(data: Path) -> None:
    for name in ("cs-test", "de-test", "en_ewt-test"):  # zh-test has lost its spacing
        path = data / "ud" / f"{name}.conllu.gz"
        counts = census(path)
        assert counts.sentences > 400
        assert counts.other_text.count == 0, path


@given(
    st.lists(
        st.sampled_from(
            [*TEXT.splitlines()[2:8], "# c", "", "", " ", "5\tnine\t_\t_\t_\t_\t0\t_\t_", "\ufeff"]
        ),
        max_size=14,
    ),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
)
@example(["# c", "", "\ufeff", "# c"], "\n", False)
def test_any_lines_are_kept_or_refused(lines: list[str], end: str, closed: bool) -> None:
    text = end.join(lines) + (end if closed else "")
    with TemporaryDirectory() as directory:
        path = Path(directory) / "f.conllu"
        path.write_bytes(text.encode())
        with suppress(FormatError):
            sentences = list(read_sentences(path))
            assert "".join(map(str, sentences)) == text
            write_sentences(path, sentences)
            # Files put one behind the other leave byte order marks, which mean nothing there.
            first, rest = sentences[:1], (str(one).lstrip("\ufeff") for one in sentences[1:])
            assert path.read_bytes() == "".join([*map(str, first), *rest]).encode()


def test_a_sentence_says_what_is_in_it() -> None:
    sentence = Sentence(TEXT)
    assert len(sentence) == 4
    assert sentence.forms == ["zu", "dem", "Haus", "!"]
    assert sentence.heads == [3, 3, 0, 3]
    assert sentence.column("xpos") == ["APPR", "ART", "NN", "$."]
    assert [row[0] for row in sentence.rows()] == ["1-2", "1", "2", "3", "3.1", "4"]
    assert sentence.metadata == {"sent_id": "s1", "text": "zum Haus!"}
    assert (sentence.sent_id, sentence.text, sentence.surface()) == ("s1", "zum Haus!", "zum Haus!")
    assert str(sentence) == TEXT


def test_edits_change_what_they_name_only() -> None:
    sentence = Sentence(TEXT)
    sentence.set(1, "upos", "X")
    sentence.set_column("lemma", ["a", "b", "c", ""])
    sentence.set_value("text", "anders")
    sentence.set_value("newpar", "")
    expected = TEXT.replace("zu\tADP", "zu\tX").replace("zum Haus!", "anders\n# newpar")
    for old, new in [("zu\tzu", "zu\ta"), ("dem\tder", "dem\tb"), ("Haus\tHaus", "Haus\tc")]:
        expected = expected.replace(old, new)
    assert str(sentence) == expected.replace("!\t!", "!\t_")


def test_a_refused_edit_leaves_the_sentence() -> None:
    sentence = Sentence(TEXT)
    with pytest.raises(FormatError, match="head 9 is out of range"):
        sentence.set(1, "head", "9")
    with pytest.raises(ConfigError, match="tabs or line ends"):
        sentence.set(1, "form", "a\tb")
    with pytest.raises(ConfigError, match='no column "tag"; expected one of id, form'):
        sentence.set(1, "tag", "X")
    with pytest.raises(IndexError):
        sentence.set(6, "form", "X")
    with pytest.raises(ConfigError, match="expected 4 values"):
        sentence.set_column("form", ["a"])
    assert str(sentence) == TEXT


def test_trees_come_from_sentences_and_go_back() -> None:
    sentence = Sentence(TEXT)
    tree = sentence.tree("xpos")
    assert (tree.tags, tree.labels) == (["APPR", "ART", "NN", "$."], sentence.column("deprel"))
    assert Sentence.from_tree(tree, "xpos").tree("xpos") == tree
    sentence.set_tree(tree, "xpos")
    assert str(sentence) == TEXT
    with pytest.raises(ConfigError, match="expected upos or xpos"):
        sentence.tree("pos")


def test_sentences_are_built_from_columns() -> None:
    sentence = Sentence.from_columns(
        ["a", "b"], head=[2, 0], upos=["X", ""], comments=["sent_id = 1"]
    )
    assert str(sentence) == (
        "# sent_id = 1\n1\ta\t_\tX\t_\t_\t2\t_\t_\t_\n2\tb\t_\t_\t_\t_\t0\t_\t_\t_\n\n"
    )
    assert Sentence.from_columns(["a"]).heads == [None]
    assert str(Sentence.from_columns([])) == "# text =\n\n"
    with pytest.raises(ConfigError, match="upos: expected 1 values, one per word, found 2"):
        Sentence.from_columns(["a"], upos=["X", "Y"])


def test_sentences_are_values() -> None:
    sentence = Sentence(TEXT)
    assert pickle.loads(pickle.dumps(sentence)) == sentence  # noqa: S301
    assert sentence != Sentence(TEXT.replace("Haus", "Hof"))
    with pytest.raises(FormatError, match="start of a second one"):
        Sentence(TEXT + TEXT)


def test_older_formats_hold_the_same_trees(data: Path, tmp_path: Path) -> None:
    source = data / "ud" / "de-test.conllu.gz"
    for name in ("a.conllx", "a.dp.gz"):
        assert convert(source, tmp_path / name) == 977
    trees = list(read_trees(source, tags="xpos"))
    assert list(read_trees(tmp_path / "a.conllx", tags="xpos")) == [
        type(tree)(
            [form.replace(" ", "_") for form in tree.forms], tree.heads, tree.tags, tree.labels
        )
        for tree in trees
    ]
    table = list(read_trees(tmp_path / "a.dp.gz", tags="xpos"))
    assert [(t.forms, t.heads, t.tags) for t in table] == [
        (t.forms, t.heads, t.tags) for t in trees
    ]


def test_conllx_keeps_projective_heads(tmp_path: Path) -> None:
    path, copy = tmp_path / "a.conllx", tmp_path / "b.conllx"
    path.write_text("1\ta\t_\tA\tB\t_\t2\tx\t2\ty\n2\tb\t_\tA\tB\t_\t0\troot\t_\t_\n\n")
    (sentence,) = read_sentences(path)
    assert sentence.column("misc") == ["PHEAD=2|PDEPREL=y", "_"]
    write_sentences(copy, [sentence])
    assert copy.read_text() == path.read_text()


def test_formats_are_told_by_names() -> None:
    assert guess_format("a.conllu.gz") == "conllu"
    assert guess_format("a.b/c.dp.zst") == "dp"
    assert guess_format("wsj.mrg") == "penn"
    assert guess_format("-") == "conllu"
    with pytest.raises(ConfigError, match="Penn brackets hold constituents"):
        next(read_sentences("a.mrg"))
    with pytest.raises(ConfigError, match="expected conllu, conllx or dp"):
        next(read_sentences("a", "xml"))
