"""What an ARPA file means, taken literally: a slow reader and back-off scorer."""

import math
from pathlib import Path

LN10 = math.log(10)


class Arpa:
    """n-grams with their log10 probability and back-off, as the file has them."""

    def __init__(self, path: Path):
        self.entries: dict[tuple[str, ...], tuple[float, float]] = {}
        self.order = 0
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.endswith("-grams:"):
                self.order = int(line[1:].partition("-")[0])
            elif self.order and line and not line.startswith("\\"):
                columns = line.split("\t")
                backoff = float(columns[2]) if len(columns) > 2 else 0.0
                self.entries[tuple(columns[1].split(" "))] = (float(columns[0]), backoff)

    def score(self, context: tuple[str, ...], word: str) -> tuple[float, int]:
        """log10 probability of a word and the length of the n-gram it rests on."""
        context = context[max(0, len(context) - self.order + 1) :]
        if (*context, word) in self.entries:
            return self.entries[*context, word][0], len(context) + 1
        if not context:
            return self.entries.get(("<unk>",), (-100.0, 0.0))[0], 1
        backoff = self.entries.get(context, (0.0, 0.0))[1]
        prob, length = self.score(context[1:], word)
        return prob + backoff, length

    def words(self, sentence: str) -> list[tuple[float, int, bool]]:
        """log10 probability, n-gram length, unknown or not: of each word and `</s>`."""
        known = {words[0] for words in self.entries if len(words) == 1}
        context: tuple[str, ...] = ("<s>",)
        scores = []
        for text in [*sentence.split(), "</s>"]:
            word = text if text in known else "<unk>"
            prob, length = self.score(context, word)
            scores.append((prob, length, word == "<unk>"))
            context = (*context, word)
        return scores
