"""Tuning bundles: the dev set decoded in-process, the best weights written to `model.toml`."""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from headway import _core, tune
from headway.arguments import named_arguments
from headway.errors import ConfigError
from headway.files import write_text
from headway.printing import prints_briefly
from headway.progress import Progress
from headway.settings import Settings
from headway.systems.bundle import Bundle, Manifest, rewrite_manifest
from headway.systems.coarse import after_coarse, coarse_of, has_coarse, with_coarse
from headway.systems.consensus import decide
from headway.systems.decoder import Decoder, counts, stateful_features, system_of
from headway.systems.dev import DevSet
from headway.systems.dev_sources import DevSources, dev_sources
from headway.systems.features import (
    Features,
    RuleFeature,
    fingerprint,
    named_features,
    references,
    remembered,
)
from headway.systems.models import Models
from headway.systems.overlap import Overlap, checked_overlap, training_text
from headway.systems.pipeline import Watch
from headway.systems.rescoring import DevLists, SecondPass, tuned_rescoring
from headway.systems.searches import SEARCHES, StatefulFeature
from headway.systems.source import Source
from headway.systems.text import text_of

AnyPath = str | Path

# Facts of a bundle that tell that weights of it were tuned.
TUNED = ("tuning", "rescoring", "coarse_tuning")


@prints_briefly
@dataclass
class SystemReport(tune.Report):
    """What came of tuning a bundle."""

    second_pass: SecondPass | None = None
    """What became of its second pass, if it has one."""
    overlap: Overlap | None = None
    """What the dev set shares with the training text, where that is beside the bundle still."""
    coarse: tune.Report | None = None
    """What came of tuning the search that comes first, if that was done."""
    given: tune.Iteration | None = None
    """The dev set as the bundle translated it before that, if that was done."""

    @property
    def before(self) -> tune.Iteration:
        """The dev set as the bundle translated it."""
        return self.given or self.start

    @property
    def worth_it(self) -> bool:
        """Whether the bundle got new weights: only if its last pass is not worse with them."""
        second = self.second_pass
        if second is None:
            return self.improved
        return second.after >= second.before and (self.improved or second.changed)


class TunableBundle:
    """A bundle as the tuning loop wants it."""

    def __init__(
        self,
        bundle: Bundle,
        search: Mapping[str, Any] | None = None,
        models: Models | None = None,
        added: Mapping[str, RuleFeature] | None = None,
    ) -> None:
        self._bundle = bundle
        self._changes = dict(search or {})
        self._added = dict(added or {})
        decoder = Decoder(bundle, {}, self._changes, self._added, models)
        self._models = decoder.models
        self.features: list[str] = decoder.features
        self.weights: dict[str, float] = decoder.weights
        read = SEARCHES[system_of(bundle).decoder].settings
        self.search: dict[str, Any] = {n: v for n, v in decoder.search.items() if n in read}
        if self.search.get("contiguous"):  # then no limit applies, and none is to be chosen
            del self.search["distortion_limit"]

    def n_best(
        self,
        sentences: Sequence[Source],
        weights: Mapping[str, float],
        k: int,
        *,
        threads: int,
        progress: Progress | None,
    ) -> list[_core.Translation]:
        """The best translations, all different; only the best for k = 1."""
        return self._translate(sentences, weights, threads, progress, n_best=k if k > 1 else 0)

    def forests(
        self,
        sentences: Sequence[Source],
        weights: Mapping[str, float],
        *,
        threads: int,
        progress: Progress | None,
    ) -> list[_core.Forest]:
        """All that search kept."""
        found = self._translate(sentences, weights, threads, progress, forests=True)
        forests = [translation.forest for translation in found]
        return [forest for forest in forests if forest is not None]

    def with_search(self, changes: Mapping[str, Any]) -> "TunableBundle":
        """With other search settings."""
        changed = {**self._changes, **changes}
        return TunableBundle(self._bundle, changed, self._models, self._added)

    def _translate(
        self,
        sentences: Sequence[Source],
        weights: Mapping[str, float],
        threads: int,
        progress: Progress | None,
        n_best: int = 0,
        *,
        forests: bool = False,
    ) -> list[_core.Translation]:
        decoder = Decoder(self._bundle, weights, self._changes, self._added, self._models)
        return decoder.translate(
            sentences,
            threads=threads,
            n_best=n_best,
            distinct=True,
            forests=forests,
            progress=progress,
        )


def check_forests(settings: Settings, features: Sequence[StatefulFeature]) -> None:
    """Refuses to tune on forests whose values do not tell what a path is worth."""
    vague = [name for feature in features if not feature.exact for name in feature.families]
    if vague and settings.tune.forests:
        raise ConfigError(
            f"tune.forests: the feature {vague[0]} in a forest is that of the best way to each "
            "node, not of the way taken; set tune.forests=false"
        )


