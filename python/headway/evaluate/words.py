"""Words of text in any script, for counting and comparing."""

import re
import unicodedata

from headway._core import Tokeniser
from headway.errors import ConfigError

_PLAIN = re.compile(r"\w+|[^\w\s]")
# Scripts without spaces, whose characters are taken one by one, as BLEU does for Chinese.
_ALONE = re.compile(
    r"[\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    r"\uf900-\ufaff\U00020000-\U0003ffff]"
)
_JOINERS = "\u200c\u200d"


def language_code(language: str) -> str:
    """`pt` of `pt-BR`, `PT_br` or `por`; what is no code stays what it is."""
    try:
        return Tokeniser(language).language or language
    except ConfigError:
        return language.lower()


def lower_words(line: str) -> list[str]:
    """Runs of letters, their marks and digits, and single other marks; all in lower case."""
    line = line.lower()
    if line.isascii():
        return _PLAIN.findall(line)
    found: list[str] = []
    open_word = False
    for character in line:
        inside = _is_inside(character)
        if inside and open_word and not _ALONE.match(character):
            found[-1] += character
        elif not character.isspace():
            found.append(character)
        open_word = inside and not _ALONE.match(character)
    return found


def _is_inside(character: str) -> bool:
    """Whether it is part of a word: a vowel sign of Devanagari is, and so are joiners."""
    kind = unicodedata.category(character)[0]
    return kind in "LMN" or character == "_" or character in _JOINERS
