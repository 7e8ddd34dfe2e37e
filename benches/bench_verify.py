"""Comparing the checksums of a bundle: a gigabyte of components, all cores, from the page cache.

The peer is BLAKE2b of hashlib, one thread for each component: how bundles of format 1 are checked.
"""

import hashlib
import os
import random
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

from headway.checksums import damaged, fast_checksum
from measure import report, wall_seconds

# As in bundles: most of it is the rule table.
SIZES = {"rules.table": 700, "lm.bin": 280, "source.case": 10, "target.case": 10}
_LIMIT = 0.3


def main() -> None:
    """Measures, and checks that the limit is kept and that a flipped bit is found."""
    with TemporaryDirectory() as folder:
        paths = [_written(Path(folder) / name, size << 20) for name, size in SIZES.items()]
        expected = {path: fast_checksum(path) for path in paths}
        gigabytes = sum(path.stat().st_size for path in paths) / 1e9
        ours, found = wall_seconds(lambda: damaged(expected), 5)
        assert found == []
        peer, _ = wall_seconds(lambda: _blake2(paths))
        with paths[0].open("r+b") as file:
            file.seek(123_456_789)
            byte = file.read(1)[0]
            file.seek(123_456_789)
            file.write(bytes([byte ^ 4]))
        assert damaged(expected) == paths[:1]
    print(f"{gigabytes:.2f} GB, {os.cpu_count()} cores, seconds per gigabyte; limit {_LIMIT}")
    report("verify", ours / gigabytes, peer / gigabytes, "s/GB")
    if ours / gigabytes > _LIMIT:
        sys.exit(f"slower than {_LIMIT} s/GB")


def _written(path: Path, size: int) -> Path:
    block = random.Random(size).randbytes(1 << 20)
    with path.open("wb") as file:
        for _ in range(size >> 20):
            file.write(block)
    return path


def _blake2(paths: list[Path]) -> list[str]:
    def checksum(path: Path) -> str:
        with path.open("rb") as file:
            return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()

    with ThreadPoolExecutor() as pool:
        return list(pool.map(checksum, paths))


if __name__ == "__main__":
    main()
