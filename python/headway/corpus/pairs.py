"""Parallel text, pair by pair."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from headway._core import PairReader, PairWriter, convert_pairs
from headway.corpus.files import AnyPath, CorpusFiles, named_languages
from headway.progress import Progress

BATCH = 1000

Pair = tuple[str, str]


class Pairs(Iterator[Pair]):
    """The pairs of a corpus, read in batches as they are asked for.

    What is not UTF-8, or holds a NUL byte, raises `FormatError` with file and line, as do line
    counts that differ. `skipped` counts the units of a TMX file that lacked a language so far.
    """

    def __init__(self, reader: PairReader):
        self._reader = reader
        self._batch: Iterator[Pair] = iter(())

    def __next__(self) -> Pair:
        for pair in self._batch:
            return pair
        self._batch = iter(self._reader.next_batch(BATCH))
        return next(self._batch)

    @property
    def skipped(self) -> int:
        """Units of a TMX file passed over because one of the languages is missing."""
        return self._reader.skipped


def read_pairs(source: AnyPath, target: AnyPath) -> Pairs:
    """The pairs of two line-aligned files."""
    return Pairs(PairReader([source, target], "lines"))


def read_tsv(path: AnyPath) -> Pairs:
    """The pairs of a file of `source<TAB>target` lines; further columns are passed over.

    There is no quoting: a tab is always a border.
    """
    return Pairs(PairReader([path], "tsv"))


def read_tmx(path: AnyPath, source_language: str, target_language: str) -> Pairs:
    """The segments of two languages in a TMX file, without inline codes.

    Languages match by their first part, `de` and `de-DE` either way; where a unit has several
    variants of a language, an equal code wins.
    """
    return Pairs(PairReader([path], "tmx", (source_language, target_language)))


def write_pairs(pairs: Iterable[Pair], source: AnyPath, target: AnyPath) -> int:
    """Writes two line-aligned files and answers how many pairs. Line breaks become spaces."""
    return _write(PairWriter([source, target], "lines"), pairs)


def write_tsv(pairs: Iterable[Pair], path: AnyPath) -> int:
    """Writes `source<TAB>target` lines. Tabs and line breaks within a text become spaces."""
    return _write(PairWriter([path], "tsv"), pairs)


def write_tmx(
    pairs: Iterable[Pair], path: AnyPath, source_language: str, target_language: str
) -> int:
    """Writes a TMX 1.4b file."""
    return _write(PairWriter([path], "tmx", (source_language, target_language)), pairs)


@dataclass(frozen=True)
class Converted:
    """What came of converting: pairs written, and TMX units that lacked a language."""

    written: int
    skipped: int


def convert(
    source: CorpusFiles,
    output: CorpusFiles,
    languages: tuple[str, str] | None = None,
    *,
    progress: Progress | None = None,
) -> Converted:
    """Copies a corpus into another form.

    TMX on either side needs the two `languages`, unless line-aligned files on the other side have
    them in their names.

    Further columns of a TSV file stay if the output is TSV.
    """
    written, skipped = convert_pairs(
        list(source.paths),
        source.form,
        list(output.paths),
        output.form,
        languages=languages or named_languages(source, output),
        progress=progress,
    )
    return Converted(written, skipped)


def _write(writer: PairWriter, pairs: Iterable[Pair]) -> int:
    """The files appear when all pairs are written, and not at all if one cannot be."""
    count = 0
    pairs = iter(pairs)
    try:
        while batch := list(islice(pairs, BATCH)):
            writer.write(batch)
            count += len(batch)
        writer.finish()
    finally:
        writer.discard()
    return count
