"""The complete baseline: `phrase`, trained and tuned on real data, against tuned Moses as recorded.

    make results-phrase [HEADWAY_TASKS="multi30k de-en,nt wo-en"]

Text is tokenised and lower-cased. For each corpus what `headway train phrase --pretokenised` with a
dev set does, in a process of its own: time of each step and peak memory. Then BLEU (`-tok none`),
chrF, TER and METEOR of the test set, and the test BLEU of two more tunings with other seeds.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from headway import Settings, Translator, train, tune_system
from headway.corpus import read_lines
from headway.evaluate import evaluate
from results_phrase_defaults import TASKS, Task

WANTED = [name for name in os.environ.get("HEADWAY_TASKS", "").split(",") if name]
METRICS = ("bleu", "chrf", "ter", "meteor")
MORE_SEEDS = (2, 3)

# On its own, so that times and the peak are those of training and nothing else.
TRAIN = """
import json, re, sys, time
from pathlib import Path
from headway import train
began = time.perf_counter()
source, target, dev_source, dev_target, out = sys.argv[1:]
done = train(
    "phrase", source, target, out, dev_source=dev_source, dev_target=dev_target, pretokenised=True
)
wall, cpu = time.perf_counter() - began, time.process_time()
peak = int(re.search(r"VmHWM:\\s*(\\d+)", Path("/proc/self/status").read_text())[1]) >> 10
steps = {step.name: step.seconds for step in done.steps}
json.dump(dict(steps=steps, wall=wall, cpu=cpu, peak=peak, dev=done.dev.score), sys.stdout)
"""


def trained(task: Task, model: Path) -> dict[str, Any]:
    """What training took, by step."""
    files = [*task.paths(task.train), *task.paths(task.dev), model]
    command = [sys.executable, "-c", TRAIN, *map(str, files)]
    done = subprocess.run(command, capture_output=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_scores(task: Task, model: Path, metrics: tuple[str, ...]) -> dict[str, float]:
    """The test set by these metrics."""
    source, target = task.paths(task.test)
    lines = [found.text for found in Translator.load(model).translate(list(read_lines(source)))]
    references = [list(read_lines(target))]
    found = evaluate([lines], references, tokenise="none", metrics=metrics, samples=0)
    return dict(found.systems[0].scores)


def tuned_again(task: Task, model: Path, seed: int) -> float:
    """Test BLEU after another tuning of the same models, from default weights."""
    again = model.with_name(f"seed-{seed}")
    source, target = task.paths(task.train)
    # All steps are there already, so only the bundle is written.
    train("phrase", source, target, again, pretokenised=True, work=f"{model}.work")
    tune_system(again, *task.paths(task.dev), settings=Settings.load(None, [f"run.seed={seed}"]))
    return test_scores(task, again, ("bleu",))["bleu"]


def run(task: Task, place: Path) -> None:
    model = place / "model"
    found = trained(task, model)
    scores = test_scores(task, model, METRICS)
    bleus = [scores["bleu"], *(tuned_again(task, model, seed) for seed in MORE_SEEDS)]
    steps = ", ".join(f"{name} {seconds:.1f}" for name, seconds in found["steps"].items())
    named = "  ".join(f"{name} {scores[name]:.1f}" for name in METRICS)
    print(f"{task.name}: dev bleu {found['dev']:.1f}, test {named}, tuned Moses bleu {task.moses}")
    print(
        f"  three tunings: test bleu {statistics.mean(bleus):.1f}"
        f" ({min(bleus):.1f} to {max(bleus):.1f})"
    )
    print(
        f"  {found['wall']:.0f} s, {found['cpu']:.0f} CPU s, peak {found['peak']} MiB; {steps}",
        flush=True,
    )


def main() -> None:
    for task in TASKS:
        if not WANTED or task.name in WANTED:
            with tempfile.TemporaryDirectory() as place:
                run(task, Path(place))


if __name__ == "__main__":
    main()
