"""A table of phrase dependencies at hand."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from os import PathLike
from pathlib import Path
from typing import NamedTuple

from headway import _core
from headway.arguments import named_arguments
from headway.progress import Progress


class Scores(NamedTuple):
    """Natural logs of p(child | parent, direction); None where unseen."""

    phrase: float | None
    lexical: float | None
    """Of the longest dependency between words of the two phrases, as it is most often."""
    cluster_phrase: float | None
    """With the cluster of each word in its place."""
    cluster_lexical: float | None


@dataclass(frozen=True)
class Dependency:
    """A dependency between two phrases, or between the root (None) and a phrase."""

    parent: str | None
    child: str
    left: bool
    """Whether the child is left of its parent; never of the root."""
    count: int
    probability: float
    """p(child | parent, direction)."""
    lexical: float
    """The lexical weight, also a probability."""

    def __str__(self) -> str:
        """As the paper writes it: in the order of the sentence, the arrow to the parent."""
        parent = "$" if self.parent is None else self.parent
        return f"{self.child} → {parent}" if self.left else f"{parent} ← {self.child}"


class PhraseDependencies:
    """How probable a phrase is as the child of another."""

    def __init__(self, core: _core.PhraseDependencies, path: Path) -> None:
        self._core = core
        self.path = path
        """The file."""

    @classmethod
    @named_arguments
    def open(cls, path: str | PathLike[str], *, verify: bool = True) -> "PhraseDependencies":
        """The table in a file; `verify` reads all of it and compares checksums."""
        core = _core.PhraseDependencies.open(path)
        if verify:
            core.verify()
        return cls(core, Path(path))

    def __reduce__(self) -> tuple[object, tuple[Path]]:
        return _open, (self.path.absolute(),)

    def __repr__(self) -> str:
        (phrases, dependencies), _ = self._core.counts
        return (
            f"<PhraseDependencies {self.path}, {phrases:,} phrases, {dependencies:,} dependencies>"
        )

    def __len__(self) -> int:
        """How many dependencies there are between phrases of words."""
        return self._core.counts[0][1]

    @property
    def size(self) -> int:
        """Bytes of the file."""
        return self._core.size

    def scores(self, parent: str | None, child: str, *, left: bool = False) -> Scores:
        """The four scores of a dependency; a parent of None is the root, left of everything."""
        return Scores(*self._core.scores(parent, child, left))

    def coverage(self, phrases: Sequence[str]) -> tuple[int, int, int]:
        """Of the ordered pairs of phrases, once for each direction: how many, and how many seen.

        They are counted as seen with their words, then with their clusters.
        """
        return self._core.coverage(phrases)

    def most_frequent(self, many: int, *, progress: Progress | None = None) -> list[Dependency]:
        """The most frequent dependencies: Table 2 of the paper.

        One of the phrases has at least two words, and neither has punctuation only.
        """
        return [_dependency(*found) for found in self._core.most_frequent(many, progress)]

    def children(self, parent: str | None, *, left: bool, many: int) -> list[Dependency]:
        """The most probable children of a phrase in one direction: Table 3 of the paper."""
        return [_dependency(*found) for found in self._core.children(parent, left, many)]


def _dependency(
    parent: str | None, child: str, left: bool, count: int, probability: float, lexical: float
) -> Dependency:
    return Dependency(parent, child, left, count, exp(probability), exp(lexical))


def _open(path: Path) -> PhraseDependencies:
    return PhraseDependencies.open(path)
