"""METEOR with exact and stem matches; the alignment and the score are the core's.

The parameters are those of the first paper (Banerjee & Lavie 2005): recall weighs 9 times as much
as precision, and disorder costs up to a half, by the cube of chunks per match.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

from headway import _core
from headway.evaluate.words import language_code, lower_words
from headway.version import __version__

# Snowball's stemmers by language code.
_STEMMERS = {
    "ar": "arabic", "ca": "catalan", "da": "danish", "de": "german", "el": "greek",
    "en": "english", "es": "spanish", "eu": "basque", "fi": "finnish", "fr": "french",
    "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian",
    "it": "italian", "lt": "lithuanian", "nb": "norwegian", "ne": "nepali", "nl": "dutch",
    "nn": "norwegian", "no": "norwegian",
    "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian", "sv": "swedish",
    "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip


@cache
def _stemmer(code: str) -> Any:
    import snowballstemmer  # type: ignore[import-untyped]  # noqa: PLC0415

    name = _STEMMERS.get(code)
    if name is None or name not in snowballstemmer.algorithms():
        return None
    return snowballstemmer.stemmer(name)


def meteor_signature(references: int, language: str) -> str:
    """How the score came about, in the manner of sacrebleu."""
    code = language_code(language)
    modules = f"exact,stem|stem:snowball.{code}" if _stemmer(code) is not None else "exact"
    return (
        f"nrefs:{references}|case:lc|tok:words|modules:{modules}"
        f"|alpha:0.9|beta:3|gamma:0.5|headway:{__version__}"
    )


def meteor_statistics(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    *,
    language: str = "en",
    threads: int = 0,
) -> list[list[float]]:
    """Matches, words of the hypothesis, words of the reference, chunks; for each line.

    Words are those of `lower_words`: characters one by one where a script has no spaces.
    """
    numbered = _Numbered(_stemmer(language_code(language)))
    sides = [[numbered.line(line) for line in lines] for lines in (hypotheses, *references)]
    return [list(row) for row in _core.meteor_statistics(sides[0], sides[1:], threads=threads)]


class _Numbered:
    """Words and stems as numbers, the same for the same."""

    def __init__(self, stemmer: Any) -> None:
        self._stemmer = stemmer
        self._numbers: dict[str, int] = {}
        self._pairs: dict[str, tuple[int, int]] = {}

    def line(self, line: str) -> list[tuple[int, int]]:
        return [self._pair(word) for word in lower_words(line)]

    def _pair(self, word: str) -> tuple[int, int]:
        if word not in self._pairs:
            stem = self._stemmer.stemWord(word) if self._stemmer is not None else word
            # A stem is no word: it only ever equals another stem.
            self._pairs[word] = self._number(word), self._number(f"{stem}\n")
        return self._pairs[word]

    def _number(self, text: str) -> int:
        return self._numbers.setdefault(text, len(self._numbers))
