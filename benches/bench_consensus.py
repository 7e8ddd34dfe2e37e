"""CPU time of consensus for one sentence: by n-gram states, and by the list as it was before.

    make bench-consensus
    python benches/bench_consensus.py MODEL SOURCE [LINES]

Ours is a vote over the forest and a list of 200 different candidates. The peer is minimum Bayes
risk over the same list with every pair of candidates (Kumar & Byrne 2004), in Python with counted
n-grams. With a scale so large that only the best counts, ours must answer the best. Without a
model, a phrase-based system is trained on the built-in corpus.
"""

import sys
import time
from collections import Counter
from math import exp, log
from pathlib import Path
from tempfile import TemporaryDirectory

from headway import Settings, Translator, _core, fragment, train
from headway.corpus import read_lines
from headway.systems.voting import ALONE, hold, juror, plain_weights, vote_weights

SCALE, CERTAIN, LISTED, PAIRS = 1.0, 1e5, 200, 5


def model(place: Path) -> tuple[Path, Path]:
    """A bundle and a text."""
    if len(sys.argv) > 2:
        return Path(sys.argv[1]), Path(sys.argv[2])
    fragment.write(place, pairs=2000, seed=7)
    settings = Settings.load(None, ["run.threads=1"])
    train("phrase", place / "train.de", place / "train.en", place / "model", settings=settings)
    return place / "model", place / "test.de"


def pairwise(found: _core.Translation) -> list[str]:
    """The candidate with the highest mean sentence BLEU against all others."""
    entries = [(one.words, one.score) for one in found.n_best]
    grams = [
        [Counter(tuple(w[i : i + n]) for i in range(len(w) - n + 1)) for n in range(1, 5)]
        for w, _ in entries
    ]
    best = max(score for _, score in entries)
    chances = [exp(SCALE * (score - best)) for _, score in entries]

    def bleu(a: int, b: int) -> float:
        total = 0.0
        for n in range(4):
            matched = (grams[a][n] & grams[b][n]).total() + (n > 0)
            total += log(max(matched / max(grams[a][n].total() + (n > 0), 1), 1e-9)) / 4
        lengths = len(entries[b][0]) / max(1, len(entries[a][0]))
        return exp(total + min(0.0, 1 - lengths))

    every = range(len(entries))
    gains = [sum(chances[b] * bleu(a, b) for b in every) for a in every]
    return entries[gains.index(max(gains))][0]


def main() -> None:
    with TemporaryDirectory() as place:
        bundle, text = model(Path(place))
        translator = Translator.load(bundle, threads=1)
        most = int(sys.argv[3]) if len(sys.argv) > 3 else 100
        lines = [line for line in read_lines(text) if line.strip()][:most]
        found = translator.search_sources(
            translator.sources(lines),
            threads=1,
            n_best=LISTED,
            distinct=True,
            forests=True,
            trees=False,
            safest=False,
            before=0,
        )
    said = [[one] for one in found]
    weights = vote_weights([ALONE], plain_weights([ALONE]))

    def best(scale: float) -> list[list[str]]:
        votes = hold([juror(ALONE, translator.bundle, scale)], said, gain="bleu", threads=1)
        return [vote.words(vote.ranked(weights, 1)[0][0]) for vote in votes]

    assert best(CERTAIN) == [one.words for one in found]
    began = time.process_time()
    best(SCALE)
    ours = (time.process_time() - began) / len(found)
    some = found[:PAIRS]
    began = time.process_time()
    for one in some:
        pairwise(one)
    theirs = (time.process_time() - began) / len(some)
    print(f"{len(found)} sentences, one thread, lists of {LISTED} and forests")
    ratio = ours / theirs
    print(f"consensus: ours {ours * 1e3:.2f} ms, peer {theirs * 1e3:.2f} ms, ratio {ratio:.3f}")


if __name__ == "__main__":
    main()
