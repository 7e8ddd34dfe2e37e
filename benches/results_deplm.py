"""Tables 5 and 6 of Galley & Manning (2009) again: `phrase` against `phrase-deplm`.

    make results-deplm [HEADWAY_TASKS="zhen,multi30k de-en"] [HEADWAY_SEEDS=1,2,3]
    python benches/results_deplm.py tune.method=mira

Trains both systems on each task, the parser on UD English-EWT brought to the task's words, tunes
copies of them with each seed, by MERT as the paper does unless `section.key=value` says otherwise,
and translates the test set. BLEU (`-tok none`) and TER of every
seed, their means, and p-values of approximate randomisation and bootstrap (the larger of both) for
the first seed. Also what exact recombination changes on sentences of up to eight words.
"""

import os
import shutil
import statistics
import sys
import tempfile
from pathlib import Path

from headway import Settings, Translator, train, tune_system
from headway.corpus import read_lines
from headway.evaluate import evaluate
from results_phrase_defaults import AS_IN_PAPERS, DATA, TASKS, Task

SYSTEMS = ("phrase", "phrase-deplm")
SEEDS = [int(seed) for seed in os.environ.get("HEADWAY_SEEDS", "1,2,3").split(",")]
WANTED = [name for name in os.environ.get("HEADWAY_TASKS", "").split(",") if name]
TREEBANK = DATA / "ud" / "en_ewt-train.conllu.gz"
SHORT = 8
COUNTS, UNPRUNED = 0.1, 5000


def trained(task: Task, system: str, place: Path) -> Path:
    """An untuned bundle; both systems share what they have in common."""
    out = place / system
    trees = [TREEBANK] if system == "phrase-deplm" else []
    jumps = Settings.load(None, [f"search.distortion_limit={task.distortion}"])
    source, target = task.paths(task.train)
    work = place / "work"
    train(
        system, source, target, out, pretokenised=True, treebanks=trees, settings=jumps, work=work
    )
    return out


def tuned(task: Task, bundle: Path, seed: int) -> Path:
    copy = bundle.with_name(f"{bundle.name}-{seed}")
    shutil.copytree(bundle, copy)
    chosen = Settings.load(None, [*AS_IN_PAPERS, *sys.argv[1:], f"run.seed={seed}"])
    tune_system(copy, *task.paths(task.dev), settings=chosen)
    return copy


def translated(task: Task, bundle: Path) -> list[str]:
    source, _ = task.paths(task.test)
    return [found.text for found in Translator.load(bundle).translate(list(read_lines(source)))]


def recombination(task: Task, bundle: Path) -> None:
    """How often keying on all words finds another, or a better, translation of short sentences."""
    source, _ = task.paths(task.test)
    lines = [line for line in read_lines(source) if 0 < len(line.split()) <= SHORT][:500]
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


def run(task: Task, place: Path) -> tuple[float, float]:
    scores: dict[str, list[tuple[float, float]]] = {system: [] for system in SYSTEMS}
    bundles = {system: trained(task, system, place) for system in SYSTEMS}
    _, target = task.paths(task.test)
    reference = list(read_lines(target))
    for seed in SEEDS:
        copies = {system: tuned(task, bundles[system], seed) for system in SYSTEMS}
        outputs = {system: translated(task, copy) for system, copy in copies.items()}
        samples = 1000 if seed == SEEDS[0] else 0
        how = {"tokenise": "none", "metrics": ["bleu", "ter"], "samples": samples}
        found = evaluate(outputs, [reference], **how)  # type: ignore[arg-type]
        for system in found.systems:
            scores[system.name].append((system.scores["bleu"], system.scores["ter"]))
        weight = Translator.load(copies["phrase-deplm"]).weights["dependency"]
        told = "; ".join(
            f"{system.name} BLEU {system.scores['bleu']:.2f} TER {system.scores['ter']:.2f}"
            for system in found.systems
        )
        print(f"{task.name}, seed {seed}: {told}; weight {weight:.4f}", flush=True)
        for metric, it in found.systems[1].against_first.items() if samples else ():
            p_value = max(it.p_bootstrap, it.p_randomisation)
            print(f"{task.name}: {metric} {it.difference:+.2f}, p = {p_value:.3f}", flush=True)
    recombination(task, copies["phrase-deplm"])
    means = [[statistics.mean(column) for column in zip(*scores[s], strict=True)] for s in SYSTEMS]
    bleu, ter = (new - old for old, new in zip(*means, strict=True))
    print(f"{task.name}: BLEU {bleu:+.2f}, TER {ter:+.2f}", flush=True)
    return bleu, ter


def main() -> None:
    changes = []
    for task in TASKS:
        if not WANTED or task.name in WANTED:
            with tempfile.TemporaryDirectory() as place:
                changes.append(run(task, Path(place)))
    bleu, ter = (statistics.mean(column) for column in zip(*changes, strict=True))
    print(f"mean of {len(changes)} tasks: BLEU {bleu:+.2f}, TER {ter:+.2f}")


if __name__ == "__main__":
    main()
