"""Consensus of one system: its scale and its use are decided on the dev set."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from headway import _core
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


# Batches of the dev set on which scales are compared, spread over it. What search found for them
# is in memory at a time, and each scale is one more vote on it.
_COMPARED = 3


@prints_briefly
@dataclass(frozen=True)
class Decided:
    """What came of it on the dev set, in points of the metric that is tuned for."""

    consensus: Consensus
    plain: float
    """The best scores."""
    best: float
    """With the scale that was chosen."""
    by_scale: dict[float, float]
    """Of all scales, on the sentences that they were compared on."""
    compared: int
    """How many these are."""

    def facts(self) -> dict[str, Any]:
        """For the manifest."""
        return {
            "consensus": {
                "used": self.consensus.use,
                "dev_plain": round(self.plain, 4),
                "dev": round(self.best, 4),
                "compared": self.compared,
                "dev_by_scale": [round(score, 2) for score in self.by_scale.values()],
                "scales": list(self.by_scale),
            }
        }


@dataclass
class _Said:
    """What comes of consensus for some sentences, and what confidences are learnt from."""

    plain: list[list[str]] = field(default_factory=list)
    words: list[list[str]] = field(default_factory=list)
    sure: list[list[float]] = field(default_factory=list)
    sure_of_plain: list[list[float]] = field(default_factory=list)
    copied: list[frozenset[str]] = field(default_factory=list)

    def add(self, found: Sequence[_core.Translation], votes: Sequence[_core.Vote]) -> None:
        for one, vote in zip(found, votes, strict=True):
            answer, words = one.words, _chosen(vote)
            self.plain.append(answer)
            self.words.append(words)
            self.copied.append(copied_words([one]))
            sure = vote.sure(words)
            self.sure.append(sure)
            self.sure_of_plain.append(sure if words == answer else vote.sure(answer))


def decide(
    bundle: Bundle,
    dev: DevSources,
    settings: Settings,
    *,
    features: Any = None,
    progress: Progress | None = None,
) -> Decided:
    """Compares scales on a part of the dev set, and translates the rest of it with the best one."""
    how, threads, metric = settings.consensus, settings.run.threads, settings.tune.metric
    scales = _scales(how)
    # Of forests, lists have the answer at one scale.
    middle = scales[len(scales) // 2]
    start = Consensus(use=False, gain=how.gain, scale=middle, n_best=how.n_best)
    manifest = msgspec.structs.replace(bundle.manifest, consensus=start)
    translator = Translator(Bundle(bundle.directory, manifest), features=features)
    done = 0

    def found(first: int) -> list[_core.Translation]:
        nonlocal done
        batch = dev.sources[first : first + BATCH]
        here = translator.search_sources(
            batch,
            threads=threads,
            n_best=how.n_best,
            distinct=True,
            forests=True,
            trees=False,
            safest=True,
            before=first,
        )
        done += len(batch)
        if progress is not None:
            progress(done, len(dev.sources))
        return here

    def held(scale: float, here: Sequence[_core.Translation]) -> list[_core.Vote]:
        jurors = [juror(ALONE, bundle, scale)]
        return hold(jurors, [[one] for one in here], gain=how.gain, threads=threads)

    batches = range(0, len(dev.sources), BATCH)
    some = _spread(batches)
    sample = [one for first in some for one in found(first)]
    references = [one for first in some for one in dev.references[first : first + BATCH]]
    by_scale: dict[float, float] = {}
    votes: list[_core.Vote] = []
    for scale in scales:
        own = held(scale, sample)
        score = words_score(metric, list(map(_chosen, own)), references, threads)
        if not by_scale or score > max(by_scale.values()):
            votes = own
        by_scale[scale] = score
    scale = max(by_scale, key=lambda it: by_scale[it])
    said = _Said()
    said.add(sample, votes)
    compared = len(sample)
    sample.clear()
    votes.clear()
    for first in batches:
        if first not in some:
            here = found(first)
            said.add(here, held(scale, here))
            references += dev.references[first : first + BATCH]
    return _decided(settings, said, references, by_scale, scale, compared)


def _chosen(vote: _core.Vote) -> list[str]:
    """The words of the candidate with the highest expected gain."""
    ((entry, _),) = vote.ranked(vote_weights([ALONE], _ONE), 1)
    return vote.words(entry)


def _spread(batches: Sequence[int]) -> list[int]:
    """As many of them as scales are compared on, evenly."""
    count = min(len(batches), _COMPARED)
    return [batches[place * len(batches) // count] for place in range(count)]


def _scales(how: ConsensusSettings) -> list[float]:
    if not how.scales:
        raise ConfigError("consensus.scales: expected at least one scale")
    return sorted(set(how.scales))


def _decided(
    settings: Settings,
    said: _Said,
    references: Sequence[Sequence[Sequence[str]]],
    by_scale: dict[float, float],
    scale: float,
    compared: int,
) -> Decided:
    how, metric, threads = settings.consensus, settings.tune.metric, settings.run.threads
    plain = words_score(metric, said.plain, references, threads)
    best = words_score(metric, said.words, references, threads)
    use = {"auto": best >= plain + how.least_gain, "always": True, "never": False}[how.use]
    words, sure = (said.words, said.sure) if use else (said.plain, said.sure_of_plain)
    calibration = Calibration()
    for sentence in zip(words, sure, said.copied, references, strict=True):
        calibration.add(*sentence)
    found = Consensus(use=use, gain=how.gain, scale=scale, n_best=how.n_best)
    return Decided(calibration.apply(found), plain, best, by_scale, compared)


def words_score(
    metric: str,
    found: Sequence[Sequence[str]],
    references: Sequence[Sequence[Sequence[str]]],
    threads: int,
) -> float:
    """The metric of these words."""
    lists: list[Candidates] = [[(words, [])] for words in found]
    return dev_score(metric, lists, joined(references), threads=threads)