def tune_bundle(
    bundle: Bundle,
    dev: DevSources,
    settings: Settings,
    *,
    added: Mapping[str, RuleFeature] | None = None,
    state: Path | None = None,
    watch: Watch = lambda _: nullcontext(),
    tell: Callable[[tune.Iteration], None] = lambda _: None,
) -> tune.Report:
    """Tunes on a dev set; nothing is written but the state."""
    system = TunableBundle(bundle, added=remembered(added or {}))
    parts = bundle.manifest.components
    asked = {
        "model": {name: part.checksum for name, part in sorted(parts.items())},
        "preprocessing": bundle.manifest.preprocessing,
        "dev": dev.fingerprint,
        **({"features": fingerprint(added)} if added else {}),
    }
    return tune.tune(
        system,
        dev.sources,
        dev.references,
        system.weights,
        settings=settings,
        directory=state,
        asked=asked,
        estimate=_unscaled(bundle, system.weights, added or {}, settings),
        watch=watch,
        tell=tell,
    )


def _unscaled(
    bundle: Bundle,
    weights: Mapping[str, float],
    added: Mapping[str, RuleFeature],
    settings: Settings,
) -> list[str]:
    """Features whose weight nobody chose: the default's of those named, and 0 of Python's."""
    new = [name for name in added if not weights[name]]
    if "tuning" in bundle.manifest.facts:
        return new
    defaults = Settings.load().weights
    return [*new, *(n for n in settings.tune.estimate if weights.get(n) == defaults.get(n, 0.0))]


def tuned_manifest(manifest: Manifest, report: tune.Report) -> Manifest:
    """What a bundle says once it is tuned: the best iterate, and how it was found."""
    facts: dict[str, Any] = {
        "method": report.method,
        "metric": report.metric,
        "iterations": len(report.iterations) - 1,
        "dev_before": round(report.start.score, 4),
        "dev_after": round(report.best.score, 4),
        "length_ratio": round(report.best.length, 4),
        "dev_by_round": [round(iteration.score, 2) for iteration in report.iterations],
    }
    if report.trials:
        first = report.trials[0].limit
        facts["distortion_limits"] = [trial.limit for trial in report.trials]
        facts["dev_by_limit"] = [round(trial.score, 2) for trial in report.trials]
        facts["distortion_limit"] = report.best.search.get("distortion_limit", first)
    return msgspec.structs.replace(
        manifest,
        weights=dict(report.best.weights),
        search={**manifest.search, **report.best.search},
        facts={**manifest.facts, "tuning": facts},
    )


@named_arguments
def tune_system(
    directory: AnyPath,
    dev_source: AnyPath,
    dev_target: AnyPath | Sequence[AnyPath],
    *,
    source_trees: AnyPath | None = None,
    features: Features | None = None,
    settings: Settings | None = None,
    state: AnyPath | None = None,
    verify: bool = True,
    watch: Watch = lambda _: nullcontext(),
    tell: Callable[[tune.Iteration], None] = lambda _: None,
) -> SystemReport:
    """Tunes a bundle on a dev set of text as people write it, and writes the best weights into it.

    A system that uses source trees parses the dev set once, unless `source_trees` is a file of
    trees of it.

    What each iteration found is kept in `state` (the bundle's name with `.tune` behind it, unless
    named), with a drawing of the way, so that the same call goes on where an earlier one stopped.
    `features` are functions of a rule as `Translator.load` takes them; those that the bundle has
    no weight for begin with 0. The checksums of the bundle are compared unless `verify` is False.
    A bundle that tuning does not improve stays as it is. Where a coarse search comes first and was
    never tuned, it is tuned before; later its weights stay, because lattices depend on them. A
    second pass, if it has one, is tuned after search; its weights are never replaced by weights
    that score less, even if search gains.
    """
    added = named_features(features)
    bundle = given = with_features(_single(Bundle.open(directory, verify=verify)), added)
    targets = [dev_target] if isinstance(dev_target, str | Path) else list(dev_target)
    if not targets:
        raise ConfigError("a dev set needs at least one translation; name its file")
    dev = DevSet.read(Path(dev_source), [Path(target) for target in targets])
    if source_trees is not None:
        if not Decoder(bundle, {}, {}, added).uses_trees:
            message = f"{bundle.manifest.system} uses no source trees"
            raise ConfigError(f"{message}; leave out --source-trees")
        dev = dev.with_trees(Path(source_trees), Path(dev_source), text_of(bundle)[0])
    whole = bundle.directory.resolve()
    place = Path(state) if state is not None else whole.with_name(f"{whole.name}.tune")
    if place.resolve() == whole or place.is_file():
        message = f"{place}: is the bundle itself" if place.is_dir() else f"{place}: is a file"
        raise ConfigError(f"{message}; name another directory for the state of tuning")
    chosen = settings or Settings.load()
    check_forests(chosen, stateful_features(bundle))
    known = training_text(bundle)
    overlap = checked_overlap(dev, known, Path(dev_source)) if known else None
    ready = dev_sources(bundle, dev, chosen.run.threads, added=added, watch=watch)
    coarse = untuned = None
    if has_coarse(bundle) and not bundle.manifest.coarse:
        untuned = _as_it_is(bundle, ready, chosen, added, watch)
        plain, first = coarse_of(bundle), place / "coarse"
        coarse = tune_bundle(plain, ready, chosen, added=added, state=first, watch=watch, tell=tell)
        bundle = with_coarse(bundle, tuned_manifest(plain.manifest, coarse))
    if has_coarse(bundle):
        chosen = after_coarse(chosen)
    found = tune_bundle(bundle, ready, chosen, added=added, state=place, watch=watch, tell=tell)
    write_text(place / "tuning.svg", tune.plot_svg(found))
    report = SystemReport(**vars(found), overlap=overlap, coarse=coarse, given=untuned)
    better = given.manifest
    if report.improved:
        better = tuned_manifest(bundle.manifest, found) if found.improved else bundle.manifest
    if better.rescoring is not None:
        better, report.second_pass = _second_pass(
            given, better, ready, chosen, remembered(added), watch
        )
    if report.worth_it:
        better = _decided_again(Bundle(bundle.directory, better), ready, chosen, added, watch)
        rewrite_manifest(bundle, better)
    return report


