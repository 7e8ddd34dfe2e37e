"""What is in a treebank, counted."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from headway._core import treebank_census
from headway.printing import prints_briefly
from headway.progress import Progress
from headway.trees.files import guess_format, read_penn


@dataclass(frozen=True)
class Found:
    """Sentences of a kind: how many, and the lines where the first of them start."""

    count: int
    lines: list[int]


@prints_briefly
@dataclass(frozen=True)
class Census:
    """Counts over a treebank."""

    sentences: int
    words: int
    ranges: int
    empty_nodes: int
    longest: int
    parsed: int
    trees: int
    nonprojective: Found
    cyclic: Found
    multi_root: Found
    unparsed: Found
    empty: Found
    other_text: Found

    @property
    def projective_share(self) -> float:
        """The share of projective ones among the parsed sentences; 1 if there are none."""
        return 1 - self.nonprojective.count / self.parsed if self.parsed else 1.0

    def table(self) -> dict[str, Any]:
        """All counts as plain values, for JSON."""
        return asdict(self) | {"projective_share": self.projective_share}


def census(
    path: str | Path,
    format: str | None = None,  # noqa: A002
    lines: int = 10,
    progress: Progress | None = None,
) -> Census:
    """Reads a file of sentences and counts; up to `lines` lines are kept of each odd kind."""
    counts: dict[str, Any] = treebank_census(path, format or guess_format(path), lines, progress)
    found: dict[str, Any] = {
        name: Found(*value) if isinstance(value, tuple) else value for name, value in counts.items()
    }
    return Census(**found)


@prints_briefly
@dataclass(frozen=True)
class PennCensus:
    """Counts over a file of brackets."""

    trees: int
    words: int
    traces: int
    empty: int
    longest: int

    def table(self) -> dict[str, Any]:
        """All counts as plain values, for JSON."""
        return asdict(self)


def penn_census(path: str | Path) -> PennCensus:
    """Reads a file of brackets and counts; traces are no words, a tree without words is empty."""
    trees = words = traces = empty = longest = 0
    for tree in read_penn(path):
        none = tree.tags.count("-NONE-")
        length = len(tree) - none
        trees, words, traces = trees + 1, words + length, traces + none
        empty, longest = empty + (not length), max(longest, length)
    return PennCensus(trees, words, traces, empty, longest)
