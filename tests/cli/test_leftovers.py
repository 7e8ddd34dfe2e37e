"""What a killed process leaves behind is removed by the next one; what a live one writes stays."""

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from conftest import PATIENCE, Headway
from headway.corpus import write_lines
from headway.files import write_text
from headway.partial import partial_directory, partial_file
from headway.run import Run
from headway.systems.bundle import Bundle, write_bundle
from processes import PROGRAM, wait_for

# Says where it writes, and then waits for ever.
HOLDS = """
import sys
from pathlib import Path
from headway.partial import partial_directory, partial_file
make = partial_file if sys.argv[1] == "file" else partial_directory
with make(*([Path(sys.argv[2])] + sys.argv[3:])) as path:
    print(path, flush=True)
    sys.stdin.read()
"""


def partial(folder: Path) -> list[Path]:
    return sorted(folder.glob(".*"))


@contextmanager
def at_work(*command: str, cwd: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A process that waits for its standard input, which never comes."""
    process = subprocess.Popen(
        command, cwd=cwd, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()


def say(process: subprocess.Popen[bytes], text: bytes) -> None:
    assert process.stdin is not None
    process.stdin.write(text)
    process.stdin.flush()


def kill(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGKILL)
    process.wait(PATIENCE)


TOKENISE = [*PROGRAM, "tokenise", "-", "-o", "out"]


def test_the_next_command_sweeps_what_a_killed_one_left(headway: Headway, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("Ein Haus.\n")
    with at_work(*TOKENISE, cwd=tmp_path) as killed:
        say(killed, b"Ein Haus.\n")
        wait_for(lambda: partial(tmp_path), killed)
        kill(killed)
    left = partial(tmp_path)
    assert len(left) == 1
    with at_work(*TOKENISE, cwd=tmp_path) as alive:
        say(alive, b"Ein Hund.\n")
        wait_for(lambda: set(partial(tmp_path)) - set(left), alive)
        wait_for(lambda: len(partial(tmp_path)) == 1, alive)
        written = partial(tmp_path)
        assert written != left
        done = headway("tokenise", "text", "-o", "other", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert partial(tmp_path) == written
        assert alive.stdin is not None
        alive.stdin.close()
        assert alive.wait(PATIENCE) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["other", "out", "text"]
    assert (tmp_path / "out").read_text() == "Ein Hund .\n"


@pytest.fixture(params=["file", "directory"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def held(kind: str, folder: Path, *prefix: str) -> tuple[str, ...]:
    return (sys.executable, "-c", HOLDS, kind, str(folder), *prefix)


def entered(place: AbstractContextManager[object]) -> None:
    with place:
        pass


def test_every_writer_sweeps_the_directory_it_writes_to(tmp_path: Path, kind: str) -> None:
    writers: dict[str, Callable[[], None]] = {
        "text": lambda: write_text(tmp_path / "text", ""),
        "lines": lambda: write_lines(tmp_path / "lines", []),
        "file": lambda: entered(partial_file(tmp_path)),
        "directory": lambda: entered(partial_directory(tmp_path)),
        "run": lambda: entered(Run(tmp_path)),
    }
    for write in writers.values():
        with at_work(*held(kind, tmp_path), cwd=tmp_path) as process:
            assert process.stdout is not None
            path = Path(process.stdout.readline().decode().strip())
            write()
            assert path.exists()
            kill(process)
            assert path.exists()
            write()
            assert not path.exists()


def test_the_next_bundle_sweeps_the_beginning_of_another(model: Path, tmp_path: Path) -> None:
    draft, place = Bundle.open(model), tmp_path / "bundle"
    command = held("directory", tmp_path, ".bundle-")
    with at_work(*command, cwd=tmp_path) as killed, at_work(*command, cwd=tmp_path) as alive:
        paths = []
        for process in (killed, alive):
            assert process.stdout is not None
            paths.append(Path(process.stdout.readline().decode().strip()))
        (paths[0] / "rules.table").write_bytes(b"half")
        (paths[0] / "rules.table").chmod(0o444)
        kill(killed)
        write_bundle(place, draft)
        assert [path.exists() for path in paths] == [False, True]
        write_bundle(place, draft, replace=True)
        assert paths[1].exists()


def test_a_run_that_was_killed_leaves_nothing_once_it_is_done(corpus: Path, tmp_path: Path) -> None:
    """Killed while the step that aligns words is at work."""
    words = ["train", "phrase", "--source", "train.de", "--target", "train.en"]
    options = ["--out", str(tmp_path / "model"), "--set", "align.samples=1"]
    work = tmp_path / "model.work"
    endless = ["--set", "align.sweeps=1000000000"]
    with at_work(*PROGRAM, *words, *options, *endless, cwd=corpus) as process:
        wait_for((work / ".steps" / "prepare-target.json").exists, process)
        kill(process)
    (work / ".partial-train.align").write_text("half")
    done = subprocess.run(
        [*PROGRAM, *words, *options], cwd=corpus, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert [path.name for path in work.rglob(".*")] == [".steps"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model", "model.work"]
