"""Every system on every corpus, beside tuned Moses as recorded.

    make results
    python benches/results_systems.py zhen hiero str2dep seeds=1 work=DIR

Trains each system once with its defaults, tunes copies of it with each seed, and translates the dev
set and the test set. A short table has BLEU of the test sets, a long one BLEU (`-tok none`), TER
and length ratios of both sets. All are means over seeds, with one sign per seed, of a paired
bootstrap against `phrase` tuned with that seed: `+` better and `-` worse at 95 %, `=` neither. Text
is tokenised and lower-cased.

What was made stays in `work`, `target/results` unless given, and is not made again: the first seed
of all systems comes first. Parsers are trained on UD English-EWT, cut as the corpus is cut; both
corpora of multi30k have the same English, and so the same parsers. Names of corpora and systems
restrict the run, `section.key=value` changes settings, `table` prints what there is and no more.
"""

import shutil
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from headway import Settings, train
from headway.compare import OUTPUTS, linked_copy, signs, spread, tune_copy
from headway.corpus import read_lines
from headway.evaluate import SystemScores, evaluate
from results_phrase_defaults import DATA, TASKS, Task

SYSTEMS = ("phrase", "phrase-deplm", "hiero", "str2dep")
TREES = ("phrase-deplm", "str2dep")
TREEBANK = DATA / "ud" / "en_ewt-train.conllu.gz"
METRICS = ("bleu", "ter")
# What Moses' hierarchical system reaches on test, with pop limit 1,000 on jaen.
MOSES_HIERO = {"multi30k de-en": 40.3, "jaen": 34.1}


@dataclass
class Run:
    """What the command line asks for."""

    place: Path = Path("target/results")
    seeds: list[int] = field(default_factory=lambda: [1, 2, 3])
    tasks: list[Task] = field(default_factory=lambda: TASKS)
    systems: Sequence[str] = SYSTEMS
    overrides: list[str] = field(default_factory=list)

    def directory(self, task: Task) -> Path:
        """Where all of a corpus is."""
        return self.place / task.name.replace(" ", "-")

    def output(self, task: Task, system: str, seed: int) -> Path:
        """Where the translations of a tuned system are; `.dev`, `.test`, `.json` behind it."""
        return self.directory(task) / f"{system}.{seed}"

    def done(self, task: Task, system: str, seed: int) -> bool:
        """Whether a system was tuned and has translated; its figures are written last."""
        return self.output(task, system, seed).with_suffix(f".{seed}.json").exists()


def parser(run: Run, task: Task, system: str) -> Path:
    """Where the parser of a corpus' target text is kept."""
    return run.place / f"{task.files.partition('/')[0]}.{system}.parser"


def trained(run: Run, task: Task, system: str) -> Path:
    """An untuned bundle; what systems of a corpus have in common is made once."""
    place, kept = run.directory(task), parser(run, task, system)
    out = place / system
    trees: dict[str, Any] = {}
    if out.exists():
        return out
    if system in TREES:
        trees = {"parser": kept} if kept.exists() else {"treebanks": [TREEBANK]}
    source, target = task.paths(task.train)
    began, cpu = time.perf_counter(), time.process_time()
    found = train(
        system,
        source,
        target,
        place / "made",
        pretokenised=True,
        settings=Settings.load(None, run.overrides),
        work=place / "work",
        force=True,
        **trees,
    )
    if "treebanks" in trees:
        shutil.copy(place / "work" / "parser.bin", kept)
    (place / "made").rename(out)
    steps = ", ".join(f"{it.name} {it.seconds:.0f}" for it in found.steps if not it.reused)
    took = f"{time.perf_counter() - began:.0f} s, {time.process_time() - cpu:.0f} CPU s"
    size = found.bundle.size / 2**20
    print(
        f"{task.name} {system}: {found.rules:,} rules, {size:.0f} MiB, {took} ({steps})", flush=True
    )
    return out


def tuned(run: Run, task: Task, system: str, seed: int) -> None:
    """Tunes a copy, translates both sets with it and keeps translations and figures."""
    output = run.output(task, system, seed)
    (dev, reference), (test, _) = task.paths(task.dev), task.paths(task.test)
    facts = tune_copy(
        trained(run, task, system),
        output.with_suffix(f".{seed}.tuned"),
        {ending: output.with_suffix(f".{seed}.{ending}") for ending in OUTPUTS},
        (dev, [reference]),
        test,
        Settings.load(None, [*run.overrides, f"run.seed={seed}"]),
    )
    print(
        f"{task.name} {system} seed {seed}: dev {facts['dev']:.2f}, {facts['rounds']} rounds in"
        f" {facts['seconds']:.0f} s, {facts['cpu']:.0f} CPU s",
        flush=True,
    )


def again(run: Run, task: Task, system: str, seed: int) -> Path:
    """The bundle as it was tuned with a seed: the untuned one's files with the tuned weights."""
    place = run.directory(task) / "again"
    linked_copy(run.directory(task) / system, place)
    shutil.copy(run.output(task, system, seed).with_suffix(f".{seed}.toml"), place / "model.toml")
    return place


def name_of(task: Task, part: str) -> str:
    """`dev` or `test`, whatever the corpus calls it."""
    return "dev" if part == task.dev else "test"


def scored(
    run: Run, task: Task, part: str, systems: Sequence[str], seed: int
) -> list[SystemScores]:
    """All systems tuned with a seed, each against the first."""
    _, target = task.paths(part)
    name = name_of(task, part)
    lines = {
        system: list(read_lines(run.output(task, system, seed).with_suffix(f".{seed}.{name}")))
        for system in systems
    }
    references = [list(read_lines(target))]
    return evaluate(lines, references, tokenise="none", metrics=METRICS).systems


