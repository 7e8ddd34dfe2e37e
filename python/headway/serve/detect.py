"""Which language a text is in, by the character n-grams of the loaded models.

Nothing is trained beforehand. When the service starts, each language gets a model of how its words
are spelt, made from the vocabularies of the bundles: the source words of their rule tables with
their counts, and the words of their language models with their probabilities.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from headway.lm import LanguageModel
from headway.serve.loaded import LoadedModels
from headway.systems import Bundle
from headway.table import RuleTable

# Longest n-gram of characters, with the spaces around a word.
_ORDER = 4
# The most frequent words of a vocabulary; the rest changes little and takes time.
_MOST_WORDS = 20_000
# Any character, for the model of texts in none of the languages.
_CHARACTERS = 5_000
# More of a text changes nothing.
_MOST_LETTERS = 2_000

Shares = dict[str, float]
"""Words with how large a part of a text they are, or how often they are in it."""


@dataclass(frozen=True)
class Detected:
    """A language that a text may be in."""

    language: str
    confidence: float
    """From 0 to 100."""

    def table(self) -> dict[str, object]:
        """As LibreTranslate has it."""
        return {"confidence": self.confidence, "language": self.language}


class Spelling:
    """How the words of a language are spelt: Witten-Bell n-grams of characters."""

    def __init__(self, words: Mapping[str, float]) -> None:
        """`words` are with their frequencies."""
        self._counts: dict[str, float] = defaultdict(float)
        self._contexts: dict[str, float] = defaultdict(float)
        for word, frequency in words.items():
            self._add(f" {word} ", frequency)
        self._types = Counter(gram[:-1] for gram in self._counts)

    def _add(self, word: str, frequency: float) -> None:
        for end in range(1, len(word)):
            for start in range(max(0, end - _ORDER + 1), end + 1):
                self._counts[word[start : end + 1]] += frequency
                self._contexts[word[start:end]] += frequency

    def log_prob(self, word: str) -> float:
        """The natural logarithm of the probability of a word's letters, and of its end."""
        text = f" {word} "
        places = range(1, len(text))
        return sum(math.log(self._prob(text[max(0, it - _ORDER + 1) : it + 1])) for it in places)

    def _prob(self, gram: str) -> float:
        """The probability of the last character after those before it."""
        probability = 1 / _CHARACTERS
        for start in range(len(gram) - 1, -1, -1):
            context = gram[start:-1]
            total, types = self._contexts.get(context, 0.0), self._types.get(context, 0)
            if total:
                seen = self._counts.get(gram[start:], 0.0)
                probability = (seen + types * probability) / (total + types)
        return probability


class Detector:
    """Tells the languages of the loaded models apart."""

    def __init__(self, spellings: Mapping[str, Spelling]) -> None:
        self._spellings = spellings

    @classmethod
    def of(cls, models: LoadedModels) -> Detector:
        """Learns the languages of these models."""
        words: dict[str, list[Shares]] = {code: [] for code in models.codes}
        for model in models:
            for bundle in model.translator.bundle.systems:
                words[model.source].append(_shares(_source_words(bundle)))
                words[model.target].append(_shares(_target_words(bundle)))
        return cls({code: Spelling(_in_a_million(found)) for code, found in words.items()})

    def detect(self, text: str, among: Collection[str] | None = None) -> list[Detected]:
        """The languages by how likely they are, the likeliest first.

        `among` limits them. What is left of 100 is for texts in another language.
        """
        words = _words(text)
        codes = [code for code in self._spellings if among is None or code in among]
        if not words:
            return [Detected(code, 0.0) for code in codes]
        scores = {
            code: sum(self._spellings[code].log_prob(word) for word in words) for code in codes
        }
        letters = sum(len(word) + 1 for word in words)
        other = -letters * math.log(_CHARACTERS) / 2
        best = max(other, *scores.values())
        total = math.exp(other - best) + sum(math.exp(it - best) for it in scores.values())
        found = [
            Detected(code, round(100 * math.exp(score - best) / total, 1))
            for code, score in scores.items()
        ]
        return sorted(found, key=lambda one: -scores[one.language])


def _words(text: str) -> list[str]:
    """The words of a text without what is no letter, in lower case."""
    parts = text[: 4 * _MOST_LETTERS].lower().split()
    words = ["".join(letter for letter in part if _spelt(letter)) for part in parts]
    found, letters = [], 0
    for word in filter(None, words):
        found.append(word[:_MOST_LETTERS])
        letters += len(word)
        if letters > _MOST_LETTERS:
            break
    return found


def _spelt(letter: str) -> bool:
    return letter.isalpha() or letter in "'’-" or (ord(letter) > 0x2FF and not letter.isspace())


def _source_words(bundle: Bundle) -> Iterable[tuple[str, float]]:
    return RuleTable.open(bundle.path("rules"))._core.source_counts()


def _target_words(bundle: Bundle) -> Iterable[tuple[str, float]]:
    for name in bundle.names("lm"):
        model = LanguageModel.load(bundle.path(name))
        words = [word for word in model.words() if not word.startswith("<")]
        scores = model.score(words, begin=False, end=False)
        return [(word, math.exp(score)) for word, score in zip(words, scores, strict=True)]
    return []


def _shares(words: Iterable[tuple[str, float]]) -> Shares:
    """The most frequent words without what is no letter, in lower case, as shares of all."""
    counts: Shares = defaultdict(float)
    for word, count in sorted(words, key=lambda it: (-it[1], it[0]))[:_MOST_WORDS]:
        for part in _words(word):
            counts[part] += count
    total = sum(counts.values()) or 1
    return {word: count / total for word, count in counts.items()}


def _in_a_million(shares: Sequence[Shares]) -> Shares:
    """As counts in a text of a million words, from as much of each model."""
    counts: Shares = defaultdict(float)
    for own in shares:
        for word, share in own.items():
            counts[word] += 1e6 * share / len(shares)
    return counts
