"""Estimating 5-gram models: against KenLM's recorded time, and on text larger than memory.

    python benches/bench_lm_train.py [--tokens 100000000] [--output lm.bin]

KenLM's estimator is no Python package; what it took on this text, and the model it made, are kept
with the shared data (peers/README.md). The large text is sampled from a 3-gram model.
"""

import argparse
import gzip
import hashlib
import os
import tempfile
import time
from pathlib import Path

import headway.lm
from measure import cpu_seconds, report, usage

ROOT = Path(__file__).parent.parent
DATA = Path(os.environ.get("HEADWAY_DATA", ROOT.parent / "shared" / "data"))
PEERS = Path(os.environ.get("HEADWAY_PEERS", ROOT.parent / "shared" / "peers"))
TEXTS = ("multi30k/train.tok.en.gz", "jaen/train.en.gz")
KENLM_CPU_SECONDS = 0.6  # on the English of multi30k, 377,534 words (peers/README.md)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--tokens", type=int, default=3_000_000, help="words of the large text")
    parser.add_argument("--output", default="lm.arpa", help="name of its model: lm.arpa or lm.bin")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        large(Path(directory), arguments.tokens, arguments.output)
        small(Path(directory))


def small(directory: Path) -> None:
    """The text KenLM was timed on; our model must have its n-grams."""
    text, model = directory / "multi30k.en", directory / "multi30k.arpa"
    text.write_bytes(gzip.decompress((DATA / TEXTS[0]).read_bytes()))
    ours, training = cpu_seconds(lambda: headway.lm.train(text, model, order=5), repeat=7)
    with gzip.open(PEERS / "kenlm" / "multi30k-en.5gram.arpa.gz", "rt", encoding="utf-8") as arpa:
        header = [next(arpa) for _ in range(6)][1:]
    counts = [int(line.partition("=")[2]) for line in header]
    assert training.kept == counts, (training.kept, counts)
    report("lm_train", ours, KENLM_CPU_SECONDS)


def large(directory: Path, tokens: int, output: str) -> None:
    """Speed and peak memory on a sampled text; the model must not depend on the memory."""
    text = directory / "sampled.en"
    start = time.perf_counter()
    sample(text, tokens)
    megabytes = text.stat().st_size >> 20
    print(f"sampled {tokens:,} words, {megabytes} MiB, in {time.perf_counter() - start:.0f} s")
    digests = {memory: run(text, directory / output, memory, tokens) for memory in ("1G", "8G")}
    assert len(set(digests.values())) == 1, digests


def run(text: Path, model: Path, memory: str, tokens: int) -> str:
    used = usage("lm", "train", "-i", text, "-o", model, "--order", 5, "--memory", memory)
    print(
        f"--memory {memory}: {tokens / used.wall:,.0f} words/s ({used.wall:.1f} s, "
        f"{used.cpu:.1f} s of CPU), peak {used.peak_mib} MiB, "
        f"model {model.stat().st_size >> 20} MiB"
    )
    with model.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    model.unlink()
    return digest


def sample(path: Path, tokens: int) -> None:
    """Text from a 3-gram model of `TEXTS`."""
    model = path.with_suffix(".arpa")
    headway.lm.train([DATA / name for name in TEXTS], model, order=3)
    headway.lm.Sampler(model).write(path, words=tokens)


if __name__ == "__main__":
    main()