def cell(found: list[SystemScores], metric: str) -> str:
    """Mean over seeds, from lowest to highest, and a sign for each seed."""
    return f"{spread([one.scores[metric] for one in found])} {marks(found, metric)}".rstrip()


def marks(found: list[SystemScores], metric: str) -> str:
    """A sign for each seed."""
    compared = (one.against_first.get(metric) for one in found)
    return signs(compared, lower_is_better=metric == "ter")


def finished(run: Run, task: Task) -> tuple[list[str], list[int]]:
    """Systems that were run on a corpus, and the seeds that all of them have."""
    systems = [one for one in run.systems if any(run.done(task, one, seed) for seed in run.seeds)]
    return systems, [
        seed for seed in run.seeds if all(run.done(task, one, seed) for one in systems)
    ]


def summary(run: Run) -> list[str]:
    """Test BLEU of all systems on all corpora, beside Moses."""
    columns = []
    for task in run.tasks:
        systems, seeds = finished(run, task)
        if systems and seeds:
            by_seed = [scored(run, task, task.test, systems, seed) for seed in seeds]
            found = {name: [own[n] for own in by_seed] for n, name in enumerate(systems)}
            columns.append((task, found))
    lines = [
        f"| test BLEU | {' | '.join(task.name for task, _ in columns)} |",
        f"|---|{'---|' * len(columns)}",
    ]
    moses = {"phrases": {task.name: task.moses for task, _ in columns}, "hierarchical": MOSES_HIERO}
    for name, scores in moses.items():
        cells = [str(scores.get(task.name, "")) for task, _ in columns]
        lines.append(f"| Moses, {name} | {' | '.join(cells)} |")
    for system in run.systems:
        cells = [short(found[system]) if system in found else "" for _, found in columns]
        lines.append(f"| `{system}` | {' | '.join(cells)} |")
    return lines


def short(found: list[SystemScores]) -> str:
    """Mean BLEU over seeds, and a sign for each seed."""
    mean = statistics.mean(one.scores["bleu"] for one in found)
    return f"{mean:.1f} {marks(found, 'bleu')}".strip()


def rows(run: Run, task: Task) -> list[str]:
    """The lines of one corpus; seeds that all systems have."""
    systems, seeds = finished(run, task)
    if not systems or not seeds:
        return []
    parts = {
        part: list(zip(*(scored(run, task, part, systems, seed) for seed in seeds), strict=True))
        for part in (task.dev, task.test)
    }
    moses = f"{task.moses}"
    if task.name in MOSES_HIERO:
        moses += f", hierarchical {MOSES_HIERO[task.name]}"
    lines = [f"| **{task.name}**, Moses {moses} | {len(seeds)} | | | | | | |"]
    for place, system in enumerate(systems):
        dev, test = (list(parts[part][place]) for part in (task.dev, task.test))
        lengths = [statistics.mean(one.length_ratio for one in found) for found in (dev, test)]
        columns = [
            cell(dev, "bleu"), cell(dev, "ter"), f"{lengths[0]:.3f}",
            cell(test, "bleu"), cell(test, "ter"), f"{lengths[1]:.3f}",
        ]  # fmt: skip
        lines.append(f"| `{system}` | | {' | '.join(columns)} |")
    return lines


def show(run: Run) -> None:
    """Both tables as Markdown."""
    print("", *summary(run), sep="\n")
    print("\n| | seeds | dev BLEU | TER | length | test BLEU | TER | length |")
    print("|---|---|---|---|---|---|---|---|")
    for task in run.tasks:
        print(*rows(run, task), sep="\n", flush=True)


def asked(arguments: list[str]) -> Run:
    """What the command line asks for."""
    named = dict(it.split("=", 1) for it in arguments if "=" in it)
    names = [it for it in arguments if "=" not in it and it != "table"]
    run = Run(Path(named.pop("work", "target/results")))
    run.seeds = [int(seed) for seed in named.pop("seeds", "1,2,3").split(",")]
    run.overrides = [f"{name}={value}" for name, value in named.items()]
    run.systems = [it for it in SYSTEMS if it in names] or SYSTEMS
    corpora = [it for it in names if it not in SYSTEMS]
    run.tasks = [it for it in TASKS if not corpora or any(one in it.name for one in corpora)]
    return run


@dataclass
class Tables:
    """What the command line of a script with several tables asks for."""

    place: Path
    seeds: list[int]
    tasks: list[Task]
    names: list[str]
    overrides: list[str]
    shown_only: bool
    """Whether the word `table` is there: then nothing is trained."""

    @classmethod
    def asked(cls, tables: Sequence[str], corpora: Sequence[str], place: str) -> "Tables":
        """Of all `tables` and `corpora` those that are named, or all."""
        named = dict(it.split("=", 1) for it in sys.argv[1:] if "=" in it)
        words = [it for it in sys.argv[1:] if "=" not in it]
        work = Path(named.pop("work", place))
        seeds = [int(seed) for seed in named.pop("seeds", "1,2,3").split(",")]
        parts = [it for it in words if it not in tables and it != "table"]
        tasks = [
            it
            for it in TASKS
            if it.name in corpora and (not parts or any(one in it.name for one in parts))
        ]
        overrides = [f"{name}={value}" for name, value in named.items()]
        names = [it for it in tables if it in words] or list(tables)
        return cls(work, seeds, tasks, names, overrides, "table" in words)


def main() -> None:
    run = asked(sys.argv[1:])
    for seed in run.seeds if "table" not in sys.argv[1:] else []:
        for task in run.tasks:
            for system in run.systems:
                if not run.done(task, system, seed):
                    tuned(run, task, system, seed)
    show(run)


if __name__ == "__main__":
    main()
