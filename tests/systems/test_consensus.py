"""Consensus of one system: what training decides on the dev set, and what it tells."""

import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest
from headway import Bundle, Settings, Translator, fragment, train
from headway.evaluate import calibrated
from headway.systems import consensus
from headway.systems.bundle import rewrite_manifest
from headway.systems.consensus import decide, words_score
from headway.systems.dev import DevSet
from headway.systems.dev_sources import DevSources, dev_sources
from headway.systems.translator import Translator as Searching


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("consensus")
    fragment.write(place, pairs=300, seed=7)
    for side in ("de", "en"):
        lines = (place / f"dev.{side}").read_text().splitlines()
        (place / f"few.{side}").write_text("\n".join(lines[:30]) + "\n")
    train("phrase", place / "train.de", place / "train.en", place / "phrase", settings=small())
    return place


def small(*changes: str) -> Settings:
    return Settings.load(None, ["lm.order=3", "run.threads=1", *changes])


@pytest.fixture(scope="module")
def bundle(corpus: Path) -> Bundle:
    return Bundle.open(corpus / "phrase")


@pytest.fixture(scope="module")
def dev(corpus: Path, bundle: Bundle) -> DevSources:
    return dev_sources(bundle, DevSet.read(corpus / "few.de", [corpus / "few.en"]), 1)


def test_what_is_decided_is_what_translating_the_dev_set_gives(
    corpus: Path, bundle: Bundle, dev: DevSources
) -> None:
    decided = decide(bundle, dev, small("consensus.scales=[2.0]"))
    copy = Bundle.open(Path(shutil.copytree(bundle.directory, corpus / "copy")))
    manifest = msgspec.structs.replace(copy.manifest, consensus=decided.consensus)
    rewrite_manifest(copy, manifest)
    translator = Translator.load(copy.directory)

    def score(*, mbr: bool | None) -> float:
        found = translator.translate(dev.sources, mbr=mbr)
        return words_score("bleu", [list(one.words) for one in found], dev.references, 1)

    assert decided.plain == pytest.approx(score(mbr=False))
    assert decided.best == pytest.approx(score(mbr=True))
    assert decided.best != decided.plain
    used = decided.best >= decided.plain + 0.2
    assert decided.consensus.use == used
    assert score(mbr=None) == score(mbr=used)
    knots = decided.consensus.confidence
    assert knots == sorted(knots)
    assert 0 <= calibrated(knots, 0.1) <= calibrated(knots, 1.0) <= 1


@pytest.mark.parametrize(("use", "expected"), [("always", True), ("auto", False)])
def test_settings_say_when_consensus_is_used(
    use: str, expected: bool, bundle: Bundle, dev: DevSources
) -> None:
    changes = (f'consensus.use="{use}"', "consensus.least_gain=90.0", "consensus.scales=[1.0, 5.0]")
    decided = decide(bundle, dev, small(*changes))
    assert decided.consensus.use == expected
    assert list(decided.by_scale) == [1.0, 5.0]
    assert decided.consensus.scale == max(decided.by_scale, key=lambda it: decided.by_scale[it])


def test_scales_are_compared_on_a_part_and_each_sentence_is_searched_once(
    bundle: Bundle, dev: DevSources, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = decide(bundle, dev, small("consensus.scales=[2.0]"))
    assert whole.compared == len(dev.sources)
    assert whole.by_scale == {2.0: whole.best}
    searched, search = list[Any](), Searching.search_sources

    def counting(self: Searching, sources: Any, **how: Any) -> Any:
        searched.extend(range(how["before"], how["before"] + len(sources)))
        return search(self, sources, **how)

    monkeypatch.setattr(Searching, "search_sources", counting)
    monkeypatch.setattr(consensus, "BATCH", 4)
    monkeypatch.setattr(consensus, "_COMPARED", 3)
    steps = list[int]()
    found = decide(
        bundle, dev, small("consensus.scales=[2.0]"), progress=lambda done, _: steps.append(done)
    )
    assert sorted(searched) == list(range(len(dev.sources)))
    assert searched[:12] == [0, 1, 2, 3, 8, 9, 10, 11, 20, 21, 22, 23]
    assert found.compared == 12
    # Sentences come in another order, which must go with that of references.
    assert (found.plain, found.best) == (whole.plain, whole.best)
    assert found.consensus == whole.consensus
    assert steps == sorted(steps)
    assert steps[-1] == len(dev.sources)
