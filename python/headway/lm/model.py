"""Asking n-gram models."""

import logging
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Literal, NamedTuple, overload

from headway import _core
from headway._core import ChartState, State
from headway.arguments import named_arguments
from headway.errors import InputError
from headway.lm.classes import WordClasses
from headway.printing import prints_briefly
from headway.progress import Progress

_log = logging.getLogger(__name__)

Layout = Literal["hashed", "trie"]


class WordScore(NamedTuple):
    """One word's score."""

    log_prob: float
    """Natural logarithm."""
    length: int
    """Length of the longest n-gram of the model that ends in the word."""
    unknown: bool
    """Whether the model does not know the word."""


@prints_briefly
@dataclass(frozen=True)
class TextScore:
    """The score of a sentence or of a whole text, in natural logarithms."""

    log_prob: float
    log_prob_unknown: float
    """The part of `log_prob` that is of unknown words."""
    words: int
    """Words scored, with one `</s>` per sentence where it is scored."""
    unknown: int

    @property
    def perplexity(self) -> float:
        """Per word scored, unknown words too; NaN of no words."""
        return _perplexity(self.log_prob, self.words)

    @property
    def perplexity_known(self) -> float:
        """Per word that the model knows, without what unknown words scored."""
        return _perplexity(self.log_prob - self.log_prob_unknown, self.words - self.unknown)

    @classmethod
    def total(cls, scores: Iterable["TextScore"]) -> "TextScore":
        """The score of several texts together."""
        rows = [(s.log_prob, s.log_prob_unknown, s.words, s.unknown) for s in scores]
        columns = list(zip(*rows, strict=True)) or [(), (), (), ()]
        return cls(
            math.fsum(columns[0]), math.fsum(columns[1]), int(sum(columns[2])), int(sum(columns[3]))
        )


def _perplexity(log_prob: float, words: int) -> float:
    if words == 0:
        return math.nan
    try:
        return math.exp(-log_prob / words)
    except OverflowError:
        return math.inf


