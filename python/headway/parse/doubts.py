"""Signs that a parser is used on what it was not made for."""

import logging
from collections.abc import Iterable, Set
from pathlib import Path

from headway._core import DependencyTree, Tokeniser
from headway.errors import ConfigError

_log = logging.getLogger(__name__)


def language_code(language: str) -> str:
    """`en` of `en-GB` or `eng`; what is no code is an error."""
    return Tokeniser(language).language or language


def agreed_language(own: str | None, asked: str | None) -> str | None:
    """The language that is asked for, else the parser's own; they must not differ."""
    if own and asked and language_code(own) != language_code(asked):
        raise ConfigError(
            f"the parser is one of language {own}, and the text is said to be {asked}; "
            f"leave out -l {asked}, or use a parser of {asked}"
        )
    return asked or own


def is_settled(own: str | None, asked: str | None) -> bool:
    """Whether both sides have said the language, so that nothing is left to doubt."""
    return own is not None and asked is not None


def doubt_words(source: str | Path, words: int, unknown: int) -> None:
    """Warns where more than two thirds of a text's words are new to a parser.

    UD treebanks of 12,000 to 200,000 words leave 10 to 48 % of their own test sets unknown, and
    83 % or more of those of other languages.
    """
    if 3 * unknown > 2 * words:
        _log.warning(
            "%s: %s of %s words are unknown to the parser; is it one of this language?",
            "the text" if str(source) == "-" else source,
            f"{unknown:,}",
            f"{words:,}",
        )


def doubt_tags(gold: str | Path, trees: Iterable[DependencyTree], known: Set[str]) -> None:
    """Warns where a parser knows none of the tags of gold trees."""
    tags = {tag for tree in trees for tag in tree.tags} - {"_"}
    if tags and known and not tags & known:
        _log.warning(
            "%s: none of its %s tags (%s, …) is one that the parser knows; "
            "is it of another language, or trained on another column?",
            gold,
            f"{len(tags):,}",
            min(tags),
        )
