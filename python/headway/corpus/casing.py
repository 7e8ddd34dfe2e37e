"""Casing whole files; `Truecaser` itself works on words at hand."""

from headway import _core
from headway._core import Truecaser
from headway.corpus.files import AnyPath
from headway.progress import Progress


def truecase_file(
    source: AnyPath,
    output: AnyPath,
    truecaser: Truecaser,
    *,
    headlines: bool = False,
    threads: int = 0,
    progress: Progress | None = None,
) -> int:
    """Gives sentence beginnings in tokenised text their usual case; answers the lines.

    With `headlines`, lines all in capitals are recased throughout.
    """
    return _core.truecase_file(
        truecaser, source, output, headlines=headlines, threads=threads, progress=progress
    )


def recase_file(
    source: AnyPath,
    output: AnyPath,
    language: str | None = None,
    *,
    threads: int = 0,
    progress: Progress | None = None,
) -> int:
    """Gives sentence beginnings in tokenised text their capitals; answers the lines."""
    return _core.recase_file(language, source, output, threads=threads, progress=progress)