class LanguageModel:
    """An n-gram model: a binary, mapped and shared between processes, or an ARPA file in memory.

    Sentences are words between spaces. All scores are natural logarithms.
    """

    def __init__(self, core: _core.LanguageModel, path: Path):
        self._core = core
        self.path = path

    @classmethod
    @named_arguments
    def load(
        cls,
        path: str | PathLike[str],
        *,
        layout: Layout = "hashed",
        in_memory: bool = False,
        classes: WordClasses | None = None,
        threads: int = 0,
        progress: Progress | None = None,
    ) -> "LanguageModel":
        """Opens a binary of `headway lm build`, or reads an ARPA file of any toolkit.

        An ARPA file (plain, gzip or zstd) is laid out in memory as `layout` says. `in_memory`
        reads a binary at once instead of mapping it: no longer shared, but look-ups are faster.
        With `classes` the model is one over classes, and is asked about words.
        """
        if Path(path).is_fifo():
            message = f"{path}: is a pipe, and a model is read more than once; give a file or `-`"
            raise InputError(message, Path(path))
        known = None if classes is None else classes._core
        model = cls(
            _core.LanguageModel.load(path, layout, in_memory, known, threads, progress), Path(path)
        )
        if not model.has_unknown:
            _log.warning("%s: no <unk> in it; each unknown word costs log10 -100", path)
        return model

    @property
    def order(self) -> int:
        """Length of the longest n-grams."""
        return self._core.order

    @property
    def counts(self) -> list[int]:
        """n-grams of each length, from 1 on."""
        return self._core.counts

    @property
    def layout(self) -> str:
        """`hashed` or `trie`."""
        return self._core.layout

    @property
    def is_binary(self) -> bool:
        """Whether it is a binary file, not an ARPA file read into memory."""
        return self._core.is_binary

    @property
    def value_bits(self) -> list[tuple[int, int]]:
        """Bits of a probability and a back-off in a trie, by length from 2 on."""
        return self._core.value_bits

    @property
    def size(self) -> int:
        """Bytes of the binary, or of memory if it was an ARPA file."""
        return self._core.size

    @property
    def has_unknown(self) -> bool:
        """Whether the model has `<unk>`; without, unknown words score log10 -100."""
        return self._core.has_unknown

    def verify(self) -> None:
        """Reads the whole binary and compares checksums."""
        self._core.verify()

    def words(self) -> list[str]:
        """All words, in the order of the ARPA file."""
        return self._core.words()

    def __len__(self) -> int:
        return len(self._core)

    def __contains__(self, word: str) -> bool:
        return word in self._core

    def __repr__(self) -> str:
        return f"<LanguageModel {self.path} order {self.order}, {len(self):,} words>"

    @overload
    def score(  # type: ignore[overload-overlap]  # a string is a sequence of strings, alas
        self,
        sentences: str,
        *,
        begin: bool = ...,
        end: bool = ...,
        threads: int = ...,
        progress: Progress | None = ...,
    ) -> float: ...
    @overload
    def score(
        self,
        sentences: Sequence[str],
        *,
        begin: bool = ...,
        end: bool = ...,
        threads: int = ...,
        progress: Progress | None = ...,
    ) -> list[float]: ...
    @named_arguments
    def score(
        self,
        sentences: str | Sequence[str],
        *,
        begin: bool = True,
        end: bool = True,
        threads: int = 0,
        progress: Progress | None = None,
    ) -> float | list[float]:
        """The log probability of a sentence, or of each of many on all cores.

        With `begin` a sentence starts after `<s>`; with `end` `</s>` is scored too.
        """
        if isinstance(sentences, str):
            return self._core.score([sentences], begin, end, 1, None)[0]
        return self._core.score(_many(sentences), begin, end, threads, progress)

    def score_texts(
        self,
        sentences: Sequence[str],
        *,
        begin: bool = True,
        end: bool = True,
        threads: int = 0,
        progress: Progress | None = None,
    ) -> list[TextScore]:
        """The score of each sentence with its words and unknown words counted."""
        rows = self._core.score_parts(_many(sentences), begin, end, threads, progress)
        return [TextScore(*row) for row in rows]

    def evaluate(
        self,
        sentences: Sequence[str],
        *,
        begin: bool = True,
        end: bool = True,
        threads: int = 0,
        progress: Progress | None = None,
    ) -> TextScore:
        """The score of a whole text: its perplexity, with and without unknown words."""
        return TextScore.total(
            self.score_texts(sentences, begin=begin, end=end, threads=threads, progress=progress)
        )

    def score_words(
        self, sentence: str, *, begin: bool = True, end: bool = True
    ) -> list[WordScore]:
        """The score of each word; the last one is `</s>` with `end`."""
        return [WordScore(*row) for row in self._core.score_words(sentence, begin, end)]

    def state(self, *, begin: bool = True) -> State:
        """The state after `<s>`, or after nothing."""
        return self._core.state(begin)

    def advance(self, state: State, words: Sequence[str]) -> tuple[list[WordScore], State]:
        """Scores words after a state; also answers the state behind them."""
        rows, after = self._core.advance(state, _many(words))
        return [WordScore(*row) for row in rows], after

    def join(
        self, pieces: Sequence[str | ChartState], *, begin: bool = False
    ) -> tuple[ChartState, float]:
        """Joins words and parts of a sentence, joined before, to a larger part.

        Answers the part and what joining adds to the scores of its parts: with all that was
        added on the way, any way to put a sentence together reaches its score from left to
        right. With `begin` the part starts after `<s>`.
        """
        return self._core.join(list(pieces), begin)

    def write_arpa(self, path: str | PathLike[str], *, progress: Progress | None = None) -> None:
        """Writes the model as an ARPA file, n-grams in the order of their words' numbers."""
        _core.lm_write_arpa(self._core, path, progress)


def _many(texts: Sequence[str]) -> list[str]:
    if isinstance(texts, str):  # a sequence of strings too, but never meant as one
        raise TypeError("expected a list of strings, found one string")
    return texts if isinstance(texts, list) else list(texts)
