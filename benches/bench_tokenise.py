"""Tokenising German and English captions, one thread against one thread, against sacremoses."""

import gzip
import os
from pathlib import Path

from headway.corpus import Tokeniser, detokenise
from measure import cpu_seconds, report
from sacremoses import MosesTokenizer

DATA = Path(os.environ.get("HEADWAY_DATA", Path(__file__).parents[2] / "shared" / "data"))


def captions(language: str) -> list[str]:
    path = DATA / "multi30k" / f"train.raw.{language}.gz"
    return gzip.decompress(path.read_bytes()).decode().split("\n")[:-1]


def check(tokeniser: Tokeniser, lines: list[str], theirs: list[list[str]]) -> None:
    """Reversible, and nearly always the peer's tokens (which split apostrophes differently)."""
    tokens = tokeniser.tokenise_all(lines, threads=1)
    assert [detokenise(line) for line in tokens] == lines
    same = sum(a.words == b for a, b in zip(tokens, theirs, strict=True))
    assert same / len(lines) > 0.97, f"only {same} of {len(lines)} lines like the peer's"


def compare(language: str) -> tuple[int, float, float]:
    """Lines, our seconds and the peer's."""
    texts = captions(language)
    tokeniser, moses = Tokeniser(language), MosesTokenizer(lang=language)

    def theirs() -> list[list[str]]:
        return [moses.tokenize(text, escape=False) for text in texts]

    peer, tokens = cpu_seconds(theirs, repeat=2)
    ours, _ = cpu_seconds(lambda: tokeniser.words(texts, threads=1), repeat=9)
    check(tokeniser, texts, tokens)
    print(f"{language}: {len(texts)} lines in {ours:.3f} s, sacremoses in {peer:.3f} s")
    return len(texts), ours, peer


def main() -> None:
    lines, ours, peer = map(sum, zip(*map(compare, ("de", "en")), strict=True))
    assert peer / ours >= 20, f"only {peer / ours:.1f} times as fast"
    report("tokenise", lines / ours, lines / peer, "lines/s", better="higher")


if __name__ == "__main__":
    main()
