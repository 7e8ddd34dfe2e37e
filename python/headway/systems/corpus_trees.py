"""The trees of one side of the training text: given, or by a parser, trained first if need be."""

import logging
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from headway import parse
from headway.corpus import read_lines
from headway.errors import FormatError
from headway.progress import Progress
from headway.run import Outputs
from headway.systems.parsers import make_parser, parser_uses, train_on_treebanks
from headway.systems.pipeline import Pipeline, note
from headway.systems.sides import SOURCE_SIDE, TARGET_SIDE, Side
from headway.systems.system import Choice, Part, uses
from headway.trees import Sentence, has_any, read_sentences, tag_column, tree_of, write_sentences

_log = logging.getLogger(__name__)

NO_TAGS = "none"
"""The column of tags of trees that have none."""


def corpus_trees(
    pipeline: Pipeline,
    side: Side,
    *,
    tags: str = "xpos",
    projective: bool = False,
    kept: bool = False,
) -> None:
    """Makes the file `side.trees`: a sentence for each line, without heads where it has no tree.

    Of trees that are given, `tags` is the column to use if both have tags. With `projective` arcs
    that cross others are lifted. With `kept` the parser, if there is one, is part of the bundle.
    """
    given = side.given(pipeline.corpus)
    if given.trees is not None:
        _take_trees(pipeline, side, given.trees, tags, projective=projective)
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
    pipeline: Pipeline, side: Side, given: Path, wanted: str, *, projective: bool
) -> None:
    """Trees of the same sentences, whatever their order, and whatever case they are in."""
    text = pipeline.run / side.text

    def make(outputs: Outputs, progress: Progress | None) -> None:  # noqa: ARG001
        known, tags = _by_words(given, wanted)
        found = _Found(known)
        write_sentences(
            outputs[side.trees], found.stream(line.split() for line in read_lines(text))
        )
        if not found.trees:
            message = f"{given}: has no tree of any {side.name} sentence; are its words the same?"
            raise FormatError(message, given)
        if found.missing:
            first = f"line {found.first}: {found.example}"
            message = "%s: no tree of %d sentences, which are used without one; the first is %s"
            _log.warning(message, given, found.missing, first)
        facts = {"trees": found.trees, "trees_missing": found.missing}
        _note(
            outputs,
            side,
            {**facts, **_finished(outputs[side.trees], tags, projective=projective)},
        )

    pipeline.step(
        f"{side.prefix}trees",
        "taking trees",
        make,
        inputs=[text, given],
        settings={"tags": wanted, "projective": projective},
        outputs=[side.trees, _facts(side)],
    )


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
            if not tree.is_projective and not tree.has_cycle:
                sentence.set_tree(tree.projective(), tags)
                lifted += 1
    if lifted:
        write_sentences(path, sentences)
    tagged = any(has_any(sentence, tags) for sentence in sentences)
    return {"trees_lifted": lifted, "tree_tags": tags if tagged else NO_TAGS}


def _by_words(path: Path, wanted: str) -> tuple[dict[tuple[str, ...], list[Sentence]], str]:
    """Sentences by their words, and the column of their tags: the wanted one if it has any.

    Trees with a cycle are none, nor are sentences whose words all have no head: they had no parse.
    """
    sentences = list(read_sentences(path))
    tags = tag_column(sentences, wanted)
    known: dict[tuple[str, ...], list[Sentence]] = {}
    for sentence in sentences:
        if all(head is None for head in sentence.heads):
            continue
        if not tree_of(sentence, path, tags).has_cycle:
            known.setdefault(_key(sentence.forms), []).append(sentence)
    return known, tags


def _key(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(word.lower() for word in words)


class _Found:
    """Trees of sentences, counted; a sentence without one has words without heads."""

    def __init__(self, known: dict[tuple[str, ...], list[Sentence]]) -> None:
        self._known = known
        self.trees = self.missing = self.first = 0
        self.example = ""

    def stream(self, sentences: Iterator[list[str]]) -> Iterator[Sentence]:
        for number, words in enumerate(sentences, 1):
            if not words:
                yield Sentence.from_columns([], comments=["# empty"])
                continue
            known = self._known.get(_key(words))
            if known is None:
                self.missing += 1
                if self.missing == 1:
                    self.first, self.example = number, repr(" ".join(words)[:60])
                no_heads: list[int | None] = [None] * len(words)
                yield Sentence.from_columns(words, head=no_heads)
                continue
            self.trees += 1
            yield _with_words(known[0] if len(known) == 1 else known.pop(0), words)


def _with_words(sentence: Sentence, words: Sequence[str]) -> Sentence:
    """The tree of a sentence with its tags and labels, over words in the case of the corpus."""
    coarse, fine = sentence.tree("upos"), sentence.tree("xpos")
    columns = {"upos": coarse.tags, "xpos": fine.tags, "deprel": fine.labels}
    filled = {name: [value or "_" for value in values] for name, values in columns.items()}
    return Sentence.from_columns(list(words), head=list(fine.heads), **filled)


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
