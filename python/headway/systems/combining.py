"""Combining bundles: the weights of their vote are tuned on a dev set (DeNero et al. 2010)."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec

from headway import _core, tune
from headway.arguments import named_arguments
from headway.errors import ConfigError
from headway.printing import prints_briefly
from headway.progress import Progress
from headway.settings import Settings
from headway.systems.bundle import (
    FORMAT,
    Bundle,
    Component,
    Consensus,
    Manifest,
    check_free,
    write_bundle,
)
from headway.systems.combination import COMBINATION, Panel, check_members
from headway.systems.consensus import decide, words_score
from headway.systems.dev import DevSet
from headway.systems.dev_sources import DevSources, dev_sources
from headway.systems.pipeline import Watch
from headway.systems.source import Source
from headway.systems.text import text_of
from headway.systems.translator import Translator
from headway.systems.voting import (
    BATCH,
    Calibration,
    copied_words,
    hold,
    plain_weights,
    vote_weights,
)
from headway.version import __version__

AnyPath = str | Path

# Where tuning begins: the expected gain, at a scale at which others can be learnt beside it,
# and a little for every member that lists a candidate.
_START, _SAID = 20.0, 0.25
# The features of one member at this weight leave others no chance.
_SURE = 1000.0


@prints_briefly
@dataclass(frozen=True)
class Combined:
    """What came of a combination, in points of the metric of tuning on the dev set."""

    bundle: Bundle
    metric: str
    members: dict[str, float]
    """What each member answers on its own."""
    uniform: float
    """All members with equal say."""
    tuned: float
    """With tuned weights."""
    dev: float
    """With the weights that were chosen."""
    alone: str = ""
    """The member that answers alone, because no vote was better."""
    left_out: Mapping[str, int] | None = None
    """Sentences on which a member had no say."""


class _DevVotes:
    """Votes that stay as they are, as the tuning loop wants them."""

    def __init__(self, names: Sequence[str], votes: Sequence[_core.Vote]) -> None:
        self._names, self._votes = list(names), votes
        self.features = _core.vote_features(self._names)
        self.search: Mapping[str, Any] = {}

    def n_best(
        self,
        sentences: Sequence[int],  # noqa: ARG002
        weights: Mapping[str, float],
        k: int,
        *,
        threads: int,  # noqa: ARG002
        progress: Progress | None,  # noqa: ARG002
    ) -> list[list[tuple[list[str], list[tuple[int, float]]]]]:
        chosen = vote_weights(self._names, weights)
        return [
            [
                (vote.words(entry), list(enumerate(vote.values(entry))))
                for entry, _ in vote.ranked(chosen, k)
            ]
            for vote in self._votes
        ]

    def forests(self, *_: object, **__: object) -> list[_core.Forest]:
        return []

    def with_search(self, changes: Mapping[str, Any]) -> "_DevVotes":  # noqa: ARG002
        return self

    def best(self, weights: Mapping[str, float]) -> list[list[str]]:
        """The words of the best candidates."""
        chosen = vote_weights(self._names, weights)
        return [vote.words(vote.ranked(chosen, 1)[0][0]) for vote in self._votes]


@named_arguments
def combine(
    *directories: AnyPath,
    dev_source: AnyPath,
    dev_target: AnyPath | Sequence[AnyPath],
    out: AnyPath,
    source_trees: AnyPath | None = None,
    settings: Settings | None = None,
    state: AnyPath | None = None,
    force: bool = False,
    verify: bool = True,
    watch: Watch = lambda _: nullcontext(),
    tell: Callable[[tune.Iteration], None] = lambda _: None,
) -> Combined:
    """Combines bundles into one at `out` that `Translator.load` opens like any other.

    Every member translates the dev set; what they agree on describes the union of their
    candidates, and the weights of these features are tuned. The order of members changes nothing.
    On the dev set the combination is never worse than its best member: if no vote is better, that
    member answers alone. The bundle holds the files of all members, those that several have once.
    `source_trees` are trees of the dev set for members that use them and have no parser. `state`
    keeps what tuning found, so that the same call goes on where an earlier one stopped.
    """
    chosen = settings or Settings.load()
    opened = [Bundle.open(directory, verify=verify) for directory in directories]
    check_members(list(directories), opened)
    place = Path(out)
    check_free(place, replace=force)
    members = named_members(list(directories), opened)
    targets = [dev_target] if isinstance(dev_target, str | Path) else list(dev_target)
    if not targets:
        raise ConfigError("a dev set needs at least one translation; name its file")
    dev = DevSet.read(Path(dev_source), [Path(target) for target in targets])
    if source_trees is not None:
        dev = dev.with_trees(Path(source_trees), Path(dev_source), text_of(opened[0])[0])
    ready = {n: dev_sources(it, dev, chosen.run.threads, watch=watch) for n, it in members.items()}
    members = {n: _scaled(n, it, ready[n], chosen, watch) for n, it in members.items()}
    panel = Panel({name: Translator(bundle) for name, bundle in members.items()})
    votes, answers, copied, left_out = _heard(panel, ready, chosen, watch)
    references = next(iter(ready.values())).references
    draft = _weighted(panel, votes, answers, references, chosen, state, watch, tell)
    found = draft.best_words
    calibration = Calibration()
    for vote, words, own, reference in zip(votes, found, copied, references, strict=True):
        calibration.add(words, vote.sure(words), own, reference)
    how = chosen.consensus
    consensus = calibration.apply(Consensus(use=True, gain=how.gain, scale=1.0, n_best=how.n_best))
    manifest, origins = _manifest(members, draft, consensus)
    bundle = write_bundle(place, Bundle(place, manifest), replace=force, origins=origins)
    return Combined(bundle, *draft.report, left_out=left_out)


def named_members(directories: Sequence[AnyPath], bundles: Sequence[Bundle]) -> dict[str, Bundle]:
    """Members by name, in an order that does not depend on how they were named or listed."""
    named: dict[str, Bundle] = {}
    seen: dict[str, str] = {}
    for system, key, directory, bundle in _sorted(directories, bundles):
        if key in seen:
            raise ConfigError(f"{directory}: is the same bundle as {seen[key]}; name it once")
        seen[key] = directory
        same = sum(1 for name in named if name.partition("-no-")[0] == system)
        named[system if not same else f"{system}-no-{same + 1}"] = bundle
    return named


def _sorted(
    directories: Sequence[AnyPath], bundles: Sequence[Bundle]
) -> list[tuple[str, str, str, Bundle]]:
    rows = [
        (bundle.manifest.system, _fingerprint(bundle), str(directory), bundle)
        for directory, bundle in zip(directories, bundles, strict=True)
    ]
    return sorted(rows, key=lambda row: row[:3])


def _fingerprint(bundle: Bundle) -> str:
    """The same for two bundles that translate the same."""
    table = msgspec.structs.replace(bundle.manifest, facts={}).to_toml()
    return blake2b(table.encode(), digest_size=16).hexdigest()


def _scaled(name: str, bundle: Bundle, dev: DevSources, settings: Settings, watch: Watch) -> Bundle:
    """With the scale of its scores, found on the dev set unless training did that already."""
    if bundle.manifest.consensus is not None:
        return bundle
    with watch(f"scaling {name}") as progress:
        decided = decide(bundle, dev, settings, progress=progress)
    manifest = msgspec.structs.replace(bundle.manifest, consensus=decided.consensus)
    return Bundle(bundle.directory, manifest)


def _heard(
    panel: Panel, ready: Mapping[str, DevSources], settings: Settings, watch: Watch
) -> tuple[list[_core.Vote], dict[str, list[list[str]]], list[frozenset[str]], dict[str, int]]:
    """The votes on the dev set, what each member answers and copies, and where it had no say."""
    how, threads = settings.consensus, settings.run.threads
    columns = [ready[name].sources for name in panel.names]
    sources: list[tuple[Source, ...]] = list(zip(*columns, strict=True))
    votes: list[_core.Vote] = []
    answers: dict[str, list[list[str]]] = {name: [] for name in panel.names}
    copied: list[frozenset[str]] = []
    left_out = dict.fromkeys(panel.names, 0)
    with watch("translating the dev set") as progress:
        for start in range(0, len(sources), BATCH):
            heard = panel.hear(
                sources[start : start + BATCH], n_best=how.n_best, threads=threads, before=start
            )
            said = [one.said for one in heard]
            votes += hold(panel.jurors(), said, gain=how.gain, threads=threads)
            copied += map(copied_words, said)
            for own in said:
                for name, one in zip(panel.names, own, strict=True):
                    left_out[name] += one is None
                    answers[name].append([] if one is None else one.words)
            if progress is not None:
                progress(min(start + BATCH, len(sources)), len(sources))
    missing = {name: count for name, count in left_out.items() if count}
    return votes, answers, copied, missing


@dataclass(frozen=True)
class _Draft:
    """The weights that were chosen, and how."""

    weights: dict[str, float]
    best_words: list[list[str]]
    facts: dict[str, Any]
    report: tuple[str, dict[str, float], float, float, float, str]


def _weighted(
    panel: Panel,
    votes: Sequence[_core.Vote],
    answers: Mapping[str, Sequence[Sequence[str]]],
    references: Sequence[Sequence[Sequence[str]]],
    settings: Settings,
    state: AnyPath | None,
    watch: Watch,
    tell: Callable[[tune.Iteration], None],
) -> _Draft:
    """Tuned weights, equal say, or one member alone: whatever the dev set prefers."""
    metric, threads = settings.tune.metric, settings.run.threads
    system = _DevVotes(panel.names, votes)
    plain = plain_weights(panel.names)
    start = {name: _START * weight for name, weight in plain.items()}
    start |= {f"{name}.said": _SAID for name in panel.names}
    report = tune.tune(
        system,
        list(range(len(votes))),
        references,
        start,
        settings=settings,
        directory=None if state is None else Path(state),
        asked={"vote": _votes_key(votes)},
        watch=watch,
        tell=tell,
    )

    def score(words: Sequence[Sequence[str]]) -> float:
        return words_score(metric, words, references, threads)

    own = {name: score(answers[name]) for name in panel.names}
    uniform, tuned = score(system.best(plain)), score(system.best(report.best.weights))
    weights, alone = dict(report.best.weights if tuned >= uniform else plain), ""
    leader = max(own, key=lambda name: own[name])
    if max(tuned, uniform) < own[leader]:
        alone = leader
        weights = dict.fromkeys(system.features, 0.0)
        weights |= {f"{leader}.score": 1.0, f"{leader}.said": _SURE}
    words = system.best(weights)
    dev = score(words)
    facts = {
        "members": {name: round(value, 4) for name, value in own.items()},
        "metric": metric,
        "dev_uniform": round(uniform, 4),
        "dev_tuned": round(tuned, 4),
        "dev": round(dev, 4),
        **({"alone": alone} if alone else {}),
    }
    return _Draft(weights, words, facts, (metric, own, uniform, tuned, dev, alone))


def _votes_key(votes: Sequence[_core.Vote]) -> str:
    """Another one if candidates or their values are others."""
    key = blake2b(digest_size=16)
    for vote in votes:
        key.update(msgspec.json.encode([vote.places(), vote.values(0), len(vote)]))
    return key.hexdigest()


def _manifest(
    members: Mapping[str, Bundle], draft: _Draft, consensus: Consensus
) -> tuple[Manifest, dict[str, Path]]:
    """What the combination says, and where its files are: those that several have once."""
    components: dict[str, Component] = {}
    origins: dict[str, Path] = {}
    known: dict[tuple[int, str], str] = {}
    own: dict[str, Manifest] = {}
    for name, bundle in members.items():
        parts = {}
        for part_name, part in bundle.manifest.components.items():
            content = (part.size, part.checksum)
            if content not in known:
                taken = part.file in components
                file = f"{name}-{part.file}" if taken else part.file
                known[content] = file
                components[file] = msgspec.structs.replace(part, file=file)
                origins[file] = bundle.directory / part.file
            parts[part_name] = msgspec.structs.replace(part, file=known[content])
        own[name] = msgspec.structs.replace(bundle.manifest, components=parts)
    first = next(iter(members.values())).manifest
    manifest = Manifest(
        format=FORMAT,
        system=COMBINATION,
        headway=__version__,
        languages=first.languages,
        preprocessing=first.preprocessing,
        search={},
        weights=draft.weights,
        components=components,
        facts=draft.facts,
        consensus=consensus,
        members=own,
    )
    return manifest, origins
