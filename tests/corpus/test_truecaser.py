"""Learning and applying case."""

from collections import Counter
from pathlib import Path

import pytest
from conftest import Headway
from headway import FormatError, ModelError
from headway.corpus import Truecaser
from hypothesis import given
from hypothesis import strategies as st

LINES = [
    "Der Hund sieht den Mann .",
    "Es ist der Hund .",
    "Wir sehen Anna .",
    "Ja , Anna . Der Tag beginnt .",
]


def test_sentence_beginnings_get_their_usual_case() -> None:
    truecaser = Truecaser.learn_words([line.split() for line in LINES], "de")
    assert truecaser.apply(["Der", "Hund", "und", "Anna", "."]) == [
        "der",
        "Hund",
        "und",
        "Anna",
        ".",
    ]
    assert truecaser.apply(["DER", "HUND"], headlines=True) == ["der", "Hund"]
    assert truecaser.recase(["ja", ".", "der", "Hund"]) == ["Ja", ".", "Der", "Hund"]
    assert truecaser.form("HUND") == "Hund"
    assert truecaser.form("Katze") is None


cased = st.sampled_from(["a", "A", "b", "B", "bC", "."])


@given(st.lists(st.lists(cased, min_size=1, max_size=6), max_size=8))
def test_the_usual_case_is_the_most_frequent_one_within_sentences(lines: list[list[str]]) -> None:
    counts: dict[str, Counter[str]] = {}
    initial = set()
    for line in lines:
        begins = True
        for word in line:
            if word == ".":
                begins = True
                continue
            if not begins:
                counts.setdefault(word.lower(), Counter())[word] += 1
            elif word.islower():
                initial.add(word)
            begins = False
    truecaser = Truecaser.learn_words(lines)
    for word in ("a", "b", "bc"):
        form = truecaser.form(word)
        if word in counts:
            assert form is not None
            assert counts[word][form] == max(counts[word].values())
        else:
            assert form == (word if word in initial else None)


def test_a_model_is_saved_and_loaded(tmp_path: Path) -> None:
    truecaser = Truecaser.learn_words([line.split() for line in LINES], "de")
    truecaser.save(tmp_path / "m")
    loaded = Truecaser.load(tmp_path / "m")
    assert len(loaded) == len(truecaser)
    assert loaded.apply(["Der", "Hund"]) == ["der", "Hund"]


def test_what_is_no_model_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "m"
    path.write_text("no model")
    with pytest.raises(ModelError):
        Truecaser.load(path)
    path.write_text("")
    with pytest.raises(FormatError, match="no words to learn from"):
        Truecaser.learn(path)


def test_the_command_line_learns_applies_and_recases(headway: Headway, tmp_path: Path) -> None:
    model = tmp_path / "de.case"
    text = "\n".join(LINES) + "\n"
    done = headway("truecase", "train", "-l", "de", "-o", model, stdin=text)
    assert (done.returncode, done.stdout) == (0, "")
    assert "words" in done.stderr
    done = headway("truecase", "apply", model, stdin=text)
    assert done.stdout.splitlines()[0] == "der Hund sieht den Mann ."
    assert headway("truecase", "recase", stdin=done.stdout).stdout == text


def test_captions_survive_truecasing_and_recasing(
    data: Path, headway: Headway, tmp_path: Path
) -> None:
    tokens, model = tmp_path / "t", tmp_path / "m"
    headway("tokenise", data / "multi30k/val.raw.en.gz", "-l", "en", "-o", tokens)
    headway("truecase", "train", tokens, "-o", model)
    cased = headway("truecase", "apply", model, tokens).stdout
    assert cased.count("\na ") > 400
    recased = headway("truecase", "recase", stdin=cased).stdout.splitlines()
    lines = tokens.read_text().splitlines()
    assert sum(map(str.__eq__, recased, lines)) / len(lines) > 0.98
