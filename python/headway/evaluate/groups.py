"""Scores of parts of a test set: by sentence length, and by how often source words were seen."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from headway.evaluate.words import lower_words
from headway.printing import prints_briefly

_LENGTHS = (10, 20, 30, 40, 60)
_COUNTS = (1, 2, 6, 21, 101)


@prints_briefly
@dataclass(frozen=True)
class Group:
    """Some sentences, by number, and what they have in common."""

    name: str
    places: tuple[int, ...]


def by_length(lines: Sequence[str], side: str) -> list[Group]:
    """Groups of sentences by their number of words on that side."""
    return _grouped([len(lower_words(line)) for line in lines], _LENGTHS, f"{side} words")


def by_frequency(source: Sequence[str], training: Iterable[str]) -> list[Group]:
    """Groups of sentences whose rarest source word stood so often in the training text."""
    counts: Counter[str] = Counter()
    for line in training:
        counts.update(lower_words(line))
    rarest = [min((counts[word] for word in lower_words(line)), default=0) for line in source]
    return _grouped(rarest, _COUNTS, "× rarest word")


def _grouped(values: Sequence[int], bounds: Sequence[int], unit: str) -> list[Group]:
    """Between bounds; groups without sentences are left out."""
    groups = []
    for low, high in zip((0, *bounds), (*bounds, None), strict=True):
        places = tuple(
            place
            for place, value in enumerate(values)
            if value >= low and (high is None or value < high)
        )
        if places:
            groups.append(Group(f"{_range(low, high)} {unit}", places))
    return groups


def _range(low: int, high: int | None) -> str:
    if high is None:
        return f"{low}+"
    return str(low) if high - low == 1 else f"{low}–{high - 1}"
