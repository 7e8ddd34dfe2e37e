"""Votes: candidates of one or several systems, and what these agree on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from headway import _core
from headway.evaluate import calibrated
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


def confidence(vote: _core.Vote, words: Sequence[str], how: Consensus) -> tuple[float, ...]:
    """How probably each word is right, calibrated if the bundle was."""
    return tuple(calibrated(how.confidence, said) for said in vote.sure(list(words)))
