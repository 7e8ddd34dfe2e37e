"""Tables 4 to 6 of Gimpel & Smith (2011) on the data at hand.

    make results-qpdg
    python benches/results_qpdg.py zhen features seeds=1 work=DIR

`features`: `phrase`, then `phrase-qpdg` with the features of the target tree (TT), with those of
reorderings too (S2T), and with those of the source tree (T2T), as in Tables 4 and 5. `parsers`: all
features, with a supervised or an unsupervised parser (DMV) of either side, as in Table 6. All rows
share rules and language models. Below the table of a corpus are the features of
trees: their mean values in the best translations of the dev set, before and after tuning, as in
the paper's Table 7, and their tuned weights, all as means over seeds. Last come two
ways to search with the tuned weights of the last row: headway's defaults and the paper's settings.

All systems are tuned by MERT, as the paper's are. Each row has the mean over seeds of BLEU
(`-tok none`) and TER, and one sign per seed, of a paired bootstrap against `phrase` tuned with that
seed: `+` better and `-` worse at 95 %, `=` neither. Supervised source parsers are trained on the
small UD treebanks, where there is one; the target parser on UD English-EWT, with `train`'s own
adaptation to the corpus' tokens.

What was made stays in `work`, `target/results-qpdg` unless given, and is not made again. Names of
corpora and tables restrict the run, `section.key=value` changes settings of all rows, `table`
prints what there is and no more.
"""

import json
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import results_systems as systems
from headway import Settings, Translator, parse, train
from headway.corpus import read_lines
from headway.evaluate import evaluate
from results_phrase_defaults import AS_IN_PAPERS, DATA, Task

CORPORA = ("multi30k de-en", "jaen", "zhen", "nt wo-en")
SYSTEM = "phrase-qpdg"
# Some source treebanks have universal tags only; DMV learns from them, too.
UNIVERSAL = ("parse.tags=upos",)
TARGET_ONLY = ("search.string_to_tree=false", "search.tree_to_tree=false")

# The settings of the paper's search.
PAPER: dict[str, Any] = {
    "lattice_parse": "path",
    "lattice_edges": 1000,
    "parents_mean": 300,
    "parents_least": 100,
    "parents_most": 400,
    "goals": 4000,
}


@dataclass(frozen=True)
class Row:
    """One line of a table: settings, and whether parsers learn from trees."""

    name: str
    settings: tuple[str, ...] = ()
    system: str = SYSTEM
    target: str = "supervised"
    source: str = "supervised"


PHRASE = Row("phrase", system="phrase")
FEATURES = [
    PHRASE,
    Row("TT", TARGET_ONLY, source=""),
    Row("TT+S2T", ("search.tree_to_tree=false",), source=""),
    Row("TT+S2T+T2T"),
]
PARSERS = [
    PHRASE,
    *(
        Row(f"target {target}, source {source}", target=target, source=source)
        for target in ("supervised", "unsupervised")
        for source in ("supervised", "unsupervised")
    ),
]
TABLES = {"features": FEATURES, "parsers": PARSERS}


def treebank(task: Task, side: str) -> Path:
    """Where a parser of one side of a corpus learns."""
    language = task.sides[0] if side == "source" else "en_ewt"
    return DATA / "ud" / f"{language}-train.conllu.gz"


def unsupervised(run: systems.Run, task: Task, side: str) -> Path:
    """A parser that saw the tags of a treebank and no trees; kept beside the bundles."""
    place = run.place / f"{treebank(task, side).name.partition('-')[0]}.dmv"
    if not place.exists():
        settings = Settings.load(None, [*UNIVERSAL, "parse.kind=dmv", "parse.lowercase=true"])
        parse.train([treebank(task, side)], place, settings=settings.parse)
    return place


def trees(run: systems.Run, task: Task, row: Row) -> dict[str, Any]:
    """What a row is trained on besides text."""
    found: dict[str, Any] = {}
    for side, how, prefix in (("target", row.target, ""), ("source", row.source, "source_")):
        if how == "supervised":
            found[f"{prefix}treebanks"] = [treebank(task, side)]
        elif how:
            found[f"{prefix}parser"] = unsupervised(run, task, side)
    return found


