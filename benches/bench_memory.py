"""Anonymous memory: its peak over one long line, and its growth over a pipe of many lines.

    make bench-memory
    python benches/bench_memory.py MODEL TEXT [WORDS …]
    python benches/bench_memory.py --pipe MODEL TEXT [LINES …] [section.key=value …]

For the peak, lines of 120, 1,200 and 12,000 words, unless others are named, are cut from the
beginning of TEXT, and each is translated by a new process on one thread, without and with a list of
ten. For the growth the lines of TEXT go through one process with two threads, and memory is read
after 5,000 and 20,000 of them, unless others are named; what is compared is the first with the
highest of the others. Settings such as `search.pop_limit=30` shorten a pipe of 100,000 lines.
Without a model both are measured on systems that are trained on 20,000 pairs of the built-in
corpus, the pipe on other sentences. The peer of both is the bar of the project.

All is `RssAnon` in `/proc/PID/status`: all memory of the process but the pages of files, so the
interpreter and what is kept of rules count. The peak is looked at each hundredth of a second.
"""

import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from measure import report

# In MB: of one long line, and of a pipe after its first 5,000 lines.
PEAK_BAR, GROWTH_BAR = 300, 20
WORDS = (120, 1_200, 12_000)
LINES = (5_000, 10_000, 15_000, 20_000)
TREES = ["--target-trees", "{text}/train.en.conllu"]
CHARTS = {"hiero": [], "str2dep": TREES}
PIPES = {**CHARTS, "phrase-deplm": ["--treebank", "{text}/train.en.conllu"]}
SETTINGS = ["--set", "align.samples=3", "--set", "lm.classes.count=100"]
_ANONYMOUS = re.compile(r"RssAnon:\s+(\d+) kB")


def anonymous(process: subprocess.Popen[bytes]) -> float:
    """Anonymous memory in MB; 0 of a process that has just ended, which has no such line."""
    found = _ANONYMOUS.search(Path(f"/proc/{process.pid}/status").read_text())
    return int(found[1]) / 1024 if found else 0.0


def headway(*arguments: str, threads: int = 1) -> list[str]:
    """A command line."""
    return [sys.executable, "-m", "headway", *arguments, "--threads", str(threads), "-q"]


def peak(command: list[str]) -> float:
    """The highest value, in MB, while a command runs."""
    process, most = subprocess.Popen(command), 0.0
    while process.poll() is None:
        most = max(most, anonymous(process))
        time.sleep(0.01)
    assert process.returncode == 0, command
    return most


def highest_peak(model: str, text: str, asked: list[int]) -> float:
    """Prints the peaks of all lines; the highest."""
    words, highest = Path(text).read_text().split(), 0.0
    for many in asked:
        assert len(words) >= many, f"{text} has {len(words)} words"
        with tempfile.TemporaryDirectory() as place:
            line = Path(place) / "line"
            line.write_text(" ".join(words[:many]) + "\n")
            command = headway("translate", model, "-i", str(line), "-o", f"{place}/out")
            alone = peak(command)
            listed = peak([*command, "--n-best", "10", f"{place}/list"])
        print(
            f"{model}: {many:,} words {alone:.0f} MB, with ten entries {listed:.0f} MB", flush=True
        )
        highest = max(highest, alone, listed)
    return highest


def growth(model: str, text: str, asked: list[int], settings: Sequence[str] = ()) -> float:
    """Prints memory after these numbers of lines; how much more it is than after the first."""
    with Path(text).open("rb") as file:
        lines = [line for line, _ in zip(file, range(asked[-1]), strict=False)]
    assert len(lines) == asked[-1], f"{text} has {len(lines)} lines"
    chosen = [part for setting in settings for part in ("--set", setting)]
    command = headway("translate", model, *chosen, threads=2)
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    writer = threading.Thread(target=_feed, args=[process.stdin, lines], daemon=True)
    writer.start()
    taken: list[float] = []
    for number, _ in enumerate(process.stdout, 1):
        if number in asked:
            taken.append(anonymous(process))
            print(f"{model}: after {number:,} lines {taken[-1]:.0f} MB", flush=True)
        if number == asked[-1]:
            # Only now may the program end: one that has ended has no memory.
            process.stdin.close()
    writer.join()
    assert process.wait() == 0, command
    return max(taken) - taken[0]


def _feed(pipe: IO[bytes], lines: list[bytes]) -> None:
    """Writes all lines, and leaves none in the buffer."""
    pipe.writelines(lines)
    pipe.flush()


def train(place: str, text: str, system: str) -> str:
    """A system trained on the built-in corpus."""
    sides = ["--source", f"{text}/train.de", "--target", f"{text}/train.en", "--no-tune"]
    sides += ["--work", f"{place}/work", *SETTINGS]
    given = [option.format(text=text) for option in PIPES[system]]
    out = f"{place}/{system}"
    subprocess.run(headway("train", system, *sides, "--out", out, *given), check=True)
    return out


def on_fragment(place: str) -> tuple[float, float]:
    """The highest peak and the highest growth, on the built-in corpus."""
    text, more = f"{place}/text", f"{place}/more"
    for out, pairs, seed in ((text, 20_000, 1), (more, LINES[-1], 2)):
        given = ["--pairs", str(pairs), "--seed", str(seed), "--out", out]
        subprocess.run(headway("fragment", *given), check=True)
    models = {system: train(place, text, system) for system in PIPES}
    peaks = [highest_peak(models[name], f"{text}/train.de", list(WORDS)) for name in CHARTS]
    grown = [growth(model, f"{more}/train.de", list(LINES)) for model in models.values()]
    return max(peaks), max(grown)


def main() -> None:
    """Measures what is asked for."""
    piped, given = sys.argv[1:2] == ["--pipe"], [one for one in sys.argv[1:] if one != "--pipe"]
    most = grown = 0.0
    if not given:
        with tempfile.TemporaryDirectory() as place:
            most, grown = on_fragment(place)
        report("growth of a pipe", grown, GROWTH_BAR, "MB")
        report("memory", most, PEAK_BAR, "MB")
    elif piped:
        model, text, *asked = given
        lines = [int(many) for many in asked if "=" not in many] or list(LINES)
        grown = growth(model, text, lines, [one for one in asked if "=" in one])
        report("growth of a pipe", grown, GROWTH_BAR, "MB")
    else:
        model, text, *asked = given
        most = highest_peak(model, text, [int(many) for many in asked] or list(WORDS))
        report("memory", most, PEAK_BAR, "MB")
    if most > PEAK_BAR or grown > GROWTH_BAR:
        sys.exit(f"more than {PEAK_BAR} MB, or grown by more than {GROWTH_BAR} MB")


if __name__ == "__main__":
    main()
