"""No command writes over what it reads, or into a bundle: all of their options are tried."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from commands import COMMANDS, Command
from conftest import PATIENCE, Headway
from headway.cli.frame import command
from headway.cli.paths import Role
from processes import snapshot

OUTPUTS = (Role.WRITE, Role.WRITE_ANY)
PLACES = (Role.FILL, Role.WORK, Role.BUNDLE, Role.SCRATCH)


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
    bundle = tmp_path / "bundle"
    bundle.mkdir()
    (bundle / "model.toml").write_text("[components.rules]\n")
    (bundle / "rules.table").write_text("rules")
    return tmp_path


def refused(headway: Headway, folder: Path, arguments: list[str], message: str) -> None:
    before = snapshot(folder)
    done = headway(*arguments, cwd=folder)
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert snapshot(folder) == before


@pytest.mark.parametrize(("one", "name"), options(*OUTPUTS))
def test_no_output_lies_inside_a_bundle(
    headway: Headway, folder: Path, one: Command, name: str
) -> None:
    (folder / "link").symlink_to("bundle")
    for inside in ("bundle/rules.table", "bundle/new", "bundle/model.toml", "link/new"):
        arguments = one.arguments(folder, **{name: folder / inside})
        refused(headway, folder, arguments, f"{inside}: lies inside the bundle")


@pytest.mark.parametrize(("one", "name"), options(*PLACES))
def test_no_directory_for_outputs_lies_inside_a_bundle(
    headway: Headway, folder: Path, one: Command, name: str
) -> None:
    places = ["bundle/inner", "bundle/inner/most"]
    places += [] if one.roles[name] is Role.BUNDLE else ["bundle"]
    (folder / "bundle" / "inner").mkdir()
    for place in places:
        arguments = one.arguments(folder, **{name: folder / place})
        lies = "is a bundle" if place == "bundle" else "lies inside the bundle"
        refused(headway, folder, arguments, f"{place}: {lies}")


@pytest.mark.parametrize(("one", "name"), options(*OUTPUTS))
def test_no_output_is_an_input(headway: Headway, folder: Path, one: Command, name: str) -> None:
    one.arguments(folder)
    for number, (read, role) in enumerate(one.roles.items()):
        if role is not Role.READ:
            continue
        (folder / read).write_text("read")
        (folder / f"soft{number}").symlink_to(read)
        os.link(folder / read, folder / f"hard{number}")
        for written in (read, f"soft{number}", f"hard{number}"):
            words = one.arguments(folder, **{name: folder / written, read: folder / read})
            refused(headway, folder, words, f"{written}: is read and would be written over")


@pytest.mark.parametrize(
    ("words", "input_", "output"),
    [
        (["tokenise", "-", "-o", "text"], "text", ""),
        (["tokenise", "text"], "", "text"),
        (["tokenise", "-"], "text", "text"),
        (["lm", "train", "-i", "-", "-o", "text"], "text", ""),
        (["trees", "convert", "-", "text", "--from", "conllu", "--to", "conllu"], "text", ""),
    ],
)
def test_streams_are_the_files_they_are_redirected_to(
    folder: Path, words: list[str], input_: str, output: str
) -> None:
    (folder / "text").write_text("a b .\n")
    with (
        (folder / input_ if input_ else Path(os.devnull)).open() as read,
        (folder / output if output else Path(os.devnull)).open("a") as written,
    ):
        done = subprocess.run(
            [sys.executable, "-m", "headway", *words],
            cwd=folder, stdin=read, stdout=written, stderr=subprocess.PIPE, text=True,
            timeout=PATIENCE, check=False,
        )  # fmt: skip
    assert done.returncode == 2
    assert "is read and would be written over; name another output" in done.stderr
    assert (folder / "text").read_text() == "a b .\n"


@pytest.mark.parametrize(("one", "name"), options(Role.WORK, Role.BUNDLE))
def test_no_directory_that_is_replaced_holds_an_input(
    headway: Headway, folder: Path, one: Command, name: str
) -> None:
    (folder / "bundle").rename(folder / "elsewhere")
    refused(headway, folder, one.arguments(folder, **{name: folder}), "is read, and files in")


def test_a_path_without_a_role_cannot_be_registered() -> None:
    def forgetful(job: Any, output: Path) -> None:
        """Writes."""

    with pytest.raises(TypeError, match="output: is it read or written"):
        command("forgetful")(forgetful)


def test_what_is_called_an_output_has_the_role_of_one() -> None:
    for one in COMMANDS:
        for param in one.params:
            text = (getattr(param, "help", "") or "").lower()
            writes = text.startswith(("write", "where to", "save", "draw", "directory to create"))
            if param.name in one.roles and (writes or param.name in ("output", "out")):
                assert one.roles[param.name] is not Role.READ, (one.name, param.name)


def test_another_program_may_have_a_file_of_that_name_further_up(
    headway: Headway, folder: Path
) -> None:
    (folder / "model.toml").write_text("[network]\nlayers = 3\n")
    (folder / "text").write_text("a b.\n")
    done = headway("tokenise", "text", "-o", "outputs/text", cwd=folder)
    assert done.returncode == 0, done.stderr
    refused(headway, folder, ["tokenise", "text", "-o", "new"], "new: lies inside the bundle")


def test_rounds_of_tuning_do_not_replace_the_dev_set(headway: Headway, folder: Path) -> None:
    (folder / "state").mkdir()
    for name in ("iteration-1.zst", "dev.en"):
        (folder / "state" / name).write_text("a\n")
    arguments = ["tune", "bundle", "--state", "state", "--dev-source", "state/iteration-1.zst"]
    arguments += ["--dev-target", "state/dev.en"]
    refused(headway, folder, arguments, "is read, and files in")


def test_a_module_of_features_is_an_input(headway: Headway, folder: Path) -> None:
    (folder / "mine.py").write_text("def long(rule):\n    return 1\n")
    (folder / "text").write_text("a b.\n")
    arguments = ["translate", "bundle", "-i", "text", "--features", "f=mine:long", "-o", "mine.py"]
    refused(headway, folder, arguments, "mine.py: is read and would be written over")
