"""A translator that permutes, drops, doubles and changes words, by seeds that the words make."""

import random
from collections.abc import Sequence
from typing import Any

from headway import Source, Translation
from headway.corpus import Tokeniser
from headway.systems import Candidate, Forced


class Stub:
    """`how` is the share of words that are moved, dropped or said twice."""

    def __init__(self, how: float = 0.5) -> None:
        self.how = how
        self.seen: list[list[str]] = []
        self._tokeniser = Tokeniser("en")

    def places(self, lines: Sequence[str], *, threads: int = 0) -> list[list[tuple[int, int]]]:
        found = []
        for tokens in self._tokeniser.tokenise_all(lines, threads=threads):
            spans, at = [], 0
            for gap, word in zip(tokens.gaps, tokens.words, strict=False):
                at += len(gap) + len(word)
                spans.append((at - len(word), at))
            found.append(spans)
        return found

    def translate(self, lines: Sequence[Source], **options: Any) -> list[Translation]:
        return [self._one(source, int(options.get("n_best", 0))) for source in lines]

    def _one(self, source: Source, n_best: int) -> Translation:
        self.seen.append(list(source.words))
        several = [self._candidate(source, seed) for seed in range(max(1, n_best))]
        one = several[0]
        return Translation(
            one.words, one.score, {}, (), one.alignment, text=" ".join(one.words),
            source=tuple(source.words), n_best=tuple(several[:n_best]),
        )  # fmt: skip

    def _candidate(self, source: Source, seed: int) -> Candidate:
        chance = random.Random(f"{seed} {' '.join(source.words)}")
        forced = {place for one in source.constraints if isinstance(one, Forced)
                  for place in range(one.start, one.end)}  # fmt: skip
        order = [*range(len(source.words))]
        for place in range(len(order)):
            if chance.random() < self.how / 2:
                other = chance.randrange(len(order))
                order[place], order[other] = order[other], order[place]
        words, links = [], []
        for place in order:
            many = chance.choice([0, 1, 2]) if chance.random() < self.how / 2 else 1
            for _ in range(1 if place in forced else many):
                if chance.random() > self.how / 4 or place in forced:
                    links.append((place, len(words)))
                words.append(source.words[place])
        return Candidate(tuple(words), -float(seed), {}, (), tuple(sorted(links)))

    def written(self, words: Sequence[str]) -> tuple[str, list[tuple[int, int]]]:
        line, spans = "", []
        for word in words:
            line += " " if line and word not in {".", ",", "!", "?"} else ""
            spans.append((len(line), len(line) + len(word)))
            line += word
        return line, spans

    def target_words(self, text: str) -> list[str]:
        return text.split()
