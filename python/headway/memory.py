"""Amounts of memory: as people write them, and as this process takes them."""

import os
import re
import threading
from pathlib import Path
from types import TracebackType

from headway.errors import ConfigError

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
_LEAST = 64 << 20
_MOST = (1 << 63) - 1


def memory_bytes(memory: str | int) -> int:
    """`512M` or `2G` as a number of bytes; a plain number is bytes already."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?", str(memory).strip(), re.IGNORECASE)
    if found is None:
        raise ConfigError(f"memory {memory!r}: expected a size such as 512M or 2G")
    # As much as the core has room for; many digits are more than a number of any kind holds.
    size = int(min(float(found[1]) * _UNITS[found[2].upper()], _MOST))
    if size < _LEAST:
        raise ConfigError(f"memory {memory}: too little to work with; give at least 64M")
    return min(size, _MOST)


_STATUS = Path("/proc/self/statm")
_EVERY = 0.05  # seconds between two looks


class Peak:
    """The most memory that this process had while something was done, by looking often.

    with Peak() as peak:
        work()
    print(peak.bytes)

    The system's own mark never falls, so it tells nothing about a step after a larger one.
    `bytes` is None where the system does not tell how much memory a process has.
    """

    def __init__(self) -> None:
        self.bytes: int | None = None
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> "Peak":
        self._look()
        if self.bytes is not None:
            self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._done.set()
        if self._thread.is_alive():
            self._thread.join()
        self._look()

    def _watch(self) -> None:
        while not self._done.wait(_EVERY):
            self._look()

    def _look(self) -> None:
        try:
            resident = int(_STATUS.read_text(encoding="ascii").split()[1])
        except (OSError, ValueError, IndexError):
            return
        self.bytes = max(self.bytes or 0, resident * os.sysconf("SC_PAGE_SIZE"))
