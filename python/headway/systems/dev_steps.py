"""What training does with a dev set once there is a bundle: tune it, and score it."""

import json
from collections.abc import Mapping
from dataclasses import asdict, fields
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from headway.corpus import write_lines
from headway.files import write_text
from headway.progress import Progress
from headway.run import Outputs
from headway.settings import Settings
from headway.systems.bundle import Bundle, Consensus, Manifest, Rescoring
from headway.systems.coarse import after_coarse, coarse_of, has_coarse, with_coarse
from headway.systems.consensus import decide
from headway.systems.dev import Bleu, DevSet, bleu
from headway.systems.dev_sources import DevSources, dev_sources
from headway.systems.features import RuleFeature, fingerprint, remembered
from headway.systems.pipeline import Pipeline, note
from headway.systems.rescoring import DevLists, tuned_rescoring
from headway.systems.translator import Translator
from headway.systems.tuning import tune_bundle, tuned_manifest
from headway.tune import plot_svg


class Dev:
    """The dev set of a training, prepared for search when the first step asks for it."""

    def __init__(
        self, pipeline: Pipeline, draft: Bundle, dev: DevSet, added: Mapping[str, RuleFeature]
    ) -> None:
        self._pipeline, self._draft, self._dev, self._added = pipeline, draft, dev, added

    @cached_property
    def ready(self) -> DevSources:
        """Words, parsed where search uses trees, and references as words."""
        return dev_sources(
            self._draft,
            self._dev,
            self._pipeline.threads,
            added=self._added,
            watch=self._pipeline.watch,
            option="--dev-source-trees",
        )

    @property
    def references(self) -> list[list[str]]:
        """Lines as people write them."""
        return self._dev.references


def tuned(pipeline: Pipeline, draft: Bundle, dev: Dev, added: Mapping[str, RuleFeature]) -> Bundle:
    """The draft with the weights and the search settings that suit the dev set best.

    Where a coarse search comes first, it is tuned first.
    """
    settings = pipeline.settings
    if has_coarse(draft):
        first = _tuned(pipeline, "coarse", coarse_of(draft), dev, added, settings)
        draft, settings = with_coarse(draft, first.manifest), after_coarse(settings)
    return _tuned(pipeline, "", draft, dev, added, settings)


def _tuned(
    pipeline: Pipeline,
    which: str,
    draft: Bundle,
    dev: Dev,
    added: Mapping[str, RuleFeature],
    settings: Settings,
) -> Bundle:
    """One tuning; `which` names its step and its files where there is more than one."""
    manifest, prefix = draft.manifest, f"{which}-" if which else ""
    report, drawing = f"{prefix}tuning.json", f"{prefix}tuning.svg"

    def make(outputs: Outputs, progress: Progress | None) -> None:  # noqa: ARG001
        state = pipeline.run / f"{prefix}tuning"
        found = tune_bundle(
            draft, dev.ready, settings, added=added, state=state, watch=pipeline.watch
        )
        write_text(outputs[drawing], plot_svg(found))
        better = tuned_manifest(manifest, found) if found.improved else manifest
        note(
            outputs[report],
            {"weights": better.weights, "search": better.search, "facts": better.facts},
        )

    pipeline.step(
        f"{prefix}tune",
        f"tuning the {which} search" if which else "tuning",
        make,
        inputs=_inputs(pipeline, draft),
        settings=_tuning(manifest, added, settings),
        outputs=[report, drawing],
    )
    found = json.loads((pipeline.run / report).read_text(encoding="utf-8"))
    return Bundle(draft.directory, msgspec.structs.replace(manifest, **found))


