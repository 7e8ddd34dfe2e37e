"""Systems with operation sequence models: trained, used, and left out."""

from pathlib import Path

import pytest
from headway import Settings, Translator, train
from headway.systems import Trained

SMALL = [
    "align.fertility_iterations=2", "align.samples=2", "lm.classes.count=8", "lm.classes.rounds=3",
    "run.threads=2", "search.pop_limit=40",
]  # fmt: skip
COUNTS = [f"osm-counts.{name}" for name in ("gaps", "open-gaps", "distance", "deletions")]


def trained(corpus: Path, out: Path, *overrides: str, work: Path) -> Trained:
    settings = Settings.load(None, [*SMALL, *overrides])
    sides = corpus / "dev.de", corpus / "dev.en"
    return train("phrase", *sides, out, settings=settings, work=work)


def osm_features(place: Path) -> list[str]:
    return [name for name in Translator.load(place).weights if "osm" in name]


def test_models_of_operations_are_part_of_a_bundle(corpus: Path, tmp_path: Path) -> None:
    first = trained(corpus, tmp_path / "a", "osm.order=3", work=tmp_path / "work")
    kinds = {part.kind for part in first.bundle.manifest.components.values()}
    assert {"osm", "class-osm", "source-classes"} <= kinds
    facts = first.bundle.manifest.facts["osm"]
    assert facts["pairs"] == first.pairs
    assert facts["sequences"] >= first.pairs - facts["unaligned"]
    assert osm_features(tmp_path / "a") == ["osm", "class-osm", *COUNTS]
    # What was done is not done again; another order is.
    again = trained(corpus, tmp_path / "b", "osm.order=3", work=tmp_path / "work")
    assert all(step.reused for step in again.steps)
    other = trained(corpus, tmp_path / "c", "osm.order=2", work=tmp_path / "work")
    assert {step.name for step in other.steps if not step.reused} == {"osm", "class-osm"}
    line = ["Der alte Mann sieht einen Hund ."]
    (counted,) = Translator.load(tmp_path / "a", search={"operation_counts": True}).translate(line)
    (plain,) = Translator.load(tmp_path / "a").translate(line)
    assert plain.features["osm"] < 0
    assert plain.features["class-osm"] < 0
    assert not any(plain.features[name] for name in COUNTS)
    assert all(counted.features[name] <= 0 for name in COUNTS)


def test_models_of_operations_can_be_left_out(
    corpus: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    work = tmp_path / "work"
    trained(corpus, tmp_path / "a", "osm.order=0", "osm.prune=[0,1]", work=work)
    assert osm_features(tmp_path / "a") == []
    assert "osm.prune has no effect: osm.order is 0" in caplog.text
    trained(corpus, tmp_path / "b", "osm.order=2", "osm.classes=false", work=work)
    assert osm_features(tmp_path / "b") == ["osm", *COUNTS]
