"""Bundles: whole, movable, and clear about what is wrong with them."""

import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from headway import ConfigError, ModelError
from headway.systems.bundle import (
    FORMAT,
    Bundle,
    Languages,
    Manifest,
    Preprocessing,
    check_free,
    describe,
    rewrite_manifest,
    write_bundle,
)


@pytest.fixture
def draft(tmp_path: Path) -> Bundle:
    """Two components in a directory of their own, not yet a bundle."""
    place = tmp_path / "made"
    place.mkdir()
    (place / "rules.table").write_bytes(b"rules" * 100)
    (place / "lm.bin").write_bytes(b"words" * 50)
    manifest = Manifest(
        format=FORMAT,
        system="phrase",
        headway="0.1.0",
        languages=Languages("de", "en"),
        preprocessing=Preprocessing(True, False, "truecase"),
        search={"pop_limit": 100},
        weights={"lm": 0.5, "p(f|e)": 0.25, "reordering.backward.swap": -0.125},
        components={
            "rules": describe("rules", place / "rules.table"),
            "lm": describe("lm", place / "lm.bin"),
        },
        facts={"pairs": 3},
    )
    return Bundle(place, manifest)


@pytest.fixture
def bundle(draft: Bundle, tmp_path: Path) -> Bundle:
    return write_bundle(tmp_path / "model", draft)


def test_what_is_written_opens_the_same(draft: Bundle, bundle: Bundle) -> None:
    assert bundle.manifest == draft.manifest
    assert bundle.path("rules").read_bytes() == b"rules" * 100
    assert bundle.names("lm") == ["lm"]
    assert bundle.size == 750
    Bundle.open(bundle.directory, verify=True)


def test_a_bundle_can_be_moved(bundle: Bundle, tmp_path: Path) -> None:
    moved = tmp_path / "elsewhere" / "m"
    shutil.copytree(bundle.directory, moved)
    shutil.rmtree(bundle.directory)
    assert Bundle.open(moved, verify=True).path("lm") == moved / "lm.bin"


def test_a_failure_leaves_nothing_behind(draft: Bundle, tmp_path: Path) -> None:
    (draft.directory / "lm.bin").unlink()
    with pytest.raises(ModelError, match="missing"):
        write_bundle(tmp_path / "model", draft)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["made"]


def test_an_old_bundle_stays_until_the_new_one_is_complete(
    draft: Bundle, bundle: Bundle, tmp_path: Path
) -> None:
    kept = draft.directory / "lm.bin"
    kept.rename(tmp_path / "away")
    with pytest.raises(ModelError):
        write_bundle(bundle.directory, draft, replace=True)
    assert Bundle.open(bundle.directory, verify=True).manifest == draft.manifest
    (tmp_path / "away").rename(kept)
    other = msgspec.structs.replace(draft.manifest, system="other")
    written = write_bundle(bundle.directory, Bundle(draft.directory, other), replace=True)
    assert written.manifest.system == "other"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["made", "model"]


def test_other_weights_for_the_same_files(bundle: Bundle) -> None:
    changed = msgspec.structs.replace(bundle.manifest, weights={"lm": 1.0})
    assert rewrite_manifest(bundle, changed).manifest.weights == {"lm": 1.0}


def rewritten(old: str, new: str) -> Callable[[Path], object]:
    """Damage to `model.toml`."""

    def damage(directory: Path) -> None:
        manifest = directory / "model.toml"
        text = manifest.read_text()
        assert old in text
        manifest.write_text(text.replace(old, new))

    return damage


def replaced_by_a_file(directory: Path) -> None:
    shutil.rmtree(directory)
    directory.write_text("")


def replace_file(path: Path, content: bytes) -> None:
    """Files of a bundle are read-only, and links to those of the draft."""
    path.unlink()
    path.write_bytes(content)


DAMAGES: dict[str, Callable[[Path], object]] = {
    "missing": lambda d: (d / "lm.bin").unlink(),
    "cut": lambda d: replace_file(d / "lm.bin", b"wo"),
    "longer": lambda d: replace_file(d / "lm.bin", b"words" * 51),
    "changed": lambda d: replace_file(d / "lm.bin", b"wOrds" * 50),
    "newer": rewritten("format = 2", "format = 9"),
    "older": rewritten("format = 2", "format = 0"),
    "unnumbered": rewritten("format = 2\n", ""),
    "no toml": rewritten("[weights]", "[[weights"),
    "not text": lambda d: (d / "model.toml").write_bytes(b"\xff\xfe"),
    "no weights": rewritten("[weights]", "[wieghts]"),
    "wrong weight": rewritten("lm = 0.5", 'lm = "much"'),
    "outside": rewritten('file = "lm.bin"', 'file = "../made/lm.bin"'),
    "no manifest": lambda d: (d / "model.toml").unlink(),
    "no directory": shutil.rmtree,
    "a file": replaced_by_a_file,
}


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        ("missing", "lm.bin: missing from the bundle"),
        ("cut", "lm.bin: cut short, expected 250 bytes, found 2"),
        ("longer", "lm.bin: not the file it was, expected 250 bytes, found 255"),
        ("changed", "lm.bin: damaged, its checksum differs; copy the bundle again"),
        ("newer", "format 9 is newer than this headway, which reads 2; update headway"),
        ("older", "format 0: there is no such one"),
        ("unnumbered", "no format number"),
        ("no toml", "damaged, not TOML"),
        ("not text", "damaged, not UTF-8"),
        ("no weights", "wieghts"),
        ("wrong weight", "expected float, got str"),
        ("outside", "lies outside the bundle"),
        ("no manifest", "no bundle, it has no model.toml; `headway train` writes one"),
        ("no directory", "no such directory"),
        ("a file", "is no directory"),
    ],
)
def test_a_broken_bundle_is_one_clear_line(bundle: Bundle, damage: str, message: str) -> None:
    DAMAGES[damage](bundle.directory)
    with pytest.raises(ModelError) as caught:
        Bundle.open(bundle.directory)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_component_that_is_not_there_is_named(bundle: Bundle) -> None:
    with pytest.raises(ModelError, match="no component parser"):
        bundle.path("parser")


def test_where_a_bundle_may_go(bundle: Bundle, tmp_path: Path) -> None:
    check_free(tmp_path / "new", replace=False)
    (tmp_path / "empty").mkdir()
    check_free(tmp_path / "empty", replace=False)
    check_free(bundle.directory, replace=True)
    with pytest.raises(ConfigError, match="is a bundle already"):
        check_free(bundle.directory, replace=False)
    with pytest.raises(ConfigError, match="not empty"):
        check_free(tmp_path / "made", replace=True)
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match="is a file"):
        check_free(tmp_path / "file", replace=True)
