"""Mistakes with language model files that would cost a corpus or give a silent wrong answer."""

import os
from pathlib import Path

import pytest
from conftest import Headway


@pytest.fixture
def arpa(headway: Headway, tmp_path: Path) -> Path:
    (tmp_path / "text").write_text("a b c\na c\nb a\n")
    assert headway("lm", "train", "-q", "-i", "text", "-o", "m.arpa", cwd=tmp_path).returncode == 0
    return tmp_path / "m.arpa"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["lm", "train", "-i", "text", "-o", "text"], "is read and would be written over"),
        (["lm", "query", "-"], "standard input is named twice"),
        (["lm", "mix", "m.arpa", "m.arpa", "--tune", "-", "-i", "-"], "named twice"),
        (["lm", "build", "m.arpa", "-"], "name a file, not standard output"),
        (["lm", "query", "pipe", "-i", "text"], "pipe: is a pipe"),
    ],
)
def test_it_is_refused_in_one_line(
    headway: Headway, arpa: Path, arguments: list[str], message: str
) -> None:
    os.mkfifo(arpa.parent / "pipe")
    done = headway(*arguments, cwd=arpa.parent)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert (arpa.parent / "text").read_text() == "a b c\na c\nb a\n"
    assert not (arpa.parent / "-").exists()


def test_a_model_without_unk_is_warned_of(headway: Headway, arpa: Path) -> None:
    lines = arpa.read_text().splitlines(keepends=True)
    unigrams = next(line for line in lines if line.startswith("ngram 1="))
    kept = [line for line in lines if "\t<unk>" not in line]
    count = int(unigrams.split("=")[1])
    text = "".join(kept).replace(unigrams, f"ngram 1={count - 1}\n")
    (arpa.parent / "no.arpa").write_text(text)
    done = headway("lm", "query", "no.arpa", "-i", "text", cwd=arpa.parent)
    assert done.returncode == 0
    assert "no <unk> in it" in done.stderr.replace("\n", " ")
    assert headway("lm", "query", "m.arpa", "-i", "text", cwd=arpa.parent).stderr == ""
