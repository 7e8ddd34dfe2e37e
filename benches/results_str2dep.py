"""Tables 1 to 5 of Shen, Xu & Weischedel (2010) on the data at hand.

    make results-str2dep
    python benches/results_str2dep.py jaen lm.order=5 rescore.order=0    # decoding with a 5-gram

For each corpus the four configurations of `str2dep`: number of rules, with the structures of the
same words kept apart as in the paper (Table 1), then BLEU, TER and METEOR of the test set, decoded
with a 3-gram and rescored with a 5-gram: means over `seeds=1,2,3` with the lowest and the highest.
The four differ in trees only: alignments, classes, limits of rules and tuning are the same.
`hiero`, with its defaults, is shown where it is named.
Marks, one for each seed: `+` and `-` are better and worse in 95 of 100 samples of a paired
bootstrap, `=` is neither; first against the first system shown, then against `filtered`.
Text is tokenised and lower-cased (`-tok none`); `multi30k de-en cased` is text as people write it,
tokenised and truecased by `headway`, put together again, and scored in mixed case and lower-cased.

All systems are tuned by MERT, as the paper's are; `tune.method=mira` takes the default method.
Names of corpora or configurations as arguments restrict it; `rules` counts rules and no more,
`scores` leaves that out. `section.key=value` changes settings,
`parser=FILE` takes a parser, such as `make results` keeps, instead of training one on EWT as
`headway train` does, cut as the corpus is cut. `work=DIR` keeps what was made and goes on from
there: bundles of these settings that are there are not made anew.
"""

import sys
import tempfile
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from headway import Bundle, Settings, Translator, train
from headway.corpus import read_lines
from headway.evaluate import SystemScores, evaluate
from headway.systems import Trained
from results_phrase_defaults import AS_IN_PAPERS, DATA, TASKS, Task
from results_systems import cell, marks

MODELS = ("baseline", "filtered", "str-dep", "labeled")
SYSTEMS = ("hiero", *MODELS)
METRICS = ("bleu", "ter", "meteor")
RAW = Task("multi30k de-en cased", "multi30k/{part}.raw.{side}.gz", "train", "val", "test2016",
           ("de", "en"), 0.0)  # fmt: skip
EWT = DATA / "ud" / "en_ewt-train.conllu.gz"
PASSES = {"decoding": False, "rescoring": True}
SETTINGS = ("lm.order=3", "rescore.order=5", *AS_IN_PAPERS)
PARTS = ("rules", "scores")


@dataclass
class Run:
    """What the command line asks for."""

    place: Path
    overrides: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    parser: str = ""

    def wants(self, name: str, among: list[str]) -> bool:
        """Whether a corpus or a configuration is to be run."""
        asked = [it for it in self.names if any(it in one for one in among)]
        exact = [it for it in asked if it in among]
        return not asked or name in exact or any(it in name for it in asked if it not in exact)

    def train(self, task: Task, system: str, *more: str, tune: bool = True) -> Trained:
        """`hiero` or a configuration, with more settings; all of a task share a work directory."""
        place = self.place / task.name.replace(" ", "-")
        (source, target), dev = task.paths(task.train), task.paths(task.dev)
        trees = system in MODELS
        chosen = [*SETTINGS, *([f"str2dep.model={system}"] if trees else []), *self.overrides]
        return train(
            "str2dep" if trees else system,
            source,
            target,
            self.bundle(task, system, *more),
            dev_source=dev[0] if tune else None,
            dev_target=dev[1] if tune else (),
            pretokenised=task is not RAW,
            parser=self.parser or None if system in MODELS[1:] else None,
            treebanks=[EWT] if system in MODELS[1:] and not self.parser else [],
            settings=Settings.load(None, [*chosen, *more]),
            work=place / "work",
        )

    def bundle(self, task: Task, *named: str) -> Path:
        """Where a system goes: a name for each choice of settings."""
        return self.place / task.name.replace(" ", "-") / " ".join([*named, *self.overrides])


def count_rules(run: Run, task: Task) -> None:
    """Table 1: a line for each configuration."""
    all_rules = 0
    for model in MODELS:
        apart = "extract.str2dep.structures=all"
        found = run.train(task, model, apart, tune=False).rules
        all_rules = all_rules or found
        print(f"{task.name}  {model}: {found:,} rules, {found / all_rules:.0%}", flush=True)


