"""Reading and cleaning compressed parallel text, against gzip only decompressing it.

Both sides are read at once, by us on threads, by the peer in two processes. If cleaning keeps up
with `gzip -dc > /dev/null`, then reading is all that it costs.
"""

import gzip
import os
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from headway.corpus import CorpusFiles, clean, corpus_files
from headway.settings import CleanSettings

DATA = Path(os.environ.get("HEADWAY_DATA", Path(__file__).parents[2] / "shared" / "data"))
COPIES, REPEATS = 40, 5
LIMITS = CleanSettings(max_words=100, max_characters=1000, max_ratio=9.0, keep_repeated=False)


def enlarge(language: str, folder: Path) -> Path:
    """The captions many times over, each copy a little different so that all pairs are kept."""
    text = gzip.decompress((DATA / "multi30k" / f"train.raw.{language}.gz").read_bytes())
    lines = text.split(b"\n")[:-1]
    copies = (b"".join(b"%d %s\n" % (copy, line) for line in lines) for copy in range(COPIES))
    path = folder / f"big.{language}.gz"
    path.write_bytes(gzip.compress(b"".join(copies), compresslevel=6))
    return path


def best_time(work: Callable[[], object]) -> float:
    times = []
    for _ in range(REPEATS):
        begun = time.perf_counter()
        work()
        times.append(time.perf_counter() - begun)
    return min(times)


def decompress(paths: list[Path]) -> None:
    """Both files at once, by gzip itself."""
    runs = [subprocess.Popen(["gzip", "-dc", path], stdout=subprocess.DEVNULL) for path in paths]
    assert all(run.wait() == 0 for run in runs)


def check(files: CorpusFiles, folder: Path) -> None:
    """All lines are read, and all but the captions' own repetitions and faults are kept."""
    report = clean(files, corpus_files([folder / "out.de", folder / "out.en"]), LIMITS)
    assert report.read == 29_000 * COPIES
    kept = (folder / "out.de").read_bytes().count(b"\n")
    assert kept == report.kept > 0.99 * report.read


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = [enlarge(language, folder) for language in ("de", "en")]
        files, nowhere = corpus_files(paths), corpus_files(["/dev/null"], "tsv")
        check(files, folder)
        size = sum(len(gzip.decompress(path.read_bytes())) for path in paths) / 1e6
        ours = best_time(lambda: clean(files, nowhere, LIMITS))
        peer = best_time(lambda: decompress(paths))
        python = best_time(lambda: [gzip.decompress(path.read_bytes()) for path in paths])
        print(f"{size:.0f} MB; Python's gzip, one side after the other: {size / python:.0f} MB/s")
        assert peer / ours >= 0.8, f"only {peer / ours:.2f} times gzip's speed"
        print(
            f"clean: ours {size / ours:.0f} MB/s, peer {size / peer:.0f} MB/s (gzip -dc), "
            f"ratio {peer / ours:.2f}"
        )


if __name__ == "__main__":
    main()
