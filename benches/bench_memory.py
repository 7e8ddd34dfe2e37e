"""Peak of anonymous memory while one long line is translated, on one thread.

    make bench-memory
    python benches/bench_memory.py MODEL TEXT [WORDS …]

Lines of 120, 1,200 and 12,000 words, unless others are named, are cut from the beginning of TEXT,
and each is translated by a new process, without and with a list of ten. Without a model `hiero` and
`str2dep` are trained on 20,000 pairs of the built-in corpus. The peak is that of
`RssAnon` in `/proc/PID/status`, looked at each hundredth of a second: all memory of the process but
the pages of files, so the interpreter and what is kept of rules count.
"""

import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BAR = 300
WORDS = (120, 1_200, 12_000)
SYSTEMS = {"hiero": [], "str2dep": ["--target-trees", "{text}/train.en.conllu"]}
SETTINGS = ["--set", "align.samples=3", "--set", "lm.classes.count=100"]
_ANONYMOUS = re.compile(r"RssAnon:\s+(\d+) kB")


def peak(command: list[str]) -> float:
    """The highest value, in MB, while a command runs."""
    process, most = subprocess.Popen(command), 0
    while process.poll() is None:
        # A process that has just ended has no such line.
        status = Path(f"/proc/{process.pid}/status").read_text()
        most = max([most, *map(int, _ANONYMOUS.findall(status))])
        time.sleep(0.01)
    assert process.returncode == 0, command
    return most / 1024


def headway(*arguments: str) -> list[str]:
    """A command line of one thread."""
    return [sys.executable, "-m", "headway", *arguments, "--threads", "1", "-q"]


def measure(model: str, text: str, asked: list[int]) -> float:
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


def on_fragment(place: str) -> float:
    """The peaks of both chart systems, trained on the built-in corpus."""
    text = f"{place}/text"
    subprocess.run(headway("fragment", "--pairs", "20000", "--out", text), check=True)
    sides = ["--source", f"{text}/train.de", "--target", f"{text}/train.en", "--no-tune"]
    sides += ["--work", f"{place}/work", *SETTINGS]
    highest = 0.0
    for system, more in SYSTEMS.items():
        given = [option.format(text=text) for option in more]
        out = f"{place}/{system}"
        subprocess.run(headway("train", system, *sides, "--out", out, *given), check=True)
        highest = max(highest, measure(out, f"{text}/train.de", list(WORDS)))
    return highest


def main() -> None:
    """Measures what is asked for."""
    if len(sys.argv) > 1:
        model, text, *asked = sys.argv[1:]
        highest = measure(model, text, [int(many) for many in asked] or list(WORDS))
    else:
        with tempfile.TemporaryDirectory() as place:
            highest = on_fragment(place)
    print(f"memory: {highest:.0f} MB at most, bar {BAR} MB, ratio {highest / BAR:.2f}")
    if highest > BAR:
        sys.exit(f"more than {BAR} MB")


if __name__ == "__main__":
    main()
