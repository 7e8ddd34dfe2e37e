"""Extracting rules into a table."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

import msgspec

from headway import _core
from headway.corpus import joined, paired
from headway.errors import ConfigError
from headway.files import File, check_files
from headway.memory import memory_bytes
from headway.printing import prints_briefly
from headway.progress import Progress
from headway.settings import ExtractSettings, Settings

_log = logging.getLogger(__name__)

_TEXT_SUFFIXES = {".gz", ".zst", ".txt"}


@prints_briefly
@dataclass(frozen=True)
class Extraction:
    """What `extract` found."""

    pairs: int
    skipped: int
    """Pairs passed over because a side has more words than `max_sentence_length`."""
    rules: int
    left_out: int
    """Rules seen but not significant, if `significance` is set."""


def extract(
    source: File | Sequence[File],
    target: File | Sequence[File],
    alignment: File | Sequence[File],
    output: File,
    *,
    target_trees: File | None = None,
    reordering_table: File | None = None,
    kind: str | None = None,
    settings: ExtractSettings | None = None,
    memory: str | int | None = None,
    temp: File | None = None,
    threads: int = 0,
    progress: Progress | None = None,
) -> Extraction:
    """Extracts the rules of aligned sentence pairs, scores them and writes them to `output`.

    `source` and `target` are tokenised text, a sentence a line; several files of each are joined
    in order, and the alignment and the trees are those of all their pairs. `alignment` has
    Pharaoh lines (`0-0 1-2`), or is several such files, where a pair counts once with the links
    of each; `target_trees` is CoNLL-U with a tree for every target sentence that is not
    empty. `kind` is phrase, hiero, str2dep or filtered; the last two need trees. Each file may be
    gzip or zstd, one of them may be `-` for standard input.

    `output` is a rule table; if its name ends in `.gz`, `.zst` or `.txt`, or is `-`, Moses'
    text format, and then reordering features go to `reordering_table`. Other settings are those
    of the section `[extract]`. What does not fit into `memory` is sorted in unnamed files in
    `temp`. The result depends on neither `memory` nor `threads`.
    """
    chosen = settings or Settings.load().extract
    if kind is not None:
        chosen = msgspec.structs.replace(chosen, kind=kind)
    alignments = [alignment] if isinstance(alignment, str | PathLike) else list(alignment)
    if not alignments:
        raise ConfigError("no alignment to extract rules by; name a file")
    sides = paired(source, target)
    texts = [path for two in sides for path in two]
    inputs = [*texts, *alignments, *([] if target_trees is None else [target_trees])]
    text = str(output) == "-" or Path(output).suffix in _TEXT_SUFFIXES
    check_files(inputs, [output, *([] if reordering_table is None else [reordering_table])])
    if reordering_table is not None and not (text and chosen.kind == "phrase"):
        message = f"{reordering_table}: only Moses text of phrase pairs has a reordering table"
        raise ConfigError(f"{message}; a rule table holds everything")
    if text and reordering_table is None:
        chosen = _without_reordering(chosen)
    with joined(sides, temp) as whole:
        found = _core.extract_rules(
            *whole,
            alignments,
            target_trees,
            output,
            text,
            reordering_table,
            chosen,
            memory_bytes(chosen.memory if memory is None else memory),
            temp,
            threads,
            progress,
        )
    extraction = Extraction(*found)
    if extraction.skipped:
        longest = chosen.max_sentence_length
        _log.warning("%d pairs of more than %d words skipped", extraction.skipped, longest)
    return extraction


def _without_reordering(settings: ExtractSettings) -> ExtractSettings:
    """Moses tables cannot hold it; it is computed only if it has a separate file."""
    reordering = msgspec.structs.replace(settings.reordering, model="none")
    return msgspec.structs.replace(settings, reordering=reordering)
