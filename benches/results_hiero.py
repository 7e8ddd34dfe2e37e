"""BLEU of `hiero`, tuned, on real data, against tuned Moses' hierarchical system as recorded.

    make results-hiero

Text is tokenised and lower-cased; BLEU is sacrebleu's with `-tok none`. Names of corpora as
arguments restrict it, `section.key=value` changes settings.
"""

import sys
import tempfile
import time
from pathlib import Path

from headway import Settings, train
from results_phrase_defaults import TASKS, Task, measured

# What Moses' hierarchical system reaches on test, with pop limit 1,000 on jaen.
MOSES = {"multi30k de-en": 40.3, "jaen": 34.1}


def run(task: Task, place: Path, overrides: list[str]) -> None:
    began = time.perf_counter()
    (source, target), dev = task.paths(task.train), task.paths(task.dev)
    trained = train(
        "hiero",
        source,
        target,
        place / "model",
        dev_source=dev[0],
        dev_target=dev[1],
        pretokenised=True,
        settings=Settings.load(None, overrides),
    )
    took = time.perf_counter() - began
    assert trained.dev is not None
    found = measured(task, trained.bundle)
    moses = f"  tuned Moses {MOSES[task.name]:5.1f}" if task.name in MOSES else ""
    print(
        f"{task.name:<15} {trained.rules:,} rules  dev {trained.dev.score:5.1f}"
        f"  test {found.bleu:5.1f}{moses}  training {took:5.1f} s"
        f"  {found.speed:6.0f} sentences/CPU s"
        f"  files {trained.bundle.size / 2**20:4.0f} MiB  peak RSS − files {found.extra:4.0f} MiB",
        flush=True,
    )
    for step in trained.steps:
        print(f"  {step.name:<16}{step.seconds:8.1f} s")


def main() -> None:
    overrides = [argument for argument in sys.argv[1:] if "=" in argument]
    names = [argument for argument in sys.argv[1:] if "=" not in argument]
    for task in TASKS:
        if not names or any(name in task.name for name in names):
            with tempfile.TemporaryDirectory() as place:
                run(task, Path(place), overrides)


if __name__ == "__main__":
    main()
