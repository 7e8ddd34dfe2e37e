"""Phrase dependencies as section 4.1 of Gimpel & Smith (2011) defines them: slow and literal."""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product

import extract_oracle
from extract_oracle import Pair, Span

Words = tuple[str, ...]
Key = tuple[Words | None, Words, str]  # parent (None is the root), child, direction
Lexical = tuple[str | None, str, str]


def dependencies(pair: Pair) -> Iterator[tuple[int, int]]:
    """Head and dependent, from 1, of the words from which the way up ends at the root."""
    assert pair.heads is not None
    for word in range(1, len(pair.heads) + 1):
        above = word
        for _ in pair.heads:
            above = pair.heads[above - 1] if above else 0
        if above == 0:
            yield pair.heads[word - 1], word


def direction(head: int, word: int) -> str:
    return "left" if word < head else "right"


def inside(word: int, span: Span) -> bool:
    return span[0] < word <= span[1] + 1


def longest(pair: Pair, u: Span | None, v: Span) -> tuple[int, int] | None:
    """The longest dependency of v on u or of u on v; of several, that of the first dependent."""
    found = []
    for head, word in dependencies(pair):
        if u is None:
            if head == 0 and inside(word, v):
                found.append((0, -word, head, word))
        elif head and (
            (inside(head, u) and inside(word, v)) or (inside(head, v) and inside(word, u))
        ):
            found.append((abs(head - word), -word, head, word))
    return max(found)[2:] if found else None


class Table:
    """Counts of phrase dependencies, with those of words in each; words may become clusters."""

    def __init__(self, corpus: list[Pair], length: int, name: Callable[[str], str]) -> None:
        self.seen: dict[Key, Counter[Lexical]] = {}
        self.words: Counter[Lexical] = Counter()
        for pair in corpus:
            if pair.heads is not None:
                target = tuple(map(name, pair.target))
                self._count_words(pair, target)
                self._count_phrases(pair, target, length)
        self.rivals: Counter[tuple[Words | None, str]] = Counter()
        for parent, child, way in self.seen:
            self.rivals[parent, way] += self.count((parent, child, way))

    def _count_words(self, pair: Pair, target: Words) -> None:
        for head, word in dependencies(pair):
            self.words[_lexical(target, head, word)] += 1

    def _count_phrases(self, pair: Pair, target: Words, length: int) -> None:
        spans = sorted({t for _, t in extract_oracle.phrases(pair, length, tight=False)})
        for v in spans:
            if link := longest(pair, None, v):
                self._add(None, v, target, link)
        for u, v in product(spans, spans):
            if u[1] < v[0] and (link := longest(pair, u, v)):
                parent, child = (u, v) if inside(link[0], u) else (v, u)
                self._add(parent, child, target, link)

    def _add(self, parent: Span | None, child: Span, target: Words, link: tuple[int, int]) -> None:
        words = None if parent is None else target[parent[0] : parent[1] + 1]
        key = (words, target[child[0] : child[1] + 1], direction(*link))
        self.seen.setdefault(key, Counter())[_lexical(target, *link)] += 1

    def count(self, key: Key) -> int:
        return self.seen[key].total()

    def probability(self, key: Key) -> float:
        parent, _, way = key
        return self.count(key) / self.rivals[parent, way]

    def p_lex(self, link: Lexical) -> float:
        head, _, way = link
        rivals = (count for (h, _, w), count in self.words.items() if (h, w) == (head, way))
        return self.words[link] / sum(rivals)

    def lexical(self, key: Key) -> float:
        return max((count, self.p_lex(link)) for link, count in self.seen[key].items())[1]


def _lexical(target: Words, head: int, word: int) -> Lexical:
    return (target[head - 1] if head else None, target[word - 1], direction(head, word))
