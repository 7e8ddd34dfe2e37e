"""The steps that train a parser on treebanks, and again on its own trees of the text."""

import shutil
from collections.abc import Sequence

from headway import parse
from headway.parse import TreebankPart
from headway.parse.parser import FILE
from headway.progress import Progress
from headway.run import Outputs
from headway.settings import ParseSettings
from headway.systems.pipeline import Pipeline, note
from headway.systems.sides import Side
from headway.systems.system import Choice


def train_on(
    pipeline: Pipeline,
    side: Side,
    parts: Sequence[TreebankPart],
    how: ParseSettings,
    *,
    first: bool = False,
) -> None:
    """Trains a parser of a side on treebanks as they are; a `first` one is for self-training."""
    seed, name = pipeline.settings.run.seed, f"{side.prefix}{'first-' if first else ''}parser"
    output = f"{name}.bin"

    def make(outputs: Outputs, progress: Progress | None) -> None:
        place = outputs[output].with_suffix(".training")
        parse.train(
            parts, place, settings=how, seed=seed, threads=pipeline.threads, progress=progress
        )
        (place / FILE).rename(outputs[output])
        shutil.rmtree(place)

    pipeline.step(
        name,
        f"training the {name.replace('-', ' ')}",
        make,
        inputs=[part.path for part in parts],
        settings={"parse": how, "seed": seed, "weights": [part.weight for part in parts]},
        outputs=[output],
    )


def self_trained(
    pipeline: Pipeline, side: Side, parts: Sequence[TreebankPart], how: ParseSettings
) -> TreebankPart:
    """The trees of the text by a first parser, as one more treebank (McClosky et al. 2006)."""
    train_on(pipeline, side, parts, how, first=True)
    text, parser = pipeline.run / side.text, pipeline.run / f"{side.prefix}first-parser.bin"
    trees, facts = f"{side.prefix}self.conllu", f"{side.prefix}self.json"

    def make(outputs: Outputs, progress: Progress | None) -> None:
        first = parse.load(str(parser))
        count = first.parse_file(
            text, outputs[trees], tokenised=True, threads=pipeline.threads, progress=progress
        )
        note(outputs[facts], {side.fact("self_trees"): count})

    pipeline.step(
        f"{side.prefix}self-trees",
        f"parsing the {side.name} side to learn from it",
        make,
        inputs=[text, parser],
        settings={},
        outputs=[trees, facts],
    )
    pipeline.learn(facts)
    return TreebankPart(pipeline.run / trees, pipeline.settings.self_train.weight)


def no_self_training(choice: Choice) -> str:
    """Why no parser learns from its own trees."""
    asked = choice.corpus.target_trees.self_train or choice.corpus.source_trees.self_train
    return "" if asked else "--self-train is not given"
