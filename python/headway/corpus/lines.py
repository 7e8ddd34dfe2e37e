"""Text as lines."""

import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from os import PathLike
from queue import Queue
from threading import Thread

from headway._core import LineReader, LineWriter

BATCH = 4096


def read_lines(path: str | PathLike[str]) -> Iterator[str]:
    """The lines of a file without their endings, checked: UTF-8, no NUL.

    Plain, gzip or zstd; `-` is standard input. Memory does not grow with the file.
    """
    for batch in read_batches(path):
        yield from batch


def read_batches(
    path: str | PathLike[str], most: int = BATCH, *, repair: bool = False
) -> Iterator[list[str]]:
    """The same, some thousand lines at a time; a person who types gets an answer to each.

    With `repair`, U+FFFD stands in for bytes that are no text, in place of an error.
    """
    typed = str(path) == "-" and sys.stdin.isatty()
    reader = LineReader(path, repair)
    while batch := reader.next_batch(1 if typed else most):
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


def arriving_batches(
    path: str | PathLike[str], most: int = BATCH, *, repair: bool = False
) -> Iterator[list[str]]:
    """Lines as they come: from standard input whatever waits, so that each line is answered.

    Whoever writes a line and waits for what becomes of it gets it; a file comes in batches.
    """
    if str(path) != "-":
        yield from read_batches(path, most, repair=repair)
        return
    waiting: Queue[str | BaseException | None] = Queue(most)
    Thread(target=_read_ahead, args=(path, repair, waiting), daemon=True).start()
    ended = False
    while not ended:
        batch = [waiting.get()]
        while len(batch) < most and not waiting.empty():
            batch.append(waiting.get())
        ended = not isinstance(batch[-1], str)
        if lines := [line for line in batch if isinstance(line, str)]:
            yield lines
        if isinstance(batch[-1], BaseException):
            raise batch[-1]


def _read_ahead(
    path: str | PathLike[str], repair: bool, waiting: "Queue[str | BaseException | None]"
) -> None:
    """Puts lines into the queue, then None, or what went wrong."""
    try:
        reader = LineReader(path, repair)
        while batch := reader.next_batch(1):
            waiting.put(batch[0])
        waiting.put(None)
    except BaseException as error:
        waiting.put(error)
