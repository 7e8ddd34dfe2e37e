"""Text as lines."""

import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from os import PathLike

from headway._core import LineReader, LineWriter

BATCH = 4096


def read_lines(path: str | PathLike[str]) -> Iterator[str]:
    """The lines of a file without their endings, checked: UTF-8, no NUL.

    Plain, gzip or zstd; `-` is standard input. Memory does not grow with the file.
    """
    for batch in read_batches(path):
        yield from batch


def read_batches(path: str | PathLike[str]) -> Iterator[list[str]]:
    """The same, some thousand lines at a time; a person who types gets an answer to each."""
    typed = str(path) == "-" and sys.stdin.isatty()
    reader = LineReader(path)
    while batch := reader.next_batch(1 if typed else BATCH):
        yield batch


def write_lines(path: str | PathLike[str], lines: Iterable[str]) -> None:
    """Writes lines; compressed if the name ends in `.gz` or `.zst`, `-` is standard output.

    The file appears when all is written, or not at all.
    """
    writer = LineWriter(path)
    rest = iter(lines)
    while batch := list(islice(rest, BATCH)):
        writer.write(batch)
    writer.finish()
