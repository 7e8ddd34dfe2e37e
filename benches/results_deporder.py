"""Table II of Hunter & Resnik (2010) on the data at hand, and what goes beyond it.

    make results-deporder
    python benches/results_deporder.py zhen paper seeds=1 work=DIR

`paper`: rows that share one set of phrase pairs, without lexicalised reordering and without a class
language model, tuned by MERT as in the paper. They differ in the spans that phrases may cover and
in the distortion models. `beyond`: `phrase` with all of its features, and on the same phrase pairs
source trees as constraints and as features, tuned with the default method.

Each row has the mean over seeds of BLEU (`-tok none`), EDPM and length ratio, and one sign per
seed, of a paired bootstrap against the first row tuned with that seed: `+` better and `-` worse at
95 %, `=` neither. Source parsers are trained on the small UD treebanks, the target parser on UD
English-EWT, all of them with `train`'s own adaptation to the corpus' tokens.

What was made stays in `work`, `target/results-deporder` unless given, and is not made again. Names
of corpora and tables restrict the run, `section.key=value` changes settings of all rows, `table`
prints what there is and no more.
"""

import shutil
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import results_systems as systems
import rows
from headway import parse
from headway.corpus import read_lines
from headway.evaluate import ParsedLines, SystemScores, evaluate
from results_phrase_defaults import AS_IN_PAPERS, DATA, Task
from rows import Row

CORPORA = ("multi30k cs-en", "multi30k de-en", "zhen")
SYSTEM = "phrase-deporder"
# The Chinese treebank has universal tags only; all parsers use them.
UNIVERSAL = ("parse.tags=upos",)
METRICS = ("bleu", "edpm")
PLAIN = ("extract.reordering.model=none", "lm.classes.count=0")
LINEAR = ("search.dependency_order=none", "search.contiguous=false")
ALL_SPANS = ("search.spans=all", "search.contiguous=false")
DEPENDENCY = ("search.linear_distortion=false", "search.dependency_order=plain")

# The system's own defaults are the paper's: licensed spans, contiguous subtrees, words count.
PAPER = [
    Row("(i) all spans, linear", "phrase"),
    Row("(ii) random spans, linear", SYSTEM, (*LINEAR, "search.spans=random")),
    Row("(iii) licensed spans, linear", SYSTEM, LINEAR),
    Row("(iv) licensed spans, dependency", SYSTEM, DEPENDENCY),
    Row("(v) licensed spans, both", SYSTEM, ("search.dependency_order=plain",)),
    Row("(vi) licensed spans, both, lexicalised", SYSTEM),
]
BEYOND = [
    Row("phrase", "phrase"),
    Row("licensed spans", SYSTEM),
    Row("licensed spans, 5 trees", SYSTEM, ("search.source_trees=5",)),
    Row("licensed spans, sizes", SYSTEM, ("deporder.sizes=true",)),
    Row("licensed spans, punctuation apart", SYSTEM, ("deporder.punctuation=apart",)),
    Row("all spans, order", SYSTEM, ALL_SPANS),
    Row(
        "all spans, soft constraints",
        SYSTEM,
        (*ALL_SPANS, "search.dependency_order=none", "search.soft_constraints=true"),
    ),
    Row("all spans, both", SYSTEM, (*ALL_SPANS, "search.soft_constraints=true")),
]
TABLES = {"paper": (PAPER, (*PLAIN, *AS_IN_PAPERS)), "beyond": (BEYOND, ())}


def work(run: systems.Run, task: Task) -> Path:
    """Where the steps of training a corpus are: both tables have the same trees and alignments."""
    return run.place.parent / "work" / run.directory(task).name


def parser(run: systems.Run, task: Task) -> Path:
    """The parser of the target text. Both corpora of multi30k have the same English."""
    return run.place.parent / f"{task.files.partition('/')[0]}.parser"


def trees_of(run: systems.Run, task: Task) -> dict[str, Any]:
    kept = parser(run, task)
    target = {"parser": kept} if kept.exists() else {"treebanks": [systems.TREEBANK]}
    source_treebank = DATA / "ud" / f"{task.sides[0]}-train.conllu.gz"
    return {**target, "source_treebanks": [source_treebank]}


def trained(run: systems.Run, task: Task, row: Row) -> None:
    """The untuned bundle of a row. The first one with trees trains the parser of the target."""
    trees = trees_of(run, task) if row.system == SYSTEM else {}
    rows.trained(run, task, row, work=work(run, task), trees=trees)
    if "treebanks" in trees:
        shutil.copy(work(run, task) / "parser.bin", parser(run, task))


def scored(run: systems.Run, task: Task, part: str, names: Sequence[str]) -> list[list[str]]:
    """BLEU, EDPM and length of each row: cells of the table."""
    read = ParsedLines(parse.load(parser(run, task)), language="en", tokenised=True)
    references = [list(read_lines(task.paths(part)[1]))]
    found: list[list[SystemScores]] = []
    for seed in run.seeds:
        ending = f".{seed}.{systems.name_of(task, part)}"
        lines = {
            name: list(read_lines(run.output(task, name, seed).with_suffix(ending)))
            for name in names
        }
        scores = evaluate(lines, references, tokenise="none", metrics=METRICS, parser=read)
        found.append(scores.systems)
    by_row = [list(of_row) for of_row in zip(*found, strict=True)]
    return [[systems.cell(own, metric) for metric in METRICS] for own in by_row]


def show(run: systems.Run, task: Task, table: Sequence[Row]) -> None:
    """The table of a corpus; rows that have all seeds."""
    done = rows.finished(run, task, table)
    if done:
        dev, test = (scored(run, task, part, done) for part in (task.dev, task.test))
        rows.print_table(task, done, dev, test, "BLEU | EDPM")


def main() -> None:
    asked = systems.Tables.asked(list(TABLES), CORPORA, "target/results-deporder")
    for name in asked.names:
        table, settings = TABLES[name]
        overrides = [*UNIVERSAL, *settings, *asked.overrides]
        names = [row.name for row in table]
        run = systems.Run(asked.place / name, asked.seeds, asked.tasks, names, overrides)
        if not asked.shown_only:
            rows.tuned(run, table, partial(trained, run))
        for task in run.tasks:
            show(run, task, table)


if __name__ == "__main__":
    main()
