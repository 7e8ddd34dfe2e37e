"""Figure 2 of Galley & Manning (2009) again: time of search with and without the dependency LM.

Both systems are trained on multi30k de-en without tuning, the parser on UD English-EWT; they share
rules and language model. Sentences of the test set by length, and longer ones put together from
them; CPU time of one thread, the best of three. The paper's decoder took 2.4 times as long
for translations of up to 40 words and 3.4 times for longer ones.
"""

import tempfile
from pathlib import Path

from headway import Translator, train
from headway.corpus import read_lines
from measure import cpu_seconds, report
from results_phrase_defaults import DATA, TASKS

LENGTHS = ((1, 10), (11, 20), (21, 40), (41, 60), (61, 100))
TREEBANK = DATA / "ud" / "en_ewt-train.conllu.gz"
SENTENCES = 60


def bundles(place: Path) -> tuple[Translator, Translator]:
    task = TASKS[0]
    source, target = task.paths(task.train)
    found = []
    for system, trees in (("phrase", []), ("phrase-deplm", [TREEBANK])):
        out, work = place / system, place / "work"
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


def seconds(translator: Translator, lines: list[str]) -> float:
    took, found = cpu_seconds(lambda: translator.translate(lines, threads=1), 3)
    assert len(found) == len(lines)
    return float(took)


def main() -> None:
    task = TASKS[0]
    lines = list(read_lines(task.paths(task.test)[0]))
    with tempfile.TemporaryDirectory() as place:
        plain, trees = bundles(Path(place))
        totals: dict[bool, list[float]] = {False: [0.0, 0.0], True: [0.0, 0.0]}
        for shortest, longest in LENGTHS:
            some = batch(lines, shortest, longest)
            one, other = seconds(plain, some), seconds(trees, some)
            totals[longest > 40][0] += one
            totals[longest > 40][1] += other
            print(
                f"{shortest}–{longest} words: {one / len(some) * 1e3:.2f} ms without,"
                f" {other / len(some) * 1e3:.2f} ms with it: {other / one:.2f} times",
                flush=True,
            )
    long = totals[True][1] / totals[True][0]
    print(f"longer than 40 words: {long:.2f} times (bar 2)")
    report("deplm", totals[False][1], totals[False][0], "s for sentences of up to 40 words")


if __name__ == "__main__":
    main()
