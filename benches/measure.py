"""What benches share: CPU time on a noisy machine, and the line that states the result."""

import math
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

Result = TypeVar("Result")


def cpu_seconds(work: Callable[[], Result], repeat: int = 3) -> tuple[float, Result]:
    """The least CPU time (all threads) of several runs, and what the last run returned."""
    return _best(work, repeat, time.process_time)


def wall_seconds(work: Callable[[], Result], repeat: int = 3) -> tuple[float, Result]:
    """The least wall time of several runs, and what the last run returned."""
    return _best(work, repeat, time.perf_counter)


def _best(
    work: Callable[[], Result], repeat: int, clock: Callable[[], float]
) -> tuple[float, Result]:
    best = float("inf")
    for _ in range(repeat):
        start = clock()
        result = work()
        best = min(best, clock() - start)
    return best, result


@dataclass(frozen=True)
class Usage:
    """What a run of the program took."""

    wall: float
    cpu: float
    peak_mib: int


def usage(*arguments: object) -> Usage:
    """Runs `headway ARGUMENTS` in a process of its own and measures it."""
    start = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-m", "headway", *map(str, arguments)])
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, arguments
    wall = time.perf_counter() - start
    return Usage(wall, used.ru_utime + used.ru_stime, used.ru_maxrss >> 10)


def report(name: str, ours: float, peer: float, unit: str = "s", better: str = "lower") -> None:
    """The last line of every bench; the ratio says how many times better ours is."""
    over, under = (peer, ours) if better == "lower" else (ours, peer)
    ratio = over / under if under else math.inf
    print(f"{name}: ours {ours:.4g} {unit}, peer {peer:.4g} {unit}, ratio {ratio:.2f}")
