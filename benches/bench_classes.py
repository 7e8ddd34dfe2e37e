"""Brown clustering: a million tokens in less than a minute of CPU time.

The peer is the exchange algorithm on the same text with as many classes. Both are judged by the
mutual information of neighbouring classes in bits, which both try to keep high; words without a
class count as one class more.
"""

import gzip
import math
import os
import tempfile
from collections import Counter
from functools import partial
from itertools import pairwise
from pathlib import Path

from headway.lm import WordClasses
from measure import cpu_seconds, report

DATA = Path(os.environ.get("HEADWAY_DATA", Path(__file__).parents[2] / "shared/data"))
CORPORA = ("multi30k/train.tok", "jaen/train", "zhen/train", "nt/wo-en.train")


def text() -> list[str]:
    """The English of several corpora: 1.1 million tokens."""
    lines = []
    for name in CORPORA:
        with gzip.open(DATA / f"{name}.en.gz", "rt", encoding="utf-8") as file:
            lines += file.read().splitlines()
    return lines


def mutual_information(lines: list[str], classes: WordClasses) -> float:
    pairs: Counter[tuple[int | None, int | None]] = Counter()
    for line in lines:
        pairs.update(pairwise(map(classes.get, line.split())))
    left, right = Counter[int | None](), Counter[int | None]()
    for (one, other), count in pairs.items():
        left[one] += count
        right[other] += count
    total = pairs.total()
    return sum(
        count / total * math.log2(count * total / (left[one] * right[other]))
        for (one, other), count in pairs.items()
    )


def main() -> None:
    lines = text()
    tokens = sum(len(line.split()) for line in lines)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "text"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        seconds = {}
        for method in ("brown", "exchange"):
            learn = partial(WordClasses.learn, [path], count=100, method=method)
            seconds[method], found = cpu_seconds(learn, repeat=1)
            information = mutual_information(lines, found)
            print(
                f"{method:<8} {tokens:,} tokens, {len(found):,} words in {found.count} classes:"
                f" {seconds[method]:.1f} s CPU, {information:.4f} bits"
            )
    million = 1e6 / tokens
    report("classes, a million tokens", seconds["brown"] * million, seconds["exchange"] * million)


if __name__ == "__main__":
    main()
