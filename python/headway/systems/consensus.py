"""Consensus of one system: its scale and its use are decided on the dev set."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from headway.errors import ConfigError
from headway.printing import prints_briefly
from headway.progress import Progress
from headway.settings import ConsensusSettings, Settings
from headway.systems.bundle import Bundle, Consensus
from headway.systems.dev_sources import DevSources
from headway.systems.translator import Translator
from headway.systems.voting import (
    ALONE,
    BATCH,
    Calibration,
    copied_words,
    hold,
    juror,
    plain_weights,
    vote_weights,
)
from headway.tune import Candidates, dev_score, joined

_ONE = plain_weights([ALONE])


@prints_briefly
@dataclass(frozen=True)
class Decided:
    """What came of it on the dev set, in points of the metric that is tuned for."""

    consensus: Consensus
    plain: float
    """The best scores."""
    by_scale: dict[float, float]

    @property
    def best(self) -> float:
        """With the scale that was chosen."""
        return self.by_scale[self.consensus.scale]

    def facts(self) -> dict[str, Any]:
        """For the manifest."""
        return {
            "consensus": {
                "used": self.consensus.use,
                "dev_plain": round(self.plain, 4),
                "dev_by_scale": [round(score, 2) for score in self.by_scale.values()],
                "scales": list(self.by_scale),
            }
        }


@dataclass
class _Tried:
    """What a scale leads to, sentence by sentence."""

    words: list[list[str]] = field(default_factory=list)
    sure: list[list[float]] = field(default_factory=list)
    sure_of_plain: list[list[float]] = field(default_factory=list)


def decide(
    bundle: Bundle,
    dev: DevSources,
    settings: Settings,
    *,
    features: Any = None,
    progress: Progress | None = None,
) -> Decided:
    """Translates the dev set once and compares all scales with the best scores."""
    how, threads = settings.consensus, settings.run.threads
    start = Consensus(use=False, gain=how.gain, scale=1.0, n_best=how.n_best)
    manifest = msgspec.structs.replace(bundle.manifest, consensus=start)
    translator = Translator(Bundle(bundle.directory, manifest), features=features)
    tried = {scale: _Tried() for scale in _scales(how)}
    plain: list[list[str]] = []
    copied: list[frozenset[str]] = []
    for first in range(0, len(dev.sources), BATCH):
        found = translator.search_sources(
            dev.sources[first : first + BATCH],
            threads=threads,
            n_best=how.n_best,
            distinct=True,
            forests=True,
            trees=False,
            safest=True,
            before=first,
        )
        answers = [one.words for one in found]
        plain += answers
        copied += [copied_words([one]) for one in found]
        for scale, own in tried.items():
            jurors = [juror(ALONE, bundle, scale)]
            votes = hold(jurors, [[one] for one in found], gain=how.gain, threads=threads)
            for vote, answer in zip(votes, answers, strict=True):
                ((entry, _),) = vote.ranked(vote_weights([ALONE], _ONE), 1)
                words = vote.words(entry)
                own.words.append(words)
                own.sure.append(vote.sure(words))
                own.sure_of_plain.append(vote.sure(answer))
        if progress is not None:
            progress(min(first + BATCH, len(dev.sources)), len(dev.sources))
    return _decided(settings, plain, copied, tried, dev.references)


def _scales(how: ConsensusSettings) -> list[float]:
    if not how.scales:
        raise ConfigError("consensus.scales: expected at least one scale")
    return sorted(set(how.scales))


def _decided(
    settings: Settings,
    plain: Sequence[Sequence[str]],
    copied: Sequence[frozenset[str]],
    tried: dict[float, _Tried],
    references: Sequence[Sequence[Sequence[str]]],
) -> Decided:
    how, metric, threads = settings.consensus, settings.tune.metric, settings.run.threads
    before = words_score(metric, plain, references, threads)
    scores = {
        scale: words_score(metric, own.words, references, threads) for scale, own in tried.items()
    }
    scale = max(scores, key=lambda it: scores[it])
    better = scores[scale] >= before + how.least_gain
    use = {"auto": better, "always": True, "never": False}[how.use]
    own = tried[scale]
    words, sure = (own.words, own.sure) if use else (plain, own.sure_of_plain)
    calibration = Calibration()
    for sentence in zip(words, sure, copied, references, strict=True):
        calibration.add(*sentence)
    found = Consensus(use=use, gain=how.gain, scale=scale, n_best=how.n_best)
    return Decided(calibration.apply(found), before, scores)


def words_score(
    metric: str,
    found: Sequence[Sequence[str]],
    references: Sequence[Sequence[Sequence[str]]],
    threads: int,
) -> float:
    """The metric of these words."""
    lists: list[Candidates] = [[(words, [])] for words in found]
    return dev_score(metric, lists, joined(references), threads=threads)
