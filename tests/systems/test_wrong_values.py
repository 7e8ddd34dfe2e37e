"""Numbers that no model should hold, in every kind of file: an error or a finite score."""

import math
import random
import shutil
import struct
from pathlib import Path

import pytest
from conftest import Headway
from headway import HeadwayError, Translator, lm
from headway.corpus import read_lines
from spoiling import section, spoilt

FILES = [
    ("phrase", "rules.table"),
    ("phrase", "lm.bin"),
    ("hiero", "rules.table"),
    ("hiero", "lm.bin"),
    ("str2dep", "rules.table"),
    ("str2dep", "lm.bin"),
    ("str2dep", "left.bin"),
    ("str2dep", "roots.bin"),
    ("phrase-deplm", "rules.table"),
    ("phrase-deplm", "lm.bin"),
    ("phrase-deplm", "parser.bin"),
]


def check(directory: Path, lines: list[str]) -> bool:
    """Whether all was translated; otherwise there was an error, and none of the program's own."""
    message = ""
    try:
        found = Translator.load(directory, verify=False).translate(lines, n_best=3, threads=2)
    except HeadwayError as error:
        found, message = [], str(error)
    assert "please report" not in message
    for one in found:
        assert math.isfinite(one.score)
        assert all(math.isfinite(entry.score) for entry in one.n_best)
    return not message


@pytest.mark.parametrize(("system", "file"), FILES)
def test_wrong_numbers_in_a_file_lead_to_an_error_or_a_finite_score(
    small_systems: Path, tmp_path: Path, system: str, file: str
) -> None:
    lines = list(read_lines(small_systems / "corpus" / "test.de"))
    assert check(small_systems / system, lines)
    for seed in range(8):
        directory = tmp_path / str(seed)
        shutil.copytree(small_systems / system, directory)
        spoilt(directory / file, random.Random(seed), share=10.0 ** -(seed % 4))
        check(directory, lines)


@pytest.mark.parametrize("quantise", [None, 8])
def test_wrong_numbers_in_a_trie(small_systems: Path, tmp_path: Path, quantise: int | None) -> None:
    lines = list(read_lines(small_systems / "corpus" / "test.de"))
    for seed in range(6):
        directory = tmp_path / str(seed)
        shutil.copytree(small_systems / "hiero", directory)
        path = directory / "lm.bin"
        path.unlink()
        lm.build(small_systems / "hiero" / "lm.bin", path, layout="trie", quantise=quantise)
        if seed:
            spoilt(path, random.Random(seed), share=10.0 ** -(seed % 4))
        manifest = directory / "model.toml"
        size = (small_systems / "hiero" / "lm.bin").stat().st_size
        manifest.write_text(manifest.read_text().replace(f"{size}", f"{path.stat().st_size}"))
        assert check(directory, lines) or seed


def test_wrong_numbers_of_words_are_found_when_a_model_is_opened(
    small_systems: Path, tmp_path: Path
) -> None:
    for layout in ("hashed", "trie"):
        path = tmp_path / f"{layout}.bin"
        lm.build(small_systems / "hiero" / "lm.bin", path, layout=layout)
        content = bytearray(path.read_bytes())
        struct.pack_into("<f", content, section(content, b"1-grams").start, math.inf)
        path.write_bytes(content)
        with pytest.raises(HeadwayError, match="a 1-gram has a value that is no logarithm"):
            lm.LanguageModel.load(path)


def without_bigrams(bundle: Path, directory: Path) -> Path:
    """A copy whose language model gives every two words an infinite score.

    Longer n-grams are not looked at before they are needed, so it can be opened.
    """
    shutil.copytree(bundle, directory)
    path = directory / "lm.bin"
    content = bytearray(path.read_bytes())
    for bucket in section(content, b"2-grams")[::64]:  # five keys, then their probabilities
        struct.pack_into("<5f", content, bucket + 20, *[math.inf] * 5)
    path.unlink()
    path.write_bytes(content)
    return directory


def test_an_error_in_search_names_the_sentence(small_systems: Path, tmp_path: Path) -> None:
    for system in ("phrase", "hiero", "str2dep", "phrase-deplm"):
        directory = without_bigrams(small_systems / system, tmp_path / system)
        lines = ["", *read_lines(small_systems / "corpus" / "test.de")]
        translator = Translator.load(directory, verify=False)
        words = lines[1].split()[0].lower()
        with pytest.raises(HeadwayError, match=rf'(?i)^sentence 12 \("{words}') as found:
            translator.translate(lines, before=10)
        assert "a score is not a finite number" in str(found.value)


@pytest.mark.parametrize("options", [[], ["--n-best", "2", "lists"]])
def test_an_error_in_the_middle_of_a_stream_names_the_line(
    small_systems: Path, tmp_path: Path, headway: Headway, options: list[str]
) -> None:
    """Lines come in batches of up to 1,024, with lists 128; empty ones need no language model."""
    directory = without_bigrams(small_systems / "hiero", tmp_path / "model")
    bad = next(read_lines(small_systems / "corpus" / "test.de"))
    for before in (0, 127, 128, 1023, 1024, 2500):
        text = "\n" * before + f"{bad}\n" + "\n" * 700
        done = headway(
            "translate", directory, "--no-verify", "-q", *options, stdin=text, cwd=tmp_path
        )
        assert done.returncode == 1
        assert done.stderr.startswith(f'headway: sentence {before + 1} ("'), done.stderr
        assert done.stderr.count("\n") == 1
        assert set(done.stdout) <= {"\n"}
        assert len(done.stdout) <= before
        assert not (tmp_path / "lists").exists()
