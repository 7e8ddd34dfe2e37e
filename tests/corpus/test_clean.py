"""Cleaning parallel text."""

import json
from pathlib import Path

import pytest
from conftest import Headway
from headway import ConfigError, FormatError
from headway.corpus import clean, corpus_files, read_pairs, write_pairs
from headway.settings import CleanSettings
from hypothesis import given
from hypothesis import strategies as st

LIMITS = CleanSettings(max_words=4, max_characters=20, max_ratio=2.0, keep_repeated=False)


def obvious_reason(source: str, target: str, seen: set[tuple[str, str]]) -> str | None:
    """The slow version, for text without control characters and scripts without spaces."""
    pair = (" ".join(source.split()), " ".join(target.split()))
    words = [len(side.split()) for side in pair]
    reason = None
    if 0 in words:
        reason = "empty side"
    elif max(words) > LIMITS.max_words:
        reason = "too many words"
    elif max(map(len, pair)) > LIMITS.max_characters:
        reason = "too many characters"
    elif max(words) > LIMITS.max_ratio * min(words):
        reason = "length ratio"
    elif pair in seen:
        reason = "repeated pair"
    else:
        seen.add(pair)
    return reason


sides = st.text(alphabet="ab \u00a0\tß.", max_size=24)


@given(st.lists(st.tuples(sides, sides), max_size=30))
def test_cleaning_agrees_with_the_obvious(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[tuple[str, str]]
) -> None:
    folder = tmp_path_factory.mktemp("clean")
    write_pairs(pairs, folder / "a", folder / "b")
    seen: set[tuple[str, str]] = set()
    reasons = [obvious_reason(source, target, seen) for source, target in pairs]
    report = clean(
        corpus_files([folder / "a", folder / "b"]),
        corpus_files([folder / "c", folder / "d"]),
        LIMITS,
    )
    kept = [pair for pair, reason in zip(pairs, reasons, strict=True) if reason is None]
    assert list(read_pairs(folder / "c", folder / "d")) == [
        (" ".join(source.split()), " ".join(target.split())) for source, target in kept
    ]
    assert (report.read, report.kept) == (len(pairs), len(kept))
    for dropped in report.dropped:
        lines = [number for number, reason in enumerate(reasons, 1) if reason == dropped.reason]
        assert (dropped.count, list(dropped.lines)) == (len(lines), lines[:5])


def write_dirty(folder: Path) -> list[Path]:
    source = b"gut\n\xff\nNUL\0\n\nrepeat\nrepeat \nok\nbell\x07\n"
    target = b"good\nbad\nnul\nempty\nagain\nagain\nok\nbell\n"
    (folder / "a.de").write_bytes(source)
    (folder / "a.en").write_bytes(target)
    return [folder / "a.de", folder / "a.en"]


def test_the_report_says_what_was_dropped_and_where(headway: Headway, tmp_path: Path) -> None:
    files = write_dirty(tmp_path)
    done = headway("clean", *files, "-o", tmp_path / "b.de", "-o", tmp_path / "b.en")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.splitlines() == [
        "read 8 pairs, kept 3 (37.5%)",
        "           1  invalid UTF-8 (line 2)",
        "           2  control character (line 3, 8)",
        "           1  empty side (line 4)",
        "           1  repeated pair (line 6)",
    ]
    assert (tmp_path / "b.de").read_text() == "gut\nrepeat\nok\n"
    assert (tmp_path / "b.en").read_text() == "good\nagain\nok\n"


def test_the_report_is_also_json(headway: Headway, tmp_path: Path) -> None:
    files = write_dirty(tmp_path)
    outputs = ["-o", tmp_path / "b.de", "-o", tmp_path / "b.en"]
    done = headway("clean", *files, *outputs, "--json", "--set", "clean.keep_repeated=true")
    report = json.loads(done.stdout)
    assert (report["read"], report["kept"]) == (8, 4)
    assert report["dropped"]["control character"] == {"count": 2, "lines": [3, 8]}
    assert report["dropped"]["repeated pair"] == {"count": 0, "lines": []}
    done = headway("clean", "x.tsv", "-o", "-", "--json")
    assert done.returncode == 2
    assert "standard output is taken" in done.stderr


def test_strict_stops_at_bad_bytes_and_leaves_no_file(headway: Headway, tmp_path: Path) -> None:
    files = write_dirty(tmp_path)
    done = headway("clean", *files, "-o", tmp_path / "b.de", "-o", tmp_path / "b.en", "--strict")
    assert done.returncode == 2
    assert "a.de:2: not UTF-8: byte 0xff at column 1" in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.de", "a.en"]


def test_tsv_keeps_its_further_columns(headway: Headway) -> None:
    done = headway("clean", "-", "-o", "-", stdin="a  b\tc\tscore\t1\nno tab\n\tx\n")
    assert done.stdout == "a b\tc\tscore\t1\n"
    assert "no second column (line 2)" in done.stderr


def test_tmx_units_without_a_language_are_counted(headway: Headway) -> None:
    text = (
        "<tmx><body>\n<tu><tuv xml:lang='de'><seg>ja</seg></tuv></tu>\n"
        "<tu><tuv xml:lang='de'><seg>ja</seg></tuv><tuv xml:lang='en'>"
        "<seg>yes</seg></tuv></tu></body></tmx>"
    )
    done = headway("clean", "-", "--from", "tmx", "-o", "-", "--languages", "de,en", stdin=text)
    assert done.stdout == "ja\tyes\n"
    assert "1  language missing (line 2)" in done.stderr


def test_chinese_and_english_are_measured_alike(headway: Headway) -> None:
    line = "我们今天早上在公园里看见了三只小狗和一只猫。\t"
    line += "This morning we saw three puppies and a cat in the park.\n"
    assert headway("clean", "-", "-o", "-", "--set", "clean.max_ratio=3", stdin=line).stdout == line


def test_a_corpus_can_replace_itself(tmp_path: Path) -> None:
    write_pairs([("a", "b"), ("a", "b"), ("c", "d")], tmp_path / "a", tmp_path / "b")
    files = corpus_files([tmp_path / "a", tmp_path / "b"])
    assert clean(files, files).kept == 2
    assert list(read_pairs(tmp_path / "a", tmp_path / "b")) == [("a", "b"), ("c", "d")]


def test_senseless_limits_are_refused(headway: Headway, tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("a\tb\n")
    files = corpus_files([tmp_path / "a.tsv"])
    odd = CleanSettings(max_words=1, max_characters=1, max_ratio=0.5, keep_repeated=False)
    with pytest.raises(ConfigError, match="max_ratio"):
        clean(files, corpus_files([tmp_path / "b.tsv"]), odd)
    done = headway("clean", "-", "-o", "-", "--set", "clean.max_words=-1")
    assert done.returncode == 2
    assert "clean.max_words" in done.stderr


def test_differing_line_counts_stop_cleaning(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("1\n")
    (tmp_path / "b").write_text("1\n2\n")
    with pytest.raises(FormatError, match="line counts differ"):
        clean(corpus_files([tmp_path / "a", tmp_path / "b"]), corpus_files([tmp_path / "c.tsv"]))
    assert not (tmp_path / "c.tsv").exists()


def test_captions_come_through_clean(data: Path, tmp_path: Path) -> None:
    files = [data / "multi30k/train.raw.de.gz", data / "multi30k/train.raw.en.gz"]
    report = clean(corpus_files(files), corpus_files([tmp_path / "a.tsv.zst"]))
    assert report.read == 29_000
    assert report.kept > 28_900
