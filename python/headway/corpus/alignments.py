"""Word alignments in files: a line of links such as `0-0 1-2` per sentence pair."""

from collections.abc import Iterable, Iterator
from os import PathLike

from headway import _core
from headway._core import Alignment, AlignmentReader

BATCH = 4096


def read_alignments(path: str | PathLike[str]) -> Iterator[Alignment]:
    """One alignment a line; plain, gzip or zstd, `-` for standard input."""
    reader = AlignmentReader(path)
    while batch := reader.next_batch(BATCH):
        yield from batch


def write_alignments(path: str | PathLike[str], alignments: Iterable[Alignment]) -> None:
    """Writes one alignment a line; compressed if the name ends in `.gz` or `.zst`."""
    _core.write_alignments(path, list(alignments))
