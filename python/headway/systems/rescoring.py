"""A second pass over lists of the best translations, with a longer n-gram model.

Decoding with a 3-gram is faster, and what a 5-gram would have chosen is mostly among its best
thousand; the weights of the second pass are tuned on their own.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from headway import _core, tune
from headway.errors import ModelError
from headway.lm import LanguageModel
from headway.progress import Progress
from headway.settings import Settings
from headway.systems.bundle import MANIFEST, Bundle, Manifest
from headway.systems.decoder import Decoder
from headway.systems.pipeline import Watch
from headway.systems.weights import changed_weights

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
        sentences: Sequence[Sequence[str]],  # noqa: ARG002
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


def tuned_rescoring(
    bundle: Bundle,
    sentences: list[list[str]],
    references: list[list[list[str]]],
    settings: Settings,
    watch: Watch,
) -> Manifest:
    """The manifest with weights of the second pass that suit these sentences best."""
    how = bundle.manifest.rescoring
    if how is None:
        return bundle.manifest
    decoder = Decoder(bundle, {}, {}, {})
    lists: list[_core.Translation] = []
    with watch("lists to rescore") as progress:
        for start in range(0, len(sentences), BATCH):
            found = decoder.translate(
                sentences[start : start + BATCH],
                threads=settings.run.threads,
                n_best=how.n_best,
                distinct=True,
                forests=False,
                progress=None,
            )
            lists += [one.bare() for one in found]
            if progress is not None:
                progress(len(lists), len(sentences))
    system = _Lists(Rescorer(bundle, decoder.features), lists, decoder.features)
    fixed = msgspec.structs.replace(settings.tune, forests=False)
    report = tune.tune(
        system,
        sentences,
        references,
        bundle.manifest.weights,
        settings=msgspec.structs.replace(settings, tune=fixed),
        watch=watch,
    )
    better = msgspec.structs.replace(how, weights=dict(report.best.weights))
    facts = {
        "dev_before": round(report.start.score, 4),
        "dev_after": round(report.best.score, 4),
    }
    return msgspec.structs.replace(
        bundle.manifest, rescoring=better, facts={**bundle.manifest.facts, "rescoring": facts}
    )
