"""Bundles are replaced in one step, and their files are read-only."""

import os
import stat
import threading
from pathlib import Path

import msgspec
import pytest
from headway import ModelError, Translator, _core, train, tune_system
from headway.settings import Settings
from headway.systems.bundle import Bundle, read_manifest, write_bundle

QUICK = Settings.load(None, ["align.samples=1"])


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def renamed(bundle: Bundle, system: str) -> Bundle:
    return Bundle(bundle.directory, msgspec.structs.replace(bundle.manifest, system=system))


@pytest.fixture
def draft(model: Path) -> Bundle:
    return Bundle.open(model)


def without_exchange(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(_core, "exchange_paths", lambda *_: False)


def test_the_name_is_never_missing(draft: Bundle, tmp_path: Path) -> None:
    place = tmp_path / "bundle"
    write_bundle(place, draft)
    if not _core.exchange_paths(place, place):
        pytest.skip("this file system cannot exchange two names")
    missing, done = [], threading.Event()

    def look() -> None:
        while not done.is_set():
            if not (place / "model.toml").exists():
                missing.append(True)

    reader = threading.Thread(target=look)
    reader.start()
    try:
        for number in range(200):
            write_bundle(place, renamed(draft, f"system{number}"), replace=True)
    finally:
        done.set()
        reader.join()
    assert not missing
    assert read_manifest(place).system == "system199"
    assert [path.name for path in tmp_path.iterdir()] == ["bundle"]


def test_without_exchange_the_old_one_makes_way(
    draft: Bundle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_exchange(monkeypatch)
    place = tmp_path / "bundle"
    write_bundle(place, draft)
    write_bundle(place, renamed(draft, "other"), replace=True)
    assert read_manifest(place).system == "other"
    assert [path.name for path in tmp_path.iterdir()] == ["bundle"]


def test_one_that_was_set_aside_is_found_and_brought_back(draft: Bundle, tmp_path: Path) -> None:
    place = tmp_path / "bundle"
    write_bundle(place, draft)
    place.rename(tmp_path / ".bundle-abcdefgh.old")
    with pytest.raises(ModelError, match=r"interrupted, so rename .*\.bundle-abcdefgh\.old"):
        Bundle.open(place)
    (tmp_path / "made").mkdir()
    with pytest.raises(ModelError):
        write_bundle(place, Bundle(tmp_path / "made", draft.manifest), replace=True)
    write_bundle(place, renamed(draft, "other"), replace=True)
    assert read_manifest(place).system == "other"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bundle", "made"]


def test_components_are_read_only_and_nothing_minds(corpus: Path, tmp_path: Path) -> None:
    sides, place = (corpus / "train.de", corpus / "train.en"), tmp_path / "bundle"
    first = train("phrase", *sides, place, settings=QUICK)
    files = [place / part.file for part in first.bundle.manifest.components.values()]
    assert {mode(path) for path in files} == {0o444}
    # People change weights and search settings by hand.
    assert mode(place / "model.toml") & stat.S_IWUSR
    assert any(path.stat().st_nlink > 1 for path in files)
    again = train("phrase", *sides, place, settings=Settings.load(None, ["align.samples=1"]))
    assert all(step.reused for step in again.steps)
    changed = Settings.load(None, ["align.samples=1", "lm.order=2"])
    train("phrase", *sides, place, settings=changed)
    assert {mode(path) for path in files} == {0o444}
    tune_system(
        place,
        corpus / "dev.de",
        corpus / "dev.en",
        settings=Settings.load(None, ["tune.iterations=1"]),
    )
    assert Translator.load(place).translate(["Der Hund schläft."])[0].text


def test_a_translator_at_work_does_not_notice_the_replacement(
    draft: Bundle, tmp_path: Path
) -> None:
    place = tmp_path / "bundle"
    write_bundle(place, draft)
    translator = Translator.load(place)
    before = translator.translate(["Der Hund schläft."])[0].text
    inode = (place / "rules.table").stat().st_ino
    os.link(place / "rules.table", tmp_path / "kept")
    write_bundle(place, draft, replace=True)
    assert (tmp_path / "kept").stat().st_ino == inode
    assert translator.translate(["Der Hund schläft."])[0].text == before
