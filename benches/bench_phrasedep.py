"""Phrase dependencies: look-ups in a large table, and the time and memory of extracting it.

The peer of the look-up is a Python dictionary of the dependencies of the same phrases, which is in
memory as a whole. Links and trees are made up: as many as in language, but simpler.
"""

import gzip
import os
import random
import tempfile
import time
from pathlib import Path

from headway.lm import WordClasses
from headway.phrasedep import PhraseDependencies
from measure import report, usage

DATA = Path(os.environ.get("HEADWAY_DATA", Path(__file__).parents[2] / "shared/data"))
PHRASES = 300


def lines(name: str) -> list[str]:
    with gzip.open(DATA / "multi30k" / name, "rt", encoding="utf-8") as file:
        return file.read().splitlines()


def tree(words: list[str], chance: random.Random) -> str:
    """A word as the root; the others depend on the next word towards it, or the one after that."""
    size, heads = len(words), []
    root = chance.randint(1, size)
    for n in range(1, size + 1):
        step = chance.choice([1, 1, 2])
        heads.append(0 if n == root else min(n + step, root) if n < root else max(n - step, root))
    rows = zip(range(1, size + 1), words, heads, strict=True)
    return "".join(f"{n}\t{word}\t_\t_\t_\t_\t{head}\t_\t_\t_\n" for n, word, head in rows) + "\n"


def prepare(folder: Path) -> list[str]:
    """A corpus with links along the diagonal; the arguments of the command that reads it."""
    chance = random.Random(1)
    source, target = lines("train.tok.de.gz"), lines("train.tok.en.gz")
    (folder / "source").write_text("\n".join(source) + "\n")
    (folder / "target").write_text("\n".join(target) + "\n")
    links = (
        " ".join(f"{n}-{n}" for n in range(min(len(one.split()), len(other.split()))))
        for one, other in zip(source, target, strict=True)
    )
    (folder / "alignment").write_text("\n".join(links) + "\n")
    with (folder / "target-trees").open("w") as file:
        file.writelines(tree(line.split(), chance) for line in target if line.split())
    WordClasses.learn([folder / "target"], count=50, method="brown").save(folder / "classes")
    names = ("source", "target", "alignment", "target-trees", "classes")
    return [part for name in names for part in (f"--{name}", str(folder / name))]


def lookups(table: PhraseDependencies, chosen: list[str]) -> float:
    """Nanoseconds of one look-up of all four scores, warm."""
    best = float("inf")
    for _ in range(5):
        start = time.process_time()
        pairs, by_words, by_clusters = table.coverage(chosen)
        best = min(best, (time.process_time() - start) / pairs)
    print(f"{pairs:,} look-ups: {by_words:,} seen, {by_clusters:,} as clusters")
    return best * 1e9


def peer(table: PhraseDependencies, chosen: list[str]) -> float:
    """The same in a dictionary with a tuple of strings for a key, of what these phrases have."""
    known = {
        (one.parent, one.child, one.left): (one.probability, one.lexical)
        for phrase in chosen
        for left in (True, False)
        for one in table.children(phrase, left=left, many=10**7)
    }
    start = time.process_time()
    for parent in chosen:
        for child in chosen:
            for left in (True, False):
                known.get((parent, child, left))
    return (time.process_time() - start) / (2 * len(chosen) ** 2) * 1e9


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        arguments = prepare(folder)
        for memory in ("2G", "128M"):
            output = folder / f"table-{memory}"
            used = usage("phrase-dependencies", *arguments, "-o", output, "--memory", memory, "-q")
            print(f"--memory {memory}: {used.cpu:.1f} s CPU, peak {used.peak_mib} MiB")
        table = PhraseDependencies.open(output)
        print(f"{table!r}, {table.size / 2**20:.0f} MiB")
        target = [line.split() for line in lines("train.tok.en.gz")[:PHRASES]]
        chosen = [" ".join(words[: n % 3 + 1]) for n, words in enumerate(target)]
        report("phrase dependencies", lookups(table, chosen), peer(table, chosen), "ns")


if __name__ == "__main__":
    main()
