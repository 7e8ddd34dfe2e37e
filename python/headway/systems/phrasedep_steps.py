"""The steps of systems with trees over phrases: Brown clusters, phrase dependencies, a parser."""

from dataclasses import asdict

from headway import lm, phrasedep
from headway.progress import Progress
from headway.run import Outputs
from headway.systems.parsers import make_parser, parser_uses
from headway.systems.pipeline import Pipeline, note
from headway.systems.sides import SOURCE_SIDE, TARGET_SIDE
from headway.systems.steps import alignments
from headway.systems.system import Choice, Part, uses

_CLUSTERS, _TABLE, _FACTS = "clusters.paths", "phrase-dependencies.bin", "phrase-dependencies.json"


def phrase_dependencies(pipeline: Pipeline) -> None:
    """Extracts which phrases of the target side depend on which, with words and with clusters."""
    _clusters(pipeline)
    how = pipeline.settings.phrasedep
    source, target, trees = (
        pipeline.run / file for file in (SOURCE_SIDE.text, TARGET_SIDE.text, TARGET_SIDE.trees)
    )
    aligned = [pipeline.run / name for name in alignments(pipeline)]
    clusters = pipeline.run / _CLUSTERS

    def make(outputs: Outputs, progress: Progress | None) -> None:
        found = phrasedep.extract(
            source,
            target,
            aligned,
            trees,
            clusters,
            outputs[_TABLE],
            settings=how,
            threads=pipeline.threads,
            progress=progress,
        )
        note(outputs[_FACTS], {"phrase_dependencies": asdict(found)})

    pipeline.step(
        "phrase-dependencies",
        "extracting phrase dependencies",
        make,
        inputs=[source, target, *aligned, trees, clusters],
        settings={
            "max_length": how.max_length,
            "max_sentence_length": how.max_sentence_length,
        },
        outputs=[_TABLE, _FACTS],
    )
    pipeline.learn(_FACTS)
    pipeline.component("phrase-dependencies", "phrase-dependencies", _TABLE)


def _clusters(pipeline: Pipeline) -> None:
    how, text = pipeline.settings.phrasedep, pipeline.run / TARGET_SIDE.text

    def make(outputs: Outputs, progress: Progress | None) -> None:
        found = lm.WordClasses.learn(
            [text],
            count=how.clusters,
            method="brown",
            min_count=how.cluster_min_count,
            progress=progress,
        )
        found.save(outputs[_CLUSTERS])

    pipeline.step(
        "clusters",
        "finding word clusters",
        make,
        inputs=[text],
        settings={"count": how.clusters, "min_count": how.cluster_min_count},
        outputs=[_CLUSTERS],
    )


def source_parser(pipeline: Pipeline) -> None:
    """The parser of what is translated, if any: the training text needs no source trees."""
    given = SOURCE_SIDE.given(pipeline.corpus)
    if given.treebanks or given.parser is not None:
        make_parser(pipeline, SOURCE_SIDE, pipeline.settings.parse)


def _no_parser(choice: Choice) -> str:
    given = choice.corpus.source_trees
    return "" if given.treebanks or given.parser else "the bundle has no source parser"


PHRASE_DEPENDENCIES = Part(
    phrase_dependencies,
    settings=(uses("phrasedep"),),
    components=(uses("phrase-dependencies"),),
)
SOURCE_PARSER = Part(
    source_parser,
    settings=parser_uses(SOURCE_SIDE),
    components=(uses("source-parser", unless=_no_parser),),
)
