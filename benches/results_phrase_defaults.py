"""BLEU of `phrase` with default weights on real data, against tuned Moses as recorded.

    make results-phrase-defaults

Text is tokenised and lower-cased; BLEU is sacrebleu's with `-tok none`. Trains each system anew, in
a temporary directory, so that times are whole. Also measures how long a bundle takes to open
and how much memory translating takes beyond the mapped files.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from headway import Bundle, Settings, train
from headway.corpus import read_lines
from headway.systems import bleu

SHARED = Path(__file__).parents[2] / "shared" / "data"
DATA = Path(os.environ.get("HEADWAY_DATA", SHARED))


@dataclass(frozen=True)
class Task:
    """A corpus, what tuned Moses reaches on its test set, and the farthest jump."""

    name: str
    files: str
    train: str
    dev: str
    test: str
    sides: tuple[str, str]
    moses: float
    distortion: int = 6

    def paths(self, part: str) -> list[Path]:
        """Source and target of one part."""
        return [DATA / self.files.format(part=part, side=side) for side in self.sides]


MULTI30K = ("multi30k/{part}.tok.{side}.gz", "train", "val", "test2016")
TASKS = [
    Task("multi30k de-en", *MULTI30K, ("de", "en"), 39.7),
    Task("multi30k cs-en", *MULTI30K, ("cs", "en"), 38.1),
    Task("jaen", "jaen/{part}.{side}.gz", "train", "dev", "test", ("ja", "en"), 32.2, 12),
    Task("zhen", "zhen/{part}.{side}.gz", "train", "dev", "test", ("zh", "en"), 29.1),
    Task("nt wo-en", "nt/wo-en.{part}.{side}.gz", "train", "dev", "test", ("wo", "en"), 23.6),
]

# How systems are tuned where they are compared with a paper that used MERT: both sides alike, from
# the weights in use, the best ones so far and many random starts in each round.
AS_IN_PAPERS = ("tune.method=mert", "tune.random_starts=20")

# Run on its own, so that the peak is that of translating and not of training; `getrusage` would
# count what the process was forked from.
MEASURE = """
import json, re, sys, time
from pathlib import Path
from headway import Translator
from headway.corpus import read_lines
began = time.perf_counter()
translator = Translator.load(sys.argv[1])
opened = time.perf_counter() - began
lines = list(read_lines(sys.argv[2]))
began, cpu = time.perf_counter(), time.process_time()
found = translator.translate(lines, threads=2)
took, cpu = time.perf_counter() - began, time.process_time() - cpu
status = Path("/proc/self/status").read_text()
peak = int(re.search(r"VmHWM:\\s*(\\d+)", status)[1]) * 1024
out = dict(open=opened, wall=took, cpu=cpu, peak=peak, text=[t.text for t in found])
json.dump(out, sys.stdout)
"""


@dataclass(frozen=True)
class Measured:
    """BLEU on test, sentences per CPU second, seconds to open, MiB beyond the mapped files."""

    bleu: float
    speed: float
    opened: float
    extra: float


def measured(task: Task, bundle: Bundle) -> Measured:
    """Translates the test set in a process of its own."""
    source, target = task.paths(task.test)
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, bundle.directory, source], capture_output=True, check=True
    )
    found = json.loads(done.stdout)
    score = bleu(found["text"], [list(read_lines(target))], tokenised=True).score
    extra = (found["peak"] - bundle.size) / 2**20
    return Measured(score, len(found["text"]) / found["cpu"], found["open"], extra)


def run(task: Task, place: Path) -> None:
    settings = Settings.load(None, [f"search.distortion_limit={task.distortion}"])
    began = time.perf_counter()
    (source, target), dev = task.paths(task.train), task.paths(task.dev)
    trained = train(
        "phrase",
        source,
        target,
        place / "model",
        dev_source=dev[0],
        dev_target=dev[1],
        pretokenised=True,
        settings=settings,
        tune=False,
    )
    took = time.perf_counter() - began
    assert trained.dev is not None
    found = measured(task, trained.bundle)
    print(
        f"{task.name:<15} dev {trained.dev.score:5.1f}  test {found.bleu:5.1f}"
        f"  tuned Moses {task.moses:5.1f}  training {took:5.1f} s"
        f"  {found.speed:6.0f} sentences/CPU s  opens in {found.opened * 1000:4.0f} ms"
        f"  files {trained.bundle.size / 2**20:4.0f} MiB  peak RSS − files {found.extra:4.0f} MiB",
        flush=True,
    )


def main() -> None:
    names = sys.argv[1:]
    for task in TASKS:
        if not names or any(name in task.name for name in names):
            with tempfile.TemporaryDirectory() as place:
                run(task, Path(place))


if __name__ == "__main__":
    main()
