"""A second pass over lists of the best translations, with a longer n-gram model.

Decoding with a 3-gram is faster, and what a 5-gram would have chosen is mostly among its best
thousand; the weights of the second pass are tuned on their own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from headway import _core, tune
from headway.errors import ModelError
from headway.files import MANIFEST
from headway.lm import LanguageModel
from headway.progress import Progress
from headway.settings import Settings
from headway.systems.bundle import Bundle, Manifest
from headway.systems.decoder import Decoder
from headway.systems.features import RuleFeature
from headway.systems.pipeline import Watch
from headway.systems.source import Source
from headway.systems.weights import changed_weights, check_stored

COMPONENT = "rescoring"

# Sentences whose long lists are in memory at a time.
BATCH = 64


class Rescorer:
    """The second pass of a bundle; weights that are given when it is used count here too."""

    def __init__(
        self, bundle: Bundle, features: Sequence[str], given: Mapping[str, float] | None = None
    ) -> None:
        how = bundle.manifest.rescoring
        where = bundle.directory / MANIFEST
        if how is None or how.feature not in features:
            raise ModelError(f"{where}: rescoring: the model has no such feature", where)
        self.n_best = how.n_best
        self._features = list(features)
        self._place = self._features.index(how.feature)
        self._lm = LanguageModel.load(bundle.path(COMPONENT))
        check_stored(where, how.weights)
        own = {name: how.weights.get(name, 0.0) for name in self._features}
        self.weights = changed_weights(own, given or {})

    def again(
        self,
        found: Sequence[_core.Translation],
        weights: Mapping[str, float] | None = None,
        *,
        threads: int = 0,
    ) -> list[_core.Translation]:
        """The same translations, the best by the second pass first."""
        chosen = self.weights if weights is None else weights
        ordered = [chosen.get(name, 0.0) for name in self._features]
        return _core.rescore(found, self._place, self._lm._core, ordered, threads=threads)


class _Lists:
    """Lists that stay as they are, as the tuning loop wants them."""

    def __init__(
        self, rescorer: Rescorer, lists: Sequence[_core.Translation], features: Sequence[str]
    ) -> None:
        self._rescorer, self._lists = rescorer, lists
        self.features = features
        self.search: Mapping[str, Any] = {}

    def n_best(
        self,
        sentences: Sequence[Source],  # noqa: ARG002
        weights: Mapping[str, float],
        k: int,  # noqa: ARG002
        *,
        threads: int,
        progress: Progress | None,  # noqa: ARG002
    ) -> list[_core.Translation]:
        return self._rescorer.again(self._lists, weights, threads=threads)

    def forests(self, *_: object, **__: object) -> list[_core.Forest]:
        return []

    def with_search(self, changes: Mapping[str, Any]) -> "_Lists":  # noqa: ARG002
        return self


class DevLists:
    """Lists of a dev set's best translations, as a bundle's search makes them."""

    def __init__(
        self,
        bundle: Bundle,
        sentences: Sequence[Source],
        references: list[list[list[str]]],
        settings: Settings,
        watch: Watch,
        added: Mapping[str, RuleFeature] | None = None,
    ) -> None:
        self.bundle, self._watch = bundle, watch
        self._sentences, self._references = sentences, references
        # Lists are what there is: no forests to learn from.
        fixed = msgspec.structs.replace(settings.tune, forests=False)
        self._settings = msgspec.structs.replace(settings, tune=fixed)
        decoder = Decoder(bundle, {}, {}, added or {})
        self._rescorer = Rescorer(bundle, decoder.features)
        self._lists = self._decoded(decoder)

    def _decoded(self, decoder: Decoder) -> list[_core.Translation]:
        lists: list[_core.Translation] = []
        with self._watch("lists to rescore") as progress:
            for start in range(0, len(self._sentences), BATCH):
                found = decoder.translate(
                    self._sentences[start : start + BATCH],
                    threads=self._settings.run.threads,
                    n_best=self._rescorer.n_best,
                    distinct=True,
                    forests=False,
                    progress=None,
                )
                lists += [one.bare() for one in found]
                if progress is not None:
                    progress(len(lists), len(self._sentences))
        return lists

    @property
    def starts(self) -> list[dict[str, float]]:
        """Weights to begin with: those of the second pass as it is, and those of search."""
        own, search = self._rescorer.weights, self.bundle.manifest.weights
        same = {name: search.get(name, 0.0) for name in own}
        return [own] if own == same else [own, same]

    def score(self) -> float:
        """The metric of the dev set, with the weights that the second pass has."""
        threads = self._settings.run.threads
        found = self._rescorer.again(self._lists, threads=threads)
        lines = tune.joined(self._references)
        return tune.dev_score(self._settings.tune.metric, found, lines, threads=threads)

    def tuned(self) -> tune.Report:
        """What tuning found, from the start that led to the best weights; the first of equals."""
        names = list(self._rescorer.weights)
        system = _Lists(self._rescorer, self._lists, names)
        reports = [
            tune.tune(
                system,
                self._sentences,
                self._references,
                start,
                settings=self._settings,
                watch=self._watch,
            )
            for start in self.starts
        ]
        return max(reports, key=lambda report: report.worth(report.best))


@dataclass(frozen=True)
class SecondPass:
    """What tuning made of a second pass, by the metric of the dev set."""

    before: float
    """As the bundle was."""
    after: float
    """With the best weights found, after search as it is now."""
    changed: bool
    """Whether its weights are others."""


def tuned_rescoring(lists: DevLists, before: float | None = None) -> tuple[Manifest, SecondPass]:
    """The manifest with weights of the second pass that suit these lists best.

    The weights it has are among those to choose from. `before` is what the bundle scored, if it was
    with other lists.
    """
    manifest, best = lists.bundle.manifest, lists.tuned().best
    before = lists.score() if before is None else before
    changed = dict(best.weights) != lists.starts[0]
    facts = {"dev_before": round(before, 4), "dev_after": round(best.score, 4)}
    how = manifest.rescoring
    better = how and msgspec.structs.replace(how, weights=dict(best.weights))
    found = msgspec.structs.replace(
        manifest, rescoring=better, facts={**manifest.facts, "rescoring": facts}
    )
    return found, SecondPass(before, best.score, changed)
