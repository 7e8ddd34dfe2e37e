"""Temporary names beside an output, and what killed processes left under such names.

Whoever writes a temporary file or directory holds a lock on it (`flock`). The system releases the
lock when the process ends, however it ends, so whatever is not locked was left behind, and the
next writer in the same directory removes it (headway-core, scratch/partial.rs).
"""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from headway import _core

PREFIX, SUFFIX = ".headway-", ".partial"


def sweep(directory: Path) -> None:
    """Removes what killed processes left behind in a directory."""
    _core.sweep(directory, PREFIX, SUFFIX)


@contextmanager
def partial_file(directory: Path) -> Iterator[Path]:
    """A new file; what still has this name at the end is removed."""
    sweep(directory)

    def make() -> Path:
        handle, name = tempfile.mkstemp(SUFFIX, PREFIX, directory)
        os.close(handle)
        return Path(name)

    with _held(make) as path:
        try:
            yield path
        finally:
            path.unlink(missing_ok=True)


@contextmanager
def partial_directory(parent: Path, prefix: str = PREFIX) -> Iterator[Path]:
    """A new directory; what still has this name at the end is removed."""
    _core.sweep(parent, prefix, SUFFIX)
    with _held(lambda: Path(tempfile.mkdtemp(SUFFIX, prefix, parent))) as path:
        try:
            yield path
        finally:
            shutil.rmtree(path, ignore_errors=True)


@contextmanager
def _held(make: Callable[[], Path]) -> Iterator[Path]:
    """Makes something and locks it; once more if another process sweeps it away in between."""
    while True:
        path = make()
        handle = lock(path)
        if handle is not None:
            break
    try:
        yield path
    finally:
        os.close(handle)


def lock(path: Path) -> int | None:
    """Locks a file or a directory until the handle is closed; None if somebody else has it.

    Where there are no locks the handle locks nothing, and then nothing is ever removed either.
    """
    handle, state = _locked(path)
    if handle is not None and state is not False:
        return handle
    if handle is not None:
        os.close(handle)
    return None


def is_left_behind(path: Path) -> bool:
    """Whether the process that made it has ended; False where nobody can know."""
    handle, state = _locked(path)
    if handle is not None:
        os.close(handle)
    return state is True


def _locked(path: Path) -> tuple[int | None, bool | None]:
    """An open handle, and whether it has the lock: None where there are no locks."""
    try:
        handle = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return None, False
    if os.name != "posix":
        return handle, None
    import fcntl  # noqa: PLC0415  exists only there

    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return handle, False
    except OSError:
        return handle, None
    with suppress(FileNotFoundError):
        return handle, os.path.samestat(path.stat(), os.fstat(handle))
    return handle, False
