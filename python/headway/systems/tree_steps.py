"""The steps of systems with target trees: parsing, the dependency model, rules with structures."""

import logging
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from headway import lm, parse
from headway.corpus import read_lines
from headway.errors import FormatError
from headway.lm.dependency import CARD, MODELS
from headway.partial import partial_directory
from headway.progress import Progress
from headway.run import Outputs
from headway.settings import ExtractSettings, Settings
from headway.systems.pipeline import Pipeline, note
from headway.systems.steps import RULE_SETTINGS, RULE_WEIGHTS, TARGET, extract_rules
from headway.systems.system import Choice, Part, uses
from headway.systems.target_parser import (
    PARSER,
    PARSER_SETTINGS,
    adapt_treebanks,
    train_on_treebanks,
)
from headway.trees import (
    DependencyTree,
    Sentence,
    has_any,
    read_sentences,
    tag_column,
    tree_of,
    write_sentences,
)

_log = logging.getLogger(__name__)

TREES = "train.conllu"
# The column of tags of trees that have none.
_NO_TAGS = "none"
# Files of the dependency model; they lie side by side, in the run directory and in a bundle.
_MODEL_FILES = (*(f"{name}.bin" for name in MODELS), CARD)
# What each configuration extracts.
_KINDS = {"baseline": "hiero", "filtered": "filtered", "str-dep": "str2dep", "labeled": "str2dep"}


def target_trees(pipeline: Pipeline) -> None:
    """A tree for each target sentence: given, or by a parser, trained first if need be."""
    given = pipeline.corpus.target_trees
    if pipeline.settings.str2dep.model == "baseline":
        return
    if given.trees is not None:
        _take_trees(pipeline, given.trees)
    elif given.parser is not None:
        _parse(pipeline, given.parser)
    else:
        adapt_treebanks(pipeline)
        train_on_treebanks(pipeline, pipeline.settings.parse)
        _parse(pipeline, str(pipeline.run / PARSER))
    pipeline.learn("trees.json")
    if pipeline.facts["tree_tags"] == _NO_TAGS and _wants_labels(pipeline.settings):
        banks = ", ".join(str(part.path) for part in given.treebanks)
        where = given.trees or given.parser or banks
        message = "%s: trees without tags, UPOS and XPOS are all _; rules get no labels, as with %s"
        _log.warning(message, where, "str2dep.model=str-dep")


def _parse(pipeline: Pipeline, name: str) -> None:
    text, place = pipeline.run / TARGET, Path(name)

    def make(outputs: Outputs, progress: Progress | None) -> None:
        parser = parse.load(name)
        count = parser.parse_file(
            text, outputs[TREES], tokenised=True, threads=pipeline.threads, progress=progress
        )
        note(outputs["trees.json"], {"trees": count, **_finished(outputs[TREES], parser.tags)})

    files = sorted(place.rglob("*")) if place.is_dir() else [place]
    pipeline.step(
        "parse",
        "parsing the target side",
        make,
        inputs=[text, *(file for file in files if file.is_file())],
        settings={"parser": "" if place.exists() else name},
        outputs=[TREES, "trees.json"],
    )


def _take_trees(pipeline: Pipeline, given: Path) -> None:
    """Trees of the same sentences, whatever their order, and whatever case they are in."""
    text, wanted = pipeline.run / TARGET, pipeline.settings.extract.tags

    def make(outputs: Outputs, progress: Progress | None) -> None:  # noqa: ARG001
        trees, tags = _by_words(given, wanted)
        found = _Found(trees, tags)
        write_sentences(outputs[TREES], found.stream(line.split() for line in read_lines(text)))
        if not found.trees:
            message = f"{given}: has no tree of any target sentence; are its words the same?"
            raise FormatError(message, given)
        if found.missing:
            first = f"line {found.first}: {found.example}"
            message = "%s: no tree of %d sentences, which give short rules only; the first is %s"
            _log.warning(message, given, found.missing, first)
        counts = {"trees": found.trees, "trees_missing": found.missing}
        note(outputs["trees.json"], {**counts, **_finished(outputs[TREES], tags)})

    pipeline.step(
        "trees",
        "taking trees",
        make,
        inputs=[text, given],
        settings={"tags": wanted},
        outputs=[TREES, "trees.json"],
    )


def _finished(path: Path, tags: str) -> dict[str, Any]:
    """Makes trees of a file projective, as rules are put together; answers how many were not.

    Structures are joined with their neighbours, so arcs that cross could not be built again, and
    the words of such a rule would be in no structure. Also answers where their tags are.
    """
    sentences, lifted = list(read_sentences(path)), 0
    for sentence in sentences:
        if sentence.forms and None not in sentence.heads:
            tree = sentence.tree(tags)
            if not tree.is_projective and not tree.has_cycle:
                sentence.set_tree(tree.projective(), tags)
                lifted += 1
    if lifted:
        write_sentences(path, sentences)
    tagged = any(has_any(sentence, tags) for sentence in sentences)
    return {"trees_lifted": lifted, "tree_tags": tags if tagged else _NO_TAGS}


def _by_words(path: Path, wanted: str) -> tuple[dict[tuple[str, ...], list[DependencyTree]], str]:
    """Trees by their words, and the column of their tags: the wanted one if it has any."""
    sentences = list(read_sentences(path))
    tags = tag_column(sentences, wanted)
    trees: dict[tuple[str, ...], list[DependencyTree]] = {}
    for sentence in sentences:
        tree = tree_of(sentence, path, tags)
        trees.setdefault(_key(tree.forms), []).append(tree)
    return trees, tags


def _key(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(word.lower() for word in words)


class _Found:
    """Trees of sentences, counted; a sentence without one has words without heads."""

    def __init__(self, known: dict[tuple[str, ...], list[DependencyTree]], tags: str) -> None:
        self._known, self._tags = known, tags
        self.trees = self.missing = self.first = 0
        self.example = ""

    def stream(self, sentences: Iterator[list[str]]) -> Iterator[Sentence]:
        for number, words in enumerate(sentences, 1):
            if not words:
                yield Sentence.from_columns([], comments=["# empty"])
                continue
            trees = self._known.get(_key(words))
            if trees is None:
                self.missing += 1
                if self.missing == 1:
                    self.first, self.example = number, repr(" ".join(words)[:60])
                yield _sentence(words, [None] * len(words), ["_"] * len(words), self._tags)
                continue
            self.trees += 1
            tree = trees[0] if len(trees) == 1 else trees.pop(0)
            yield _sentence(words, tree.heads, tree.tags, self._tags)


def _sentence(
    words: Sequence[str], heads: Sequence[int | None], tags: Sequence[str], column: str
) -> Sentence:
    named = [tag or "_" for tag in tags]
    return Sentence.from_columns(list(words), head=list(heads), **{column: named})


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
    labels = _wants_labels(pipeline.settings) and tags != _NO_TAGS
    labelled = msgspec.structs.replace(own, labels=labels)
    tags = chosen.tags if tags == _NO_TAGS else tags
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
    target_trees, settings=(uses("str2dep"), *PARSER_SETTINGS, uses("parse", unless=no_trees))
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