def trained(run: systems.Run, task: Task, row: Row) -> None:
    """The untuned bundle of a row; what rows of a corpus have in common is made once."""
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
        work=place / "work",
        force=True,
        warn_idle=False,
        **({} if row is PHRASE else trees(run, task, row)),
    )
    (place / "made").rename(place / row.name)


def possible(task: Task, row: Row) -> bool:
    """Whether there is a treebank for the row's parser of the source."""
    return row is PHRASE or not row.source or treebank(task, "source").exists()


def show(run: systems.Run, task: Task, rows: Sequence[Row]) -> None:
    """The table of a corpus as Markdown; rows that have all seeds."""
    done = [row.name for row in rows if all(run.done(task, row.name, seed) for seed in run.seeds)]
    if not done:
        return
    parts = {}
    for part in (task.dev, task.test):
        by_seed = [systems.scored(run, task, part, done, seed) for seed in run.seeds]
        parts[part] = [list(one) for one in zip(*by_seed, strict=True)]
    print(f"\n| {task.name} | dev BLEU | TER | test BLEU | TER |\n|---|---|---|---|---|")
    for place, name in enumerate(done):
        cells = [
            systems.cell(parts[part][place], metric)
            for part in (task.dev, task.test)
            for metric in systems.METRICS
        ]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)
    if FEATURES[-1].name in done:
        print_averages(run, task)
        print_searches(run, task)


def print_averages(run: systems.Run, task: Task) -> None:
    """Values and weights of the features of trees in the last row, as means over seeds."""
    row = FEATURES[-1].name
    files = [run.output(task, row, seed).with_suffix(f".{seed}.json") for seed in run.seeds]
    tuned = [json.loads(file.read_text()) for file in files]
    before = values_before(run, task, row)
    print("\n| feature | value before tuning | after | weight |\n|---|---|---|---|")
    for name in tuned[0]["weights"]:
        if name.startswith(("string-to-tree.", "tree-to-tree.", "phrase-dep", "lexical-dep")):
            after = statistics.mean(one["dev_features"][name] for one in tuned)
            weight = statistics.mean(one["weights"][name] for one in tuned)
            print(f"| `{name}` | {before[name]:.2f} | {after:.2f} | {weight:.4f} |")


def values_before(run: systems.Run, task: Task, row: str) -> dict[str, float]:
    """The features' mean values on the dev set with the weights that tuning starts from."""
    lines = list(read_lines(task.paths(task.dev)[0]))
    return systems.averages(Translator.load(run.directory(task) / row).translate(lines))


def print_searches(run: systems.Run, task: Task) -> None:
    """BLEU and time of the dev set with the defaults and with the paper's settings."""
    source, target = (list(read_lines(path)) for path in task.paths(task.dev))
    print("\n| search | dev BLEU | CPU ms a sentence |\n|---|---|---|")
    for label, settings in (("headway", {}), ("paper", PAPER)):
        scores, seconds = [], []
        for seed in run.seeds:
            place = systems.again(run, task, FEATURES[-1].name, seed)
            translator = Translator.load(place, search=settings)
            began = time.process_time()
            found = [" ".join(one.words) for one in translator.translate(source, threads=1)]
            seconds.append(1e3 * (time.process_time() - began) / len(source))
            scores.append(evaluate({label: found}, [target], tokenise="none", metrics=["bleu"]))
        bleu = statistics.mean(one.systems[0].scores["bleu"] for one in scores)
        print(f"| {label} | {bleu:.2f} | {statistics.mean(seconds):.1f} |", flush=True)


def main() -> None:
    asked = systems.Tables.asked(list(TABLES), CORPORA, "target/results-qpdg")
    settings = [*UNIVERSAL, *AS_IN_PAPERS, *asked.overrides]
    for table in asked.names:
        rows = TABLES[table]
        names = [row.name for row in rows]
        run = systems.Run(asked.place, asked.seeds, asked.tasks, names, settings)
        for seed in [] if asked.shown_only else run.seeds:
            for task in run.tasks:
                for row in rows:
                    if possible(task, row) and not run.done(task, row.name, seed):
                        trained(run, task, row)
                        systems.tuned(run, task, row.name, seed)
        for task in run.tasks:
            show(run, task, rows)


if __name__ == "__main__":
    main()
