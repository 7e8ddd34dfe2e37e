"""Run directories: steps done once, whole or not at all, resumed to the same bytes."""

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from conftest import PATIENCE
from headway import ConfigError, HeadwayError, InputError, OutputError
from headway.run import Outputs, Run
from processes import snapshot, wait_for


class Shout:
    """A step that upper-cases a file and counts how often it was asked to."""

    def __init__(self, source: Path) -> None:
        self.source = source
        self.calls = 0

    def __call__(self, outputs: Outputs) -> None:
        self.calls += 1
        outputs["loud"].write_text(self.source.read_text().upper())

    def run(self, directory: Path, **settings: object) -> bool:
        with Run(directory) as run:
            return run.step(
                "shout", self, inputs=[self.source], settings=settings, outputs=["loud"]
            )


@pytest.fixture
def shout(tmp_path: Path) -> Shout:
    source = tmp_path / "source"
    source.write_text("abc")
    return Shout(source)


def test_a_finished_step_is_not_run_again(shout: Shout, tmp_path: Path) -> None:
    assert shout.run(tmp_path / "run")
    before = snapshot(tmp_path / "run")
    assert not shout.run(tmp_path / "run")
    assert shout.calls == 1
    assert snapshot(tmp_path / "run") == before
    assert (tmp_path / "run" / "loud").read_text() == "ABC"


def test_a_changed_input_setting_or_output_runs_it_again(shout: Shout, tmp_path: Path) -> None:
    directory = tmp_path / "run"
    shout.run(directory, volume=1)
    assert shout.run(directory, volume=2)
    shout.source.write_text("abd")
    assert shout.run(directory, volume=2)
    assert (directory / "loud").read_text() == "ABD"
    (directory / "loud").write_text("tampered")
    assert shout.run(directory, volume=2)
    (directory / "loud").unlink()
    assert shout.run(directory, volume=2)
    (directory / ".steps" / "shout.json").write_text("{")
    assert shout.run(directory, volume=2)
    assert not shout.run(directory, volume=2)
    assert (directory / "loud").read_text() == "ABD"


def test_a_failing_step_leaves_the_old_output_and_no_record(shout: Shout, tmp_path: Path) -> None:
    directory = tmp_path / "run"
    shout.run(directory)

    def fail(outputs: Outputs) -> None:
        outputs["loud"].write_text("half")
        raise RuntimeError

    with Run(directory) as run, pytest.raises(RuntimeError):
        run.step("shout", fail, outputs=["loud"])
    assert (directory / "loud").read_text() == "ABC"
    assert not list(directory.glob(".partial-*"))
    assert shout.run(directory)


def test_a_step_must_write_what_it_promised(tmp_path: Path) -> None:
    with Run(tmp_path) as run, pytest.raises(HeadwayError, match="lazy did not write a, b"):
        run.step("lazy", lambda outputs: None, outputs=["a", "b"])


def test_an_output_may_be_a_directory(tmp_path: Path) -> None:
    def make(text: str, outputs: Outputs) -> None:
        (outputs["model"] / "deep").mkdir(parents=True)
        (outputs["model"] / "deep" / "file").write_text(text)

    def run(text: str) -> bool:
        with Run(tmp_path) as run:
            return run.step(
                "s", lambda outputs: make(text, outputs), settings={"t": text}, outputs=["model"]
            )

    assert run("one")
    assert not run("one")
    assert run("two")
    assert (tmp_path / "model" / "deep" / "file").read_text() == "two"
    (tmp_path / "model" / "extra").write_text("")
    assert run("two")
    assert not (tmp_path / "model" / "extra").exists()
    assert not list(tmp_path.glob(".partial-*"))


def test_a_missing_input_is_an_input_error(tmp_path: Path) -> None:
    with Run(tmp_path) as run, pytest.raises(InputError, match="no such file"):
        run.step("s", lambda outputs: None, inputs=[tmp_path / "absent"], outputs=["a"])


def test_a_run_that_finished_nothing_leaves_nothing(tmp_path: Path, shout: Shout) -> None:
    def refuse(outputs: Outputs) -> None:
        raise ConfigError(f"nothing for {len(outputs)}")

    with pytest.raises(ConfigError), Run(tmp_path / "run") as run:
        run.step("refused", refuse, outputs=["a"])
    assert not (tmp_path / "run").exists()
    shout.run(tmp_path / "run")
    with pytest.raises(ConfigError), Run(tmp_path / "run") as run:
        run.step("refused", refuse, outputs=["a"])
    assert (tmp_path / "run" / "loud").read_text() == "ABC"
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes").write_text("x")
    with pytest.raises(ConfigError), Run(tmp_path / "mine") as run:
        run.step("refused", refuse, outputs=["a"])
    assert (tmp_path / "mine" / "notes").read_text() == "x"


def test_one_process_at_a_time(tmp_path: Path) -> None:
    with Run(tmp_path), pytest.raises(ConfigError, match="another headway"), Run(tmp_path):
        pass
    with Run(tmp_path):
        pass


def test_a_run_is_used_as_a_context(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="with Run"):
        Run(tmp_path).step("s", lambda outputs: None, outputs=[])


def test_a_file_in_the_way_of_the_directory_is_an_output_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="file"), Run(tmp_path / "file"):
        pass


# Three steps; the second one writes slowly so that it can be killed in the middle.
SLOW_RUN = textwrap.dedent("""
    import sys, time
    from pathlib import Path
    from headway.run import Run

    def slowly(outputs):
        with outputs["two"].open("w") as file:
            for number in range(int(sys.argv[2])):
                print(number * 7919 % 1000, file=file, flush=True)
                time.sleep(float(sys.argv[3]))

    with Run(Path(sys.argv[1])) as run:
        run.step("one", lambda outputs: outputs["one"].write_text("1\\n"), outputs=["one"])
        run.step("two", slowly, inputs=[run / "one"], outputs=["two"])
        last = lambda outputs: outputs["three"].write_text((run / "two").read_text()[::-1])
        run.step("three", last, inputs=[run / "two"], outputs=["three"])
""")


def start(directory: Path, pause: float) -> subprocess.Popen[bytes]:
    arguments = [sys.executable, "-c", SLOW_RUN, directory.name, "50", str(pause)]
    return subprocess.Popen(arguments, cwd=directory.parent, stderr=subprocess.DEVNULL)


@pytest.mark.parametrize("blow", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_a_run_killed_in_mid_step_resumes_to_the_same_bytes(tmp_path: Path, blow: int) -> None:
    whole, broken = tmp_path / "a" / "run", tmp_path / "b" / "run"
    whole.parent.mkdir()
    broken.parent.mkdir()
    assert start(whole, 0).wait(PATIENCE) == 0

    process = start(broken, 10)
    partial = broken / ".partial-two"
    wait_for(lambda: partial.exists() and partial.stat().st_size, process)
    os.kill(process.pid, blow)
    assert process.wait(PATIENCE) != 0
    assert (broken / "one").is_file()
    assert not (broken / "two").exists()

    finished_first = (broken / "one").stat().st_mtime_ns
    assert start(broken, 0).wait(PATIENCE) == 0
    assert (broken / "one").stat().st_mtime_ns == finished_first
    assert snapshot(broken) == snapshot(whole)
