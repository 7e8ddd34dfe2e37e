"""Text and model files, as the language model commands take them."""

import sys
from collections.abc import Iterator
from os import PathLike
from pathlib import Path

from headway import _core

_BLOCK = 4096


def blocks(path: str | PathLike[str]) -> Iterator[list[str]]:
    """The lines of a text (plain, gzip, zstd, `-`), some thousand at a time.

    A person who types gets an answer to each line.
    """
    typed = str(path) == "-" and sys.stdin.isatty()
    reader = _core.TextReader(path)
    while block := reader.block(1 if typed else _BLOCK):
        yield block


def sentences(path: str | PathLike[str]) -> list[str]:
    """All lines of a text."""
    return [line for block in blocks(path) for line in block]


def words_of(sentence: str) -> list[str]:
    """What models take for words: what stands between spaces, tabs and line ends."""
    plain = sentence.replace("\t", " ").replace("\r", " ").replace("\n", " ")
    return [word for word in plain.split(" ") if word]


def is_arpa_name(path: str | PathLike[str]) -> bool:
    """Whether a file of this name is meant to be ARPA."""
    name = Path(path).name.removesuffix(".gz").removesuffix(".zst")
    return name.endswith(".arpa")
