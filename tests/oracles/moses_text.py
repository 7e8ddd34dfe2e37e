"""A literal reading of Moses' text tables, to compare with what the core makes of them."""

import gzip
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


def single(number: float) -> float:
    """The nearest 32-bit number."""
    value: float = struct.unpack("f", struct.pack("f", number))[0]
    return value


@dataclass(frozen=True)
class Entry:
    source: tuple[str | int, ...]
    target: tuple[str | int, ...]
    scores: tuple[float, ...]
    links: frozenset[tuple[int, int]]
    counts: tuple[float, ...] | None


def lines(path: Path) -> Iterator[list[str]]:
    """The fields of each line."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as file:
        for line in file:
            yield [field.strip() for field in f"{line.rstrip()} ".split("||| ")]


def read_table(path: Path) -> Iterator[Entry]:
    """Phrase pairs, or rules where sides end with `[X]`."""
    for source, target, scores, *rest in lines(path):
        fields = [*rest, "", ""]
        links = {(int(a), int(b)) for a, b in (link.split("-") for link in fields[0].split())}
        counts = tuple(single(float(count)) for count in fields[1].split())
        sides = source.split(), target.split()
        if sides[0][-1] == "[X]":
            sides = sides[0][:-1], sides[1][:-1]
        left, right, links = _slots(*sides, links)
        values = tuple(single(float(score)) for score in scores.split())
        yield Entry(left, right, values, frozenset(links), counts or None)


def _slots(
    source: list[str], target: list[str], links: set[tuple[int, int]]
) -> tuple[tuple[str | int, ...], tuple[str | int, ...], set[tuple[int, int]]]:
    """Slots get numbers in the order of the source side; their links are taken away."""
    left: list[str | int] = list(source)
    right: list[str | int] = list(target)
    places = [place for place, word in enumerate(source) if word == "[X][X]"]
    for number, place in enumerate(places):
        (other,) = (b for a, b in links if a == place)
        left[place] = right[other] = number
        links = links - {(place, other)}
    return tuple(left), tuple(right), links


def read_reordering(path: Path) -> dict[tuple[str, str], tuple[float, ...]]:
    """Probabilities by source and target."""
    return {
        (source, target): tuple(single(float(score)) for score in scores.split())
        for source, target, scores in lines(path)
    }
