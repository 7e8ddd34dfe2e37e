"""Paths that are too long, and directories where files are expected, for every command."""

from pathlib import Path
from typing import Any

import pytest
from commands import COMMANDS, Command
from conftest import Headway
from headway import Settings, train
from headway.cli.paths import Role

LONG = "x" * 300


def options(*wanted: Role) -> list[Any]:
    return [
        pytest.param(one, name, id=f"{one.name} {name}")
        for one in COMMANDS
        for name, role in one.roles.items()
        if role in wanted
    ]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "outputs").mkdir()
    (tmp_path / "place").mkdir()
    return tmp_path


def refused(headway: Headway, words: list[str], folder: Path) -> str:
    done = headway(*words, cwd=folder)
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("headway: ")
    return done.stderr


@pytest.mark.parametrize(("one", "name"), options(*Role))
def test_a_path_that_is_too_long(headway: Headway, folder: Path, one: Command, name: str) -> None:
    for path in (LONG, f"{LONG}/x", "/".join(["x" * 200] * 30)):
        message = refused(headway, one.arguments(folder, **{name: path}), folder)
        assert path.partition("/")[0] in message
        assert "too long" in message


@pytest.mark.parametrize(("one", "name"), options(Role.WRITE))
def test_a_directory_in_place_of_an_output(
    headway: Headway, folder: Path, one: Command, name: str
) -> None:
    words = one.arguments(folder, **{name: folder / "place"})
    assert "place: is a directory" in refused(headway, words, folder)


@pytest.mark.parametrize(("one", "name"), options(Role.READ))
def test_a_directory_in_place_of_an_input(
    headway: Headway, folder: Path, one: Command, name: str
) -> None:
    refused(headway, one.arguments(folder, **{name: folder / "place"}), folder)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff", b"[" * 100_000, None])
def test_a_damaged_record_only_repeats_its_step(
    corpus: Path, tmp_path: Path, content: bytes | None
) -> None:
    sides = []
    for side in ("de", "en"):
        lines = (corpus / f"train.{side}").read_text("utf-8").splitlines(keepends=True)[:50]
        sides.append(tmp_path / f"some.{side}")
        sides[-1].write_text("".join(lines), "utf-8")
    settings = Settings.load(None, ["align.samples=1"])
    made = train("phrase", sides[0], sides[1], tmp_path / "model", settings=settings)
    record = tmp_path / "model.work" / ".steps" / "lm.json"
    record.unlink()
    if content is None:
        record.mkdir()
    else:
        record.write_bytes(content)
    again = train("phrase", sides[0], sides[1], tmp_path / "model", settings=settings)
    assert [step.name for step in again.steps if not step.reused] == ["lm"]
    assert again.bundle.manifest == made.bundle.manifest
