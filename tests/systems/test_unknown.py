"""Unknown words, copied or translated like a similar one: flagged, marked, counted, listed."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from headway import Translator
from headway.cli import run
from headway.corpus import read_lines
from headway.systems import Segment, UnknownReport, UnknownWord, moses_lines, write_unknown_report
from headway.systems.unknown import mark_look_alikes, unknown_words

ALIKE = "search.alike=0.75"
SENTENCE = "Der kleinne Hund Xyzzy schläft ."


def load(model: Path, **search: Any) -> Translator:
    return Translator.load(model, search={"alike": 0.75, **search})


@pytest.mark.parametrize(
    ("how", "words"), [("copy", ["Xyzzy"]), ("drop", []), ("mark", ["UNK:Xyzzy"])]
)
def test_unknown_words_are_copied_dropped_or_marked(
    model: Path, how: str, words: list[str]
) -> None:
    (found,) = load(model, unknown=how).translate(["Der Hund Xyzzy schläft ."])
    assert [word for word in found.words if "yzzy" in word.lower()] == words
    (one,) = found.unknown
    assert (one.place, one.word, one.kind, list(one.said)) == (2, "Xyzzy", how, words)
    assert [found.words[place] for place in one.target] == words
    assert found.features["unknown-word"] == -100


def test_a_look_alike_is_flagged_in_translation_list_and_derivation(model: Path) -> None:
    usual, found = load(model).translate(["Der kleine Hund schläft .", SENTENCE], n_best=3)
    assert (usual.unknown, usual.flags) == ((), frozenset())
    assert (found.source[1], found.read[1], *found.flags) == ("kleinne", "kleine", "alike")
    for candidate in (found, *found.n_best):
        similar, copied = candidate.unknown
        assert (similar.word, similar.kind, similar.known) == ("kleinne", "look-alike", "kleine")
        assert similar.said == tuple(candidate.words[place] for place in similar.target)
        assert (copied.word, copied.kind, copied.known) == ("Xyzzy", "copy", None)
    assert found.unknown[0].said == ("small",)
    assert found.table()["unknown"] == [one.table() for one in found.unknown]
    assert found.table()["unknown"][0]["known"] == "kleine"
    assert all(
        line.endswith(" ||| 1=look-alike:kleine 3=copy") for line in moses_lines(0, found.n_best)
    )
    assert all(line.count("|||") == 5 for line in moses_lines(0, usual.n_best))


def test_mark_covers_look_alikes(model: Path) -> None:
    (plain,), (found,) = (
        load(model, unknown=how).translate([SENTENCE], n_best=3) for how in ("copy", "mark")
    )
    assert "UNK:kleinne=small" in found.words
    assert "UNK:kleinne=small" in found.text
    assert "UNK:Xyzzy" in found.words
    assert all("UNK:kleinne=" in " ".join(candidate.words) for candidate in found.n_best)
    # What is said, where and why stays the same.
    assert found.unknown[0] == plain.unknown[0]
    assert len(found.words) == len(plain.words)


def test_without_similarity_the_word_is_unknown_like_others(model: Path) -> None:
    (found,) = load(model, alike=0.0, unknown="mark").translate([SENTENCE])
    assert [(one.word, one.kind) for one in found.unknown] == [
        ("kleinne", "mark"),
        ("Xyzzy", "mark"),
    ]
    assert found.flags == frozenset()


def test_case_alone_is_told_apart_and_not_marked(model: Path) -> None:
    (found,) = load(model, unknown="mark").translate(["Der KLEINE Hund schläft ."])
    assert [(one.word, one.kind, one.known) for one in found.unknown] == [
        ("KLEINE", "case", "kleine")
    ]
    assert "UNK" not in found.text


def test_numbers_and_words_unlike_any_other_stay_as_they_are(model: Path) -> None:
    (left,) = load(model).translate(["Der Hudn 12345 Xyzzyx schläft ."])
    assert {one.word for one in left.unknown if one.kind == "copy"} >= {"12345", "Xyzzyx"}


def segment(source: tuple[int, int], target: tuple[int, int]) -> Segment:
    return Segment(source, target)


@pytest.mark.parametrize(
    ("segments", "links", "target"),
    [
        ([segment((0, 3), (0, 3))], [(1, 0), (1, 2), (0, 1)], (0, 2)),
        # Without a link: all words of its rule, but not those of rules in its slots or around it.
        ([segment((0, 2), (0, 2)), segment((2, 3), (2, 3))], [], (0, 1)),
        ([segment((0, 3), (0, 3)), segment((1, 2), (1, 2))], [], (1,)),
        ([segment((0, 1), (0, 1)), segment((1, 3), (0, 3)), segment((2, 3), (1, 2))], [], (2,)),
    ],
)
def test_what_stands_for_a_look_alike(
    segments: Sequence[Segment], links: Sequence[tuple[int, int]], target: tuple[int, ...]
) -> None:
    (one,) = unknown_words(["a", "bx", "c"], ["a", "b", "c"], ["x", "y", "z"], segments, links)
    assert (one.place, one.known, one.target) == (1, "b", target)
    assert one.said == tuple("xyz"[place] for place in target)


def test_words_said_for_two_look_alikes_bear_both_marks() -> None:
    pair = [UnknownWord(place, word, "look-alike", ("x",), (0,), "k") for place, word in
            enumerate(["a", "b"])]  # fmt: skip
    assert mark_look_alikes(["x", "y"], pair) == ("UNK:a,b=x", "y")


def test_the_report_counts_and_shows_a_context(model: Path, tmp_path: Path) -> None:
    lines = ["Der Hund schläft .", "", SENTENCE, "Der Hund Xyzzy schläft ."]
    found = load(model).translate(lines)
    write_unknown_report(tmp_path / "report.tsv", found)
    header, *rows = [line.split("\t") for line in read_lines(tmp_path / "report.tsv")]
    assert header == ["count", "word", "kind", "known_word", "said", "line", "context"]
    assert rows[0][:4] == ["2", "Xyzzy", "copy", ""]
    assert rows[0][4:] == ["Xyzzy", "3", "der kleinne Hund [Xyzzy] schläft ."]
    assert rows[1][:6] == ["1", "kleinne", "look-alike", "kleine", "small", "3"]
    report = UnknownReport()
    report.add(found[:3])
    report.add(found[3:])
    assert [line.split("\t") for line in report.lines()] == [header, *rows]
    assert report.summary() == "unknown: 2 words copied, 1 translated like a similar word"
    assert UnknownReport().summary() == ""


def test_the_command_counts_and_lists(
    model: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    text, report = tmp_path / "text", tmp_path / "report.tsv"
    text.write_text(f"{SENTENCE}\n", encoding="utf-8")
    command = ["translate", str(model), "-i", str(text), "--set", ALIKE, "--threads", "1"]
    counts = "unknown: 1 word copied, 1 translated like a similar word"
    assert run(command) == 0
    assert capfd.readouterr().err == f"{counts}; --unknown-report F lists them\n"
    assert run([*command, "--unknown-report", str(report)]) == 0
    assert capfd.readouterr().err == f"{counts}; listed in {report}\n"
    assert len(list(read_lines(report))) == 3
    assert run([*command, "-q", "--unknown", "mark"]) == 0
    said = capfd.readouterr()
    assert said.err == ""
    assert "UNK:kleinne=small" in said.out
    assert run(["inspect", str(model), SENTENCE, "--set", ALIKE]) == 0
    assert "unknown: kleinne read as kleine" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("path", "message"),
    [("text", "would be written over"), ("out", "two outputs"), ("absent/x", "cannot write")],
)
def test_the_report_replaces_no_other_file(
    model: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], path: str, message: str
) -> None:
    (tmp_path / "text").write_text("Der Hund .\n", encoding="utf-8")
    files = ["-i", str(tmp_path / "text"), "-o", str(tmp_path / "out")]
    assert run(["translate", str(model), *files, "--unknown-report", str(tmp_path / path)]) != 0
    assert message in capfd.readouterr().err
    assert [file.name for file in tmp_path.iterdir()] == ["text"]


def test_the_report_and_the_text_cannot_both_go_to_standard_output(
    model: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "text").write_text(f"{SENTENCE}\n", encoding="utf-8")
    command = ["translate", str(model), "-i", str(tmp_path / "text"), "--unknown-report", "-"]
    assert run(command) == 2
    assert "standard output is named twice" in capfd.readouterr().err
    assert run([*command, "-o", str(tmp_path / "out")]) == 0
    assert capfd.readouterr().out.startswith("count\tword\t")
