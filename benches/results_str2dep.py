"""Tables 1 to 5 of Shen, Xu & Weischedel (2010) on the data at hand.

    make results-str2dep
    python benches/results_str2dep.py jaen lm.order=5 rescore.order=0    # decoding with a 5-gram

For each corpus the four configurations of `str2dep`: number of rules, then BLEU, TER and METEOR of
the test set, decoded with a 3-gram and rescored with a 5-gram. Marks are those of the paper: (+)
and (-) better and worse than `baseline` in 95 of 100 samples of a paired bootstrap, (*) neither.
Names of corpora or configurations as arguments restrict it, `section.key=value` changes settings,
`parser=DIR` takes a parser instead of training one on EWT, `work=DIR` keeps what was made.
"""

import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from headway import Settings, Translator, parse, train
from headway.corpus import read_lines
from headway.evaluate import Evaluation, SystemScores, evaluate
from results_phrase_defaults import DATA, TASKS, Task

MODELS = ("baseline", "filtered", "str-dep", "labeled")
METRICS = ("bleu", "ter", "meteor")
PASSES = {"decoding": False, "rescoring": True}
SETTINGS = ("lm.order=3", "rescore.order=5")


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
        return not asked or any(it in name for it in asked)

    def settings(self, model: str) -> Settings:
        """Those of one configuration."""
        chosen = [*SETTINGS, f"str2dep.model={model}", *self.overrides]
        return Settings.load(None, chosen)


def trained(run: Run, task: Task, model: str) -> Path:
    """The bundle of one configuration, and a line about it."""
    place = run.place / task.name.replace(" ", "-")
    (source, target), dev = task.paths(task.train), task.paths(task.dev)
    began = time.perf_counter()
    found = train(
        "str2dep",
        source,
        target,
        place / model,
        dev_source=dev[0],
        dev_target=dev[1],
        pretokenised=True,
        parser=run.parser,
        settings=run.settings(model),
        work=place / "work",
    )
    took = time.perf_counter() - began
    facts = found.bundle.manifest.facts
    dev_scores = [
        f"{facts[name]['dev_after']:.2f}" for name in ("tuning", "rescoring") if name in facts
    ]
    steps = ", ".join(f"{step.name} {step.seconds:.0f}" for step in found.steps if not step.reused)
    print(f"{task.name}  {model}: {found.rules:,} rules, dev {' then '.join(dev_scores)},"
          f" {took:.0f} s ({steps})", flush=True)  # fmt: skip
    return place / model


def compare(task: Task, bundles: dict[str, Path]) -> None:
    """The table of one corpus."""
    source, target = task.paths(task.test)
    lines, reference = list(read_lines(source)), list(read_lines(target))
    for name, rescore in PASSES.items():
        found: dict[str, list[str]] = {}
        for model, place in bundles.items():
            translator = Translator.load(place, rescore=rescore)
            if rescore and translator.bundle.manifest.rescoring is None:
                continue
            found[model] = [one.text for one in translator.translate(lines)]
        if found:
            scores = evaluate(found, [reference], tokenise="none", metrics=METRICS)
            print(f"{task.name}, {name}", *METRICS, flush=True)
            for system in scores.systems:
                marked = (f"{system.scores[it]:6.2f}{mark(scores, system, it)}" for it in METRICS)
                print(f"  {system.name:<10}", *marked, flush=True)


def mark(found: Evaluation, system: SystemScores, metric: str) -> str:
    """The paper's marks; nothing for the first system."""
    comparison = system.against_first.get(metric)
    if comparison is None:
        return "    "
    if not comparison.significant:
        return " (*)"
    better = (comparison.difference > 0) != (metric in found.lower_is_better)
    return " (+)" if better else " (-)"


def main() -> None:
    named = dict(it.split("=", 1) for it in sys.argv[1:] if "=" in it)
    with tempfile.TemporaryDirectory() as temporary:
        run = Run(Path(named.pop("work", temporary)), parser=named.pop("parser", ""))
        run.overrides = [f"{name}={value}" for name, value in named.items()]
        run.names = [it for it in sys.argv[1:] if "=" not in it]
        if not run.parser:
            run.parser = str(run.place / "parser")
            settings = Settings.load(None, ["parse.lowercase=true"]).parse
            parse.train([DATA / "ud" / "en_ewt-train.conllu.gz"], run.parser, settings=settings)
        corpora = [task.name for task in TASKS]
        for task in TASKS:
            if run.wants(task.name, corpora):
                chosen = [model for model in MODELS if run.wants(model, [*MODELS])]
                bundles = {model: trained(run, task, model) for model in chosen}
                compare(task, bundles)


if __name__ == "__main__":
    main()
