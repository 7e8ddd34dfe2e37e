"""Damage to a bundle is found when it is opened: any single bit of any component."""

import random
import shutil
from pathlib import Path

import msgspec
import pytest
from conftest import Headway
from headway import ModelError, Translator, tune_system
from headway.run import checksum
from headway.systems.bundle import Bundle, Component, rewrite_manifest

SENTENCE = "Der Hund schläft."
FLIPS = 60


@pytest.fixture
def bundle(model: Path, tmp_path: Path) -> Path:
    """A copy that may be damaged."""
    shutil.copytree(model, tmp_path / "copy")
    for path in (tmp_path / "copy").iterdir():
        path.chmod(0o644)
    return tmp_path / "copy"


def flip(path: Path, bit: int) -> None:
    with path.open("r+b") as file:
        file.seek(bit // 8)
        byte = file.read(1)[0]
        file.seek(bit // 8)
        file.write(bytes([byte ^ 1 << bit % 8]))


def test_every_flipped_bit_is_found_and_the_file_named(bundle: Path) -> None:
    chance = random.Random(1)
    opened = Bundle.open(bundle)
    assert len(opened.manifest.components) >= 4
    for component in opened.manifest.components.values():
        path, bits = bundle / component.file, component.size * 8
        for bit in (0, bits - 1, *(chance.randrange(bits) for _ in range(FLIPS))):
            flip(path, bit)
            with pytest.raises(ModelError) as caught:
                Bundle.open(bundle)
            assert str(caught.value).startswith(f"{path}: damaged, its checksum differs; ")
            flip(path, bit)
    Bundle.open(bundle)


def test_commands_refuse_a_damaged_bundle_unless_told_not_to_look(
    headway: Headway, bundle: Path, corpus: Path
) -> None:
    # A probability of the language model: nothing else would find this.
    flip(bundle / "lm.bin", (bundle / "lm.bin").stat().st_size * 8 - 30)
    dev = ["--dev-source", corpus / "dev.de", "--dev-target", corpus / "dev.en"]
    (bundle.parent / "text").write_text(f"{SENTENCE}\n")
    for words in (
        ["translate", bundle, "-i", bundle.parent / "text"],
        ["inspect", bundle],
        ["inspect", bundle, SENTENCE],
        ["tune", bundle, *dev, "--iterations", 1],
    ):
        done = headway(*words)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith(f"headway: {bundle / 'lm.bin'}: damaged, its checksum")
        assert len(done.stderr.splitlines()) == 1
        done = headway(*words, "--no-verify")
        assert done.returncode == 0, done.stderr
    with pytest.raises(ModelError, match="damaged, its checksum differs"):
        Translator.load(bundle)
    assert Translator.load(bundle, verify=False).translate([SENTENCE])[0].text
    with pytest.raises(ModelError, match="damaged, its checksum differs"):
        tune_system(bundle, corpus / "dev.de", corpus / "dev.en")


def test_components_that_are_not_used_are_not_read(bundle: Path) -> None:
    flip(bundle / "lm.bin", 8000)
    Bundle.open(bundle, without=["lm"])


def test_bundles_of_the_first_format_are_checked_too(bundle: Path) -> None:
    opened = Bundle.open(bundle)
    parts = opened.manifest.components.items()
    first = msgspec.structs.replace(
        opened.manifest,
        format=1,
        components={
            name: Component(part.kind, part.file, part.size, checksum(bundle / part.file))
            for name, part in parts
        },
    )
    rewrite_manifest(opened, first)
    assert Translator.load(bundle).translate([SENTENCE])[0].text
    flip(bundle / "rules.table", 8000)
    with pytest.raises(ModelError, match=r"rules\.table: damaged"):
        Bundle.open(bundle)
