"""Extraction, scoring and reordering, and Hiero rules, against what Moses took.

    python benches/bench_extract.py [--pairs 1000000]

Moses is no Python package; its times on the same text are kept with the shared data
(peers/README.md). With `--pairs`, also the peak memory on that many pairs of the built-in corpus:
what `--memory` allows must hold, and must not change a byte of the table.
"""

import argparse
import hashlib
import os
import tempfile
from pathlib import Path

from headway import align
from headway.align import Bitext
from headway.corpus import write_alignments
from headway.table import RuleTable
from measure import Usage, report, usage

DATA = Path(os.environ.get("HEADWAY_DATA", Path(__file__).parents[2] / "shared" / "data"))
SOURCE, TARGET = (DATA / f"multi30k/train.tok.{language}.gz" for language in ("de", "en"))
MOSES_PHRASE_WALL_SECONDS = 47.0  # extraction, scoring and reordering on 2 cores (peers/README.md)
MOSES_HIERO_CPU_SECONDS = 625.0  # extraction of Hiero rules (peers/README.md)
MEMORY = ("256M", "1G", "4G")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--pairs", type=int, default=0, help="pairs of the test of memory")
    pairs = parser.parse_args().pairs
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if pairs:
            memory(folder, pairs)
        speed(folder)


def speed(folder: Path) -> None:
    bitext = Bitext.read(SOURCE, TARGET)
    links = folder / "links"
    write_alignments(links, align.train(bitext).align(bitext))
    hiero = extract(SOURCE, TARGET, links, folder / "hiero.rules", "--kind", "hiero")
    say("hiero", len(bitext), hiero, folder / "hiero.rules")
    print(f"hiero: Moses {MOSES_HIERO_CPU_SECONDS:.0f} CPU s, {hiero.cpu:.1f} here")
    phrase = min(
        (extract(SOURCE, TARGET, links, folder / "phrase.rules") for _ in range(3)),
        key=lambda run: run.wall,
    )
    say("phrase", len(bitext), phrase, folder / "phrase.rules")
    rates = [len(bitext) * 60 / wall for wall in (phrase.wall, MOSES_PHRASE_WALL_SECONDS)]
    report("extract", rates[0], rates[1], "pairs/min", better="higher")


def memory(folder: Path, pairs: int) -> None:
    """Peak memory under three limits, and the same bytes under each."""
    usage("fragment", "--pairs", pairs, "--seed", 5, "--out", folder / "fragment")
    train = folder / "fragment" / "train"
    digests = set()
    for limit in MEMORY:
        table = folder / "large.rules"
        source, target, links = map(train.with_suffix, (".tok.de", ".tok.en", ".align"))
        run = extract(source, target, links, table, "--memory", limit)
        say(f"--memory {limit}", pairs, run, table)
        with table.open("rb") as file:
            digests.add(hashlib.file_digest(file, "sha256").hexdigest())
    assert len(digests) == 1, digests


def extract(source: Path, target: Path, links: Path, output: Path, *options: str) -> Usage:
    return usage(
        *("extract", "--source", source, "--target", target, "--alignment", links),
        *("--output", output, *options),
    )


def say(name: str, pairs: int, run: Usage, table: Path) -> None:
    print(
        f"{name}: {pairs:,} pairs in {run.wall:.1f} s ({pairs * 60 / run.wall:,.0f} a minute), "
        f"{run.cpu:.1f} CPU s, peak {run.peak_mib} MiB; {len(RuleTable.open(table)):,} rules in "
        f"{table.stat().st_size:,} bytes"
    )


if __name__ == "__main__":
    main()
