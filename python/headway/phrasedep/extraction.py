"""Extracting phrase dependencies into a table."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike

from headway import _core
from headway.arguments import named_arguments
from headway.errors import ConfigError
from headway.files import File, check_files
from headway.memory import memory_bytes
from headway.printing import prints_briefly
from headway.progress import Progress
from headway.settings import PhraseDepSettings, Settings

_log = logging.getLogger(__name__)


@prints_briefly
@dataclass(frozen=True)
class Extraction:
    """What `extract` found."""

    pairs: int
    skipped: int
    """Pairs passed over because a side has more words than `max_sentence_length`."""
    treeless: int
    """Pairs whose target was not parsed."""
    cyclic: int
    """Trees of which words were left out because their heads run in a cycle."""
    phrases: int
    dependencies: int
    """Different ones: parent, child and direction."""
    cluster_phrases: int
    cluster_dependencies: int


@named_arguments
def extract(
    source: File,
    target: File,
    alignment: File | Sequence[File],
    target_trees: File,
    classes: File,
    output: File,
    *,
    settings: PhraseDepSettings | None = None,
    memory: str | int | None = None,
    temp: File | None = None,
    threads: int = 0,
    progress: Progress | None = None,
) -> Extraction:
    """Extracts the phrase dependencies of aligned, parsed text and writes a table of them.

    `source` and `target` are tokenised text, a sentence a line, `alignment` has Pharaoh lines
    (`0-0 1-2`), or is several such files, where a pair counts once with the links of each.
    `target_trees` is CoNLL-U with a tree of the same words for every target sentence that is not
    empty; `classes` is a file of word classes, such as Brown clusters. All of them are read twice,
    so none may be standard input. What does not fit into `memory` is sorted in unnamed files in
    `temp`. The result depends on neither `memory` nor `threads`.
    """
    chosen = settings or Settings.load().phrasedep
    alignments = [alignment] if isinstance(alignment, str | PathLike) else list(alignment)
    if not alignments:
        raise ConfigError("no alignment to extract phrases by; name a file")
    check_files([source, target, *alignments, target_trees, classes], [output])
    pairs, skipped, treeless, cyclic, phrases, dependencies = _core.extract_phrase_dependencies(
        source,
        target,
        alignments,
        target_trees,
        _core.WordClasses.load(classes),
        output,
        chosen.max_length,
        chosen.max_sentence_length,
        memory_bytes(chosen.memory if memory is None else memory),
        temp,
        threads,
        progress,
    )
    found = Extraction(
        pairs, skipped, treeless, cyclic, phrases[0], dependencies[0], phrases[1], dependencies[1]
    )
    for count, what in (
        (skipped, f"have more than {chosen.max_sentence_length} words and were skipped"),
        (treeless, "have no target tree and were skipped"),
        (cyclic, "have a tree with a cycle; its words were left out"),
    ):
        if count:
            _log.warning("%s of %s pairs %s", f"{count:,}", f"{pairs:,}", what)
    return found
