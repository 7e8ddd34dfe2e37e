"""Draws new random tests for a while: `make explore MINUTES=30`.

`make test` draws the same examples for everybody. This draws others, round after round, from
seeds that it prints, and keeps the output of every round that fails in `explored/`. What it finds
becomes an ordinary test with the fault's mend.
"""

import os
import random
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
KEPT = ROOT / "explored"


def main(minutes: float, cargo: list[str]) -> int:
    """Goes on until time is up; the answer is the number of rounds in which a test failed."""
    packages = ["--package", "headway-core", "--package", "headway-fragment"]
    core = ["cargo", "test", *cargo, "--quiet", *packages, "--lib"]
    pytest = [sys.executable, "-m", "pytest", "-n", "auto", "-m", "hypothesis"]
    end, found, rounds = time.monotonic() + 60 * minutes, 0, 0
    while rounds == 0 or time.monotonic() < end:
        seed = random.SystemRandom().randrange(1 << 32)
        rounds += 1
        for name, command in (
            ("core", core),
            ("package", [*pytest, "--hypothesis-seed", str(seed)]),
        ):
            found += explore(name, seed, command)
    print(f"explore: {rounds} rounds, {found} with a finding")  # noqa: T201
    return found


def explore(name: str, seed: int, command: list[str]) -> bool:
    """One round of one half; true, and its output kept, if a test failed."""
    environment = {
        "PROPTEST_RNG_SEED": str(seed),
        "PROPTEST_CASES": "2000",
        "HYPOTHESIS_PROFILE": "explore",
    }
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | environment, capture_output=True, check=False
    )
    if done.returncode:
        KEPT.mkdir(exist_ok=True)
        (KEPT / f"{name}-{seed}.txt").write_bytes(done.stdout + done.stderr)
    verdict = f"found something: explored/{name}-{seed}.txt" if done.returncode else "nothing found"
    print(f"{name}, seed {seed}: {verdict}", flush=True)  # noqa: T201
    return bool(done.returncode)


if __name__ == "__main__":
    sys.exit(min(main(float(sys.argv[1]), sys.argv[2:]), 1))
