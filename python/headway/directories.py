"""Directories that appear whole or not at all, and take the place of others in one step."""

import glob
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from headway import _core
from headway.files import make_directory, umask, writing
from headway.partial import is_left_behind, lock, partial_directory

_OLD = ".old"


@contextmanager
def whole_directory(directory: Path) -> Iterator[Path]:
    """A new directory beside `directory`, which takes its name and place at the end.

    What was there stays until then, and is removed afterwards. If the body fails, the new one
    disappears.
    """
    whole = directory.resolve()
    make_directory(whole.parent)
    with writing(directory):
        _recover(whole)
        with partial_directory(whole.parent, f".{whole.name}-") as partial:
            yield partial
            partial.chmod(0o777 & ~umask())
            if whole.exists():
                _replace(whole, partial)
            else:
                partial.rename(whole)


def set_aside(directory: Path) -> list[Path]:
    """What had this name when a process was killed while replacing it."""
    whole = directory.resolve()
    return sorted(whole.parent.glob(f".{glob.escape(whole.name)}-*{_OLD}"))


def _replace(whole: Path, partial: Path) -> None:
    """Gives the new directory its name; what was there has the temporary name, or is gone."""
    if _core.exchange_paths(partial, whole):
        return
    # There is a moment without a directory of that name. Whoever is killed in it leaves the old
    # one as `.old`: the next writer gives it its name back, and errors of readers name it.
    old = partial.with_suffix(_OLD)
    held = lock(whole)
    try:
        whole.rename(old)
        try:
            partial.rename(whole)
        except OSError:
            old.rename(whole)
            raise
    finally:
        if held is not None:
            os.close(held)
    shutil.rmtree(old, ignore_errors=True)


def _recover(whole: Path) -> None:
    """Brings back, or removes, what a killed process had set aside."""
    for old in set_aside(whole):
        if not is_left_behind(old):
            continue
        with suppress(OSError):  # another process does the same
            if whole.exists():
                shutil.rmtree(old)
            else:
                old.rename(whole)
