"""Parsers of `headway.parse` as EDPM asks for them."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from headway.corpus import Tokeniser
from headway.evaluate.edpm import Parse
from headway.parse import Parser

K_BEST = 50
"""Trees of each line, as in Kahn et al. (2009)."""


class ParsedLines:
    """The k best trees of lines, with their probabilities.

    Probabilities are proportional to exp(scale · score) over the trees of a line. Text that is
    tokenised already is cut at spaces.
    """

    def __init__(
        self,
        parser: Parser,
        *,
        language: str | None = None,
        tokenised: bool = False,
        k: int = K_BEST,
        scale: float = 1.0,
        threads: int = 0,
    ) -> None:
        self._parser = parser
        self._tokeniser = None if tokenised else Tokeniser(language)
        self._cut = "none" if tokenised else f"headway.{language or 'any'}"
        self._k = k
        self._scale = scale
        self._threads = threads or None

    @property
    def signature(self) -> str:
        """How lines are cut and parsed."""
        return f"tok:{self._cut}|k:{self._k}|scale:{self._scale:g}"

    def k_best(self, lines: Sequence[str]) -> list[list[Parse]]:
        """The best parses of each line; none of an empty line."""
        with ThreadPoolExecutor(self._threads) as pool:
            return list(pool.map(self._parses, lines))

    def _parses(self, line: str) -> list[Parse]:
        words = self._words(line)
        if not words:
            return []
        ranked = self._parser.kbest(words, self._k, scale=self._scale)
        return [Parse(words, one.tree.heads, one.tree.labels, one.probability) for one in ranked]

    def _words(self, line: str) -> list[str]:
        if self._tokeniser is None:
            return line.split()
        return self._tokeniser.tokenise(line).words
