"""Cold speed of `phrase-deporder` against `phrase`'s search, and its cost by sentence length.

    make bench-deporder
    python benches/bench_deporder.py DIR    # keeps the bundle in DIR, and takes one that is there

One bundle of multi30k de-en, not tuned, so that both searches have the same rules, language models
and pop limit: `search.spans=all search.contiguous=false search.dependency_order=none` makes it
`phrase`. Parsers are trained on small treebanks. Source trees are parsed beforehand; the first line
says what parsing takes. CPU time of one thread, the best of three runs of both in turn. Sentences
of the test set, then ones put together from them, of 5 to 100 words. The bar is a third of
`phrase`'s speed, which is a ratio of 0.33.
"""

import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any

from headway import Settings, Source, Translator, train
from headway.corpus import read_lines
from measure import cpu_seconds, report
from results_phrase_defaults import DATA, TASKS

PHRASE = {"spans": "all", "contiguous": False, "dependency_order": "none"}
SEARCHES: dict[str, dict[str, Any]] = {
    "phrase": PHRASE,
    "licensed spans, linear": {"dependency_order": "none"},
    "licensed spans, not lexicalised": {"dependency_order": "plain"},
    "phrase-deporder": {},
    "phrase-deporder, 5 trees": {"source_trees": 5},
    "all spans, soft constraints": {"spans": "all", "contiguous": False, "soft_constraints": True},
}
LENGTHS = (5, 10, 20, 50, 100)
SENTENCES = 200
WORDS = 800


def bundle(place: Path) -> Path:
    out = place / "phrase-deporder"
    if not (out / "model.toml").exists():
        source, target = TASKS[0].paths(TASKS[0].train)
        train(
            "phrase-deporder",
            source,
            target,
            out,
            pretokenised=True,
            treebanks=[DATA / "ud" / "en_pud.conllu.gz"],
            source_treebanks=[DATA / "ud" / "de-train.conllu.gz"],
            settings=Settings.load(None, ["parse.tags=upos"]),
            work=place / "work",
        )
    return out


def seconds(translators: list[Translator], sources: list[list[Source]]) -> list[float]:
    """The best time of each, which take turns, so that a busy machine slows all of them down."""
    best = [float("inf")] * len(translators)
    for _ in range(3):
        for at, (translator, batch) in enumerate(zip(translators, sources, strict=True)):
            took, found = cpu_seconds(partial(translator.translate, batch, threads=1), 1)
            assert all(one.words and not one.flags & {"no-source-tree"} for one in found)
            best[at] = min(best[at], took)
    return best


def table(place: Path, lines: list[str]) -> None:
    """The rows of the paper's Table II on the test set, each with the trees that it uses."""
    print(
        f"{len(lines)} sentences of {sum(len(it.split()) for it in lines) / len(lines):.1f} words"
    )
    found = [Translator.load(place, search=search) for search in SEARCHES.values()]
    sources = []
    for name, translator in zip(SEARCHES, found, strict=True):
        began = time.process_time()
        sources.append(translator.sources(lines, threads=1))
        if name.startswith("phrase-deporder"):
            took = (time.process_time() - began) / len(lines)
            print(f"{name}: {took * 1e3:.2f} ms a sentence for parsing")
    best = seconds(found, sources)
    for name, took in zip(SEARCHES, best, strict=True):
        print(f"{name}: {took / len(lines) * 1e3:.2f} ms, {took / best[0]:.2f} times", flush=True)


def by_length(place: Path, words: list[str]) -> tuple[float, float]:
    """The times of all lengths together."""
    both = [Translator.load(place, search=search) for search in (PHRASE, {})]
    totals = [0.0, 0.0]
    for length in LENGTHS:
        lines = [" ".join(words[at : at + length]) for at in range(0, WORDS, length)]
        sources = [one.sources(lines, threads=1) for one in both]
        best = seconds(both, sources)
        totals = [total + took for total, took in zip(totals, best, strict=True)]
        phrase, ours = (took / len(lines) * 1e3 for took in best)
        print(
            f"{length:4} words: {ours:7.2f} ms, {ours / length * 1e3:5.0f} µs a word; "
            f"phrase {phrase:7.2f} ms: {ours / phrase:.2f} times",
            flush=True,
        )
    return totals[0], totals[1]


def measure(place: Path) -> None:
    task = TASKS[0]
    lines = list(read_lines(task.paths(task.test)[0]))
    made = bundle(place)
    table(made, lines[:SENTENCES])
    phrase, ours = by_length(made, [word for line in lines for word in line.split()][:WORDS])
    report("deporder", ours, phrase, f"s for {WORDS} words in sentences of 5 to 100 words each")


def main() -> None:
    with tempfile.TemporaryDirectory() as place:
        measure(Path(sys.argv[1] if len(sys.argv) > 1 else place))


if __name__ == "__main__":
    main()
