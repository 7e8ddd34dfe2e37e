"""Files of trees: read and written sentence by sentence, in bounded memory.

Every path may be plain, `.gz` or `.zst`, or `-` for standard input or output. A written file
appears under its name when it is complete.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TypeVar

from headway._core import (
    ConstituentTree,
    DependencyTree,
    PennReader,
    PennWriter,
    Sentence,
    SentenceReader,
    SentenceWriter,
)
from headway.arguments import named_arguments
from headway.errors import ConfigError, FormatError

FORMATS = ("conllu", "conllx", "dp", "penn", "enju", "deps", "grs", "parg")
"""CoNLL-U; CoNLL-X; word, tag and head in three columns; Penn brackets; Enju's XML; `deps` and
`grs` of C&C; `.parg` of CCGbank. Only the first four can be written."""

GRAPHS = ("enju", "deps", "grs", "parg")
"""Formats whose words may have several heads or none."""

COLUMNS = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")
"""The columns of CoNLL-U, as `Sentence.column` and `Sentence.set` name them."""

BATCH = 512

T = TypeVar("T")

_SUFFIXES = {
    ".conllu": "conllu",
    ".conll": "conllx",
    ".conllx": "conllx",
    ".dp": "dp",
    ".mrg": "penn",
    ".penn": "penn",
    ".ptb": "penn",
    ".enju": "enju",
    ".xml": "enju",
    ".deps": "deps",
    ".grs": "grs",
    ".parg": "parg",
}


def guess_format(path: str | Path, default: str = "conllu") -> str:
    """The format that the name of a file tells, `.gz` and `.zst` aside."""
    path = Path(path)
    suffix = Path(path.stem).suffix if path.suffix in {".gz", ".zst"} else path.suffix
    return _SUFFIXES.get(suffix, default)


@named_arguments
def read_sentences(path: str | Path, format: str | None = None) -> Iterator[Sentence]:  # noqa: A002
    """The sentences of a file in one of the formats `conllu`, `conllx` and `dp`.

    The format follows from the name of the file unless given. The texts of the sentences of a
    CoNLL-U file, one after the other, are the file.
    """
    reader = SentenceReader(path, _table_format(path, format))
    while batch := reader.read(BATCH):
        yield from batch


def read_trees(
    path: str | Path,
    format: str | None = None,  # noqa: A002
    tags: str = "upos",
) -> Iterator[DependencyTree]:
    """The trees of a file, tags taken from the column `upos` or `xpos`."""
    for sentence in read_sentences(path, format):
        yield tree_of(sentence, path, tags)


def tag_column(sentences: Sequence[Sentence], wanted: str) -> str:
    """The column of the sentences' tags, `upos` or `xpos`: the wanted one unless it is empty."""
    if wanted not in ("upos", "xpos"):
        raise ConfigError(f'no tags "{wanted}"; expected upos or xpos')
    other = "upos" if wanted == "xpos" else "xpos"
    empty = not any(has_any(one, wanted) for one in sentences)
    return other if empty and any(has_any(one, other) for one in sentences) else wanted


def has_any(sentence: Sentence, column: str) -> bool:
    """Whether any word has a value in the column."""
    return any(value != "_" for value in sentence.column(column))


def tree_of(sentence: Sentence, path: str | Path, tags: str = "upos") -> DependencyTree:
    """The tree of a sentence; an error says where in the file it stands."""
    if None in sentence.heads:
        word = sentence.heads.index(None) + 1
        raise FormatError(
            f"{path}:{sentence.line}: word {word} of this sentence has no head; parse it first",
            path,
            sentence.line,
        )
    return sentence.tree(tags)


NO_HEAD = "no head"


def drawable(sentence: Sentence, tags: str = "upos") -> DependencyTree:
    """A tree to look at: words without a head hang from the root, and their labels say so."""
    if None not in sentence.heads:
        return sentence.tree(tags)
    labels = [
        NO_HEAD if head is None else label
        for head, label in zip(sentence.heads, sentence.column("deprel"), strict=True)
    ]
    heads = [head or 0 for head in sentence.heads]
    return DependencyTree(sentence.forms, heads, sentence.column(tags), labels)


def write_sentences(
    path: str | Path,
    sentences: Iterable[Sentence],
    format: str | None = None,  # noqa: A002
) -> int:
    """Writes sentences and answers how many. CoNLL-X and `dp` files hold the words only."""
    writer = SentenceWriter(path, _table_format(path, format))
    count = 0
    for batch in batches(sentences):
        writer.write(batch)
        count += len(batch)
    writer.finish()
    return count


def read_penn(path: str | Path) -> Iterator[ConstituentTree]:
    """The trees of a file of Penn brackets, however its lines run."""
    reader = PennReader(path)
    while batch := reader.read(BATCH):
        yield from batch


def write_penn(path: str | Path, trees: Iterable[ConstituentTree], width: int | None = None) -> int:
    """Writes trees, one a line or laid out in `width` columns, and answers how many."""
    writer = PennWriter(path, width)
    count = 0
    for batch in batches(trees):
        writer.write(batch)
        count += len(batch)
    writer.finish()
    return count


def _table_format(path: str | Path, format: str | None) -> str:  # noqa: A002
    format = format or guess_format(path)  # noqa: A001
    if format == "penn":
        raise ConfigError(
            f"{path}: Penn brackets hold constituents, not dependencies; "
            "name another format, or make dependency trees of them (headway trees convert)"
        )
    if format in GRAPHS:
        raise ConfigError(
            f"{path}: {format} files hold graphs and are read only; "
            "make dependency trees of them first (headway trees convert)"
        )
    return format


def batches(items: Iterable[T]) -> Iterator[list[T]]:
    """The items, some hundred at a time: one crossing into the core for many."""
    iterator = iter(items)
    while batch := list(islice(iterator, BATCH)):
        yield batch
