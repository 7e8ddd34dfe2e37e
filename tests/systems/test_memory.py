"""Memory of a process that translates much, or one long line."""

import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import PATIENCE
from headway import Translator, fragment
from headway.corpus import read_lines
from headway.systems import models
from processes import PROGRAM

# Peaks in MB: after a line of 200 words, and after one of more than ten times that.
_PEAKS = """
import re, sys
from pathlib import Path
from headway import Translator

directory, text, n_best = sys.argv[1:]
translator = Translator.load(directory, search={"pop_limit": 200})
words = Path(text).read_text().split()

def peak(many):
    line = " ".join((words * (many // len(words) + 1))[:many])
    (found,) = translator.translate([line], n_best=int(n_best), threads=1)
    assert len(found.source) >= many
    status = Path("/proc/self/status").read_text()
    return int(re.search(r"VmHWM:\\s+(\\d+)", status)[1]) // 1024

print(peak(200), peak(2500))
"""


@pytest.mark.parametrize(("system", "n_best"), [("hiero", 0), ("hiero", 5), ("str2dep", 0)])
def test_a_long_line_takes_no_more_memory_than_its_pieces(
    small_systems: Path, system: str, n_best: int
) -> None:
    text = small_systems / "corpus" / "train.de"
    done = subprocess.run(
        [sys.executable, "-c", _PEAKS, small_systems / system, text, str(n_best)],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    short, long = map(int, done.stdout.split())
    assert long - short < 150


_ANONYMOUS = re.compile(r"RssAnon:\s+(\d+)")


def _anonymous(process: subprocess.Popen[bytes]) -> float:
    """Memory in MB but for pages of files; 0 of a process that has just ended."""
    found = _ANONYMOUS.search(Path(f"/proc/{process.pid}/status").read_text())
    return int(found[1]) / 1024 if found else 0.0


def _translating(model: Path) -> subprocess.Popen[bytes]:
    command = [*PROGRAM, "translate", str(model), "--threads", "1", "-q"]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


@pytest.mark.parametrize("system", ["hiero", "str2dep"])
def test_no_line_takes_more_than_300_mb(small_systems: Path, system: str) -> None:
    """All memory of the process. A peak between two looks is missed, so that none is invented."""
    words = (small_systems / "corpus" / "train.de").read_text(encoding="utf-8").split()
    most = 0.0
    with _translating(small_systems / system) as process:
        assert process.stdin is not None
        with process.stdin as pipe:
            pipe.write(" ".join(words[:1500]).encode() + b"\n")
        while process.poll() is None:
            most = max(most, _anonymous(process))
            time.sleep(0.01)
    assert process.returncode == 0
    assert 0 < most < 300


def test_a_pipe_of_dependency_scores_stays_as_large_as_it_is(
    small_systems: Path, tmp_path: Path
) -> None:
    """Lines that differ, so that every cache has something new to keep."""
    fragment.write(tmp_path, pairs=4000, dev=1, test=1, seed=8)
    lines = (tmp_path / "train.de").read_bytes().splitlines(keepends=True)
    with _translating(small_systems / "phrase-deplm") as process:
        first = _after(process, lines[:1500])
        last = _after(process, lines[1500:])
        assert 0 < last < first + 20


def _after(process: subprocess.Popen[bytes], lines: list[bytes]) -> float:
    """Memory once these lines are translated, some at a time, so that no pipe is ever full."""
    assert process.stdin is not None
    assert process.stdout is not None
    for start in range(0, len(lines), 250):
        some = lines[start : start + 250]
        process.stdin.write(b"".join(some))
        process.stdin.flush()
        for _ in some:
            assert process.stdout.readline()
    return _anonymous(process)


def _threads() -> int:
    return sum(1 for _ in Path("/proc/self/task").iterdir())


def test_batches_share_their_threads(small_systems: Path) -> None:
    lines = list(read_lines(small_systems / "corpus" / "test.de"))
    translator = Translator.load(small_systems / "phrase")
    translator.translate(lines, threads=2)
    running = _threads()
    assert running > 2
    for _ in range(20):
        translator.translate(lines, threads=2)
        assert _threads() == running


def test_a_forked_process_has_threads_of_its_own(small_systems: Path) -> None:
    """In a process of its own, since a fork of this one would copy all that pytest does."""
    script = """
import os, sys
from headway import Translator
translator = Translator.load(sys.argv[1])
first = [one.text for one in translator.translate(["Er schläft."] * 9, threads=2)]
child = os.fork()
if child == 0:
    again = [one.text for one in translator.translate(["Er schläft."] * 9, threads=2)]
    os._exit(0 if again == first else 1)
assert os.waitpid(child, 0)[1] == 0
"""
    command = [sys.executable, "-W", "ignore", "-c", script, str(small_systems / "phrase")]
    subprocess.run(command, timeout=PATIENCE, check=True)


def test_words_that_were_read_are_not_kept_for_ever(
    small_systems: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(models, "_MOST_WORDS", 100)
    translator = Translator.load(small_systems / "phrase", search={"alike": 0.8})
    for start in range(0, 2000, 50):
        translator.translate([f"Wort{number}" for number in range(start, start + 50)])
        known = translator._decoder.models._alike[0.8]
        assert len(known) <= 150
