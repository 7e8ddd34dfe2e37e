"""The steps of systems that score operations: n-gram models over them, of words and of classes."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from headway import lm, osm
from headway.progress import Progress
from headway.run import Outputs
from headway.systems.pipeline import Pipeline, note
from headway.systems.sides import SOURCE_SIDE, TARGET_SIDE
from headway.systems.steps import CLASSES, alignments, learn_classes
from headway.systems.system import Choice, Part, uses

_SOURCE_CLASSES = "source.classes"


def operation_models(pipeline: Pipeline) -> None:
    """Estimates the models of operations, of words and, where there are classes, of classes."""
    how = pipeline.settings
    if not how.osm.order:
        return
    _model(pipeline, "osm", ())
    if how.osm.classes and how.lm.classes.count:
        texts = [pipeline.run / SOURCE_SIDE.text]
        learn_classes(pipeline, texts, "source-classes", _SOURCE_CLASSES)
        files = [pipeline.run / name for name in (_SOURCE_CLASSES, CLASSES)]
        _model(pipeline, "class-osm", files)


def _model(pipeline: Pipeline, name: str, classes: Sequence[Path]) -> None:
    how, model, facts = pipeline.settings, f"{name}.bin", f"{name}.json"
    sides = [pipeline.run / side.text for side in (SOURCE_SIDE, TARGET_SIDE)]
    aligned = [pipeline.run / file for file in alignments(pipeline)]

    def make(outputs: Outputs, progress: Progress | None) -> None:
        operations = outputs[model].with_name(f"{outputs[model].name}.operations.zst")
        try:
            written = _write(pipeline, sides, aligned, operations, classes)
            training = lm.train(
                operations,
                outputs[model],
                order=how.osm.order,
                memory=how.lm.memory,
                prune=how.osm.prune,
                skip_symbols=True,
                threads=pipeline.threads,
                progress=progress,
            )
        finally:
            operations.unlink(missing_ok=True)
        key = name.replace("-", "_")
        note(outputs[facts], {key: {**asdict(written), "ngrams": training.kept}})

    settings: dict[str, Any] = {"order": how.osm.order, "prune": how.osm.prune}
    pipeline.step(
        name,
        "estimating the model of operations",
        make,
        inputs=[*sides, *aligned, *classes],
        settings=settings,
        outputs=[model, facts],
    )
    pipeline.learn(facts)
    pipeline.component(name, name, model)


def _write(
    pipeline: Pipeline,
    sides: Sequence[Path],
    aligned: Sequence[Path],
    output: Path,
    classes: Sequence[Path],
) -> osm.Operations:
    """The operations of the training text, of words or of their classes."""
    source, target = sides
    loaded = [lm.WordClasses.load(path) for path in classes]
    return osm.write_operations(
        source,
        target,
        aligned,
        output,
        classes=(loaded[0], loaded[1]) if loaded else None,
        threads=pipeline.threads,
    )


def _no_operations(choice: Choice) -> str:
    return "" if choice.settings.osm.order else "osm.order is 0"


def _no_classes(choice: Choice) -> str:
    if not choice.settings.osm.order:
        return "osm.order is 0"
    if not choice.settings.osm.classes:
        return "osm.classes is false"
    return "" if choice.settings.lm.classes.count else "lm.classes.count is 0"


OPERATION_MODELS = Part(
    operation_models,
    settings=(uses("osm.order"), uses("osm.classes", "osm.prune", unless=_no_operations)),
    components=(
        uses("osm", unless=_no_operations),
        uses("class-osm", "source-classes", unless=_no_classes),
    ),
    weights=(uses("class-osm", unless=_no_classes),),
)
