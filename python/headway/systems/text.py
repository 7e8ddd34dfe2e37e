"""Text as a system wants it, and its output as people want it.

A bundle remembers what was done to its training text; the same is done to what it translates,
and undone to what comes out.
"""

import re
from collections.abc import Sequence
from typing import Literal, get_args

from headway.corpus import Tokeniser, Tokens, Truecaser
from headway.errors import ConfigError
from headway.systems.bundle import Bundle, Preprocessing

Casing = Literal["truecase", "lowercase", "none"]
CASINGS: tuple[str, ...] = get_args(Casing)

SOURCE_CASE, TARGET_CASE = "source-case", "target-case"


def check_casing(casing: str) -> None:
    """Raises unless it is one of `CASINGS`."""
    if casing not in CASINGS:
        raise ConfigError(f"text.casing: expected one of {', '.join(CASINGS)}, found {casing}")


class SourceText:
    """Turns lines into words as the system was trained on."""

    def __init__(
        self, how: Preprocessing, language: str, truecaser: Truecaser | None = None
    ) -> None:
        self._how = how
        self._tokeniser = Tokeniser(language or None, split_hyphens=how.split_hyphens)
        self._truecaser = truecaser

    def words(self, lines: Sequence[str], *, threads: int = 0) -> list[list[str]]:
        """The words of each line."""
        if not self._how.tokenise:
            return [line.split() for line in lines]
        cut = self._tokeniser.words(lines, threads=threads)
        return [self.cased(words) for words in cut]

    def places(self, lines: Sequence[str], *, threads: int = 0) -> list[list[tuple[int, int]]]:
        """Where the words of each line stand in it, before their case is changed."""
        if not self._how.tokenise:
            return [[match.span() for match in re.finditer(r"\S+", line)] for line in lines]
        return [_spans(tokens) for tokens in self._tokeniser.tokenise_all(lines, threads=threads)]

    def cased(self, words: Sequence[str]) -> list[str]:
        """Words that are cut already, in the case that the system was trained on."""
        if not self._how.tokenise:
            return list(words)
        if self._truecaser is not None:
            return self._truecaser.apply(list(words))
        if self._how.casing == "lowercase":  # after cutting, as `tokenise_file` does it
            lowered = self._tokeniser.lowercase(" ".join(words)).split()
            return lowered if len(lowered) == len(words) else [word.lower() for word in words]
        return list(words)


class TargetText:
    """Turns the words that a system answers into lines for people."""

    def __init__(
        self, how: Preprocessing, language: str, truecaser: Truecaser | None = None
    ) -> None:
        self._how = how
        self._tokeniser = Tokeniser(language or None)
        self._truecaser = truecaser

    def line(self, words: Sequence[str]) -> str:
        """One line: put together by the habits of the language, with capitals where they go."""
        if not self._how.tokenise:
            return " ".join(words)
        return self._tokeniser.detokenise(self._recased(words))

    def placed(self, words: Sequence[str]) -> tuple[str, list[tuple[int, int]]]:
        """The same, and where each word stands in it."""
        line, spans, at = self.line(words), [], 0
        for word in self._recased(words):
            while at < len(line) and line[at].isspace():
                at += 1
            # A sign that was cut out of a word, `@-@`, is written without its marks.
            shown = word if line.startswith(word, at) else word[1:-1]
            spans.append((at, at + len(shown)))
            at += len(shown)
        return line, spans

    def cut(self, text: str) -> list[str]:
        """The words of a text in the target language, such as a translation that is given."""
        return self._tokeniser.words([text])[0] if self._how.tokenise else text.split()

    def _recased(self, words: Sequence[str]) -> Sequence[str]:
        cased = self._how.tokenise and self._truecaser is not None
        return self._truecaser.recase(words) if cased and self._truecaser else words


def _spans(tokens: Tokens) -> list[tuple[int, int]]:
    """Where tokens stand in their text: a gap stands before each, and one behind the last."""
    spans, at = [], 0
    for gap, word in zip(tokens.gaps, tokens.words, strict=False):
        start = at + len(gap)
        at = start + len(word)
        spans.append((start, at))
    return spans


def text_of(bundle: Bundle) -> tuple[SourceText, TargetText]:
    """Both ways for a bundle."""
    manifest = bundle.manifest
    how, languages = manifest.preprocessing, manifest.languages
    cases = {
        name: Truecaser.load(bundle.path(name)) if how.casing == "truecase" else None
        for name in (SOURCE_CASE, TARGET_CASE)
    }
    return (
        SourceText(how, languages.source, cases[SOURCE_CASE]),
        TargetText(how, languages.target, cases[TARGET_CASE]),
    )
