"""Interpolated modified Kneser–Ney, as Chen & Goodman (1998) write it down: slow and literal.

Counts follow KenLM where the paper is silent: an n-gram that begins with `<s>` keeps its count,
single words are interpolated with the uniform distribution over all words but `<s>`, and pruned
n-grams leave their (adjusted) counts to the back-off weight.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import cache
from math import log10, prod

Ngram = tuple[str, ...]
Sentences = Sequence[Sequence[str]]
FALLBACK = [0.5, 1.0, 1.5]


def limited(sentences: Sentences, limit: int) -> list[list[str]]:
    """The text with all but the `limit` most frequent words as `<unk>`."""
    frequencies = Counter(word for sentence in sentences for word in sentence)
    first = list(frequencies)  # in order of first sight
    known = set(sorted(first, key=lambda word: (-frequencies[word], first.index(word)))[:limit])
    return [[word if word in known else "<unk>" for word in sentence] for sentence in sentences]


class KneserNey:
    """A model of `sentences`; `prune[n - 1]` is the threshold for n-grams of length n."""

    def __init__(self, sentences: Sentences, order: int, prune: Sequence[int] = ()) -> None:
        self.order = order
        self.prune = [*prune, *[prune[-1] if prune else 0] * (order - len(prune))]
        self.raw = _counts(sentences, order)
        self.adjusted = self._adjusted()
        self.words = {"<unk>", "</s>", *(word for sentence in sentences for word in sentence)}
        self.discounts = [self._discounts(n) for n in range(1, order + 1)]
        self.followers: dict[Ngram, list[Ngram]] = defaultdict(list)
        for ngram in self.adjusted:
            self.followers[ngram[:-1]].append(ngram)
        self.prob = cache(self._prob)

    def entries(self) -> dict[Ngram, tuple[float, float]]:
        """Every n-gram of the model: log10 probability, log10 back-off weight."""
        singles = {(word,) for word in self.words}
        kept = singles | {ngram for ngram in self.adjusted if self.keeps(ngram)}
        table = {ngram: (log10(self.prob(ngram)), self._log_backoff(ngram)) for ngram in kept}
        return {**table, ("<s>",): (0.0, self._log_backoff(("<s>",)))}

    def keeps(self, ngram: Ngram) -> bool:
        """Whether pruning leaves the n-gram."""
        return len(ngram) == 1 or self.raw[ngram] > self.prune[len(ngram) - 1]

    def _adjusted(self) -> dict[Ngram, int]:
        """Different words before an n-gram; its count if it is longest or begins a sentence."""
        before: dict[Ngram, set[str]] = defaultdict(set)
        for ngram in self.raw:
            before[ngram[1:]].add(ngram[0])
        return {
            ngram: count if len(ngram) == self.order or ngram[0] == "<s>" else len(before[ngram])
            for ngram, count in self.raw.items()
        }

    def _discounts(self, n: int) -> list[float]:
        """Equation 26; KenLM's fallback where it cannot be used."""
        counts = [count for ngram, count in self.adjusted.items() if len(ngram) == n]
        n1, n2, n3, n4 = (counts.count(j) for j in (1, 2, 3, 4))
        if n1 == 0 or n2 == 0 or n3 == 0:
            return FALLBACK
        y = n1 / (n1 + 2 * n2)
        discounts = [1 - 2 * y * n2 / n1, 2 - 3 * y * n3 / n2, 3 - 4 * y * n4 / n3]
        usable = all(0 < amount <= j for j, amount in enumerate(discounts, 1))
        return discounts if usable else FALLBACK

    def _discount(self, ngram: Ngram) -> float:
        return self.discounts[len(ngram) - 1][min(self.adjusted[ngram], 3) - 1]

    def _prob(self, ngram: Ngram) -> float:
        context = ngram[:-1]
        lower = self.prob(ngram[1:]) if context else 1 / len(self.words)
        own = 0.0
        if ngram in self.adjusted:
            own = (self.adjusted[ngram] - self._discount(ngram)) / self._total(context)
        return own + self.backoff(context) * lower

    def _total(self, context: Ngram) -> int:
        return sum(self.adjusted[ngram] for ngram in self.followers[context])

    def backoff(self, context: Ngram) -> float:
        """The share of a context's counts that is left to shorter contexts."""
        followers = self.followers[context]
        taken = sum(
            self._discount(ngram) if self.keeps(ngram) else self.adjusted[ngram]
            for ngram in followers
        )
        return taken / self._total(context)

    def _log_backoff(self, context: Ngram) -> float:
        return log10(self.backoff(context)) if self.followers.get(context) else 0.0


def _counts(sentences: Sentences, order: int) -> dict[Ngram, int]:
    counts: Counter[Ngram] = Counter()
    for sentence in sentences:
        padded = ["<s>", *sentence, "</s>"]
        for end in range(2, len(padded) + 1):
            for start in range(max(0, end - order), end):
                counts[tuple(padded[start:end])] += 1
    return counts


def query(entries: dict[Ngram, tuple[float, float]], context: Ngram, word: str) -> float:
    """p(word | context) of a back-off model, by the definition of an ARPA file."""
    weights = []
    while (*context, word) not in entries:
        weights.append(10 ** entries.get(context, (0.0, 0.0))[1])
        context = context[1:]
    return float(prod(weights) * 10 ** entries[*context, word][0])


def read_arpa(lines: Iterable[str]) -> dict[Ngram, tuple[float, float]]:
    """The n-grams of an ARPA file, read without checks."""
    entries = {}
    for line in lines:
        fields = line.rstrip("\n").split("\t")
        if len(fields) > 1:
            backoff = float(fields[2]) if len(fields) > 2 else 0.0
            entries[tuple(fields[1].split(" "))] = (float(fields[0]), backoff)
    return entries
