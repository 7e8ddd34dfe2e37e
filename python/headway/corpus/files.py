"""The files a parallel corpus is kept in, and how one tells their form."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from headway.errors import ConfigError

Form = Literal["lines", "tsv", "tmx"]
AnyPath = str | Path

_COMPRESSED = (".gz", ".zst")
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*")
_NO_LANGUAGES = ("txt", "tok", "tsv", "tab", "tmx")


@dataclass(frozen=True)
class CorpusFiles:
    """Where a corpus is or goes: two line-aligned files, or one TSV or TMX file."""

    paths: tuple[Path, ...]
    form: Form


def corpus_files(paths: Sequence[AnyPath], form: str | None = None) -> CorpusFiles:
    """Two paths are line-aligned files; one is TSV or TMX, as its name or `form` says."""
    files = tuple(map(Path, paths))
    names = " ".join(map(str, files)) or "nothing"
    if form is not None and form not in get_args(Form):
        raise ConfigError(f"{form}: no such form; expected one of {', '.join(get_args(Form))}")
    if len(files) not in (1, 2):
        raise ConfigError(f"{names}: expected two line-aligned files, or one TSV or TMX file")
    found = form or _form(files)
    if (found == "lines") != (len(files) == 2):
        needed = "two files" if found == "lines" else "one file"
        raise ConfigError(f"{names}: a corpus in the form {found} is {needed}")
    return CorpusFiles(files, found)  # type: ignore[arg-type]


def language_of(path: Path) -> str:
    """`de` of `train.de.gz`; nothing where the name does not tell."""
    suffixes = [suffix for suffix in path.suffixes if suffix not in _COMPRESSED]
    last = suffixes[-1].removeprefix(".") if suffixes else ""
    return last if _LANGUAGE.fullmatch(last) and last not in _NO_LANGUAGES else ""


def named_languages(*corpora: CorpusFiles) -> tuple[str, str] | None:
    """The languages that line-aligned files among several corpora have in their names."""
    for files in corpora:
        found = [language_of(path) for path in files.paths]
        if len(found) == 2 and all(found):
            return found[0], found[1]
    return None


def _form(files: tuple[Path, ...]) -> Form:
    if len(files) == 2:
        return "lines"
    name = files[0].name.lower().removesuffix(".gz").removesuffix(".zst")
    if name.endswith(".tmx"):
        return "tmx"
    if name.endswith((".tsv", ".tab")) or name == "-":
        return "tsv"
    raise ConfigError(
        f"{files[0]}: neither .tsv nor .tmx; name two line-aligned files, or state the form"
    )
