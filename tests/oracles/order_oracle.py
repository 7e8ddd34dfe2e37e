"""Translation under source trees by brute force: every cover, every order, every option."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from arpa_oracle import Arpa
from decode_oracle import Features, Oracle, Pair, Step

Score = Callable[[str, int, str | None, str | None, int], float]
"""ln P_d of a label, an offset, a governor, a dependent and a size."""


@dataclass(frozen=True)
class Tree:
    heads: tuple[int, ...]
    """From 1; 0 for roots."""
    labels: tuple[str, ...]
    weight: float = 1.0

    def subtree(self, top: int) -> set[int]:
        found = {top}
        while True:
            more = {word for word, head in enumerate(self.heads, 1) if head in found} - found
            if not more:
                return found
            found |= more


@dataclass(frozen=True)
class Order:
    """What trees are used for, and the model of offsets."""

    trees: tuple[Tree, ...]
    score: Score | None
    """None: the order of dependents does not count."""
    lexical: bool = True
    licensed: bool = True
    contiguous: bool = True
    longest: int = 4
    apart: bool = False
    linear: bool = True
    soft: bool = True
    """Whether `unlicensed` and `cohesion` count."""


def is_mark(word: str) -> bool:
    return not any(letter.isalnum() for letter in word)


class OrderOracle(Oracle):
    def __init__(
        self, table: dict[tuple[str, ...], list[Pair]], lm: Arpa, limit: int, order: Order
    ) -> None:
        super().__init__(table, lm, -1 if order.contiguous else limit)
        self.order = order
        whole = sum(tree.weight for tree in order.trees)
        self.shares = [tree.weight / whole for tree in order.trees]

    def counted(self, source: list[str], start: int, end: int) -> set[int]:
        """The words of a span that trees are about, from 1."""
        words = range(start + 1, end + 1)
        return {word for word in words if not (self.order.apart and is_mark(source[word - 1]))}

    def head(self, source: list[str], tree: Tree, word: int) -> int:
        """The nearest word above that counts."""
        head = tree.heads[word - 1]
        while head and self.order.apart and is_mark(source[head - 1]):
            head = tree.heads[head - 1]
        return head

    def is_licensed(self, source: list[str], tree: Tree, words: set[int]) -> bool:
        """Whether some word heads the others, which have all their children with them."""
        everything = self.counted(source, 0, len(source))
        heads = {word: self.head(source, tree, word) for word in everything}
        tops = [word for word in words if heads[word] not in words]
        if not words:
            return True
        if len(tops) > 1:
            return False
        return all(word in words for word in everything if heads[word] in words - set(tops))

    def subtrees(self, source: list[str], tree: Tree) -> list[set[int]]:
        everything = self.counted(source, 0, len(source))
        return [tree.subtree(top) & everything for top in everything]

    def leaves(self, source: list[str], tree: Tree, steps: Sequence[Step]) -> bool:
        """Whether the last of these steps leaves a subtree before it is finished."""
        covered = [self.counted(source, start, end) for start, end, _ in steps]
        if not covered[-1]:
            return False
        *before, last = [words for words in covered if words]
        if not before:
            return False
        done = set().union(*before, last)
        return any(
            subtree & before[-1] and not subtree & last and not subtree <= done
            for subtree in self.subtrees(source, tree)
        )

    def agreeing(self, source: list[str], steps: Sequence[Step]) -> list[int]:
        """The trees that allow every phrase and the order so far."""
        found = []
        for number, tree in enumerate(self.order.trees):
            spans = [self.counted(source, start, end) for start, end, _ in steps]
            licensed = all(self.is_licensed(source, tree, words) for words in spans)
            whole = not any(
                self.leaves(source, tree, steps[: at + 1]) for at in range(1, len(steps))
            )
            if (licensed or not self.order.licensed) and (whole or not self.order.contiguous):
                found.append(number)
        return found

    def derivations(self, source: list[str]) -> Iterator[list[Step]]:
        yield from self._ordered(source, [], frozenset(), 0)

    def _ordered(
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
                if self.order.licensed and end - start > self.order.longest:
                    continue
                pairs = self.options(source, start, end)
                if not pairs or not self.agreeing(source, [*steps, (start, end, pairs[0])]):
                    continue
                for pair in pairs:
                    steps.append((start, end, pair))
                    yield from self._ordered(source, steps, covered | words, end)
                    steps.pop()

    def values(self, source: list[str], steps: list[Step], hierarchical: bool = False) -> Features:
        """All features of a derivation."""
        values = self.features(steps, hierarchical)
        if not self.order.linear:
            values["distortion"] = 0.0
        agreeing = self.agreeing(source, steps)
        sums = [
            math.log(self.shares[number]) + self.linearised(source, self.order.trees[number], steps)
            for number in agreeing
        ]
        unlicensed, cohesion = 0.0, 0.0
        for at, (start, end, _) in enumerate(steps):
            now = self.agreeing(source, steps[: at + 1])
            whole = sum(self.shares[number] for number in now)
            for number in now:
                tree, share = self.order.trees[number], self.shares[number] / whole
                words = self.counted(source, start, end)
                unlicensed += share * (not self.is_licensed(source, tree, words))
                cohesion += share * self.leaves(source, tree, steps[: at + 1])
        return values | {
            "dependency-order": max(sums),
            "unlicensed": unlicensed * self.order.soft,
            "cohesion": cohesion * self.order.soft,
        }

    def linearised(self, source: list[str], tree: Tree, steps: list[Step]) -> float:
        """Σ ln P_d over the dependencies that are not inside one phrase."""
        if self.order.score is None:
            return 0.0
        total = 0.0
        everything = self.counted(source, 0, len(source))
        for dependent in sorted(everything):
            governor = tree.heads[dependent - 1]
            if governor not in everything:
                continue
            subtree = tree.subtree(dependent) & everything
            offset = self.offset(source, governor, subtree, steps)
            if offset is not None:
                words = [self.aligned(word, steps) for word in (governor, dependent)]
                texts = [word[1] if word and self.order.lexical else None for word in words]
                label = tree.labels[dependent - 1]
                total += self.order.score(label, offset, texts[0], texts[1], len(subtree))
        return total

    def length(self, pair: Pair) -> int:
        return sum(not (self.order.apart and is_mark(word)) for word in pair.target)

    def aligned(self, word: int, steps: list[Step]) -> tuple[int, str] | None:
        """The last target word that stands for a source word, and its place in its phrase."""
        start, _, pair = next(step for step in steps if step[0] < word <= step[1])
        places = [target for own, target in pair.links if own == word - 1 - start]
        if self.order.apart:
            places = [place for place in places if not is_mark(pair.target[place])]
        if not places:
            return None
        last = max(places)
        return self.length(Pair(pair.target[:last], ())), pair.target[last]

    def offset(
        self, source: list[str], governor: int, subtree: set[int], steps: list[Step]
    ) -> int | None:
        """From the governor to the nearest phrase of its dependent's subtree."""
        places = [0]
        for _, _, pair in steps:
            places.append(places[-1] + self.length(pair))
        spans = [self.counted(source, start, end) for start, end, _ in steps]
        home = next(at for at, words in enumerate(spans) if governor in words)
        touching = [at for at, words in enumerate(spans) if words & subtree]
        if home in touching:
            return None
        aligned = self.aligned(governor, steps)
        before = [at for at in touching if at < home]
        if before:
            place = places[home] + (aligned[0] if aligned else 0)
            return places[before[-1] + 1] - 1 - place
        place = places[home] + aligned[0] if aligned else places[home + 1] - 1
        return places[touching[0]] - place
