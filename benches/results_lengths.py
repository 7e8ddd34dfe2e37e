"""What tuning does to lengths, and to text it has not seen: dev sets tuned half by half.

    make results-lengths [HEADWAY_TASKS="zhen,nt wo-en"] [HEADWAY_SEEDS=1,2,3]
    python benches/results_lengths.py tune.length_tolerance=1

Trains `phrase` once without tuning, tunes copies on the even and on the odd lines of the dev set,
and translates the other half. Mean of both: BLEU (`-tok none`) and length ratio of the half that
was tuned on and of the other one. Test sets are not read. `section.key=value` changes settings.
"""

import os
import shutil
import statistics
import sys
import tempfile
from pathlib import Path

from headway import Settings, Translator, train, tune_system
from headway.corpus import read_lines, write_lines
from headway.systems import Bleu, bleu
from results_phrase_defaults import TASKS, Task

SEEDS = [int(seed) for seed in os.environ.get("HEADWAY_SEEDS", "1,2,3").split(",")]
WANTED = [name for name in os.environ.get("HEADWAY_TASKS", "zhen,nt wo-en").split(",") if name]


def scored(bundle: Path, source: list[str], target: list[str]) -> Bleu:
    """BLEU and length ratio of a translated half."""
    found = [one.text for one in Translator.load(bundle).translate(source)]
    return bleu(found, [target], tokenised=True)


def half_tuned(plain: Path, task: Task, seed: int, half: int) -> tuple[Bleu, Bleu]:
    """Of the half that was tuned on, and of the other."""
    with tempfile.TemporaryDirectory(dir=plain.parent) as place:
        copy, sides = Path(place) / "copy", [list(read_lines(it)) for it in task.paths(task.dev)]
        shutil.copytree(plain, copy)
        files = [Path(place) / name for name in ("source", "target")]
        for file, lines in zip(files, sides, strict=True):
            write_lines(file, lines[half::2])
        chosen = Settings.load(None, [*sys.argv[1:], f"run.seed={seed}"])
        tune_system(copy, *files, settings=chosen)
        own, other = ([lines[start::2] for lines in sides] for start in (half, 1 - half))
        return scored(copy, *own), scored(copy, *other)


def run(task: Task, place: Path) -> None:
    source, target = task.paths(task.train)
    train("phrase", source, target, place / "plain", pretokenised=True)
    for seed in SEEDS:
        halves = [half_tuned(place / "plain", task, seed, half) for half in (0, 1)]
        told = []
        for name, found in zip(("tuned on", "other"), zip(*halves, strict=True), strict=True):
            score = statistics.mean(one.score for one in found)
            length = statistics.mean(one.length_ratio for one in found)
            told.append(f"{name} BLEU {score:.2f} length {length:.3f}")
        print(f"{task.name}, seed {seed}: {', '.join(told)}", flush=True)


def main() -> None:
    for task in TASKS:
        if task.name in WANTED:
            with tempfile.TemporaryDirectory() as place:
                run(task, Path(place))


if __name__ == "__main__":
    main()
