"""Joining alignments, and writing what an aligner learnt about words."""

from collections.abc import Sequence
from pathlib import Path

from headway import _core
from headway._core import Alignment
from headway.align.aligner import Aligner
from headway.corpus import write_lines
from headway.errors import FormatError


def join(forward: Sequence[Alignment], backward: Sequence[Alignment], how: str) -> list[Alignment]:
    """Joins two directional alignments of each pair, both as source–target links.

    `how` is intersection, union, grow-diag, grow-diag-final or grow-diag-final-and (Koehn, Och &
    Marcu 2003). Each starts from the intersection and never leaves the union.
    """
    if len(forward) != len(backward):
        message = f"{len(forward)} forward alignments but {len(backward)} backward ones"
        raise FormatError(message)
    return _core.join_alignments(list(forward), list(backward), how)


def write_lexicon(
    path: str | Path, aligner: Aligner, *, forward: bool, least: float = 1e-4
) -> None:
    """Writes lexical translations as Moses does: `generated given probability`, NULL for NULL."""
    lines = (
        f"{word} {given or 'NULL'} {probability:.7g}"
        for given, word, probability in aligner.lexicon(forward=forward, least=least)
    )
    write_lines(path, lines)
