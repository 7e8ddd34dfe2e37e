"""Tables 2 and 3 of Wu et al. (2012) on the data at hand, through `headway.compare`.

    make results-compare
    python benches/results_compare.py zhen mst dmv seeds=1 work=DIR

Parsers of the English side learn from UD English-EWT, `pcfg` from the brackets of the WSJ sample;
`dmv` sees no trees. `str2dep` learns from the trees of each source; its rules have no labels, since
sources differ in tags and some have none. BLEU is `-tok none` on tokenised, lower-cased text: means
over seeds with the lowest and the highest; signs are those of each seed against `phrase`.

What was made stays in `work`, `target/results-compare` unless given, and is not made again: first
come the trees of all corpora, then the first seed of all corpora. Names of corpora and sources
restrict the run, `section.key=value` changes settings, `table` prints what there is and no more.
"""

import json
from pathlib import Path
from typing import Any

from headway import Settings
from headway.compare import FIGURES, compare, kinds, spread
from results_phrase_defaults import DATA, Task
from results_systems import TREEBANK, Tables

CORPORA = ("multi30k de-en", "zhen")
CHAINS = "right-branching"
SOURCES = ("eisner", "mst", "transition", "pcfg", "dmv", CHAINS)
BRACKETS = DATA / "ptb" / "wsj-sample.mrg.gz"
SETTINGS = ("str2dep.model=str-dep",)
COUNTS = ("phrases", "hierarchical"), ("illegal", "cycles")


def directory(asked: Tables, task: Task) -> Path:
    """Where all of a corpus is."""
    return asked.place / task.name.replace(" ", "-")


def compared(asked: Tables, task: Task, sources: list[str], seeds: list[int]) -> None:
    """Makes what is not there yet; without seeds only the trees."""
    (source, target), dev, test = (task.paths(it) for it in (task.train, task.dev, task.test))
    texts: dict[str, Any] = {
        "system": "str2dep",
        "seeds": seeds,
        "source": source,
        "dev_source": dev[0],
        "dev_target": dev[1],
        "test_source": test[0],
        "test_target": test[1],
    }
    treebanks = [BRACKETS] if "pcfg" in sources else []
    treebanks += [TREEBANK] if set(sources) - {"pcfg", CHAINS} else []
    compare(
        target,
        {name: name for name in sources},
        directory(asked, task),
        treebanks=treebanks,
        languages=task.sides,
        pretokenised=True,
        settings=Settings.load(None, [*SETTINGS, *asked.overrides]),
        **(texts if seeds else {}),
    )
    done = f"seeds {', '.join(map(str, seeds))}" if seeds else "trees"
    print(f"{task.name}: {done} done", flush=True)


def show(asked: Tables, task: Task) -> None:
    """Both tables of a corpus as Markdown, as far as there are any."""
    file = directory(asked, task) / FIGURES
    if not file.exists():
        print(f"\n{task.name}: nothing yet")
        return
    found = json.loads(file.read_text(encoding="utf-8"))
    show_agreement(task, found)
    show_figures(task, found)


def show_agreement(task: Task, found: dict[str, Any]) -> None:
    """Table 2."""
    cells = {
        (it["one"], it["other"]): f"{it['roots']:.1f} ({it['heads']:.1f})"
        for it in found["agreement"]
    }
    names = [line["name"] for line in found["table"] if line["source"]]
    print(f"\n| {task.name}: same roots (heads), % | {' | '.join(names[1:])} |")
    print(f"|---|{'---|' * len(names[1:])}")
    for name in names[:-1]:
        row = (cells.get((name, other), "") for other in names[1:])
        print(f"| `{name}` | {' | '.join(row)} |")


def show_figures(task: Task, found: dict[str, Any]) -> None:
    """Table 3; without precision and recall, as these corpora have no gold trees."""
    lines, seeds = found["table"], len(found["seeds"])
    first = lines[0]["name"]
    signs = {it["other"]: it["signs"] for it in found["differences"] if it["one"] == first}
    title = f"{task.name}, {seeds} seed{'s' if seeds != 1 else ''}"
    print(f"\n| {title} | dev BLEU | test BLEU | phrases | rules with slots | illegal | cycles |")
    print("|---|---|---|---|---|---|---|")
    for line in lines:
        scores = [bleu(line[part]) for part in ("dev", "test")]
        scores[1] = f"{scores[1]} {signs.get(line['name'], '')}".rstrip()
        counts = [
            count(line[table], name)
            for table, names in zip(("rules", "shapes"), COUNTS, strict=True)
            for name in names
        ]
        print(f"| `{line['name']}` | {' | '.join([*scores, *counts])} |", flush=True)


def bleu(scores: dict[str, Any] | None) -> str:
    """Mean and range over seeds."""
    return "" if scores is None else spread([one["bleu"] for one in scores["seeds"]])


def count(table: dict[str, int] | None, name: str) -> str:
    """A number, or nothing."""
    return "" if table is None else f"{table[name]:,}"


def main() -> None:
    asked = Tables.asked(SOURCES, CORPORA, "target/results-compare")
    known = [name for name in asked.names if name in (*kinds(), CHAINS)]
    for name in asked.names:
        if name not in known:
            print(f"{name}: this build has no such kind of parser; skipped", flush=True)
    stages = [asked.seeds[:number] for number in range(len(asked.seeds) + 1)]
    for seeds in [] if asked.shown_only else stages:
        for task in asked.tasks:
            compared(asked, task, known, seeds)
    for task in asked.tasks:
        show(asked, task)


if __name__ == "__main__":
    main()