def trained(run: Run, task: Task, system: str) -> Path:
    """The bundle of one system, and a line about it."""
    place = run.bundle(task, system)
    if place.exists():
        bundle, how = Bundle.open(place), "made before"
    else:
        began = time.perf_counter()
        found = run.train(task, system)
        took = time.perf_counter() - began
        steps = ", ".join(f"{it.name} {it.seconds:.0f}" for it in found.steps if not it.reused)
        bundle, how = found.bundle, f"{took:.0f} s ({steps})"
    facts = bundle.manifest.facts
    passes = (facts[name] for name in ("tuning", "rescoring") if name in facts)
    dev = " then ".join(f"{one['dev_after']:.2f}" for one in passes)
    print(f"{task.name}  {system}: {facts['rules']:,} rules, dev {dev}, {how}", flush=True)
    return place


def compare(task: Task, bundles: list[dict[str, Path]]) -> None:
    """The tables of one corpus; a system has one bundle for each seed."""
    source, target = task.paths(task.test)
    lines, reference = list(read_lines(source)), list(read_lines(target))
    for name, rescore in PASSES.items():
        found = [translations(of_seed, lines, rescore=rescore) for of_seed in bundles]
        if all(found):
            show(f"{task.name}, {name}", found, reference, cased=task is RAW)


def translations(
    bundles: dict[str, Path], lines: list[str], *, rescore: bool
) -> dict[str, list[str]]:
    """What each system says; only those that have a second pass where it is asked for."""
    found: dict[str, list[str]] = {}
    for system, place in bundles.items():
        translator = Translator.load(place, rescore=rescore)
        if not rescore or translator.bundle.manifest.rescoring is not None:
            found[system] = [one.text for one in translator.translate(lines)]
    return found


def show(
    name: str, found: list[dict[str, list[str]]], reference: list[str], *, cased: bool
) -> None:
    """A line for each system; two tables where there is case."""
    for lowercase in (False, True)[: 1 + cased]:
        how: dict[str, Any] = {} if cased else {"tokenise": "none"}

        def scored(texts: list[dict[str, list[str]]], **how: Any) -> list[dict[str, SystemScores]]:
            evaluated = (evaluate(own, [reference], metrics=METRICS, **how) for own in texts)
            return [{one.name: one for one in each.systems} for each in evaluated]

        first = scored(found, lowercase=lowercase, **how)
        by_filtered = [
            {"filtered": own["filtered"], **own} if "filtered" in own else own for own in found
        ]
        second = scored(by_filtered, lowercase=lowercase, **how)
        case = (", lower case" if lowercase else ", mixed case") if cased else ""
        print(f"| {name}{case} | {' | '.join(METRICS)} |\n|---|{'---|' * len(METRICS)}", flush=True)
        for system in found[0]:
            against = [[own[system] for own in each] for each in (first, second)]
            cells = (
                f"{cell(against[0], metric)} {marks(against[1], metric)}".strip()
                for metric in METRICS
            )
            print(f"| `{system}` | {' | '.join(cells)} |", flush=True)


def main() -> None:
    named = dict(it.split("=", 1) for it in sys.argv[1:] if "=" in it)
    with tempfile.TemporaryDirectory() as temporary:
        run = Run(Path(named.pop("work", temporary)), parser=named.pop("parser", ""))
        seeds = named.pop("seeds", "1,2,3").split(",")
        run.overrides = [f"{name}={value}" for name, value in named.items()]
        run.names = [it for it in sys.argv[1:] if "=" not in it and it not in PARTS]
        parts = [it for it in sys.argv[1:] if it in PARTS] or PARTS
        tasks = [*TASKS, RAW]
        corpora = [task.name for task in tasks]
        for task in tasks:
            if not run.wants(task.name, corpora):
                continue
            if "rules" in parts:
                count_rules(run, task)
            if "scores" in parts:
                asked = [system for system in SYSTEMS if system in run.names]
                chosen = asked or list(MODELS)
                of_seeds = [
                    replace(run, overrides=[*run.overrides, f"run.seed={n}"]) for n in seeds
                ]
                compare(task, [{it: trained(one, task, it) for it in chosen} for one in of_seeds])


if __name__ == "__main__":
    main()
