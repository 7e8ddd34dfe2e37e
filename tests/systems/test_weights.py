"""Weights at their limits: what could overflow is refused where it enters."""

import math
import shutil
from pathlib import Path

import pytest
from conftest import Headway
from headway import ConfigError, ModelError, Settings, Translator, train, tune
from headway.corpus import read_lines

RANGE = "expected a number from -1,000,000 to 1,000,000, found"


@pytest.mark.parametrize("value", ["1e39", "1e38", "-1000001", "nan", "-inf"])
@pytest.mark.parametrize("name", ["p(e|f)", "lm", "distortion"])
def test_the_command_line_refuses_weights_that_could_overflow(
    model: Path, corpus: Path, headway: Headway, name: str, value: str
) -> None:
    done = headway("translate", model, "-i", corpus / "test.de", "-w", f"{name}={value}")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.strip().endswith(f"weight {name}: {RANGE} {float(value)}")


@pytest.mark.parametrize("value", [1e39, math.nan, -math.inf])
def test_python_and_training_refuse_them(
    model: Path, corpus: Path, tmp_path: Path, value: float
) -> None:
    with pytest.raises(ConfigError, match=f"weight lm: {RANGE}"):
        Translator.load(model, weights={"lm": value})
    sides = (corpus / "train.de", corpus / "train.en")
    with pytest.raises(ConfigError, match=f"weight lm: {RANGE}"):
        train("phrase", *sides, tmp_path / "m", weights={"lm": value})
    settings = Settings.load(None, [f"weights.lm={value}"])
    with pytest.raises(ConfigError, match=f"weight lm: {RANGE}"):
        train("phrase", *sides, tmp_path / "m", settings=settings)
    assert not (tmp_path / "m").exists()


@pytest.mark.parametrize("value", ["1e39", "nan", "-inf"])
def test_a_bundle_refuses_them(model: Path, tmp_path: Path, value: str) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(model, copy)
    lines = (copy / "model.toml").read_text().splitlines()
    place = next(n for n, line in enumerate(lines) if line.startswith("lm = "))
    lines[place] = f"lm = {value}"
    (copy / "model.toml").write_text("\n".join(lines))
    with pytest.raises(ModelError, match=rf"model\.toml: weight lm: {RANGE}"):
        Translator.load(copy)


def test_tuning_keeps_no_such_weights() -> None:
    assert tune.degenerate({"lm": 1e39, "p(e|f)": 1e39}) == "the weight of lm is 1e+39"
    assert tune.degenerate({"lm": 1e6, "p(e|f)": -1e6}) is None


def test_the_largest_weights_give_finite_scores(model: Path, corpus: Path) -> None:
    long = " ".join(read_lines(corpus / "test.de"))
    words = len(long.split())
    line = " ".join([long] * (5000 // words + 1))
    names = Translator.load(model).weights
    for sign in (1.0, -1.0):
        extreme = Translator.load(
            model, weights=dict.fromkeys(names, sign * 1e6), search={"pop_limit": 5, "stack": 5}
        )
        (found,) = extreme.translate([line])
        assert math.isfinite(found.score)
        assert len(found.source) > 4000
        assert found.words
