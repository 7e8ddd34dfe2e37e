"""Tables whose rows are systems with settings, as the scripts of papers 000, 001 and 004 need."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import results_systems as systems
from headway import Settings, train
from results_phrase_defaults import Task


@dataclass(frozen=True)
class Row:
    """One line of a table: a system with settings."""

    name: str
    system: str
    settings: tuple[str, ...] = ()


def trained(
    run: systems.Run, task: Task, row: Row, *, work: Path, trees: Mapping[str, Any]
) -> None:
    """The untuned bundle of a row. Steps that rows of a corpus share are made once, in `work`."""
    place = run.directory(task)
    if (place / row.name).exists():
        return
    source, target = task.paths(task.train)
    train(
        row.system,
        source,
        target,
        place / "made",
        pretokenised=True,
        settings=Settings.load(None, [*run.overrides, *row.settings]),
        work=work,
        force=True,
        warn_idle=False,
        **trees,
    )
    (place / "made").rename(place / row.name)


def tuned(run: systems.Run, rows: Sequence[Row], make: Callable[[Task, Row], None]) -> None:
    """Trains rows by `make`, and tunes them with each seed; the first seed of all comes first."""
    for seed in run.seeds:
        for task in run.tasks:
            for row in rows:
                if not run.done(task, row.name, seed):
                    make(task, row)
                    systems.tuned(run, task, row.name, seed)


def finished(run: systems.Run, task: Task, rows: Sequence[Row]) -> list[str]:
    """Names of the rows that have all seeds."""
    return [row.name for row in rows if all(run.done(task, row.name, seed) for seed in run.seeds)]


def scored(run: systems.Run, task: Task, part: str, names: Sequence[str]) -> list[list[str]]:
    """BLEU and TER of each row: cells of the table, with signs against the first row."""
    by_seed = [systems.scored(run, task, part, names, seed) for seed in run.seeds]
    by_row = [list(of_row) for of_row in zip(*by_seed, strict=True)]
    return [[systems.cell(own, metric) for metric in systems.METRICS] for own in by_row]


def print_table(
    task: Task, names: Sequence[str], dev: list[list[str]], test: list[list[str]], metrics: str
) -> None:
    """The rows of a corpus as Markdown."""
    print(f"\n| {task.name} | dev {metrics} | test {metrics} |\n|---|---|---|---|---|")
    for name, on_dev, on_test in zip(names, dev, test, strict=True):
        print(f"| {name} | {' | '.join([*on_dev, *on_test])} |", flush=True)
