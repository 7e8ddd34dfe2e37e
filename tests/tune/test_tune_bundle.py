"""Tuning a real bundle, from Python and from the command line."""

import shutil
from functools import partial
from pathlib import Path

import pytest
from conftest import Headway
from headway import Bundle, ConfigError, FormatError, Settings, Translator, train, tune_system
from headway.corpus import read_lines
from headway.systems import bleu

SMALL = ["tune.iterations=3", "tune.n_best=30", "tune.random_starts=3", "run.threads=2"]


@pytest.fixture
def bundle(model: Path, tmp_path: Path) -> Path:
    """A copy with bad weights, so that there is something to gain."""
    place = tmp_path / "model"
    shutil.copytree(model, place)
    text = (place / "model.toml").read_text(encoding="utf-8")
    lines = ["lm = 0.05" if line.startswith("lm = ") else line for line in text.splitlines()]
    (place / "model.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return place


def dev_bleu(place: Path, corpus: Path) -> float:
    found = Translator.load(place).translate(list(read_lines(corpus / "dev.de")))
    return bleu([t.text for t in found], [list(read_lines(corpus / "dev.en"))]).score


@pytest.mark.parametrize(
    "overrides",
    [
        ["tune.method=mert"],
        ["tune.method=pro"],
        ["tune.method=mira"],
        ["tune.method=mert", "tune.forests=true"],
    ],
)
def test_a_tuned_bundle_translates_its_dev_set_better(
    bundle: Path, corpus: Path, overrides: list[str]
) -> None:
    before = dev_bleu(bundle, corpus)
    forests = "tune.forests=true" in overrides
    few = ["tune.random_starts=0", "tune.directions=0"] if forests else []
    settings = Settings.load(None, [*SMALL, *overrides, *few])
    report = tune_system(bundle, corpus / "dev.de", corpus / "dev.en", settings=settings)
    assert report.improved
    manifest = Bundle.open(bundle, verify=True).manifest
    assert manifest.weights == dict(report.best.weights)
    assert manifest.facts["tuning"]["dev_after"] == round(report.best.score, 4)
    assert manifest.facts["tuning"]["length_ratio"] == round(report.best.length, 4)
    assert dev_bleu(bundle, corpus) > before
    state = bundle.with_name("model.tune")
    # What was written decodes the dev set to the score that was promised.
    once = Settings.load(None, [*SMALL, "tune.iterations=1", "tune.search.distortion_limits=[]"])
    files = corpus / "dev.de", corpus / "dev.en"
    again = tune_system(bundle, *files, settings=once, state=bundle.with_name("again"))
    assert again.start.score == pytest.approx(report.best.score)
    assert again.start.length == pytest.approx(report.best.length)
    assert (state / "tuning.svg").read_text(encoding="utf-8").startswith("<svg")


def test_the_command_shows_scores_and_weights_and_keeps_what_is_best(
    headway: Headway, bundle: Path, corpus: Path
) -> None:
    options = [part for setting in SMALL for part in ("--set", setting)]
    files = ["--dev-source", str(corpus / "dev.de"), "--dev-target", str(corpus / "dev.en")]
    done = headway("tune", str(bundle), *files, *options, "--metric", "chrf")
    assert done.returncode == 0, done.stderr
    assert "chrf on the dev set:" in done.stderr
    assert "length ratio on the dev set:" in done.stderr
    assert "distortion limit" in done.stderr
    assert "word-penalty" in done.stderr
    again = headway("tune", str(bundle), *files, *options, "--metric", "magic")
    assert again.returncode == 2
    assert "tune.metric: 'magic': expected one of bleu, ter, chrf, bleu-ter" in again.stderr
    nothing = headway("tune", str(bundle.with_name("none")), *files)
    assert nothing.returncode == 2
    assert nothing.stderr.count("\n") == 1


def test_dev_sets_that_do_not_fit_are_refused(bundle: Path, corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "short.en").write_text("one line\n", encoding="utf-8")
    with pytest.raises(FormatError, match="expected 50 lines"):
        tune_system(bundle, corpus / "dev.de", tmp_path / "short.en")
    with pytest.raises(ConfigError, match="at least one translation"):
        tune_system(bundle, corpus / "dev.de", [])


def test_training_tunes_when_there_is_a_dev_set_and_not_when_told(
    corpus: Path, tmp_path: Path
) -> None:
    settings = Settings.load(None, [*SMALL, "align.fertility_iterations=1", "lm.order=3"])
    run = partial(
        train,
        "phrase",
        corpus / "train.de",
        corpus / "train.en",
        dev_source=corpus / "dev.de",
        dev_target=corpus / "dev.en",
        settings=settings,
        work=tmp_path / "work",
    )
    plain = run(tmp_path / "a", tune=False)
    tuned = run(tmp_path / "b")
    assert "tuning" not in plain.bundle.manifest.facts
    assert "tune" in [step.name for step in tuned.steps]
    assert plain.dev is not None
    assert tuned.dev is not None
    facts = tuned.bundle.manifest.facts.get("tuning")
    changed = tuned.bundle.manifest.weights != plain.bundle.manifest.weights
    assert changed == (facts is not None)
    assert tuned.start_weights == plain.bundle.manifest.weights
    assert facts is None or max(facts["dev_by_round"]) > facts["dev_by_round"][0]
    again = run(tmp_path / "b")
    assert all(step.reused for step in again.steps)
    assert again.bundle.manifest == tuned.bundle.manifest


def test_dev_sets_and_states_that_cannot_be_meant_are_refused(
    bundle: Path, corpus: Path, tmp_path: Path
) -> None:
    source, target = corpus / "dev.de", corpus / "dev.en"
    (tmp_path / "blank").write_text("\n" * len(source.read_text("utf-8").splitlines()))
    for text, message in ((source, "for both sides"), (tmp_path / "blank", "only empty lines")):
        with pytest.raises(FormatError, match=message):
            tune_system(bundle, source, text)
    for state, message in ((bundle, "is the bundle itself"), (tmp_path / "blank", "is a file")):
        with pytest.raises(ConfigError, match=message):
            tune_system(bundle, source, target, state=state)
