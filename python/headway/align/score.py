"""How close alignments come to gold ones (Och & Ney 2003)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from headway import _core
from headway._core import Alignment
from headway.corpus import read_lines
from headway.errors import FormatError
from headway.printing import prints_briefly

Link = tuple[int, int]


@prints_briefly
@dataclass(frozen=True)
class GoldAlignment:
    """Links an annotator drew; `possible` includes the sure ones."""

    sure: frozenset[Link]
    possible: frozenset[Link]


@dataclass(frozen=True)
class AlignmentScores:
    """Counts over all sentence pairs, and the rates made from them."""

    links: int
    sure: int
    links_in_sure: int
    links_in_possible: int

    @property
    def precision(self) -> float:
        """Share of the links found that are at least possible."""
        return self.links_in_possible / self.links if self.links else 1.0

    @property
    def recall(self) -> float:
        """Share of the sure links that were found."""
        return self.links_in_sure / self.sure if self.sure else 1.0

    @property
    def aer(self) -> float:
        """Alignment error rate."""
        whole = self.links + self.sure
        return 1.0 - (self.links_in_sure + self.links_in_possible) / whole if whole else 0.0


def read_gold(path: str | Path, pairs: int | None = None) -> list[GoldAlignment]:
    """Reads gold alignments, one line a pair or one line a link.

    One line a pair: `0-0 1-2 2p3`, counted from 0; `-` is sure, `p` or `?` possible. One line a
    link, as in the NAACL 2003 shared task: `pair source target [S|P]`, counted from 1; there,
    the last pairs are not named if they have no links, so `pairs` says how many there are.
    """
    lines = list(read_lines(path))
    fields = next((line.split() for line in lines if line.strip()), [])
    if len(fields) in (3, 4) and all(field.isdigit() for field in fields[:3]):
        return _read_links(path, lines, pairs)
    return [_parsed(path, number, line) for number, line in enumerate(lines, 1)]


def score(found: Sequence[Alignment], gold: Iterable[GoldAlignment | Alignment]) -> AlignmentScores:
    """Compares alignments with gold ones, pair by pair."""
    gold = list(gold)
    if len(found) != len(gold):
        raise FormatError(f"{len(found)} alignments but {len(gold)} gold ones")
    return AlignmentScores(*_core.compare_alignments(list(found), list(map(_links, gold))))


def _links(gold: GoldAlignment | Alignment) -> tuple[list[Link], list[Link]]:
    if isinstance(gold, Alignment):
        return gold.links, []
    return sorted(gold.sure), sorted(gold.possible)


def _parsed(path: str | Path, number: int, line: str) -> GoldAlignment:
    try:
        sure, possible = _core.parse_gold(line)
    except ValueError as error:
        raise FormatError(f"{path}:{number}: {error}", path, number) from None
    return GoldAlignment(frozenset(sure), frozenset(possible))


def _read_links(path: str | Path, lines: list[str], pairs: int | None) -> list[GoldAlignment]:
    sure: dict[int, set[Link]] = {}
    possible: dict[int, set[Link]] = {}
    for pair, link, is_sure in _numbered_links(path, lines, pairs):
        possible.setdefault(pair, set()).add(link)
        sure.setdefault(pair, set()).update([link] if is_sure else [])
    return [
        GoldAlignment(frozenset(sure.get(pair, ())), frozenset(possible.get(pair, ())))
        for pair in range(1, (max(possible, default=0) if pairs is None else pairs) + 1)
    ]


def _numbered_links(
    path: str | Path, lines: list[str], pairs: int | None
) -> Iterator[tuple[int, Link, bool]]:
    for number, line in enumerate(lines, 1):
        fields = line.split()
        if not fields:
            continue
        kind = fields[3] if len(fields) == 4 else "S"
        well_formed = len(fields) in (3, 4) and kind in ("S", "P")
        if not well_formed or not all(field.isdigit() and int(field) for field in fields[:3]):
            message = f"{path}:{number}: expected `pair source target [S|P]` from 1, found {line!r}"
            raise FormatError(message, path, number)
        pair, source, target = map(int, fields[:3])
        if pairs is not None and pair > pairs:
            message = f"{path}:{number}: a link of pair {pair}, but there are {pairs} pairs"
            raise FormatError(message, path, number)
        yield pair, (source - 1, target - 1), kind == "S"
