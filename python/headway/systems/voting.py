"""Votes: candidates of one or several systems, and what these agree on."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import msgspec

from headway import _core
from headway.evaluate import calibrated, isotonic, right_words
from headway.systems.bundle import Bundle, Consensus
from headway.systems.decoder import stateful_features

PLAIN = Consensus(use=False, gain="bleu", scale=1.0, n_best=200)
"""Of bundles that nobody tuned it for."""

ALONE = "system"
"""The name of the one member of a vote that a system holds with itself."""

BATCH = 64
"""Sentences whose lists and forests are in memory at a time."""

# Edges of a forest that votes look at, and parts of n-gram states that are left out.
_EDGES, _NEGLIGIBLE = 400, 1e-3


@dataclass(frozen=True)
class Juror:
    """How one member votes."""

    name: str
    scale: float
    forests: bool
    """Whether its forests tell what its derivations are worth; else its lists count."""


def juror(name: str, bundle: Bundle, scale: float) -> Juror:
    """How a system votes: with forests, unless something is scored again after search."""
    exact = all(feature.exact for feature in stateful_features(bundle))
    return Juror(name, scale, exact and bundle.manifest.rescoring is None)


def hold(
    jurors: Sequence[Juror],
    found: Sequence[Sequence[_core.Translation | None]],
    *,
    gain: str,
    threads: int,
) -> list[_core.Vote]:
    """One vote for each sentence, from what each member found for it."""
    return _core.votes(
        found,
        [juror.scale for juror in jurors],
        [juror.forests for juror in jurors],
        gain=gain,
        edges=_EDGES,
        negligible=_NEGLIGIBLE,
        threads=threads,
    )


def vote_weights(names: Sequence[str], weights: Mapping[str, float]) -> list[float]:
    """Weights in the order of `_core.vote_features`."""
    return [weights.get(name, 0.0) for name in _core.vote_features(names)]


def plain_weights(names: Sequence[str]) -> dict[str, float]:
    """The expected gain over all members alone: fast consensus decoding."""
    return {name: float(name == "union.gain") for name in _core.vote_features(names)}


def copied_words(said: Iterable[_core.Translation | None]) -> frozenset[str]:
    """Words that stand for a source word without a rule in what some member said."""
    found: set[str] = set()
    for one in said:
        if one is not None:
            words = one.words
            for _, (start, end), unknown in one.segments:
                found |= set(words[start:end]) if unknown else set()
    return frozenset(found)


def confidence(
    vote: _core.Vote, words: Sequence[str], how: Consensus, copied: Collection[str]
) -> tuple[float, ...]:
    """How probably each word is right, calibrated if the bundle was.

    All members copy a word that none of them knows, so its posterior tells nothing.
    """
    own = zip(words, vote.sure(list(words)), strict=True)
    return tuple(
        how.unknown
        if word in copied and how.unknown is not None
        else calibrated(how.confidence, it)
        for word, it in own
    )


@dataclass
class Calibration:
    """Words of a dev set, to learn from how often they are right."""

    known: list[tuple[float, bool]] = field(default_factory=list)
    unknown: list[bool] = field(default_factory=list)

    def add(
        self,
        words: Sequence[str],
        sure: Sequence[float],
        copied: Collection[str],
        references: Sequence[Sequence[str]],
    ) -> None:
        """Takes the words of a sentence with their posteriors."""
        right = right_words(words, references)
        for word, said, one in zip(words, sure, right, strict=True):
            if word in copied:
                self.unknown.append(one)
            else:
                self.known.append((said, one))

    def apply(self, how: Consensus) -> Consensus:
        """With what was learnt."""
        count = len(self.unknown)
        return msgspec.structs.replace(
            how,
            confidence=isotonic(self.known),
            unknown=round((sum(self.unknown) + 1) / (count + 2), 6) if count else None,
        )
