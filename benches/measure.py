"""What benches share: CPU time on a noisy machine, and the line that states the result."""

import time
from collections.abc import Callable
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


def report(name: str, ours: float, peer: float, unit: str = "s", better: str = "lower") -> None:
    """The last line of every bench; the ratio says how many times better ours is."""
    ratio = peer / ours if better == "lower" else ours / peer
    print(f"{name}: ours {ours:.4g} {unit}, peer {peer:.4g} {unit}, ratio {ratio:.2f}")
