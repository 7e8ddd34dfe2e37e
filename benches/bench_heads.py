"""Dependency trees out of 40,000 bracketed sentences: headway against the literal Python rules.

The WSJ sample, repeated, is read from a plain file and written as CoNLL-U, in CPU seconds of one
process. The peer reads and converts every fiftieth sentence of the sample and writes nothing; its
time is scaled. Its heads must be ours.
"""

import os
import sys
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from headway.trees import convert, read_penn, read_sentences
from measure import cpu_seconds, report

ROOT = Path(__file__).parent.parent
DATA = Path(os.environ.get("HEADWAY_DATA", ROOT.parent / "shared" / "data"))
sys.path.insert(0, str(ROOT / "tests" / "oracles"))

import heads_oracle  # noqa: E402

SENTENCES = 40_000
EVERY = 50


def peer(text: str, table: str) -> list[list[int]]:
    return [heads_oracle.heads(tree, table) for tree in heads_oracle.parse(text)]


def measured(trees: list[str], table: str, directory: Path) -> tuple[float, float]:
    source, target = directory / "many.mrg", directory / "many.conllu"
    ours, count = cpu_seconds(lambda: convert(source, target, heads=table))
    assert count == SENTENCES
    some = "\n".join(trees[::EVERY])
    theirs, heads = cpu_seconds(lambda: peer(some, table), 1)
    mine = islice(read_sentences(target), 0, len(trees), EVERY)
    assert [sentence.heads for sentence in mine] == heads, table
    return ours, theirs * SENTENCES / len(heads)


def main() -> None:
    trees = [str(tree) for tree in read_penn(DATA / "ptb" / "wsj-sample.mrg.gz")]
    times = []
    with TemporaryDirectory() as directory:
        lines = trees * (SENTENCES // len(trees) + 1)
        (Path(directory) / "many.mrg").write_text("\n".join(lines[:SENTENCES]) + "\n")
        for table in ("collins", "lth", "yamada"):
            ours, theirs = measured(trees, table, Path(directory))
            print(f"{table}: ours {ours:.2f} s, peer {theirs:.0f} s")
            times.append((ours, theirs))
    report("heads", *max(times))


if __name__ == "__main__":
    main()
