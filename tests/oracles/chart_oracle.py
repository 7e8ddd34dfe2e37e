"""Translation with hierarchical rules by brute force: every derivation, scored literally."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from arpa_oracle import LN10, Arpa
from decode_oracle import TRANSLATION, Features

SLOTS = ("[1]", "[2]")


@dataclass(frozen=True)
class Rule:
    source: tuple[str, ...]
    target: tuple[str, ...]
    """Slots are `[1]` and `[2]`, in the order of the source side."""
    scores: tuple[float, ...]
    """Four probabilities; () for an unknown word."""

    def moses(self) -> str:
        """As a line of Moses' rule table."""
        sides = [
            " ".join("[X][X]" if word in SLOTS else word for word in side) + " [X]"
            for side in (self.source, self.target)
        ]
        links = [
            f"{self.source.index(slot)}-{self.target.index(slot)}"
            for slot in SLOTS
            if slot in self.source
        ]
        scores = " ".join(map(str, self.scores))
        return f"{' ||| '.join(sides)} ||| {scores} ||| {' '.join(links)} ||| 1 1 1 ||| |||\n"

    @property
    def words(self) -> int:
        return sum(word not in SLOTS for word in self.target)


@dataclass(frozen=True)
class Derived:
    """What a span became, and by which rules."""

    words: tuple[str, ...]
    rules: tuple[Rule, ...]
    glue: int = 0


class Oracle:
    def __init__(self, rules: list[Rule], lm: Arpa, limit: int = 20) -> None:
        self.rules, self.lm, self.limit = rules, lm, limit

    def derivations(self, source: list[str]) -> list[Derived]:
        """All of the whole sentence: parts made by rules, side by side."""
        spans: dict[tuple[int, int], list[Derived]] = {}
        for length in range(1, min(len(source), self.limit) + 1):
            for start in range(len(source) - length + 1):
                span = (start, start + length)
                spans[span] = list(self._of_span(source, *span, spans))
        found = [[Derived((), ())]]
        for end in range(1, len(source) + 1):
            found.append(
                [
                    Derived(before.words + part.words, before.rules + part.rules, before.glue + 1)
                    for middle in range(end)
                    for before in found[middle]
                    for part in spans.get((middle, end), [])
                ]
            )
        return found[-1]

    def _of_span(
        self,
        source: list[str],
        start: int,
        end: int,
        spans: dict[tuple[int, int], list[Derived]],
    ) -> Iterator[Derived]:
        own = tuple(source[start:end])
        if end == start + 1 and all(rule.source != own for rule in self.rules):
            yield Derived(own, (Rule(own, own, ()),))
            return
        for rule in self.rules:
            for slots in matches(rule.source, source, start, end):
                for parts in product(*(spans[slot] for slot in slots)):
                    yield _fill(rule, parts)

    def features(self, derived: Derived) -> Features:
        values = dict.fromkeys(TRANSLATION, 0.0)
        values |= {
            "phrase-penalty": float(len(derived.rules)),
            "word-penalty": -float(len(derived.words)),
            "unknown-word": -100.0 * sum(not rule.scores for rule in derived.rules),
            "glue": float(derived.glue),
            "lm": lm_score(self.lm, derived.words),
        }
        for rule in derived.rules:
            for name, score in zip(TRANSLATION, rule.scores, strict=False):
                values[name] += math.log(score)
        return values


def lm_score(lm: Arpa, words: tuple[str, ...]) -> float:
    """A sentence from `<s>` to `</s>`, word after word."""
    context: tuple[str, ...] = ("<s>",)
    total = 0.0
    for text in [*words, "</s>"]:
        word = text if (text,) in lm.entries else "<unk>"
        total += lm.score(context, word)[0] * LN10
        context = (*context, word)
    return total


def matches(
    side: tuple[str, ...], source: list[str], start: int, end: int
) -> Iterator[tuple[tuple[int, int], ...]]:
    """All spans that the slots of a source side may stand for, to fit a span of the sentence."""
    if not side:
        if start == end:
            yield ()
        return
    if side[0] not in SLOTS:
        if start < end and source[start] == side[0]:
            yield from matches(side[1:], source, start + 1, end)
        return
    for middle in range(start + 1, end - len(side) + 2):
        for rest in matches(side[1:], source, middle, end):
            yield ((start, middle), *rest)


def _fill(rule: Rule, parts: tuple[Derived, ...]) -> Derived:
    words: list[str] = []
    for word in rule.target:
        words.extend(parts[SLOTS.index(word)].words if word in SLOTS else [word])
    rules = tuple(inner for part in parts for inner in part.rules)
    return Derived(tuple(words), (rule, *rules))
