"""Writing the operations of aligned text."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike

from headway import _core
from headway.arguments import named_arguments
from headway.errors import ConfigError
from headway.files import File, check_files
from headway.lm import WordClasses
from headway.printing import prints_briefly
from headway.progress import Progress

_log = logging.getLogger(__name__)


@prints_briefly
@dataclass(frozen=True)
class Operations:
    """What `write_operations` wrote."""

    pairs: int
    unaligned: int
    """Pairs passed over because none of their words are linked."""
    sequences: int
    """Lines: one for each different alignment of a pair."""
    operations: int


@named_arguments
def write_operations(
    source: File,
    target: File,
    alignment: File | Sequence[File],
    output: File,
    *,
    classes: tuple[WordClasses, WordClasses] | None = None,
    threads: int = 0,
    progress: Progress | None = None,
) -> Operations:
    """Writes each aligned sentence pair as a line of operations, with spaces between them.

    `source` and `target` are tokenised text, a sentence a line, `alignment` has Pharaoh lines
    (`0-0 1-2`), or is several such files: then a pair has a line for each alignment of it that is
    different. The source is read twice, so none may be standard input. With the `classes` of
    source and target words, operations are made of classes.

    `haben‿gesehen→saw` translates words, which need not stand together, `the→` drops a word and
    `→the` adds one; `continue` goes on with the words of the last translation, `identical` is a
    word that stands for itself and was seen once. `gap` leaves words out for now, `back-1` goes
    back to the last gap, `back-2` to the one before it, and `forward` behind the last word that
    was translated.
    """
    alignments = [alignment] if isinstance(alignment, str | PathLike) else list(alignment)
    if not alignments:
        raise ConfigError("no alignment to make operations of; name a file")
    check_files([source, target, *alignments], [output])
    chosen = None if classes is None else (classes[0]._core, classes[1]._core)
    found = Operations(
        *_core.write_operations(source, target, alignments, output, chosen, threads, progress)
    )
    if found.unaligned:
        counts = f"{found.unaligned:,}", f"{found.pairs:,}"
        _log.warning("%s of %s pairs have no links and were passed over", *counts)
    return found
