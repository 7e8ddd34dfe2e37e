"""Tuning the second pass: never for the worse, and told."""

import re
import shutil
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import msgspec
import pytest
from conftest import Headway
from headway import Bundle, Settings, train, tune_system
from headway.cli.tune import second_verdict, verdict
from headway.systems.bundle import rewrite_manifest
from headway.systems.dev import DevSet
from headway.systems.dev_sources import dev_sources
from headway.systems.rescoring import DevLists
from test_str2dep import SECOND
from test_str2dep import SMALL as QUICK

# These tests are about scores: lengths and first weights have their own.
SMALL = [*QUICK, "tune.length_tolerance=1", "tune.estimate=[]"]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("second")


@pytest.fixture(scope="module")
def bundle(corpus: Path, place: Path) -> Path:
    found = train(
        "str2dep",
        corpus / "train.de",
        corpus / "train.en",
        place / "bundle",
        dev_source=corpus / "dev.de",
        dev_target=corpus / "dev.en",
        target_trees=corpus / "train.en.conllu",
        settings=Settings.load(None, [*SMALL, *SECOND]),
        work=place / "work",
    )
    return found.bundle.directory


DEV_FILES = ("dev.de", "dev.en")


def second_score(place: Path, corpus: Path, settings: Settings) -> float:
    """Of the dev set as the bundle's second pass has it, by the metric of tuning."""
    opened = Bundle.open(place)
    dev = DevSet.read(corpus / "dev.de", [corpus / "dev.en"])
    ready = dev_sources(opened, dev, 2)
    return DevLists(
        opened, ready.sources, ready.references, settings, lambda _: nullcontext()
    ).score()


@pytest.fixture
def copy(bundle: Path, tmp_path: Path) -> Path:
    return shutil.copytree(bundle, tmp_path / "model")


def rewritten(place: Path, **changes: Any) -> None:
    opened = Bundle.open(place)
    rewrite_manifest(opened, msgspec.structs.replace(opened.manifest, **changes))


def test_tuning_again_never_lowers_the_second_pass(copy: Path, corpus: Path) -> None:
    files = [corpus / name for name in DEV_FILES]
    for seed, method in enumerate(("mert", "pro", "mira")):
        chosen = [*SMALL, f"tune.method={method}", f"run.seed={seed}", "tune.iterations=1"]
        settings = Settings.load(None, chosen)
        before = second_score(copy, corpus, settings)
        report = tune_system(copy, *files, settings=settings)
        assert report.second_pass is not None
        assert report.second_pass.before == pytest.approx(before)
        after = second_score(copy, corpus, settings)
        assert after >= before
        # What is told is what was written.
        kept = report.second_pass.after if report.worth_it else report.second_pass.before
        assert after == pytest.approx(kept)


def no_better(monkeypatch: pytest.MonkeyPatch) -> None:
    """Optimisers that find nothing: all that can change is which start is taken."""
    found = ([1.0, *[0.0] * 10, 1.0], 99.0)
    monkeypatch.setattr("headway.tune.loop.optimise", lambda *_, **__: found)


def test_weights_that_the_second_pass_has_are_kept_where_they_are_best(
    copy: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    no_better(monkeypatch)
    before = Bundle.open(copy).manifest
    assert before.rescoring is not None
    assert before.rescoring.weights != before.weights
    report = tune_system(
        copy, *(corpus / name for name in DEV_FILES), settings=Settings.load(None, SMALL)
    )
    assert report.second_pass is not None
    assert not report.second_pass.changed
    assert not report.worth_it
    assert Bundle.open(copy).manifest == before
    assert verdict(report, "search").count("so search stays as it is") == 1
    assert "so the bundle stays as it is" in second_verdict(report, report.second_pass)


def test_a_second_pass_that_alone_is_better_is_written_and_told(
    copy: Path, corpus: Path, headway: Headway
) -> None:
    manifest = Bundle.open(copy).manifest
    assert manifest.rescoring is not None
    bad = {**dict.fromkeys(manifest.weights, 0.0), "word-penalty": -1.0, "lm": 0.05}
    rewritten(copy, rescoring=msgspec.structs.replace(manifest.rescoring, weights=bad))
    options = [part for setting in SMALL for part in ("--set", setting)]
    # Whatever search learns from a sentence, it is regularised towards where it began.
    options += ["--set", "tune.mira.prior=1e9", "--set", "tune.mira.c=1e-9"]
    files = ["--dev-source", corpus / "dev.de", "--dev-target", corpus / "dev.en"]
    done = headway("tune", copy, *files, *options)
    assert done.returncode == 0, done.stderr
    told = done.stderr.splitlines()[-2:]
    assert "so search stays as it is" in told[0]
    assert re.fullmatch(
        r"second pass: \d+\.\d\d before, \d+\.\d\d after; its weights are new", told[1]
    )
    after = Bundle.open(copy).manifest
    assert after.weights == manifest.weights
    assert after.rescoring is not None
    assert after.rescoring.weights != bad


def test_search_is_not_made_better_at_the_cost_of_the_second_pass(
    copy: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = Bundle.open(copy).manifest
    bad = {**before.weights, "lm": 0.0}
    rewritten(copy, weights=bad)
    monkeypatch.setattr(DevLists, "score", lambda _: 99.0)
    report = tune_system(
        copy, *(corpus / name for name in DEV_FILES), settings=Settings.load(None, SMALL)
    )
    assert report.improved
    assert not report.worth_it
    assert Bundle.open(copy).manifest.weights == bad
    assert report.second_pass is not None
    assert second_verdict(report, report.second_pass).startswith("99.00 before, ")


def test_training_tells_what_the_second_pass_gained(
    bundle: Path, corpus: Path, place: Path, headway: Headway
) -> None:
    facts = Bundle.open(bundle).manifest.facts["rescoring"]
    gain = f"{facts['dev_before']:.2f} → {facts['dev_after']:.2f}"
    options = [part for setting in (*SMALL, *SECOND) for part in ("--set", setting)]
    done = headway(
        "train", "str2dep", "--source", corpus / "train.de", "--target", corpus / "train.en",
        "--dev-source", corpus / "dev.de", "--dev-target", corpus / "dev.en",
        "--target-trees", corpus / "train.en.conllu", "--work", place / "work",
        "--out", bundle, *options,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert f"second pass tuned after search with these weights, on words: {gain}" in done.stderr


def test_a_second_pass_that_is_left_out_needs_no_files(
    copy: Path, corpus: Path, headway: Headway
) -> None:
    lines = ["translate", copy, "-i", corpus / "test.de", "--verify", "--no-rescore"]
    whole = headway(*lines)
    assert whole.returncode == 0, whole.stderr
    (copy / "rescoring.bin").unlink()
    done = headway(*lines)
    assert (done.returncode, done.stderr, done.stdout) == (0, whole.stderr, whole.stdout)
    done = headway("inspect", copy, "Der Hund schläft.", "--no-rescore")
    assert done.returncode == 0, done.stderr
    done = headway(*lines[:-1])
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "rescoring.bin: missing from the bundle" in done.stderr
    # What is in use is looked at all the same.
    (copy / "left.bin").write_bytes((copy / "left.bin").read_bytes()[:-1])
    done = headway(*lines)
    assert (done.returncode, done.stdout) == (2, "")
    assert "left.bin: cut short" in done.stderr
