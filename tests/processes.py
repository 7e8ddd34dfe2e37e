"""How far a started program has come, asked of the kernel: sleeping a while proves nothing."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

_LONGEST = 60.0
_TICKS = os.sysconf("SC_CLK_TCK")


def wait_until_idle(process: subprocess.Popen[bytes], quiet: float = 0.4) -> None:
    """Until the program sleeps and has used no processor time for a while: it waits for input."""
    deadline = time.monotonic() + _LONGEST
    before, since = -1.0, time.monotonic()
    while time.monotonic() < deadline:
        state, used = _state(process.pid)
        if state != "S" or used != before:
            before, since = used, time.monotonic()
        elif time.monotonic() - since > quiet:
            return
        time.sleep(0.02)
    raise AssertionError("the program is still busy")


def wait_until_used(process: subprocess.Popen[bytes], seconds: float) -> None:
    """Until the program, all threads together, has used so much processor time."""
    deadline = time.monotonic() + _LONGEST
    while _state(process.pid)[1] < seconds:
        assert time.monotonic() < deadline, "the program does nothing"
        time.sleep(0.02)


def interrupted_at_work(*arguments: str, cwd: Path) -> tuple[int, str]:
    """How the program ends, and what it says, when it is interrupted in the middle of its work."""
    process = subprocess.Popen(
        [sys.executable, "-m", "headway", *arguments],
        cwd=cwd,
        stderr=subprocess.PIPE,
        env={**os.environ, "COLUMNS": "100"},
    )
    wait_until_used(process, 2.0)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    return process.returncode, errors.decode()


def _state(pid: int) -> tuple[str, float]:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return fields[0], (int(fields[11]) + int(fields[12])) / _TICKS
