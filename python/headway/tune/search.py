"""Search settings that depend on the language pair, chosen on the dev set."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from headway.settings import TuneSearchSettings
from headway.tune.system import Sentence, Tunable

# A limit must be better by this to replace the one in use: below, it is chance.
_LEAST_GAIN = 0.1


@dataclass(frozen=True)
class Trial:
    """One distortion limit and how the dev set fared with it; no score where time was up."""

    limit: int
    score: float | None
    seconds: float
    chosen: bool = False


def choose_limit(
    system: Tunable[Sentence],
    score: Callable[[Tunable[Sentence], Sequence[int]], float],
    sentences: int,
    settings: TuneSearchSettings,
) -> list[Trial]:
    """Tries distortion limits, the nearest to the one in use first, while there is time.

    `score(system, places)` translates those sentences of the dev set and answers the metric.
    """
    current = system.search.get("distortion_limit")
    if not isinstance(current, int) or not settings.distortion_limits:
        return []
    step = max(1, -(-sentences // settings.sentences))
    places = range(0, sentences, step)
    limits = sorted(set(settings.distortion_limits) - {current}, key=lambda it: _far(it, current))
    began, trials = time.monotonic(), [_try(system, current, score, places)]
    for limit in limits:
        # A wider limit takes longer, by about as much as it is wider.
        last = next(trial for trial in reversed(trials) if trial.score is not None)
        expected = last.seconds * max(1.0, _size(limit) / _size(last.limit))
        if time.monotonic() - began + expected > settings.seconds:
            trials.append(Trial(limit, None, 0.0))
            continue
        trials.append(_try(system.with_search({"distortion_limit": limit}), limit, score, places))
    return _choose(trials)


def _try(
    system: Tunable[Sentence],
    limit: int,
    score: Callable[[Tunable[Sentence], Sequence[int]], float],
    places: Sequence[int],
) -> Trial:
    began = time.monotonic()
    found = score(system, places)
    return Trial(limit, found, time.monotonic() - began)


def _choose(trials: Sequence[Trial]) -> list[Trial]:
    best = trials[0]
    for trial in trials[1:]:
        least = (best.score or 0.0) + (_LEAST_GAIN if best is trials[0] else 0.0)
        if trial.score is not None and trial.score > least:
            best = trial
    return [
        Trial(trial.limit, trial.score, trial.seconds, chosen=trial is best) for trial in trials
    ]


def _size(limit: int) -> int:
    """No limit is as wide as most sentences are long."""
    return 40 if limit < 0 else max(limit, 1)


def _far(limit: int, current: int) -> tuple[int, int]:
    return abs(_size(limit) - _size(current)), _size(limit)


def changes(trials: Sequence[Trial]) -> Mapping[str, int]:
    """What the chosen trial changes in the search settings."""
    for trial in trials[1:]:
        if trial.chosen:
            return {"distortion_limit": trial.limit}
    return {}
