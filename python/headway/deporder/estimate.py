"""Estimating an order model from trees."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from typing import NamedTuple

from headway import _core
from headway.arguments import named_arguments
from headway.printing import prints_briefly
from headway.progress import Progress

_log = logging.getLogger(__name__)

Path = str | PathLike[str]


class AlignedTrees(NamedTuple):
    """Files of parallel trees: CoNLL-U of either side, and a line of links for each pair."""

    source: Path
    target: Path
    alignment: Path


@prints_briefly
@dataclass(frozen=True)
class Estimation:
    """What `estimate` found."""

    trees: int
    cyclic: int
    """Trees that were left out because their heads run in a cycle."""
    dependencies: int
    labels: int
    """Labels of the target."""
    pairs: int
    source_dependencies: int
    """Dependencies in the source sides of the pairs."""
    linked: int
    """Those whose two words are aligned to two words that depend on each other in the same way."""


@named_arguments
def estimate(
    trees: Path | Sequence[Path],
    output: Path,
    *,
    pairs: AlignedTrees | None = None,
    lexical: bool = True,
    sizes: bool = False,
    punctuation_apart: bool = False,
    longest: int = 20,
    threads: int = 0,
    progress: Progress | None = None,
) -> Estimation:
    """Estimates P_d(offset | label, governor, dependent) from CoNLL-U files, into a file.

    `pairs` teach what the labels of the source become; without them each stands for itself.
    `lexical` conditions on the words at both ends too, `sizes` on how many words the dependent's
    subtree has. `punctuation_apart` leaves out punctuation: dependencies of marks are not counted,
    and offsets do not count marks. Offsets of `longest` words and more are one event.
    """
    files: list[Path] = [trees] if isinstance(trees, str | PathLike) else list(trees)
    found = Estimation(
        *_core.estimate_order(
            files, output, pairs, lexical, sizes, punctuation_apart, longest, threads, progress
        )
    )
    if found.cyclic:
        _log.warning(
            "%s of %s trees left out: their heads run in a cycle",
            f"{found.cyclic:,}",
            f"{found.trees:,}",
        )
    return found
