"""The command line's frame: options, messages, exit codes."""

import subprocess
import sys
from pathlib import Path

import headway as package
import pytest
from conftest import Headway
from headway import cli, errors


def test_version(headway: Headway) -> None:
    done = headway("--version")
    assert done.stdout == f"headway {package.__version__}\n"


def test_no_command_shows_help(headway: Headway) -> None:
    done = headway()
    assert "Commands:" in done.stdout + done.stderr
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
    done = headway("--threads", 2, "--seed", 3, "settings", "--threads", "4")
    assert "threads = 4\nseed = 3\n" in done.stdout


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errors.HeadwayError("told"), 1),
        (errors.OutputError("told"), 1),
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
    }  # fmt: skip


def test_an_interrupt_is_code_130(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "app", interrupt)
    assert cli.run([]) == 130
    assert capsys.readouterr().err == "headway: interrupted\n"


def test_a_closed_pipe_is_quiet() -> None:
    command = f"{sys.executable} -m headway settings --default | true"
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.stdout, done.stderr) == ("", "")