def rescoring_tuned(
    pipeline: Pipeline, draft: Bundle, dev: Dev, added: Mapping[str, RuleFeature]
) -> Bundle:
    """The draft with tuned weights of the second pass, if it has one."""
    manifest, settings, how = draft.manifest, pipeline.settings, draft.manifest.rescoring
    if how is None:
        return draft

    def make(outputs: Outputs, progress: Progress | None) -> None:  # noqa: ARG001
        # The weights it has are nobody's choice yet: it begins with those of search.
        begin = msgspec.structs.replace(how, weights=manifest.weights)
        start = Bundle(draft.directory, msgspec.structs.replace(manifest, rescoring=begin))
        ready, asked = dev.ready, remembered(added)
        better, _ = tuned_rescoring(
            DevLists(start, ready.sources, ready.references, settings, pipeline.watch, asked)
        )
        found = {"rescoring": msgspec.to_builtins(better.rescoring), "facts": better.facts}
        note(outputs["rescored.json"], found)

    pipeline.step(
        "rescoring-tune",
        "tuning the second pass",
        make,
        inputs=_inputs(pipeline, draft),
        settings=_tuning(manifest, added, settings),
        outputs=["rescored.json"],
    )
    found = json.loads((pipeline.run / "rescored.json").read_text(encoding="utf-8"))
    rescoring = msgspec.convert(found["rescoring"], Rescoring)
    better = msgspec.structs.replace(manifest, rescoring=rescoring, facts=found["facts"])
    return Bundle(draft.directory, better)


def consensus_decided(
    pipeline: Pipeline, draft: Bundle, dev: Dev, added: Mapping[str, RuleFeature]
) -> Bundle:
    """The draft with the scale of consensus, its use if the dev set gains, and confidences."""
    manifest, settings = draft.manifest, pipeline.settings
    if settings.consensus.use == "never":
        return draft

    def make(outputs: Outputs, progress: Progress | None) -> None:
        decided = decide(draft, dev.ready, settings, features=remembered(added), progress=progress)
        found = {"consensus": msgspec.to_builtins(decided.consensus), "facts": decided.facts()}
        note(outputs["consensus.json"], found)

    pipeline.step(
        "consensus",
        "deciding on consensus",
        make,
        inputs=_inputs(pipeline, draft),
        settings={
            **_use(manifest, added),
            "consensus": settings.consensus,
            "metric": settings.tune.metric,
        },
        outputs=["consensus.json"],
    )
    found = json.loads((pipeline.run / "consensus.json").read_text(encoding="utf-8"))
    consensus = msgspec.convert(found["consensus"], Consensus)
    facts = {**manifest.facts, **found["facts"]}
    better = msgspec.structs.replace(manifest, consensus=consensus, facts=facts)
    return Bundle(draft.directory, better)


def _inputs(pipeline: Pipeline, draft: Bundle) -> list[Path]:
    corpus = pipeline.corpus
    components = (draft.path(name) for name in draft.manifest.components)
    return [*components, *corpus.dev_files, *corpus.dev_trees]


def _use(manifest: Manifest, added: Mapping[str, RuleFeature]) -> dict[str, Any]:
    """What translations depend on besides the component files."""
    return {
        "weights": manifest.weights,
        "search": manifest.search,
        "languages": manifest.languages,
        "preprocessing": manifest.preprocessing,
        "rescoring": manifest.rescoring,
        **({"features": fingerprint(added)} if added else {}),
        **({"coarse": manifest.coarse} if manifest.coarse else {}),
        **({"consensus": manifest.consensus} if manifest.consensus else {}),
    }


def _tuning(
    manifest: Manifest, added: Mapping[str, RuleFeature], settings: Settings
) -> dict[str, Any]:
    """What tuning depends on besides files."""
    return {**_use(manifest, added), "tune": settings.tune, "seed": settings.run.seed}


def scored(pipeline: Pipeline, draft: Bundle, dev: Dev, added: Mapping[str, RuleFeature]) -> Bleu:
    """Translates the dev set and compares."""
    manifest = draft.manifest

    def make(outputs: Outputs, progress: Progress | None) -> None:
        translator = Translator(draft, features=added)
        found = translator.translate(dev.ready.sources, threads=pipeline.threads, progress=progress)
        lines = [translation.text for translation in found]
        write_lines(outputs["dev.out"], lines)
        score = bleu(
            lines,
            dev.references,
            language=manifest.languages.target,
            tokenised=not manifest.preprocessing.tokenise,
            lowercase=manifest.preprocessing.casing == "lowercase",
        )
        note(outputs["dev.json"], asdict(score))

    pipeline.step(
        "dev",
        "translating the dev set",
        make,
        inputs=_inputs(pipeline, draft),
        settings={**_use(manifest, added), "reports": [field.name for field in fields(Bleu)]},
        outputs=["dev.out", "dev.json"],
    )
    return Bleu(**json.loads((pipeline.run / "dev.json").read_text(encoding="utf-8")))
