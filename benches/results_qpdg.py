"""Tables 4 to 6 of Gimpel & Smith (2011) on the data at hand.

    make results-qpdg
    python benches/results_qpdg.py zhen features seeds=1 work=DIR

`features`: `phrase`, then `phrase-qpdg` with the features of the target tree (TT), with those of
reorderings too (S2T), and with those of the source tree (T2T), as in Tables 4 and 5. `parsers`: the
same features with other parsers, as in Table 6: unsupervised ones (DMV) of either side, and one of
the target that has learnt from its parses of the training text too. `plain`: without a language
model of word classes. All rows of a table share rules and language models. Below the table
`features` of a corpus are the features of trees: their mean values in the best translations of the
dev set, before and after tuning, as in the paper's Table 7, and their tuned weights, all as means
over seeds. Last come two ways to search with the tuned weights of the last row: headway's defaults
and the paper's settings.

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
import shutil
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import results_systems as systems
import rows
from headway import Settings, Translator, parse
from headway.compare import averages
from headway.corpus import read_lines
from headway.evaluate import evaluate
from results_phrase_defaults import AS_IN_PAPERS, DATA, Task
from rows import Row

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
class Parsed(Row):
    """A row, and how the parser of each side learns; a side without a way has no parser."""

    target: str = ""
    source: str = ""


SUPERVISED = "supervised"
PHRASE = Parsed("phrase", "phrase")
FEATURES = [
    PHRASE,
    Parsed("TT", SYSTEM, TARGET_ONLY, SUPERVISED),
    Parsed("TT+S2T", SYSTEM, ("search.tree_to_tree=false",), SUPERVISED),
    Parsed("TT+S2T+T2T", SYSTEM, (), SUPERVISED, SUPERVISED),
]
TARGET, ALL = FEATURES[2:]
SELF_TRAINED = "self-trained"
PARSERS = [
    PHRASE,
    TARGET,
    replace(TARGET, name="TT+S2T, DMV", target="dmv"),
    replace(TARGET, name="TT+S2T, self-trained", target=SELF_TRAINED),
    ALL,
    replace(ALL, name="all, DMV of the source", source="dmv"),
    replace(ALL, name="all, DMV of the target", target="dmv"),
    replace(ALL, name="all, DMV of both", target="dmv", source="dmv"),
    replace(ALL, name="all, self-trained", target=SELF_TRAINED),
]
NO_CLASSES = "lm.classes.count=0"
PLAIN = [
    replace(row, name=f"{row.name}, no classes", settings=(*row.settings, NO_CLASSES))
    for row in (PHRASE, TARGET, ALL)
]
TABLES = {"features": FEATURES, "parsers": PARSERS, "plain": PLAIN}


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


def parsed(run: systems.Run, task: Task) -> Path:
    """What the supervised parser makes of the target side of the training text."""
    return run.directory(task) / "parsed.conllu"


def self_trained(run: systems.Run, task: Task) -> list[str | Path]:
    """The treebank of the target, and its parser's own trees of the training text."""
    trained(run, task, TARGET)
    return [treebank(task, "target"), parsed(run, task)]


def trees(run: systems.Run, task: Task, row: Parsed) -> dict[str, Any]:
    """What a row is trained on besides text."""
    found: dict[str, Any] = {}
    for side, how, prefix in (("target", row.target, ""), ("source", row.source, "source_")):
        if how == SUPERVISED:
            found[f"{prefix}treebanks"] = [treebank(task, side)]
        elif how == SELF_TRAINED:
            found[f"{prefix}treebanks"] = self_trained(run, task)
        elif how:
            found[f"{prefix}parser"] = unsupervised(run, task, side)
    return found


def possible(task: Task, row: Parsed) -> bool:
    """Whether there is a treebank for the row's parser of the source."""
    return not row.source or treebank(task, "source").exists()


def trained(run: systems.Run, task: Task, row: Parsed) -> None:
    """The untuned bundle of a row."""
    work = run.directory(task) / "work"
    rows.trained(run, task, row, work=work, trees=trees(run, task, row))
    if row.target == SUPERVISED and not parsed(run, task).exists():
        shutil.copy(work / "train.conllu", parsed(run, task))


def show(run: systems.Run, task: Task, table: Sequence[Parsed]) -> None:
    """The table of a corpus; rows that have all seeds."""
    done = rows.finished(run, task, table)
    if not done:
        return
    dev, test = (rows.scored(run, task, part, done) for part in (task.dev, task.test))
    rows.print_table(task, done, dev, test, "BLEU | TER")
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
    return averages(Translator.load(run.directory(task) / row).translate(lines))


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
    for name in asked.names:
        table = TABLES[name]
        names = [row.name for row in table]
        run = systems.Run(asked.place, asked.seeds, asked.tasks, names, settings)
        for task in run.tasks:
            wanted = [row for row in table if possible(task, row)]
            if not asked.shown_only:
                rows.tuned(replace(run, tasks=[task]), wanted, partial(trained, run))
            show(run, task, wanted)


if __name__ == "__main__":
    main()
