"""The built-in corpus from Python and from the command line."""

import hashlib
import os
import signal
import subprocess
import sys
import tomllib
from itertools import islice
from pathlib import Path

import pytest
from conftest import PATIENCE
from headway import ConfigError, OutputError, fragment
from headway.cli import run
from headway.trees import read_sentences
from hypothesis import given, settings
from hypothesis import strategies as st
from processes import wait_for

SPLITS = ("train", "dev", "test")
ENDINGS = ("de", "en", "tok.de", "tok.en", "de.conllu", "en.conllu", "align")


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def digest(directory: Path) -> dict[str, str]:
    files = sorted(directory.iterdir())
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("fragment")
    fragment.write(out, pairs=2500, dev=200, test=300, seed=4)
    return out


def test_every_file_is_there_and_has_a_line_per_pair(corpus: Path) -> None:
    names = {f"{split}.{ending}" for split in SPLITS for ending in ENDINGS}
    assert {file.name for file in corpus.iterdir()} == names | {"fragment.toml"}
    for split, size in zip(SPLITS, (2500, 200, 300), strict=True):
        for ending in ENDINGS:
            if not ending.endswith("conllu"):
                assert len(lines(corpus / f"{split}.{ending}")) == size


def test_splits_share_no_sentence(corpus: Path) -> None:
    for side in ("de", "en"):
        sentences = [line for split in SPLITS for line in lines(corpus / f"{split}.{side}")]
        assert len(set(sentences)) == len(sentences) == 3000


def test_files_hold_what_generate_yields_in_its_order(corpus: Path) -> None:
    pairs = list(fragment.generate(3000, seed=4))
    for split, start, end in (("test", 0, 300), ("dev", 300, 500), ("train", 500, 3000)):
        assert [pair.source.text for pair in pairs[start:end]] == lines(corpus / f"{split}.de")
        assert [pair.target.text for pair in pairs[start:end]] == lines(corpus / f"{split}.en")
        links = [" ".join(f"{s}-{t}" for s, t in pair.alignment) for pair in pairs[start:end]]
        assert links == lines(corpus / f"{split}.align")


def test_trees_are_over_the_tokens_and_spell_the_sentences(corpus: Path) -> None:
    for side in ("de", "en"):
        tokens, raw = lines(corpus / f"dev.tok.{side}"), lines(corpus / f"dev.{side}")
        sentences = list(read_sentences(corpus / f"dev.{side}.conllu"))
        assert [" ".join(sentence.forms) for sentence in sentences] == tokens
        assert [sentence.surface() for sentence in sentences] == raw
        assert all(sentence.tree().is_tree for sentence in sentences)


def test_the_summary_says_how_it_was_made_and_what_is_in_it(corpus: Path) -> None:
    summary = tomllib.loads((corpus / "fragment.toml").read_text(encoding="utf-8"))
    sizes = {"pairs": 2500, "dev": 200, "test": 300}
    assert summary["arguments"] == {**sizes, "seed": 4, "difficulty": 0.5}
    tokens = sum(len(line.split()) for line in lines(corpus / "train.tok.de"))
    assert summary["train"]["source_tokens"] == tokens
    extraposed = sum(
        "extraposed-relative" in (sentence.metadata["phenomena"] or "").split()
        for sentence in read_sentences(corpus / "train.de.conllu")
    )
    assert summary["train"]["phenomena"]["extraposed-relative"] == extraposed > 0


def test_threads_change_no_byte(corpus: Path, tmp_path: Path) -> None:
    fragment.write(tmp_path, pairs=2500, dev=200, test=300, seed=4, threads=1)
    assert digest(tmp_path) == digest(corpus)


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**64 - 1), difficulty=st.floats(0, 1))
def test_any_seed_and_difficulty_give_sound_pairs(seed: int, difficulty: float) -> None:
    for pair in fragment.generate(20, seed=seed, difficulty=difficulty):
        source, target = pair.source.tree(), pair.target.tree()
        assert source.is_tree
        assert target.is_tree
        assert 4 <= len(source) <= 40
        assert 4 <= len(target) <= 40
        assert {s for s, _ in pair.alignment} <= set(range(len(source)))
        assert {t for _, t in pair.alignment} <= set(range(len(target)))
        assert source.is_projective != ("non-projective-german" in pair.phenomena)
        assert target.is_projective != ("non-projective-english" in pair.phenomena)


