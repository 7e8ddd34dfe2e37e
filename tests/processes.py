"""Programs that are interrupted in the middle of their work, and what they leave behind.

Nothing here waits for seconds. The work given to a program never ends by itself; the test waits
for a sign that it has begun, and only then strikes.
"""

import contextlib
import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from conftest import PATIENCE

PROGRAM = [sys.executable, "-m", "headway"]
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\r")


def wait_for(sign: Callable[[], object], process: subprocess.Popen[bytes]) -> None:
    """Until the sign is there; a program that ends without it fails the test."""
    deadline = time.monotonic() + PATIENCE
    while not sign():
        assert process.poll() is None or sign(), f"ended with {process.returncode}, without a sign"
        assert time.monotonic() < deadline, "the program gives no sign"
        time.sleep(0.01)


def wait_until_read(process: subprocess.Popen[bytes]) -> None:
    """Until the program has taken all that was written to its standard input, and wants more."""
    assert process.stdin is not None
    process.stdin.flush()
    pipe = process.stdin.fileno()
    wait_for(
        lambda: not struct.unpack("i", fcntl.ioctl(pipe, termios.FIONREAD, b"0000"))[0], process
    )


def interrupted_at_work(
    *arguments: str,
    cwd: Path,
    sign: Callable[[str], object] = lambda shown: "0:00:" in shown,
    endless: bytes = b"",
) -> tuple[int, str]:
    """How the program ends, and its last line, when it is interrupted in the middle of its work.

    Its stderr is a terminal, so that it shows progress; `sign` says of what it has shown so far
    whether the work has begun: by itself, whether there is a bar with its clock. `endless` is
    fed to standard input, again and again.
    """
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*PROGRAM, *arguments],
        cwd=cwd,
        stdin=subprocess.PIPE if endless else subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=theirs,
        env={**os.environ, "COLUMNS": "100", "TERM": "xterm"},
    )
    os.close(theirs)
    shown: list[str] = []
    reader = threading.Thread(target=_collect, args=(ours, shown))
    feeder = threading.Thread(target=_feed, args=(process, endless))
    reader.start()
    feeder.start()
    try:
        wait_for(lambda: sign("".join(shown)), process)
        process.send_signal(signal.SIGINT)
        code = process.wait(PATIENCE)
    finally:
        process.kill()
        process.wait()
        reader.join()
        feeder.join()
        os.close(ours)
    return code, _ESCAPES.sub("", "".join(shown)).rstrip("\n").rpartition("\n")[2]


def _collect(terminal: int, shown: list[str]) -> None:
    """Reads what the program shows until it has gone, which a terminal tells by an error."""
    while True:
        try:
            block = os.read(terminal, 1 << 16)
        except OSError:
            return
        if not block:
            return
        shown.append(block.decode(errors="replace"))


def _feed(process: subprocess.Popen[bytes], endless: bytes) -> None:
    if process.stdin is not None:
        feed(process.stdin, endless)


def feed(pipe: IO[bytes], endless: bytes) -> None:
    """Writes the same again and again, until nobody reads any more."""
    with contextlib.suppress(BrokenPipeError), pipe:
        while endless:
            pipe.write(endless)


@contextlib.contextmanager
def endless_file(path: Path, block: bytes) -> Iterator[None]:
    """A named pipe to read from that never comes to an end."""
    os.mkfifo(path)

    def write() -> None:
        with contextlib.suppress(BrokenPipeError):
            feed(path.open("wb", buffering=0), block)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        yield
    finally:
        # A writer still waits for its reader where the program never came to open the pipe.
        os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK))
        writer.join()


def snapshot(directory: Path) -> dict[str, bytes]:
    """What every file below a folder holds."""
    return {
        str(path.relative_to(directory)): path.read_bytes()
        for path in sorted(directory.rglob("*"))
        if path.is_file()
    }
