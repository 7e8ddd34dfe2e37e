"""How much of a dev set is training text too: weights tuned on such pairs learn by heart."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from headway.corpus import read_batches
from headway.errors import ConfigError
from headway.systems.bundle import Bundle
from headway.systems.dev import DevSet
from headway.systems.steps import CLEAN

Sides = tuple[Path, Path]


@dataclass(frozen=True)
class Overlap:
    """Pairs of a dev set, and how many of them are training pairs too."""

    shared: int
    pairs: int

    @property
    def share(self) -> float:
        """From 0 to 1."""
        return self.shared / self.pairs if self.pairs else 0.0

    def __str__(self) -> str:
        """`3 of 50 pairs (6.0%) are training pairs too`."""
        return f"{self.shared:,} of {self.pairs:,} pairs ({self.share:.1%}) are training pairs too"


def checked_overlap(dev: DevSet, training: Sequence[Sides], name: Path) -> Overlap:
    """What the dev set shares with training text; refuses one that is nothing but training text.

    Pairs are compared without regard to white space. The dev set is in memory anyway, and the
    training text only passes by: two seconds for a million pairs.
    """
    found = _overlap(dev, chain.from_iterable(map(_pairs, training)))
    if found.pairs and found.shared == found.pairs:
        what = f"{name}: all {found.pairs:,} pairs of the dev set are training pairs too"
        raise ConfigError(f"{what}; take pairs out of the training text for it, or give others")
    return found


def training_text(bundle: Bundle) -> list[Sides]:
    """The pairs that a bundle was trained on, where its `.work` directory is beside it still."""
    whole = bundle.directory.resolve()
    work = whole.with_name(f"{whole.name}.work")
    sides = (work / CLEAN[0], work / CLEAN[1])
    if not all(path.is_file() for path in sides):
        return []
    # Another training may have been there since.
    for part in bundle.manifest.components.values():
        file = work / part.file
        if not file.is_file() or file.stat().st_size != part.size:
            return []
    return [sides]


def _overlap(dev: DevSet, training: Iterable[tuple[str, str]]) -> Overlap:
    sources = [_plain(line) for line in dev.source]
    places: dict[str, list[int]] = {}
    for place, source in enumerate(sources):
        if source:
            places.setdefault(source, []).append(place)
    targets = [{_plain(line) for line in lines} - {""} for lines in zip(*dev.references)]  # noqa: B905
    shared: set[int] = set()
    for source, target in training:
        for place in places.get(_plain(source), ()):
            if _plain(target) in targets[place]:
                shared.add(place)
    return Overlap(len(shared), sum(map(len, places.values())))


def _pairs(sides: Sides) -> Iterator[tuple[str, str]]:
    """Both sides line by line, as far as both go: cleaning tells of what is wrong with them."""
    source, target = (chain.from_iterable(read_batches(path, repair=True)) for path in sides)
    yield from zip(source, target, strict=False)


def _plain(line: str) -> str:
    return " ".join(line.split())