def _single(bundle: Bundle) -> Bundle:
    """Refuses a combination, whose vote is tuned when it is made."""
    if bundle.manifest.members:
        message = f"{bundle.directory}: is a combination"
        raise ConfigError(f"{message}; tune its systems, then use headway combine again")
    return bundle


def _decided_again(
    bundle: Bundle,
    dev: DevSources,
    settings: Settings,
    added: Mapping[str, RuleFeature],
    watch: Watch,
) -> Manifest:
    """With a scale of consensus and confidences for the new weights, if it had any."""
    manifest = bundle.manifest
    if manifest.consensus is None:
        return manifest
    with watch("deciding on consensus") as progress:
        decided = decide(bundle, dev, settings, features=added or None, progress=progress)
    facts = {**manifest.facts, **decided.facts()}
    return msgspec.structs.replace(manifest, consensus=decided.consensus, facts=facts)


def _as_it_is(
    bundle: Bundle,
    dev: DevSources,
    settings: Settings,
    added: Mapping[str, RuleFeature],
    watch: Watch,
) -> tune.Iteration:
    """The dev set as a bundle translates it."""
    began, threads = time.monotonic(), settings.run.threads
    system = TunableBundle(bundle, added=remembered(added))
    with watch("translating the dev set") as progress:
        found = system.n_best(dev.sources, system.weights, 1, threads=threads, progress=progress)
    metric, references = settings.tune.metric, tune.joined(dev.references)
    return tune.Iteration(
        number=0,
        weights=system.weights,
        score=tune.dev_score(metric, found, references, threads=threads),
        length=tune.length_ratio([tune.first_words(one) for one in found], dev.references),
        new=0,
        known=0,
        seconds=time.monotonic() - began,
        expected=None,
    )


def _second_pass(
    bundle: Bundle,
    better: Manifest,
    dev: DevSources,
    settings: Settings,
    added: Mapping[str, RuleFeature],
    watch: Watch,
) -> tuple[Manifest, SecondPass]:
    """Tuned after search with its new weights, and compared with the bundle as it is."""
    before = None
    if better is not bundle.manifest:  # other weights of search make other lists
        before = DevLists(bundle, dev.sources, dev.references, settings, watch, added).score()
    lists = DevLists(
        Bundle(bundle.directory, better), dev.sources, dev.references, settings, watch, added
    )
    return tuned_rescoring(lists, before)


def with_features(bundle: Bundle, added: Mapping[str, RuleFeature]) -> Bundle:
    """The bundle with these features beside its own, where it has them not: they weigh 0.

    Those it has and that are not among them go, if they weigh nothing.
    """
    manifest = bundle.manifest
    gone = [n for n in manifest.features if n not in added and not counts(manifest, n)]
    kept = {n: place for n, place in manifest.features.items() if n not in gone}
    weights = {n: weight for n, weight in manifest.weights.items() if n not in gone}
    changed = msgspec.structs.replace(
        manifest,
        coarse={n: weight for n, weight in manifest.coarse.items() if n not in gone},
        features={**kept, **references(added)},
        weights={**weights, **{n: weights.get(n, 0.0) for n in added}},
    )
    return Bundle(bundle.directory, changed)
