"""ARPA files that are damaged, odd, or something else: one line that says where and what."""

from pathlib import Path

import pytest
from conftest import Headway
from headway import FormatError, InputError
from headway.lm import LanguageModel

SMALL = """\\data\\
ngram 1=4
ngram 2=3
ngram 3=1

\\1-grams:
-1.5\t<unk>
-99\t<s>\t-0.5
-0.5\t</s>
-0.7\ta\t-0.2

\\2-grams:
-0.1\t<s> a\t-0.3
-0.2\ta </s>
-0.4\ta a\t0.1

\\3-grams:
-0.05\t<s> a </s>

\\end\\
"""

DEFECTS = {
    "count too small": (
        "ngram 2=3",
        "ngram 2=2",
        15,
        "promises 2 2-grams, but then comes one more",
    ),
    "count too large": ("ngram 2=3", "ngram 2=4", 17, "promises 4 2-grams, but after 3 comes"),
    "no count": ("ngram 2=3\n", "", 3, 'expected "ngram 2=COUNT"'),
    "NaN": ("-0.2\ta", "NaN\ta", 14, 'expected a finite log10 probability, found "NaN"'),
    "infinity": ("-0.2\ta", "-inf\ta", 14, "expected a finite"),
    "not a number": ("-0.2\ta", "x\ta", 14, 'expected a log10 probability, found "x"'),
    "positive": ("-0.2\ta", "0.2\ta", 14, "above 0"),
    "word twice": ("-0.7\ta", "-0.7\t<s>", 10, 'the 1-gram "<s>" stands here again'),
    "n-gram twice": ("-0.4\ta a", "-0.4\ta </s>", 15, '"a </s>" stands here again, after line 14'),
    "word missing": ("<s> a </s>", "<s> b </s>", 18, 'the word "b" is not among the 1-grams'),
    "word too few": ("<s> a </s>", "<s> a", 18, "found 2 words"),
    "column too many": ("-0.3", "-0.3\t7", 13, "at most 4 columns"),
    "no begin": ("<s>", "<x>", None, 'the word "<s>" is not among'),
    "order 7": ("ngram 1=4", "ngram 7=4", 2, "headway reads up to 6"),
    "cut short": ("\n\\end\\\n", "", 18, "cut short"),
}


@pytest.mark.parametrize("defect", DEFECTS)
def test_each_defect_is_named_with_file_and_line(defect: str, tmp_path: Path) -> None:
    old, new, line, message = DEFECTS[defect]
    file = tmp_path / "m.arpa"
    file.write_text(SMALL.replace(old, new, 1))
    with pytest.raises(FormatError) as caught:
        LanguageModel.load(file)
    assert message in str(caught.value)
    assert str(caught.value).startswith(f"{file}:")
    assert line is None or caught.value.line == line


def test_files_of_other_kinds_are_recognised(tmp_path: Path) -> None:
    file = tmp_path / "m"
    for start, message in [
        (b"mmap lm http://kheafield.com/code format version 5\n\0", "give the ARPA file"),
        (b"blmt 3 100\n", "compile-lm --text"),
        (b"iARPA\n\n\\data\\", "compile-lm --text"),
        (b"just some text\n", "not an ARPA file"),
        (b"", "not an ARPA file"),
        (b"\\data\\\nngram 1=\xff", "not UTF-8"),
    ]:
        file.write_bytes(start)
        with pytest.raises(FormatError, match=message):
            LanguageModel.load(file)
    with pytest.raises(InputError, match="no such file"):
        LanguageModel.load(tmp_path / "none")
    with pytest.raises(InputError, match="is a directory"):
        LanguageModel.load(tmp_path)


def test_models_without_sentence_ends_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "m.arpa"
    file.write_text("\\data\\\nngram 1=1\n\n\\1-grams:\n-1\ta\n\n\\end\\\n")
    with pytest.raises(FormatError, match=r"m\.arpa: the model has no 1-gram <s>"):
        LanguageModel.load(file)


def test_unknown_words_score_as_in_kenlm_if_the_model_has_none(tmp_path: Path) -> None:
    file = tmp_path / "m.arpa"
    file.write_text(SMALL.replace("-1.5\t<unk>\n", "").replace("ngram 1=4", "ngram 1=3"))
    model = LanguageModel.load(file)
    word = model.score_words("x")[0]
    assert word.unknown
    assert word.log_prob / 2.302585 == pytest.approx(-100.5, abs=1e-3)
    assert not model.has_unknown
    assert "<unk>" not in model
    file.write_text(SMALL.replace("<unk>", "<UNK>"))
    word = LanguageModel.load(file).score_words("x")[0]
    assert word.unknown
    assert word.log_prob / 2.302585 == pytest.approx(-2.0, abs=1e-3)


def test_parts_missing_after_pruning_score_by_backing_off(tmp_path: Path) -> None:
    # `a b` is no 2-gram, though the 3-grams `<s> a b` and `a b a` are there.
    file = tmp_path / "m.arpa"
    file.write_text(
        "\\data\\\nngram 1=5\nngram 2=1\nngram 3=2\n\n\\1-grams:\n-1\t<unk>\t0\n0\t<s>\t-0.25\n"
        "-1\t</s>\t0\n-0.5\ta\t-0.125\n-0.75\tb\t-0.5\n\n\\2-grams:\n-0.25\t<s> a\t-0.0625\n\n"
        "\\3-grams:\n-0.375\t<s> a b\n-0.0625\ta b a\n\n\\end\\\n"
    )
    model = LanguageModel.load(file)
    for trie in (False, True):
        if trie:
            model = LanguageModel.load(file, layout="trie")
        words = model.score_words("a b a b", end=False)
        log10 = [word.log_prob / 2.302585093 for word in words]
        assert log10 == pytest.approx([-0.25, -0.375, -0.0625, -0.75 - 0.125])
        assert [word.length for word in words] == [2, 3, 3, 1]


def test_the_command_line_answers_with_one_line_and_code_2(
    headway: Headway, tmp_path: Path
) -> None:
    file = tmp_path / "m.arpa"
    file.write_text(SMALL.replace("-0.2\ta", "nan\ta"))
    for arguments in (
        ["query", file],
        ["info", file],
        ["build", file, tmp_path / "b"],
        ["sample", file],
    ):
        done = headway("lm", *arguments, stdin="a\n")
        assert done.returncode == 2
        assert done.stderr == (
            f'headway: {file}:14: expected a finite log10 probability, found "nan"\n'
        )
    assert not (tmp_path / "b").exists()
    done = headway("lm", "build", tmp_path / "none.arpa", tmp_path / "b")
    assert (done.returncode, done.stdout) == (2, "")
    done = headway("lm", "build", file, tmp_path / "no" / "b")
    assert done.returncode == 1
    assert "no such directory" in done.stderr
