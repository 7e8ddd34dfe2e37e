"""The steps of systems with target trees: parsing, the dependency model, rules with structures."""

import logging
from pathlib import Path

import msgspec

from headway import lm
from headway.lm.dependency import CARD, MODELS
from headway.partial import partial_directory
from headway.progress import Progress
from headway.run import Outputs
from headway.settings import ExtractSettings, Settings
from headway.systems.corpus_trees import NO_TAGS, corpus_trees
from headway.systems.parsers import parser_uses
from headway.systems.pipeline import Pipeline
from headway.systems.sides import TARGET_SIDE
from headway.systems.steps import RULE_SETTINGS, RULE_WEIGHTS, extract_rules
from headway.systems.system import Choice, Part, uses
from headway.trees import read_sentences, write_sentences

_log = logging.getLogger(__name__)

TREES = TARGET_SIDE.trees
# Files of the dependency model; they lie side by side, in the run directory and in a bundle.
_MODEL_FILES = (*(f"{name}.bin" for name in MODELS), CARD)
# What each configuration extracts.
_KINDS = {"baseline": "hiero", "filtered": "filtered", "str-dep": "str2dep", "labeled": "str2dep"}


def target_trees(pipeline: Pipeline) -> None:
    """The trees of the target side, as rules are put together: without arcs that cross.

    Given trees with a cycle are among them: rules come of their well-formed parts.
    """
    given, tags = pipeline.corpus.target_trees, pipeline.settings.extract.tags
    if pipeline.settings.str2dep.model == "baseline":
        return
    corpus_trees(pipeline, TARGET_SIDE, tags=tags, projective=True, cyclic=True)
    if pipeline.facts["tree_tags"] == NO_TAGS and _wants_labels(pipeline.settings):
        banks = ", ".join(str(part.path) for part in given.treebanks)
        where = given.trees or given.parser or banks
        message = "%s: trees without tags, UPOS and XPOS are all _; rules get no labels, as with %s"
        _log.warning(message, where, "str2dep.model=str-dep")


def has_dependency_model(settings: Settings) -> bool:
    """Whether trees are part of search in the configuration."""
    return settings.str2dep.model not in ("baseline", "filtered")


def dependency_model(pipeline: Pipeline) -> None:
    """Estimates the dependency language model of the target trees."""
    if not has_dependency_model(pipeline.settings):
        return
    trees, how = pipeline.run / TREES, pipeline.settings.lm

    def make(outputs: Outputs, progress: Progress | None) -> None:
        with partial_directory(outputs[CARD].parent) as place:
            parsed = place / "parsed.conllu"
            write_sentences(parsed, (one for one in read_sentences(trees) if None not in one.heads))
            lm.train_dependency(
                parsed,
                place,
                order=how.dependency_order,
                memory=how.memory,
                threads=pipeline.threads,
                progress=progress,
            )
            for name in _MODEL_FILES:
                (place / name).rename(outputs[name])

    pipeline.step(
        "dependency-lm",
        "estimating the dependency model",
        make,
        inputs=[trees],
        settings={"order": how.dependency_order},
        outputs=_MODEL_FILES,
    )
    for name in _MODEL_FILES:
        pipeline.component(f"dependency-{Path(name).stem}", "dependency", name)


def tree_rules(pipeline: Pipeline) -> None:
    """Extracts the rules of a configuration of §6: all within the limits of `extract.str2dep`."""
    model = pipeline.settings.str2dep.model
    trees = None if model == "baseline" else pipeline.run / TREES
    extract_rules(pipeline, _KINDS[model], _limits(pipeline), trees)


def _wants_labels(settings: Settings) -> bool:
    return settings.str2dep.model == "labeled" and settings.extract.str2dep.labels


def _limits(pipeline: Pipeline) -> ExtractSettings:
    chosen = pipeline.settings.extract
    own = chosen.str2dep
    fields = chosen.hiero.__struct_fields__
    same = msgspec.structs.replace(chosen.hiero, **{name: getattr(own, name) for name in fields})
    tags = pipeline.facts.get("tree_tags", chosen.tags)
    labels = _wants_labels(pipeline.settings) and tags != NO_TAGS
    labelled = msgspec.structs.replace(own, labels=labels)
    tags = chosen.tags if tags == NO_TAGS else tags
    return msgspec.structs.replace(chosen, hiero=same, str2dep=labelled, tags=tags)


def no_trees(choice: Choice) -> str:
    """Why a configuration needs no trees at all."""
    model = choice.settings.str2dep.model
    return "str2dep.model is baseline, which has no trees" if model == "baseline" else ""


def _no_structures(choice: Choice) -> str:
    if has_dependency_model(choice.settings):
        return ""
    return f"rules have no trees with str2dep.model={choice.settings.str2dep.model}"


def _not_labelled(choice: Choice) -> str:
    model = choice.settings.str2dep.model
    return "" if model == "labeled" else f"rules have no labels with str2dep.model={model}"


def _no_labels(choice: Choice) -> str:
    if not choice.settings.extract.str2dep.labels:
        return "rules have no labels with extract.str2dep.labels=false"
    return _not_labelled(choice)


def _tags_of_parser(choice: Choice) -> str:
    if choice.corpus.target_trees.trees is not None:
        return ""
    return "labels are the tags that the parser gives; see parse.tags"


TARGET_TREES = Part(
    target_trees,
    settings=(uses("str2dep"), *parser_uses(TARGET_SIDE), uses("parse", unless=no_trees)),
)
DEPENDENCY_MODEL = Part(
    dependency_model,
    settings=(uses("lm.dependency_order", unless=_no_structures),),
    components=(uses("dependency", unless=_no_structures),),
    weights=(uses("unmatched-labels", unless=_no_labels),),
)
_STRUCTURES = tuple(
    f"extract.str2dep.{name}" for name in ("labels", "structures", "phrasal", "phrasal_length")
)
TREE_RULES = Part(
    tree_rules,
    settings=(
        RULE_SETTINGS,
        uses("extract.str2dep"),
        uses(*_STRUCTURES, unless=_no_structures),
        uses("extract.str2dep.labels", unless=_not_labelled),
        uses("extract.tags", unless=_no_labels),
        uses("extract.tags", unless=_tags_of_parser),
    ),
    components=(uses("rules"),),
    weights=(RULE_WEIGHTS,),
)
