"""The command line's frame: options, messages, exit codes."""

import os
import pkgutil
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import headway as package
import pytest
from conftest import PATIENCE, Headway
from headway import cli, errors, startup
from headway.cli import layout
from processes import wait_until_read
from typer.main import get_command


def test_logs_get_no_bars_even_if_colours_are_forced(headway: Headway, corpus: Path) -> None:
    text = corpus / "train.de"
    done = headway("lm", "train", "-i", text, "-o", "-", env={"FORCE_COLOR": "1"})
    assert done.returncode == 0
    assert "\x1b" not in done.stderr


def test_version(headway: Headway) -> None:
    done = headway("--version")
    assert done.stdout == f"headway {package.__version__}\n"


def test_no_exported_name_hides_a_module() -> None:
    names = [module.name for module in pkgutil.iter_modules(package.__path__)]
    hidden = [name for name in names if not isinstance(getattr(package, name, pkgutil), ModuleType)]
    assert "evaluate" in names
    assert hidden == []


def test_no_command_shows_help(headway: Headway) -> None:
    done = headway()
    assert "Translate:" in done.stdout + done.stderr
    assert done.returncode == 2


@pytest.mark.parametrize(
    "arguments",
    [["--nonsense"], ["nonsense"], ["settings", "--threads", "x"], ["settings", "--threads", "-1"]],
)
def test_bad_usage_is_code_2_without_traceback(headway: Headway, arguments: list[str]) -> None:
    done = headway(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "Traceback" not in done.stderr


def test_a_wrong_setting_is_one_line_and_code_2(headway: Headway) -> None:
    done = headway("settings", "--set", "run.sede=1")
    expected = "headway: --set run.sede: unknown setting; did you mean run.seed?\n"
    assert (done.returncode, done.stderr, done.stdout) == (2, expected, "")


def test_common_options_reach_the_settings(headway: Headway, tmp_path: Path) -> None:
    config = tmp_path / "c.toml"
    config.write_text("[run]\nthreads = 7\nseed = 8\n")
    done = headway("settings", "--config", config, "--threads", 2, "--set", "run.seed=9")
    assert "threads = 2\nseed = 9\n" in done.stdout
    done = headway("--config", config, "--threads", 2, "settings", "--seed", "9")
    assert "threads = 2\nseed = 9\n" in done.stdout
    done = headway("--seed", 3, "settings", "--threads", "4")
    assert "threads = 4\nseed = 3\n" in done.stdout


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errors.HeadwayError("told"), 1),
        (errors.OutputError("told"), 1),
        (errors.InternalError("told"), 1),
        (errors.InputError("told"), 2),
        (errors.FormatError("told"), 2),
        (errors.ModelError("told"), 2),
        (errors.ConfigError("told"), 2),
    ],
)
def test_each_error_has_its_code_and_one_line(
    error: errors.HeadwayError,
    code: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(cli, "app", fail)
    assert cli.run([]) == code
    assert capsys.readouterr().err == "headway: told\n"


def test_every_error_class_is_listed_above() -> None:
    known = {value for value in vars(errors).values() if isinstance(value, type)}
    classes = {value for value in known if issubclass(value, errors.HeadwayError)}
    assert {kind.__name__ for kind in classes} == {
        "HeadwayError", "OutputError", "InputError", "FormatError", "ModelError", "ConfigError",
        "InternalError",
    }  # fmt: skip


def test_only_internal_errors_ask_for_a_report() -> None:
    """A fault of headway that went by the name of a setting would exit with 2."""
    crates = Path(__file__).parents[2] / "crates"
    asking = {path.name for path in crates.rglob("*.rs") if "please report" in path.read_text()}
    assert asking == {"error.rs"}


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        ([], ""),
        (["translate", "train"], ""),
        (["train", "phrase"], "; the same command keeps the steps that are done"),
        (["--threads", "1", "tune", "model"], "; the same command keeps the steps that are done"),
        (["demo"], "; the same command keeps the steps that are done"),
    ],
)
def test_an_interrupt_is_code_130(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    hint: str,
) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "app", interrupt)
    assert cli.run(arguments) == 130
    assert capsys.readouterr().err == f"headway: interrupted{hint}\n"


_BLOW = """
import os, signal, sys

class Blow:
    def find_spec(self, name, path=None, target=None):
        if name == "{module}":
            os.kill(os.getpid(), signal.SIGINT)

signal.signal(signal.SIGINT, signal.default_int_handler)
sys.meta_path.insert(0, Blow())
sys.argv = [{program!r}, "settings"]
from headway.cli import main
main()
"""


