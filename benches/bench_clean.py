"""Reading and cleaning compressed parallel text, against gzip only decompressing it.

Both sides are read at once: by us on threads, by the peer in two processes. What counts is
processor time, of all threads and of both processes; the wall times are printed beside it.
"""

import gzip
import os
import resource
import subprocess
import tempfile
import time
from pathlib import Path

from headway.corpus import CorpusFiles, clean, corpus_files
from headway.settings import CleanSettings
from measure import cpu_seconds, report, wall_seconds

DATA = Path(os.environ.get("HEADWAY_DATA", Path(__file__).parents[2] / "shared" / "data"))
COPIES, REPEATS = 40, 7
LIMITS = CleanSettings(max_words=100, max_characters=1000, max_ratio=9.0, keep_repeated=False)


def enlarge(language: str, folder: Path) -> Path:
    """The captions many times over, each copy a little different so that all pairs are kept."""
    text = gzip.decompress((DATA / "multi30k" / f"train.raw.{language}.gz").read_bytes())
    lines = text.split(b"\n")[:-1]
    copies = (b"".join(b"%d %s\n" % (copy, line) for line in lines) for copy in range(COPIES))
    path = folder / f"big.{language}.gz"
    path.write_bytes(gzip.compress(b"".join(copies), compresslevel=6))
    return path


def decompress(paths: list[Path]) -> None:
    """Both files at once, by gzip itself."""
    runs = [subprocess.Popen(["gzip", "-dc", path], stdout=subprocess.DEVNULL) for path in paths]
    assert all([run.wait() == 0 for run in runs])  # noqa: C419  wait for both


def gzip_seconds(paths: list[Path]) -> float:
    """The least processor time of both processes together."""

    def used() -> float:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    times = []
    for _ in range(REPEATS):
        before = used()
        decompress(paths)
        times.append(used() - before)
    return min(times)


def check(files: CorpusFiles, folder: Path) -> None:
    """All lines are read, and all but the captions' own repetitions and faults are kept."""
    done = clean(files, corpus_files([folder / "out.de", folder / "out.en"]), LIMITS)
    assert done.read == 29_000 * COPIES
    kept = (folder / "out.de").read_bytes().count(b"\n")
    assert kept == done.kept > 0.99 * done.read


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = [enlarge(language, folder) for language in ("de", "en")]
        files, nowhere = corpus_files(paths), corpus_files(["/dev/null"], "tsv")
        check(files, folder)
        begun = time.process_time()
        size = sum(len(gzip.decompress(path.read_bytes())) for path in paths) / 1e6
        print(f"{size:.0f} MB; Python's gzip: {size / (time.process_time() - begun):.0f} MB/s")
        wall, _ = wall_seconds(lambda: clean(files, nowhere, LIMITS), REPEATS)
        peer_wall, _ = wall_seconds(lambda: decompress(paths), REPEATS)
        print(f"wall: ours {size / wall:.0f} MB/s, two gzip -dc {size / peer_wall:.0f} MB/s")
        ours, _ = cpu_seconds(lambda: clean(files, nowhere, LIMITS), REPEATS)
        peer = gzip_seconds(paths)
        assert peer / ours >= 0.6, f"only {peer / ours:.2f} times gzip's speed"
        report("clean", size / ours, size / peer, "MB/s", better="higher")


if __name__ == "__main__":
    main()
