"""Translation by brute force: every segmentation, order and option, scored literally."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from arpa_oracle import LN10, Arpa

MSD = ("monotone", "swap", "discontinuous")
Features = dict[str, float]


@dataclass(frozen=True)
class Pair:
    target: tuple[str, ...]
    scores: tuple[float, ...]
    """Probabilities: four of translation, three backward, three forward; () for unknown words."""
    links: tuple[tuple[int, int], ...] = ((0, 0),)


TRANSLATION = ("p(f|e)", "lex(f|e)", "p(e|f)", "lex(e|f)")
Step = tuple[int, int, Pair]


class Oracle:
    def __init__(self, table: dict[tuple[str, ...], list[Pair]], lm: Arpa, limit: int) -> None:
        self.table, self.lm, self.limit = table, lm, limit
        self.known = {words[0] for words in lm.entries if len(words) == 1}

    def options(self, source: list[str], start: int, end: int) -> list[Pair]:
        found = self.table.get(tuple(source[start:end]), [])
        if not found and end == start + 1:
            return [Pair((source[start],), ())]
        return found

    def derivations(self, source: list[str]) -> Iterator[list[Step]]:
        """All that the distortion limit allows, as Moses means it."""
        yield from self._extend(source, [], frozenset(), 0)

    def _extend(
        self, source: list[str], steps: list[Step], covered: frozenset[int], last: int
    ) -> Iterator[list[Step]]:
        if len(covered) == len(source):
            yield list(steps)
            return
        first = min(set(range(len(source))) - covered)
        for start in range(len(source)):
            for end in range(start + 1, len(source) + 1):
                words = frozenset(range(start, end))
                if words & covered or not self._allowed(first, start, end, last):
                    continue
                for pair in self.options(source, start, end):
                    steps.append((start, end, pair))
                    yield from self._extend(source, steps, covered | words, end)
                    steps.pop()

    def _allowed(self, first: int, start: int, end: int, last: int) -> bool:
        if self.limit < 0:
            return True
        return abs(start - last) <= self.limit and (start == first or end - first <= self.limit)

    def features(self, steps: list[Step], hierarchical: bool = False) -> Features:
        values: Features = dict.fromkeys(
            [*TRANSLATION, "phrase-penalty", "word-penalty", "unknown-word", "distortion", "lm"],
            0.0,
        )
        for direction in ("backward", "forward"):
            for event in MSD:
                values[f"reordering.{direction}.{event}"] = 0.0
        words: list[str] = []
        previous: Step | None = None
        for start, end, pair in steps:
            for name, score in zip(TRANSLATION, pair.scores, strict=False):
                values[name] += math.log(score)
            values["phrase-penalty"] += 1
            values["word-penalty"] -= len(pair.target)
            values["unknown-word"] -= 0 if pair.scores else 100
            values["distortion"] -= abs(start - (previous[1] if previous else 0))
            words.extend(pair.target)
            previous = (start, end, pair)
        for (backward, forward), at in zip(
            self._orientations(steps, hierarchical), range(99), strict=False
        ):
            pair = steps[at][2]
            if pair.scores:
                values[f"reordering.backward.{MSD[backward]}"] += math.log(
                    pair.scores[4 + backward]
                )
            if at and steps[at - 1][2].scores:
                score = steps[at - 1][2].scores[7 + forward]
                values[f"reordering.forward.{MSD[forward]}"] += math.log(score)
        values["lm"] = self.lm_score(words)
        return values

    def _orientations(self, steps: list[Step], hierarchical: bool) -> Iterator[tuple[int, int]]:
        """Backward and forward orientation of each step."""
        stack = [(-1, 0)]
        covered: set[int] = set()
        last = (-1, 0)
        for start, end, _ in steps:
            covered |= set(range(start, end))
            near = between(last, (start, end))
            if not hierarchical:
                yield near, near
            else:
                ahead = near
                if start > last[1] and last[1] not in covered:
                    ahead = 0
                elif end < last[0] and last[0] - 1 not in covered:
                    ahead = 1
                yield between(stack[-1], (start, end)), ahead
                span = (start, end)
                while len(stack) > 1 and (stack[-1][1] == span[0] or span[1] == stack[-1][0]):
                    top = stack.pop()
                    span = (min(top[0], span[0]), max(top[1], span[1]))
                stack.append(span)
            last = (start, end)

    def lm_score(self, words: list[str]) -> float:
        context: tuple[str, ...] = ("<s>",)
        total = 0.0
        for text in [*words, "</s>"]:
            word = text if text in self.known else "<unk>"
            total += self.lm.score(context, word)[0] * LN10
            context = (*context, word)
        return total


def between(previous: tuple[int, int], current: tuple[int, int]) -> int:
    if current[0] == previous[1]:
        return 0
    return 1 if current[1] == previous[0] else 2


def weighted(values: Features, weights: Features) -> float:
    return sum(value * weights[name] for name, value in values.items())
