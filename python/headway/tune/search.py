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
    """One distortion limit and how the dev set fared with it."""

    limit: int
    score: float
    seconds: float
    chosen: bool = False


def choose_limit(
    system: Tunable[Sentence],
    score: Callable[[Tunable[Sentence], Sequence[int]], float],
    lengths: Sequence[int],
    settings: TuneSearchSettings,
) -> list[Trial]:
    """Tries distortion limits, the nearest to the one in use first.

    `score(system, places)` translates those sentences of the dev set and answers the metric.
    `lengths` has the words of each sentence. How much is translated is bounded in words and not in
    seconds, so that the choice is the same on any machine.
    """
    current = system.search.get("distortion_limit")
    if not isinstance(current, int) or not settings.distortion_limits:
        return []
    places = _spread(lengths, settings.sentences, settings.words)
    limits = sorted(set(settings.distortion_limits) - {current}, key=lambda it: _far(it, current))
    others = [(system.with_search({"distortion_limit": limit}), limit) for limit in limits]
    return _choose([_try(*one, score, places) for one in [(system, current), *others]])


def _spread(lengths: Sequence[int], sentences: int, words: int) -> range:
    """Evenly spread sentences within both limits, but at least one."""
    step = max(1, -(-len(lengths) // sentences))
    while step < len(lengths) and sum(lengths[::step]) > words:
        step += 1
    return range(0, len(lengths), step)


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
        if trial.score > best.score + (_LEAST_GAIN if best is trials[0] else 0.0):
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
