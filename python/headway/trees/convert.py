"""Trees of one format written in another."""

from pathlib import Path

from headway.errors import ConfigError
from headway.trees.files import (
    GRAPHS,
    guess_format,
    read_penn,
    read_sentences,
    write_penn,
    write_sentences,
)
from headway.trees.sources import Repairs, read_dependencies


def convert(
    source: str | Path,
    target: str | Path,
    source_format: str | None = None,
    target_format: str | None = None,
    strip: bool = False,
    *,
    heads: str | None = None,
    roots: str | Path | None = None,
    text: str | Path | None = None,
    repairs: Repairs | None = None,
) -> int:
    """Writes the trees of one file into another format and answers how many.

    Brackets become other brackets, which with `strip` lose traces, functions and the outer
    bracket without a label, or dependency trees. For `heads`, `roots`, `text` and `repairs` see
    `read_dependencies`.
    """
    source_format = source_format or guess_format(source)
    other = "conllu" if source_format in GRAPHS else source_format
    target_format = target_format or guess_format(target, other)
    plain = heads is None and roots is None and text is None
    if source_format == target_format == "penn":
        if not plain:
            raise ConfigError(f"{target}: heads, roots and text are for dependency trees")
        trees = read_penn(source)
        return write_penn(target, (tree.strip() for tree in trees) if strip else trees)
    if strip:
        raise ConfigError("only Penn brackets can be stripped; name two files of them")
    if plain and source_format != "penn" and source_format not in GRAPHS:
        return write_sentences(target, read_sentences(source, source_format), target_format)
    found = read_dependencies(
        source, source_format, heads=heads, roots=roots, text=text, repairs=repairs
    )
    return write_sentences(target, found, target_format)
