"""What can be tuned: a small protocol that every system fits."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeVar

from headway import _core
from headway.progress import Progress

Candidates = _core.Translation | Sequence[tuple[Sequence[str], Sequence[tuple[int, float]]]]
"""An n-best list, the best first: of our decoders, or words with features by number."""


Sentence = TypeVar("Sentence")
"""What a system translates: words, or words with trees. Tuning passes it on as it is."""

Taken_contra = TypeVar("Taken_contra", contravariant=True)


class Tunable(Protocol[Taken_contra]):
    """A system whose weights and search settings can be changed."""

    @property
    def features(self) -> Sequence[str]:
        """Names of the features; their places are the numbers in `Candidates`."""

    def n_best(
        self,
        sentences: Sequence[Taken_contra],
        weights: Mapping[str, float],
        k: int,
        *,
        threads: int,
        progress: Progress | None,
    ) -> Sequence[Candidates]:
        """The best translations of each sentence under these weights, all different."""

    def forests(
        self,
        sentences: Sequence[Taken_contra],
        weights: Mapping[str, float],
        *,
        threads: int,
        progress: Progress | None,
    ) -> Sequence[_core.Forest]:
        """All that search kept for each sentence under these weights."""

    @property
    def search(self) -> Mapping[str, Any]:
        """Search settings in force, such as `distortion_limit`; empty if there are none."""

    def with_search(self, changes: Mapping[str, Any]) -> "Tunable[Taken_contra]":
        """The same system with other search settings."""


def first_words(candidates: Candidates) -> list[str]:
    """The words of the best candidate; none of none."""
    if isinstance(candidates, _core.Translation):
        return candidates.words
    return list(candidates[0][0]) if candidates else []
