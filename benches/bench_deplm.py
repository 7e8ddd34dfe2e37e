"""Figure 2 of Galley & Manning (2009) again: time of search with and without the dependency LM.

    make bench-deplm
    python benches/bench_deplm.py DIR    # keeps what it trains in DIR, and takes what is there

Both systems are trained on multi30k de-en without tuning, the parser on UD English-EWT; they share
rules and language model. Sentences of the test set by length, and longer ones put together from
them; CPU time of one thread, the best of three runs of both in turn. The paper's decoder took 2.4
times as long for translations of up to 40 words and 3.4 times for longer ones. Counters tell how
many beginnings of translations a sentence had and how many arcs each of them took: as many more as
the translation is longer, so that a translation takes its square. Last, plain stack search.
"""

import sys
import tempfile
from functools import partial
from pathlib import Path

from headway import Translator, train
from headway.corpus import read_lines
from measure import cpu_seconds, report
from results_phrase_defaults import DATA, TASKS

LENGTHS = ((1, 10), (11, 20), (21, 40), (41, 60), (61, 100))
TREEBANK = DATA / "ud" / "en_ewt-train.conllu.gz"
SENTENCES = 60
LONG = 40


def bundles(place: Path) -> tuple[Translator, Translator]:
    task = TASKS[0]
    source, target = task.paths(task.train)
    found = []
    for system, trees in (("phrase", []), ("phrase-deplm", [TREEBANK])):
        out, work = place / system, place / "work"
        if not (out / "model.toml").exists():
            train(system, source, target, out, pretokenised=True, treebanks=trees, work=work)
        found.append(Translator.load(out))
    return found[0], found[1]


def batch(lines: list[str], shortest: int, longest: int) -> list[str]:
    """Sentences of a length; several in a row where there are none so long."""
    fit = [line for line in lines if shortest <= len(line.split()) <= longest]
    words = [word for line in lines for word in line.split()]
    middle = (shortest + longest) // 2
    made = [" ".join(words[at : at + middle]) for at in range(0, len(words) - middle, middle)]
    return (fit if len(fit) >= SENTENCES else made)[:SENTENCES]


def seconds(translators: tuple[Translator, Translator], lines: list[str]) -> tuple[float, float]:
    """The best times of both, which take turns, so that a busy machine slows both down."""
    best = [float("inf")] * 2
    for _ in range(3):
        for at, translator in enumerate(translators):
            took, found = cpu_seconds(partial(translator.translate, lines, threads=1), 1)
            assert len(found) == len(lines)
            best[at] = min(best[at], took)
    return best[0], best[1]


def counted(trees: Translator, lines: list[str]) -> str:
    before = trees.counters()
    words = sum(len(found.words) for found in trees.translate(lines, threads=1)) / len(lines)
    states, arcs = (trees.counters()[it] - before[it] for it in ("states", "arcs"))
    return (
        f"translations of {words:.0f} words, {states / len(lines):,.0f} beginnings,"
        f" {arcs / states:.1f} arcs each"
    )


def measure(place: Path) -> None:
    task = TASKS[0]
    lines = list(read_lines(task.paths(task.test)[0]))
    plain, trees = bundles(place)
    totals: dict[bool, list[float]] = {False: [0.0, 0.0], True: [0.0, 0.0]}
    for shortest, longest in LENGTHS:
        some = batch(lines, shortest, longest)
        one, other = seconds((plain, trees), some)
        totals[longest > LONG][0] += one
        totals[longest > LONG][1] += other
        print(
            f"{shortest}–{longest} words: {one / len(some) * 1e3:.2f} ms without,"
            f" {other / len(some) * 1e3:.2f} ms with it: {other / one:.2f} times;"
            f" {counted(trees, some)}",
            flush=True,
        )
    stack = {"algorithm": "stack"}
    both = [Translator.load(place / name, search=stack) for name in ("phrase", "phrase-deplm")]
    one, other = seconds((both[0], both[1]), batch(lines, 11, 20)[:20])
    print(f"plain stack search, 11–20 words: {other / one:.2f} times")
    long = totals[True][1] / totals[True][0]
    print(f"longer than {LONG} words: {long:.2f} times (bar 2)")
    report("deplm", totals[False][1], totals[False][0], f"s for sentences of up to {LONG} words")


def main() -> None:
    with tempfile.TemporaryDirectory() as place:
        measure(Path(sys.argv[1] if len(sys.argv) > 1 else place))


if __name__ == "__main__":
    main()
