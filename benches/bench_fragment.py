"""Speed of the built-in corpus: pairs per second with every file written.

The peer is the bar of the scale benches, 5,000 pairs per second on two cores. The machine may be
busy: the best of three runs counts, by the clock; CPU time is printed beside it.
"""

import tempfile
import time
from pathlib import Path

from headway import fragment

PAIRS = 200_000
BAR = 5000


def measure() -> tuple[float, float]:
    with tempfile.TemporaryDirectory() as directory:
        clock, cpu = time.perf_counter(), time.process_time()
        fragment.write(directory, pairs=PAIRS, threads=2)
        clock, cpu = time.perf_counter() - clock, time.process_time() - cpu
        text = (Path(directory) / "train.de").read_text(encoding="utf-8")
        assert text.count("\n") == PAIRS
        assert len(set(text.splitlines())) == PAIRS
    return PAIRS / clock, PAIRS / cpu


def main() -> None:
    runs = [measure() for _ in range(3)]
    for clock, cpu in runs:
        print(f"{PAIRS} pairs: {clock:.0f} per second, {cpu:.0f} per CPU second")
    best = max(clock for clock, _ in runs)
    peer = f"{BAR} pairs/s (the bar)"
    print(f"fragment: ours {best:.0f} pairs/s, peer {peer}, ratio {best / BAR:.1f}")


if __name__ == "__main__":
    main()
