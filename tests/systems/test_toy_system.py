"""A system is one value: the example of CONTRIBUTING.md, trained, tuned and used."""

from pathlib import Path

import pytest
from conftest import Headway
from headway import ConfigError, train
from headway.systems import SYSTEMS, System
from headway.systems.steps import ALIGNMENT, CLEANING, LANGUAGE_MODELS, PHRASES, TEXT

FLAT = System(
    "flat",
    "phrases in the order of the source",
    (CLEANING, TEXT, ALIGNMENT, LANGUAGE_MODELS, PHRASES),
    "stack",
    search={"distortion_limit": 0},
    training={"extract.reordering.model": "none", "align.samples": 1, "lm.classes.count": 0},
)


@pytest.fixture
def flat(monkeypatch: pytest.MonkeyPatch) -> System:
    monkeypatch.setitem(SYSTEMS, FLAT.name, FLAT)
    return FLAT


def test_a_system_of_one_value_trains_tunes_and_translates(
    flat: System, corpus: Path, tmp_path: Path, headway: Headway
) -> None:
    sides = ["--source", corpus / "train.de", "--target", corpus / "train.en"]
    dev = ["--dev-source", corpus / "dev.de", "--dev-target", corpus / "dev.en"]
    done = headway(
        "train", flat.name, *sides, *dev, "--out", tmp_path / "m", "--set", "tune.iterations=1",
        "--set", "extract.hiero.slots=1", "--set", "weights.reordering=1",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "extract.hiero.slots has no effect: only hiero uses it" in done.stderr
    assert "weights.reordering has no effect: extract.reordering.model is none" in done.stderr
    done = headway("translate", tmp_path / "m", "-i", corpus / "test.de", "--unknown", "drop")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) == 60
    assert sum(bool(line) for line in lines) > 50
    done = headway("inspect", tmp_path / "m", "Der Hund schläft .")
    assert done.returncode == 0, done.stderr
    assert "distortion" in done.stdout


def test_what_it_does_not_declare_is_refused(flat: System, corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="weight dependency: no such feature: only phrase-deplm"):
        train(
            flat.name, corpus / "dev.de", corpus / "dev.en", tmp_path / "x",
            weights={"dependency": 1.0},
        )  # fmt: skip
    with pytest.raises(ConfigError, match="flat uses no trees; leave out --treebank"):
        train(
            flat.name, corpus / "dev.de", corpus / "dev.en", tmp_path / "x",
            treebanks=[corpus / "dev.en.conllu"],
        )  # fmt: skip
