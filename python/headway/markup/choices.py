"""Further translations of a text of several sentences, from those of each sentence."""

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush

Choice = tuple[float, str]
"""What a translation of a sentence scores, and the translation."""


def best_choices(sentences: Sequence[Sequence[Choice]]) -> Iterator[tuple[int, ...]]:
    """The best ways to take one choice of each sentence, by their places, the best first.

    The choices of each sentence come in the order of their scores.
    """
    first = (0,) * len(sentences)
    heap, seen = [(0.0, first)], {first}
    while heap:
        loss, places = heappop(heap)
        yield places
        for number, choices in enumerate(sentences):
            place = places[number]
            if place + 1 < len(choices):
                more = loss + max(0.0, choices[place][0] - choices[place + 1][0])
                new = (*places[:number], place + 1, *places[number + 1 :])
                if new not in seen:
                    seen.add(new)
                    heappush(heap, (more, new))
