"""Tokenising, and its exact inverse.

    >>> tokens = tokenise("I don't know.", "en")
    >>> tokens.words
    ['I', 'do', "n't", 'know', '.']
    >>> detokenise(tokens)
    "I don't know."

`Tokens` keep what stood between them, so nothing is lost whatever the text. Words from elsewhere,
such as a translation, are put together by the rules of the language.
"""

from collections.abc import Sequence
from functools import lru_cache

from headway import _core
from headway._core import Tokeniser, Tokens
from headway.corpus.files import AnyPath
from headway.progress import Progress


@lru_cache(maxsize=32)
def _tokeniser(language: str | None) -> Tokeniser:
    return Tokeniser(language)


def tokenise(text: str, language: str | None = None) -> Tokens:
    """The tokens of one text; for many texts, `Tokeniser.tokenise_all` uses every core."""
    return _tokeniser(language).tokenise(text)


def detokenise(tokens: Tokens | Sequence[str], language: str | None = None) -> str:
    """The exact text of `Tokens`; by the rules of the language for words alone."""
    if isinstance(tokens, Tokens):
        return tokens.text
    return _tokeniser(language).detokenise(list(tokens))


def lowercase(text: str, language: str | None = None) -> str:
    """Lower case; Turkish and Azerbaijani keep dotted and dotless i apart."""
    return _tokeniser(language).lowercase(text)


def tokenise_file(
    source: AnyPath,
    output: AnyPath,
    tokeniser: Tokeniser,
    *,
    spacing: AnyPath | None = None,
    lowercase: bool = False,
    threads: int = 0,
    progress: Progress | None = None,
) -> int:
    """Tokenises line by line, tokens parted by single spaces; answers the number of lines.

    `spacing` names a file for what stood between the tokens, from which `detokenise_file`
    restores the text exactly.
    """
    return _core.tokenise_file(
        tokeniser,
        source,
        output,
        spacing=spacing,
        lowercase=lowercase,
        threads=threads,
        progress=progress,
    )


def detokenise_file(
    source: AnyPath,
    output: AnyPath,
    tokeniser: Tokeniser,
    *,
    spacing: AnyPath | None = None,
    threads: int = 0,
    progress: Progress | None = None,
) -> int:
    """Puts the tokens of each line together: exactly with `spacing`, by rules without."""
    return _core.detokenise_file(
        tokeniser, source, output, spacing=spacing, threads=threads, progress=progress
    )
