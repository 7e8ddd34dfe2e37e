"""Tables 5 and 6 of Galley & Manning (2009) again: `phrase` against `phrase-deplm`.

    make results-deplm
    python benches/results_deplm.py zhen plain seeds=1 work=DIR

`plain`: systems without a language model of word classes, as the paper's are. `classes`: with the
one that headway has by default. `variants`: what else heads may count by and learn from: loops left
in, tags between without positions, calibrated scores, self-training. All are tuned by MERT, as in
the paper, unless `tune.method=mira` says otherwise. Each row has the mean over seeds of BLEU (`-tok
none`) and TER, and one sign per seed, of a paired bootstrap against `phrase` tuned with that seed:
`+` better and `-` worse at 95 %, `=` neither. The parser is trained on UD English-EWT, with
`train`'s own adaptation to the corpus' tokens. Last come the mean changes, and what exact
recombination changes on sentences of up to eight words.

What was made stays in `work`, `target/results-deplm` unless given, and is not made again. Names of
corpora and tables restrict the run, `section.key=value` changes settings of all rows, `table`
prints what there is and no more.
"""

import statistics
from collections.abc import Sequence
from functools import partial
from typing import Any

import results_systems as systems
import rows
from headway import Translator
from headway.corpus import read_lines
from results_phrase_defaults import AS_IN_PAPERS, TASKS, Task
from rows import Row

TABLE = [Row("phrase", "phrase"), Row("phrase-deplm", "phrase-deplm")]
SCORE = "search.dependency_score"
SELF_TRAINED = "phrase-deplm, self-trained"
VARIANTS = [
    *TABLE,
    Row("phrase-deplm, loops left in", "phrase-deplm", ("search.dependency_loops=true",)),
    Row("phrase-deplm, window without positions", "phrase-deplm", ("parse.between=plain-window",)),
    Row(
        "phrase-deplm, log-probability",
        "phrase-deplm",
        ("search.dependency_score=log-probability",),
    ),
    Row("phrase-deplm, margin", "phrase-deplm", ("search.dependency_score=margin",)),
    Row(SELF_TRAINED, "phrase-deplm"),
]
TABLES = {
    "plain": (("lm.classes.count=0",), TABLE),
    "classes": ((), TABLE),
    "variants": ((), VARIANTS),
}
SHORT = 8
COUNTS, UNPRUNED = 0.1, 5000


def trained(run: systems.Run, task: Task, row: Row) -> None:
    """The untuned bundle of a row; both tables have the same alignments and parser."""
    trees: dict[str, Any] = {}
    if row.system == "phrase-deplm":
        trees = {"treebanks": [systems.TREEBANK], "self_train": row.name == SELF_TRAINED}
    work = run.place.parent / "work" / run.directory(task).name
    rows.trained(run, task, row, work=work, trees=trees)


def change(run: systems.Run, task: Task) -> dict[str, float]:
    """What the dependency model changes on the test set, as means over seeds."""
    names = [row.name for row in TABLE]
    by_seed = [systems.scored(run, task, task.test, names, seed) for seed in run.seeds]
    return {
        metric: statistics.mean(new.scores[metric] - old.scores[metric] for old, new in by_seed)
        for metric in systems.METRICS
    }


def recombination(run: systems.Run, task: Task) -> None:
    """How often keying on all words finds another, or a better, translation of short sentences."""
    source, _ = task.paths(task.test)
    lines = [line for line in read_lines(source) if 0 < len(line.split()) <= SHORT][:500]
    bundle = systems.again(run, task, "phrase-deplm", run.seeds[0])
    # A weight that counts, and no pruning that would hide what keys do.
    wide = {"stack": UNPRUNED, "pop_limit": UNPRUNED}
    by = [
        Translator.load(
            bundle, weights={"dependency": COUNTS}, search={**wide, "dependency_states": how}
        ).translate(lines)
        for how in ("tags", "words")
    ]
    pairs = list(zip(*by, strict=True))
    other = sum(tags.words != words.words for tags, words in pairs)
    better = sum(words.score > tags.score + 1e-4 for tags, words in pairs)
    worse = sum(words.score < tags.score - 1e-4 for tags, words in pairs)
    print(
        f"{task.name}: {len(lines)} sentences of up to {SHORT} words, weight {COUNTS}, keyed on"
        f" words instead of tags: {other} others, {better} scores better, {worse} worse",
        flush=True,
    )


def show(run: systems.Run, task: Task, table: Sequence[Row]) -> None:
    """The table of a corpus; rows that have all seeds."""
    done = rows.finished(run, task, table)
    if done:
        dev, test = (rows.scored(run, task, part, done) for part in (task.dev, task.test))
        rows.print_table(task, done, dev, test, "BLEU | TER")


def show_changes(run: systems.Run, tasks: Sequence[Task]) -> None:
    """What the dependency model changes on each corpus, and on average."""
    changes = [change(run, task) for task in tasks]
    for metric in systems.METRICS if changes else ():
        values = [one[metric] for one in changes]
        each = ", ".join(f"{task.name} {it:+.2f}" for task, it in zip(tasks, values, strict=True))
        print(f"{metric}: {each}; mean {statistics.mean(values):+.2f}", flush=True)


def main() -> None:
    corpora = [task.name for task in TASKS]
    asked = systems.Tables.asked(list(TABLES), corpora, "target/results-deplm")
    for name in asked.names:
        settings, table = TABLES[name]
        overrides = [*AS_IN_PAPERS, *settings, *asked.overrides]
        names = [row.name for row in table]
        run = systems.Run(asked.place / name, asked.seeds, asked.tasks, names, overrides)
        if not asked.shown_only:
            rows.tuned(run, table, partial(trained, run))
        print(f"\n{name}")
        for task in run.tasks:
            show(run, task, table)
        complete = [it for it in run.tasks if len(rows.finished(run, it, TABLE)) == len(TABLE)]
        show_changes(run, complete)
        for task in complete:
            recombination(run, task)


if __name__ == "__main__":
    main()
