"""The trees of one side of the training text: given, or by a parser, trained first if need be."""

import logging
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from headway import parse
from headway.corpus import read_lines
from headway.errors import FormatError
from headway.progress import Progress
from headway.run import Outputs
from headway.systems.known_trees import KnownTrees
from headway.systems.parsers import is_learnable, make_parser, parser_uses, train_on_treebanks
from headway.systems.pipeline import Pipeline, note
from headway.systems.sides import SOURCE_SIDE, TARGET_SIDE, Side
from headway.systems.system import Choice, Part, uses
from headway.trees import DependencyTree, Sentence, has_any, read_sentences, write_sentences

_log = logging.getLogger(__name__)

NO_TAGS = "none"
"""The column of tags of trees that have none."""


def corpus_trees(
    pipeline: Pipeline,
    side: Side,
    *,
    tags: str = "xpos",
    projective: bool = False,
    cyclic: bool = False,
    kept: bool = False,
) -> None:
    """Makes the file `side.trees`: a sentence for each line, without heads where it has no tree.

    Of trees that are given, `tags` is the column to use if both have tags, and those with a cycle
    are trees only if they may be `cyclic`. With `projective` arcs that cross others are lifted.
    With `kept` the parser, if there is one, is part of the bundle.
    """
    given = side.given(pipeline.corpus)
    if given.trees is not None:
        _take_trees(pipeline, side, given.trees, tags, projective=projective, cyclic=cyclic)
    else:
        if kept:
            make_parser(pipeline, side, pipeline.settings.parse)
        elif given.parser is None:
            train_on_treebanks(pipeline, side, pipeline.settings.parse)
        own = str(pipeline.run / side.parser)
        _parse(pipeline, side, given.parser or own, projective=projective)
    pipeline.learn(_facts(side))


def _facts(side: Side) -> str:
    return f"{side.prefix}trees.json"


def _parse(pipeline: Pipeline, side: Side, name: str, *, projective: bool) -> None:
    text, place = pipeline.run / side.text, Path(name)

    def make(outputs: Outputs, progress: Progress | None) -> None:
        parser, output = parse.load(name), outputs[side.trees]
        count = parser.parse_file(
            text, output, tokenised=True, threads=pipeline.threads, progress=progress
        )
        facts = {"trees": count, **_finished(output, parser.tags, projective=projective)}
        _note(outputs, side, facts)

    files = sorted(place.rglob("*")) if place.is_dir() else [place]
    pipeline.step(
        f"{side.prefix}parse",
        f"parsing the {side.name} side",
        make,
        inputs=[text, *(file for file in files if file.is_file())],
        settings={"parser": "" if place.exists() else name, "projective": projective},
        outputs=[side.trees, _facts(side)],
    )


def _take_trees(
    pipeline: Pipeline,
    side: Side,
    given: Path,
    wanted: str,
    *,
    projective: bool,
    cyclic: bool,
) -> None:
    """Trees of the same sentences, whatever their order, and whatever case they are in."""
    text = pipeline.run / side.text

    def make(outputs: Outputs, progress: Progress | None) -> None:  # noqa: ARG001
        known = KnownTrees(given, cyclic=cyclic, headless=False)
        lines = (line.split() for line in read_lines(text))
        trees = known.trees_of(lines, f"{side.name} sentence that cleaning kept")
        write_sentences(outputs[side.trees], _some_learnable(trees, given, cyclic=cyclic))
        known.report()
        missing = known.missing
        if missing.count:
            first = f"line {missing.number}: {missing.words!r}"
            message = "%s: no tree of %d sentences, which are used without one; the first is %s"
            _log.warning(message, given, missing.count, first)
        facts = {"trees": known.found, "trees_missing": missing.count}
        finished = _finished(outputs[side.trees], known.tags(wanted), projective=projective)
        _note(outputs, side, {**facts, **finished})

    pipeline.step(
        f"{side.prefix}trees",
        "taking trees",
        make,
        inputs=[text, given],
        settings={"tags": wanted, "projective": projective, "cyclic": cyclic},
        outputs=[side.trees, _facts(side)],
    )


def _some_learnable(
    sentences: Iterable[Sentence], given: Path, *, cyclic: bool
) -> Iterator[Sentence]:
    """The same sentences; if nothing can be learnt from any, the error names the user's file.

    The file may have other trees, of pairs that cleaning dropped.
    """
    learnable = False
    for sentence in sentences:
        learnable = learnable or is_learnable(sentence, cyclic=cyclic)
        yield sentence
    if not learnable:
        message = "the sentences that cleaning kept have no tree with a root in it"
        raise FormatError(f"{given}: {message}; see headway trees check", given)


def _note(outputs: Outputs, side: Side, facts: dict[str, Any]) -> None:
    note(outputs[_facts(side)], {side.fact(name): value for name, value in facts.items()})


def _finished(path: Path, tags: str, *, projective: bool) -> dict[str, Any]:
    """Where the tags of the trees in a file are; and makes trees projective if that is wanted.

    Structures of rules are joined with their neighbours, so arcs that cross could not be built
    again, and the words of such a rule would be in no structure.
    """
    if not projective:
        tagged = any(has_any(sentence, tags) for sentence in read_sentences(path))
        return {"tree_tags": tags if tagged else NO_TAGS}
    sentences, lifted = list(read_sentences(path)), 0
    for sentence in sentences:
        if sentence.forms and None not in sentence.heads:
            tree = sentence.tree(tags)
            if tree.is_projective:
                continue
            without = without_crossing(tree)
            if without.heads != tree.heads:
                sentence.set_tree(without, tags)
                lifted += 1
    if lifted:
        write_sentences(path, sentences)
    tagged = any(has_any(sentence, tags) for sentence in sentences)
    return {"trees_lifted": lifted, "tree_tags": tags if tagged else NO_TAGS}


def without_crossing(tree: DependencyTree) -> DependencyTree:
    """A tree with crossing arcs lifted; with a cycle, only in the parts beside and below it.

    Arcs on a cycle stay as they are, and so does what could only be lifted above one.
    """
    if not tree.has_cycle:
        return tree.projective()
    around = {word for cycle in tree.cycles for word in cycle}
    cut = [0 if word in around else head for word, head in enumerate(tree.heads, 1)]
    lifted = DependencyTree(tree.forms, cut).projective().heads
    heads = [new or old for new, old in zip(lifted, tree.heads, strict=True)]
    return DependencyTree(tree.forms, heads, tree.tags, tree.labels)


def source_trees(pipeline: Pipeline) -> None:
    """The trees of the source side, if any are given, and the parser that `translate` uses."""
    if SOURCE_SIDE.given(pipeline.corpus).ways:
        corpus_trees(pipeline, SOURCE_SIDE, kept=True)


def target_trees(pipeline: Pipeline) -> None:
    """The trees of the target side, if any are given."""
    if TARGET_SIDE.given(pipeline.corpus).ways:
        corpus_trees(pipeline, TARGET_SIDE)


def _no_source_parser(choice: Choice) -> str:
    given = choice.corpus.source_trees
    return "" if given.treebanks or given.parser else "the bundle has no source parser"


SOURCE_TREES = Part(
    source_trees,
    settings=parser_uses(SOURCE_SIDE),
    components=(uses("source-parser", unless=_no_source_parser),),
)
TARGET_TREES = Part(target_trees, settings=parser_uses(TARGET_SIDE))
