"""The step of systems that score where dependents stand: the dependency order model."""

from dataclasses import asdict

from headway import deporder
from headway.progress import Progress
from headway.run import Outputs
from headway.systems.pipeline import Pipeline, note
from headway.systems.sides import SOURCE_SIDE, TARGET_SIDE
from headway.systems.steps import alignments
from headway.systems.system import Part, uses

_MODEL, _FACTS = "order.bin", "order.json"


def order_model(pipeline: Pipeline) -> None:
    """Estimates the order model from the trees of both sides and their alignment."""
    how = pipeline.settings.deporder
    source, target = (pipeline.run / side.trees for side in (SOURCE_SIDE, TARGET_SIDE))
    # Labels are few, and seen often: one alignment tells what they become.
    alignment = pipeline.run / alignments(pipeline)[0]

    def make(outputs: Outputs, progress: Progress | None) -> None:
        found = deporder.estimate(
            target,
            outputs[_MODEL],
            pairs=deporder.AlignedTrees(source, target, alignment),
            lexical=how.lexical,
            sizes=how.sizes,
            punctuation_apart=how.punctuation == "apart",
            longest=how.longest,
            threads=pipeline.threads,
            progress=progress,
        )
        note(outputs[_FACTS], {"order": asdict(found)})

    pipeline.step(
        "order",
        "estimating the order model",
        make,
        inputs=[source, target, alignment],
        settings={"deporder": how},
        outputs=[_MODEL, _FACTS],
    )
    pipeline.learn(_FACTS)
    pipeline.component("order", "order", _MODEL)


ORDER_MODEL = Part(order_model, settings=(uses("deporder"),), components=(uses("order"),))
