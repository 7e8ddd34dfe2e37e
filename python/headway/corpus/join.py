"""Several line-aligned corpora as one."""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from os import PathLike
from pathlib import Path

from headway.corpus.files import AnyPath
from headway.corpus.pairs import Pair, read_pairs, write_pairs
from headway.errors import ConfigError, FormatError
from headway.partial import partial_directory

Files = AnyPath | PathLike[str] | Sequence[AnyPath | PathLike[str]]
Sides = tuple[Path, Path]


def paired(sources: Files, targets: Files) -> list[Sides]:
    """The first source file with the first target file, and so on; one path may stand alone."""
    one, other = listed(sources), listed(targets)
    if len(one) != len(other):
        counts = f"{len(one)} source files, but {len(other)} target files"
        raise ConfigError(f"{counts}; name as many of each, in the same order")
    if not one:
        raise ConfigError("no corpus; name a source file and a target file")
    return list(zip(one, other, strict=True))


@contextmanager
def joined(sides: Sequence[Sides], temp: AnyPath | PathLike[str] | None = None) -> Iterator[Sides]:
    """Two files with the pairs of all corpora in order: a single corpus as it is.

    Several are copied to a temporary directory in `temp`. Line counts of each are checked, and a
    `FormatError` about a line of the copy names the file and the line that it came from.
    """
    if len(sides) == 1:
        yield sides[0]
        return
    with partial_directory(Path(temp or tempfile.gettempdir())) as place:
        whole = place / "source", place / "target"
        counts: list[int] = []
        write_pairs(_counted(sides, counts), *whole)
        try:
            yield whole
        except FormatError as error:
            raise _located(error, sides, counts, whole) from None


def listed(files: Files) -> list[Path]:
    """One path, or several, as a list."""
    return [Path(files)] if isinstance(files, str | PathLike) else list(map(Path, files))


def _counted(sides: Sequence[Sides], counts: list[int]) -> Iterator[Pair]:
    """The pairs of all corpora; how many each has is added to `counts`."""
    for source, target in sides:
        counts.append(0)
        for pair in read_pairs(source, target):
            counts[-1] += 1
            yield pair


def _located(
    error: FormatError, sides: Sequence[Sides], counts: Sequence[int], whole: Sides
) -> FormatError:
    """The same error about the file that a line of the copy came from."""
    if error.path not in whole or error.line is None:
        return error
    line = error.line
    for two, count in zip(sides, counts, strict=True):
        if line <= count:
            path = two[whole.index(error.path)]
            message = str(error).replace(f"{error.path}:{error.line}", f"{path}:{line}")
            return FormatError(message, path, line)
        line -= count
    return error