def test_generation_goes_on_as_long_as_it_is_asked() -> None:
    endless = list(islice(fragment.generate(seed=3), 2300))
    assert endless == list(fragment.generate(2300, seed=3))
    assert list(fragment.generate(0)) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"pairs": -1}, "pairs: expected 0 or more, found -1"),
        ({"pairs": 3, "seed": -1}, "seed: expected a number from 0 to"),
        ({"pairs": 3, "difficulty": 2.0}, "difficulty: expected a number from 0 to 1, found 2"),
        ({"pairs": 3, "difficulty": float("nan")}, "difficulty: expected a number from 0 to 1"),
    ],
)
def test_nonsense_is_refused(arguments: dict[str, float], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        list(fragment.generate(**arguments))  # type: ignore[arg-type]


def test_writing_refuses_sizes_that_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="pairs: expected at least 1, found 0"):
        fragment.write(tmp_path, pairs=0)
    with pytest.raises(ConfigError, match="dev: expected 0 or more, found -5"):
        fragment.write(tmp_path, pairs=1, dev=-5)
    with pytest.raises(ConfigError, match="pairs: expected at most"):
        fragment.write(tmp_path, pairs=10**12)
    assert list(tmp_path.iterdir()) == []


def test_a_file_where_the_directory_should_be_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    with pytest.raises(OutputError, match="taken"):
        fragment.write(tmp_path / "taken", pairs=1)


def test_files_of_others_are_kept(tmp_path: Path) -> None:
    (tmp_path / "train.de").write_text("mein Text\n")
    with pytest.raises(ConfigError, match=r"has a train.de that no `headway fragment` has written"):
        fragment.write(tmp_path, pairs=3, dev=1, test=1)
    assert [path.name for path in tmp_path.iterdir()] == ["train.de"]
    (tmp_path / "train.de").unlink()
    for pairs in (3, 4):  # the second call replaces what the first one wrote
        fragment.write(tmp_path, pairs=pairs, dev=1, test=1)
        assert len((tmp_path / "train.de").read_text("utf-8").splitlines()) == pairs


def test_the_command_writes_and_says_where(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "new" / "corpus"
    arguments = ["--pairs", "50", "--dev", "5", "--test", "5", "--seed", "8", "--out", str(out)]
    assert run(["fragment", *arguments]) == 0
    assert "50 training pairs" in capsys.readouterr().err
    direct = tmp_path / "direct"
    fragment.write(direct, pairs=50, dev=5, test=5, seed=8)
    assert digest(out) == digest(direct)


def test_show_prints_pairs(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["fragment", "--pairs", "2", "--seed", "3", "--show"]) == 0
    printed = capsys.readouterr().out
    expected = [f"{p.source.text}\n{p.target.text}\n\n" for p in fragment.generate(2, seed=3)]
    assert printed == "".join(expected)
    assert run(["fragment", "--pairs", "2", "--seed", "3", "--show", "--trees"]) == 0
    assert "nsubj" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [
        ["--pairs", "5"],
        ["--pairs", "0", "--show"],
        ["--pairs", "x", "--show"],
        ["--pairs", "3", "--difficulty", "1.5", "--show"],
        ["--pairs", "3", "--dev", "-1", "--out", "x"],
        ["--show"],
    ],
)
def test_the_command_refuses_nonsense(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["fragment", *arguments]) == 2
    assert list(tmp_path.iterdir()) == []


def test_an_interrupted_run_leaves_nothing(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "headway", "fragment", "--pairs", "100000000"]
    started = subprocess.Popen(
        [*command, "--out", str(tmp_path)],
        stderr=subprocess.PIPE,
        env=os.environ | {"NO_COLOR": "1"},
    )
    wait_for(lambda: any(tmp_path.iterdir()), started)
    started.send_signal(signal.SIGINT)
    _, complaint = started.communicate(timeout=PATIENCE)
    assert started.returncode == 130
    assert complaint.decode().splitlines()[-1] == "headway: interrupted"
    assert list(tmp_path.iterdir()) == []
