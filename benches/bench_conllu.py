"""Reading CoNLL-U: headway against the `conllu` package, one thread each, in CPU seconds.

Both read en_ewt-train from a plain file into sentences with all columns and comments at hand.
The second figure of ours also turns every column of every row into Python strings.
"""

import gzip
import os
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import conllu
from headway.trees import Sentence, read_sentences

ROOT = Path(__file__).parent.parent
DATA = Path(os.environ.get("HEADWAY_DATA", ROOT.parent / "shared" / "data"))


def read_ours(path: Path) -> list[Sentence]:
    return list(read_sentences(path))


def read_ours_as_strings(path: Path) -> list[Any]:
    return [(sentence.metadata, sentence.rows()) for sentence in read_sentences(path)]


def read_peer(path: Path) -> list[Any]:
    with path.open(encoding="utf-8") as file:
        return list(conllu.parse_incr(file))


def best(repeats: int, read: Callable[[Path], list[Any]], path: Path) -> tuple[float, list[Any]]:
    times: list[float] = []
    result: list[Any] = []
    for _ in range(repeats):
        result = []  # so that the last one's memory is free
        start = time.process_time()
        result = read(path)
        times.append(time.process_time() - start)
    return min(times), result


def check(ours: list[Sentence], peer: list[Any]) -> int:
    """Asserts the same content; answers in how many rows the peer lost some of MISC.

    It cuts values at a second `=`, as in `Cxn=free=rc-obj`.
    """
    cut = 0
    assert len(ours) == len(peer)
    for sentence, tokens in zip(ours, peer, strict=True):
        assert sentence.metadata == dict(tokens.metadata)
        lines = [line for line in tokens.serialize().split("\n") if line[:1] not in ("", "#")]
        for (*row, misc), line in zip(sentence.rows(), lines, strict=True):
            *cells, other = line.split("\t")
            assert row == cells
            if misc != other:
                assert any(item.count("=") > 1 for item in misc.split("|"))
                cut += 1
    return cut


def main() -> None:
    with TemporaryDirectory() as directory:
        path = Path(directory) / "train.conllu"
        path.write_bytes(gzip.decompress((DATA / "ud" / "en_ewt-train.conllu.gz").read_bytes()))
        ours, sentences = best(7, read_ours, path)
        strings, _ = best(7, read_ours_as_strings, path)
        peer, token_lists = best(3, read_peer, path)
        cut = check(sentences, token_lists)
    words = sum(map(len, sentences))
    print(f"{len(sentences):,} sentences, {words:,} words, same content in all ten columns")
    print(f"but for MISC in {cut} row(s) where the peer drops what follows a second =")
    print(f"ours {words / ours:,.0f} words/s, peer {words / peer:,.0f} words/s")
    print(f"every column as a Python string: ours {strings:.3f} s, ratio {peer / strings:.1f}")
    print(f"conllu: ours {ours:.3f} s, peer {peer:.3f} s, ratio {peer / ours:.1f}")


if __name__ == "__main__":
    main()
