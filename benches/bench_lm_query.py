"""Scoring sentences in batches against `kenlm.Model.score`, one thread, the same model and text.

    python benches/bench_lm_query.py [--words 1000000]

The model is a 5-gram over the English of multi30k, jaen and EWT; the text is sampled from it, so
that caches flatter neither. Every total and every n-gram length is compared.
"""

import argparse
import gzip
import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import headway.lm
import kenlm
from headway.lm import LanguageModel, Sampler
from measure import report

ROOT = Path(__file__).parent.parent
DATA = Path(os.environ.get("HEADWAY_DATA", ROOT.parent / "shared" / "data"))
LN10 = 2.302585092994046
ROUNDS = 7


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--words", type=int, default=1_000_000, help="words of the sampled text")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        arpa, binary, trie = (directory / file for file in ("lm.arpa", "lm.bin", "lm.trie.bin"))
        (directory / "text").write_text("\n".join(english()) + "\n", encoding="utf-8")
        headway.lm.train(directory / "text", arpa, order=5)
        headway.lm.build(arpa, binary)
        headway.lm.build(arpa, trie, layout="trie")
        Sampler(binary, seed=1).write(directory / "sampled", words=arguments.words)
        ours, peer = compare(arpa, binary, trie, directory / "sampled")
        core(binary, directory / "sampled")
        report("lm_query", ours, peer, unit="ns per word")


def english() -> Iterator[str]:
    """The lines of the three corpora."""
    for file in ("multi30k/train.tok.en.gz", "jaen/train.en.gz"):
        with gzip.open(DATA / file, "rt", encoding="utf-8") as text:
            yield from (line.strip() for line in text)
    words: list[str] = []
    with gzip.open(DATA / "ud" / "en_ewt-train.conllu.gz", "rt", encoding="utf-8") as treebank:
        for line in treebank:
            columns = line.split("\t")
            if columns[0].isdecimal():
                words.append(columns[1].replace(" ", "_"))
            elif not line.strip() and words:
                yield " ".join(words)
                words = []


def compare(arpa: Path, binary: Path, trie: Path, text: Path) -> tuple[float, float]:
    """Nanoseconds per word of the hashed model in memory and of KenLM, results compared."""
    sentences = text.read_text(encoding="utf-8").splitlines()
    words = sum(len(sentence.split()) + 1 for sentence in sentences)
    peer = kenlm.Model(str(arpa))
    models = {
        "hashed, in memory": LanguageModel.load(binary, in_memory=True),
        "hashed, mapped": LanguageModel.load(binary),
        "trie, in memory": LanguageModel.load(trie, in_memory=True),
    }
    works: dict[str, Callable[[], list[float]]] = {
        "kenlm": lambda: list(map(peer.score, sentences))
    }
    for name, model in models.items():
        works[name] = lambda model=model: model.score(sentences, threads=1)  # type: ignore[misc]
    times, scores = interleaved(works)
    for name, model in models.items():
        for sentence, ours, theirs in zip(sentences, scores[name], scores["kenlm"], strict=True):
            assert abs(ours / LN10 - theirs) < 1e-4 * max(1, len(sentence.split()) / 30), sentence
        for sentence in sentences[::10]:
            lengths = [(word.length, word.unknown) for word in model.score_words(sentence)]
            assert lengths == [row[1:] for row in peer.full_scores(sentence)], sentence
    for name, seconds in times.items():
        print(f"{name}: {seconds / words * 1e9:.1f} ns per word ({words:,} words)")
    return times["hashed, in memory"] / words * 1e9, times["kenlm"] / words * 1e9


def interleaved(
    works: dict[str, Callable[[], list[float]]],
) -> tuple[dict[str, float], dict[str, list[float]]]:
    """The least CPU time of each over some rounds, all in turn: noise hits all alike."""
    times = dict.fromkeys(works, float("inf"))
    scores = {}
    for _ in range(ROUNDS):
        for name, work in works.items():
            start = time.process_time()
            scores[name] = work()
            times[name] = min(times[name], time.process_time() - start)
    return times, scores


def core(binary: Path, text: Path) -> None:
    """Single queries and random reads of memory, without Python."""
    command = ["cargo", "run", "--release", "--quiet", "--example", "lm_query"]
    subprocess.run([*command, "-p", "headway-core", "--", binary, text], cwd=ROOT, check=True)


if __name__ == "__main__":
    main()
