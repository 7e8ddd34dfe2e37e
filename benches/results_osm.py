"""Operation sequence models in `phrase`: what they change, and what their parts do.

    python benches/results_osm.py zhen seeds=1 work=DIR

Rows share alignments, phrase pairs and language models. Each has the mean over seeds of BLEU
(`-tok none`) and TER of the dev set and the test set, and one sign per seed, of a paired bootstrap
against `phrase` tuned with that seed: `+` better and `-` worse at 95 %, `=` neither. All are tuned
with the default method.

What was made stays in `work`, `target/results-osm` unless given, and is not made again. Names of
corpora restrict the run, `section.key=value` changes settings of all rows, `table` prints what
there is and no more.
"""

from functools import partial

import results_systems as systems
import rows
from results_phrase_defaults import TASKS, Task
from rows import Row

ORDER = "osm.order=5"
TABLE = [
    Row("phrase", "phrase", ("osm.order=0",)),
    Row("operations of words", "phrase", (ORDER, "osm.classes=false")),
    Row("and of classes", "phrase", (ORDER,)),
    Row("and counts", "phrase", (ORDER, "search.operation_counts=true")),
]


def trained(run: systems.Run, task: Task, row: Row) -> None:
    """The untuned bundle of a row; all have the same alignments and rules."""
    rows.trained(run, task, row, work=run.place / "work" / run.directory(task).name, trees={})


def main() -> None:
    asked = systems.Tables.asked(["osm"], [task.name for task in TASKS], "target/results-osm")
    names = [row.name for row in TABLE]
    run = systems.Run(asked.place, asked.seeds, asked.tasks, names, asked.overrides)
    if not asked.shown_only:
        rows.tuned(run, TABLE, partial(trained, run))
    for task in run.tasks:
        if done := rows.finished(run, task, TABLE):
            dev, test = (rows.scored(run, task, part, done) for part in (task.dev, task.test))
            rows.print_table(task, done, dev, test, "BLEU | TER")


if __name__ == "__main__":
    main()
