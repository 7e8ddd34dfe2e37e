"""The numbers behind `significance`: differences between two systems in resampled texts."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from headway.evaluate.significance import Rows, Scores

_BATCH = 200


def resample(
    first: Rows, second: Rows, scores: Scores, samples: int, seed: int
) -> tuple[float, float, float, float, float]:
    """The difference, p by bootstrap and by randomisation, and the middle 95 % of the bootstrap."""
    a, b = np.asarray(first, float), np.asarray(second, float)
    observed = _difference(a.sum(0, keepdims=True), b.sum(0, keepdims=True), scores)[0]
    drawn = _bootstrap(a, b, scores, samples, np.random.default_rng(seed))
    swapped = _randomise(a, b, scores, samples, np.random.default_rng(seed + 1))
    # Centred: as far from the middle as what was observed is from nothing.
    as_far = int(np.sum(np.abs(drawn - drawn.mean()) >= abs(observed)))
    as_large = int(np.sum(np.abs(swapped) >= abs(observed) - 1e-12))
    low, high = np.percentile(drawn, [2.5, 97.5])
    return (
        float(observed),
        (as_far + 1) / (samples + 1),
        (as_large + 1) / (samples + 1),
        float(low),
        float(high),
    )


def _difference(
    a: NDArray[np.float64], b: NDArray[np.float64], scores: Scores
) -> NDArray[np.float64]:
    found: NDArray[np.float64] = np.asarray(scores(b.tolist())) - np.asarray(scores(a.tolist()))
    return found


def _bootstrap(
    a: NDArray[np.float64],
    b: NDArray[np.float64],
    scores: Scores,
    samples: int,
    random: np.random.Generator,
) -> NDArray[np.float64]:
    size, found = len(a), []
    for _ in _batches(samples):
        drawn = random.multinomial(size, np.full(size, 1 / size), size=_BATCH).astype(float)
        found.append(_difference(drawn @ a, drawn @ b, scores))
    return np.concatenate(found)[:samples]


def _randomise(
    a: NDArray[np.float64],
    b: NDArray[np.float64],
    scores: Scores,
    samples: int,
    random: np.random.Generator,
) -> NDArray[np.float64]:
    found, change = [], b - a
    for _ in _batches(samples):
        swap = random.integers(0, 2, size=(_BATCH, len(a))).astype(float) @ change
        found.append(_difference(a.sum(0) + swap, b.sum(0) - swap, scores))
    return np.concatenate(found)[:samples]


def _batches(samples: int) -> Sequence[int]:
    return range(-(-samples // _BATCH))
