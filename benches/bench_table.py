"""Rule tables against Moses' text: size, time to open, look-ups per second.

The peer is the gzipped text itself: its size, the time to read it into a Python dictionary
(what stands between starting and the first look-up), and look-ups in that dictionary.
"""

import gzip
import os
import tempfile
from collections import defaultdict
from pathlib import Path

from headway.table import RuleTable, import_moses
from measure import cpu_seconds, report, wall_seconds

PEERS = Path(os.environ.get("HEADWAY_PEERS", Path(__file__).parents[2] / "shared" / "peers"))
COPIES = 15
TABLES = [
    ("moses-phrase-deen", ["phrase-table.gz", "reordering-table.gz"], "de"),
    ("moses-phrase-jaen", ["phrase-table.gz", "reordering-table.gz"], "ja"),
    ("moses-hiero-deen", ["rule-table.gz"], "de"),
]
Dictionary = dict[str, list[list[str]]]


def read_text(path: Path) -> Dictionary:
    found: Dictionary = defaultdict(list)
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            fields = line.split(" ||| ")
            found[fields[0]].append(fields)
    return found


def spans(path: Path) -> list[str]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        sentences = [line.split() for line in file]
    return [
        " ".join(words[start:end])
        for words in sentences
        for start in range(len(words))
        for end in range(start + 1, min(start + 7, len(words)) + 1)
    ]


def enlarged(path: Path, output: Path) -> None:
    """Many copies of a table, the words of each marked: a table of a million rules."""
    with gzip.open(path, "rt", encoding="utf-8") as file, output.open("w") as out:
        for line in file:
            source, target, rest = line.split(" ||| ", 2)
            for copy in range(COPIES):
                left, right = (
                    " ".join(f"{copy}{word}" for word in side.split()) for side in (source, target)
                )
                out.write(f"{left} ||| {right} ||| {rest}")


def measure(name: str, table: RuleTable, text: Dictionary, queries: list[str]) -> None:
    weights = [1.0] * len(table.features)
    for query in queries[:2000]:
        assert len(table.options(query)) == len(text.get(query, [])), query
    known = [query for query in queries if query in table]
    rules = sum(len(text[query]) for query in known)
    seek, _ = cpu_seconds(lambda: [query in table for query in queries])
    best, _ = cpu_seconds(lambda: [table.options(q, weights=weights, top=20) for q in known], 2)
    decode, _ = cpu_seconds(lambda: [table.spans(query) for query in known], 2)
    peer, _ = cpu_seconds(lambda: [text.get(query) for query in queries])
    decoded = sum(many for query in known for *_, many in table.spans(query))
    print(
        f"{name}: {len(queries) / seek:,.0f} source sides sought a second "
        f"(dictionary {len(queries) / peer:,.0f}); {decoded / decode:,.0f} rules decoded a second; "
        f"{rules / best:,.0f} rules sorted by weights, the best 20 made Python objects"
    )


def compare(folder: Path, peer: Path, names: list[str], language: str) -> tuple[int, int]:
    """Builds, opens and asks one table; the sizes of it and of the text."""
    files = [peer / name for name in names]
    reordering = files[1] if len(files) > 1 else None
    took, _ = cpu_seconds(lambda: import_moses(files[:1], folder / "t", reordering=reordering), 1)
    text_size = sum(path.stat().st_size for path in files)
    opening, table = wall_seconds(lambda: RuleTable.open(folder / "t"), 20)
    loading, text = cpu_seconds(lambda: read_text(files[0]), 1)
    size = table.facts.bytes
    print(
        f"{peer.name}: {len(table):,} rules in {size:,} bytes, text {text_size:,}, "
        f"{size / text_size:.3f} of it; built in {took:.2f} CPU s, opened in "
        f"{opening * 1000:.3f} ms (text read in {loading * 1000:.0f} ms)"
    )
    if reordering is not None:
        measure(peer.name, table, text, spans(peer / f"source.{language}.gz"))
    return size, text_size


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sizes = [compare(folder, PEERS / peer, names, source) for peer, names, source in TABLES]
        enlarged(PEERS / "moses-phrase-deen" / "phrase-table.gz", folder / "big.txt")
        import_moses([folder / "big.txt"], folder / "big")
        opening, table = wall_seconds(lambda: RuleTable.open(folder / "big"), 20)
        size = table.facts.bytes
        print(f"{len(table):,} rules in {size:,} bytes: opened in {opening * 1000:.3f} ms")
    ours, texts = (sum(column) for column in zip(*sizes, strict=True))
    report("table", ours, texts, "bytes")


if __name__ == "__main__":
    main()
