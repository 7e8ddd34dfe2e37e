"""Which method tunes best: BLEU of dev and test sets over three seeds, for mert, pro and mira.

    make results-tuning [HEADWAY_TASKS="multi30k de-en,nt wo-en"] [HEADWAY_METHODS=mert,pro]

Trains each system once without tuning, then tunes copies of it. Means and spreads (highest minus
lowest) of test BLEU by sacrebleu with `-tok none`, and the time of a tuning. For multi30k also
the time of ten whole rounds of the default method (the bar is 3 minutes on two cores).
"""

import os
import shutil
import statistics
import tempfile
import time
from pathlib import Path

from headway import Settings, Translator, train, tune_system
from headway.corpus import read_lines
from headway.systems import bleu
from headway.tune import Report
from results_phrase_defaults import TASKS, Task

METHODS = os.environ.get("HEADWAY_METHODS", "mert,pro,mira").split(",")
SEEDS = (1, 2, 3)
WANTED = [name for name in os.environ.get("HEADWAY_TASKS", "").split(",") if name]


def test_score(place: Path, task: Task) -> float:
    source, target = task.paths(task.test)
    found = Translator.load(place).translate(list(read_lines(source)))
    lines = [translation.text for translation in found]
    return bleu(lines, [list(read_lines(target))], tokenised=True).score


def tuned(plain: Path, task: Task, *overrides: str) -> tuple[Path, Report, float]:
    """A tuned copy, how tuning went, and its seconds."""
    copy = plain.with_name("copy")
    shutil.rmtree(copy, ignore_errors=True)
    shutil.rmtree(plain.with_name("copy.tune"), ignore_errors=True)
    shutil.copytree(plain, copy)
    began = time.perf_counter()
    report = tune_system(copy, *task.paths(task.dev), settings=Settings.load(None, overrides))
    return copy, report, time.perf_counter() - began


def ten_rounds(plain: Path, task: Task) -> None:
    _, report, seconds = tuned(plain, task, "tune.patience=10", "tune.search.distortion_limits=[]")
    rounds = len(report.iterations)
    print(f"{task.name}: {rounds} rounds of decoding, {seconds:.0f} s", flush=True)


def run(task: Task, place: Path) -> None:
    plain = place / "plain"
    source, target = task.paths(task.train)
    train("phrase", source, target, plain, pretokenised=True)
    print(f"{task.name}: untuned, test {test_score(plain, task):.2f}", flush=True)
    if task.name == "multi30k de-en":
        ten_rounds(plain, task)
    for name in METHODS:
        devs, tests, times = [], [], []
        for seed in SEEDS:
            method = f"tune.method={name}"
            copy, report, seconds = tuned(plain, task, method, f"run.seed={seed}")
            times.append(seconds)
            assert report.best.score >= report.start.score
            devs.append(report.best.score)
            tests.append(test_score(copy, task))
        spread = max(tests) - min(tests)
        print(
            f"{task.name}: {name}, dev {statistics.mean(devs):.2f}, test"
            f" {statistics.mean(tests):.2f} (spread {spread:.2f}), {statistics.mean(times):.0f} s",
            flush=True,
        )


def main() -> None:
    wanted = WANTED or ["multi30k de-en", "jaen", "nt wo-en"]
    for task in TASKS:
        if task.name in wanted:
            with tempfile.TemporaryDirectory() as place:
                run(task, Path(place))


if __name__ == "__main__":
    main()
