"""What alignments and word classes are worth to charts: dev BLEU with default weights.

    python benches/results_charts.py zhen hiero work=DIR [align.samples=1,3 lm.classes.count=0,100]

Trains a chart system for each combination of the values given, without tuning, and translates the
dev set: rules, BLEU (`-tok none`), length ratio, CPU seconds of extraction and of translating. The
test set is not read. `parser=FILE` is for `str2dep`, such as `make results` keeps in its directory.
"""

import sys
import tempfile
import time
from itertools import product
from pathlib import Path
from typing import Any

from headway import Settings, Translator, train
from headway.corpus import read_lines
from headway.systems import bleu
from results_phrase_defaults import TASKS, Task

SYSTEMS = ("hiero", "str2dep")
VALUES = {"align.samples": "1,3", "lm.classes.count": "0,100"}


def measured(task: Task, system: str, place: Path, parser: str, overrides: list[str]) -> str:
    """Trains one combination and scores the dev set."""
    given: dict[str, Any] = {"parser": parser} if system == "str2dep" else {}
    source, target = task.paths(task.train)
    began = time.process_time()
    found = train(
        system,
        source,
        target,
        place / "model",
        pretokenised=True,
        settings=Settings.load(None, overrides),
        work=place / "work",
        force=True,
        **given,
    )
    training = time.process_time() - began
    source, target = task.paths(task.dev)
    began = time.process_time()
    lines = [
        one.text for one in Translator.load(place / "model").translate(list(read_lines(source)))
    ]
    took = time.process_time() - began
    score = bleu(lines, [list(read_lines(target))], tokenised=True)
    return (
        f"{found.rules:,} rules, dev {score.score:.2f}, length {score.length_ratio:.3f},"
        f" training {training:.0f} CPU s, translating {took:.1f} CPU s"
    )


def main() -> None:
    named = dict(it.split("=", 1) for it in sys.argv[1:] if "=" in it)
    names = [it for it in sys.argv[1:] if "=" not in it]
    parser = named.pop("parser", "")
    with tempfile.TemporaryDirectory() as temporary:
        place = Path(named.pop("work", temporary))
        ways = named or VALUES
        for task in (it for it in TASKS if any(one in it.name for one in names)):
            for system in (it for it in SYSTEMS if it in names):
                for values in product(*(way.split(",") for way in ways.values())):
                    overrides = [f"{name}={it}" for name, it in zip(ways, values, strict=True)]
                    inside = place / task.name.replace(" ", "-")
                    told = measured(task, system, inside, parser, overrides)
                    print(f"{task.name} {system} {' '.join(overrides)}: {told}", flush=True)


if __name__ == "__main__":
    main()