@pytest.mark.parametrize("module", ["headway.errors", "headway.cli.demo"])
def test_an_interrupt_while_modules_are_imported_is_quiet(module: str) -> None:
    """Of the program; a script that imports headway is interrupted as any other."""
    for program, expected in (("/bin/headway", (130, "")), ("/bin/script.py", None)):
        script = _BLOW.format(module=module, program=program)
        done = subprocess.run(
            [sys.executable, "-c", script],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        if expected is None:
            assert done.stderr.rstrip().endswith("KeyboardInterrupt")
        else:
            assert (done.returncode, done.stderr) == expected
            assert done.stdout == ""


def test_commands_are_interrupted_by_an_exception(monkeypatch: pytest.MonkeyPatch) -> None:
    """What ends the program at once while it is imported would leave files behind later."""
    before = signal.getsignal(signal.SIGINT)
    monkeypatch.setattr(sys, "argv", ["/bin/headway"])
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        startup.begin()
        assert signal.getsignal(signal.SIGINT) is not signal.default_int_handler
        assert cli.run(["settings"]) == 0
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # as in a background shell
        startup.begin()
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def shell(command: str) -> subprocess.CompletedProcess[str]:
    command = command.replace("headway", f"{sys.executable} -m headway", 1)
    return subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, timeout=PATIENCE, check=False
    )


def test_a_closed_pipe_is_quiet() -> None:
    done = shell("headway fragment --pairs 3000 --show | head -1; echo ${PIPESTATUS[0]}")
    assert done.stderr == ""
    assert done.stdout.splitlines()[1:] == [str(128 + signal.SIGPIPE)]


def test_a_full_or_closed_output_is_one_line_at_most() -> None:
    done = shell("headway settings > /dev/full")
    assert done.returncode == 1
    assert done.stderr.startswith("headway: standard output: cannot write: the disk is full")
    assert len(done.stderr.splitlines()) == 1
    assert shell("headway settings >&-").stderr == ""


def test_other_encodings_do_not_change_the_output() -> None:
    done = shell("PYTHONIOENCODING=latin-1 headway demo --help")
    assert done.returncode == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ["trees", "convert", "-", "-"],
        ["trees", "check", "-"],
        ["trees", "draw", "-"],
        ["trees", "compressions", "-"],
        ["alignments", "join", "-", "other"],
        ["truecase", "train", "-", "-o", "model"],
        ["align", "-", "other"],
        ["lm", "train", "-i", "-", "-o", "lm.arpa"],
    ],
)
def test_an_interrupt_ends_every_wait_for_input(tmp_path: Path, arguments: list[str]) -> None:
    (tmp_path / "other").write_text("a\n")
    process = subprocess.Popen(
        [sys.executable, "-m", "headway", *arguments],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
    )
    assert process.stdin is not None
    process.stdin.write(b"\n")
    wait_until_read(process)
    process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE) == 130
    assert process.stderr is not None
    process.stdin.close()
    assert process.stderr.read() == b"headway: interrupted\n"
    process.stderr.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["other"]


def test_devices_and_links_are_not_replaced(headway: Headway, tmp_path: Path) -> None:
    (tmp_path / "a.conllu").write_text("1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n")
    (tmp_path / "link.svg").symlink_to("real.svg")
    done = headway("trees", "draw", "a.conllu", "--svg", "link.svg", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "link.svg").is_symlink()
    assert (tmp_path / "real.svg").read_text().startswith("<svg")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "text").write_text("a b\n")
    done = headway("truecase", "train", "text", "-o", "pipe", cwd=tmp_path)
    assert done.returncode == 1
    assert "is a device or a pipe" in done.stderr
    assert (tmp_path / "pipe").is_fifo()


def commands(group: Any, *names: str) -> Iterator[tuple[str, Any]]:
    for name, command in group.commands.items():
        yield " ".join((*names, name)), command
        if hasattr(command, "commands"):
            yield from commands(command, *names, name)


def test_every_command_says_what_it_does_in_one_line() -> None:
    for name, command in commands(get_command(cli.app)):
        told = layout.first_sentence(command)
        assert told.endswith("."), name
        assert len(told) <= 66, name  # beside the name, in a terminal of 80 columns


def test_help_lists_every_command_once() -> None:
    listed = [name for names in layout.SECTIONS.values() for name in names]
    assert sorted(listed) == sorted(get_command(cli.app).commands)  # type: ignore[attr-defined]


def test_help_shows_examples_as_they_are_typed(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["train", "--help"]) == 0
    shown = capsys.readouterr().out
    example = "headway train phrase --source train.de --target train.en --out model"
    assert f"Examples:\n  {example}\n" in shown
    assert shown.index("--source FILE") < shown.index("Options of every command:")
    assert shown.index("Options of every command:") < shown.index("--threads N")


def test_help_speaks_of_values_not_of_types(capsys: pytest.CaptureFixture[str]) -> None:
    for name, _ in commands(get_command(cli.app)):
        assert cli.run([*name.split(), "--help"]) == 0
        assert not re.search(r"<(path|str|int|float|list)|x>=", capsys.readouterr().out), name


@pytest.mark.parametrize("option", ["--pretokenised", "--pretokenized"])
def test_both_spellings_are_known(
    option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gone, out = str(tmp_path / "gone.de"), str(tmp_path / "out")
    assert (
        cli.run(["train", "phrase", option, "--source", gone, "--target", gone, "--out", out]) == 2
    )
    assert "no such file" in capsys.readouterr().err
