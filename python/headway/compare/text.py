"""The text whose trees are compared, and its trees by each source.

All of it lies in one run directory, so that no text is prepared twice and no parser trained twice.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from headway.compare.heads import Parses
from headway.compare.matching import trees_of_lines
from headway.compare.sources import Chain, TreesFrom, Way
from headway.corpus import read_lines
from headway.errors import FormatError
from headway.parse import TreebankPart
from headway.progress import Progress
from headway.run import Outputs, Run
from headway.settings import Settings
from headway.systems.bundle import Languages, Preprocessing
from headway.systems.corpus import Corpus, TreeSource
from headway.systems.corpus_trees import corpus_trees
from headway.systems.parser_training import train_on
from headway.systems.parsers import is_learnable
from headway.systems.pipeline import Action, Pipeline, Watch
from headway.systems.registry import find_system
from headway.systems.sides import TARGET, TARGET_SIDE, Side
from headway.systems.steps import prepare_side
from headway.systems.treebank import has_capitals
from headway.trees import Sentence, read_sentences, write_sentences


@dataclass(frozen=True)
class Prepared:
    """How text is prepared, whichever source parses it."""

    languages: Languages
    preprocessing: Preprocessing
    settings: Settings
    watch: Watch


class TargetText:
    """The lines of a text as words, and the trees of each source over them."""

    def __init__(self, run: Run, path: Path, how: Prepared) -> None:
        self._run, self.path, self._how = run, path, how
        prepare_side(self._pipeline(Corpus(path, path)), TARGET_SIDE, path)
        self.words = [line.split() for line in read_lines(run / TARGET)]

    def parse(self, source: TreesFrom, treebanks: Sequence[TreebankPart]) -> Parses:
        """The trees of a source, made unless they are there."""
        if source.way is Way.FILE:
            self._take(source)
        elif source.way is Way.CHAIN:
            self._chain(source)
        else:
            self._by_parser(source, treebanks)
        self._keep_whole(source)
        return self._read(source.name, self.file(source.name))

    def gold(self, path: Path) -> Parses:
        """Gold trees, of all lines or some."""
        trees = trees_of_lines(path, self.words, self.path, whole=False)
        return Parses.of("gold", trees)

    def file(self, name: str) -> Path:
        """The trees of a source: a sentence for each line, words without heads if it has none."""
        return self._run / _side(name).trees

    def whole(self, name: str) -> Path:
        """Only the trees in which every word has a head: those that rules can be learnt from."""
        return self._run / f"{name}-whole.conllu"

    def check_learnable(self, source: TreesFrom, system: str) -> None:
        """Whether a system can learn from a tree of any line, said before the first is trained."""
        cyclic = find_system(system).target_trees.cyclic
        trees = read_sentences(self.whole(source.name))
        if not any(is_learnable(tree, cyclic=cyclic) for tree in trees):
            message = f"--trees {source.name}={source.source}: no line of {self.path} has a tree"
            message += f" that {system} can learn from, for they have cycles or words without a"
            raise FormatError(f"{message} head; leave it out, or leave out --system", self.path)

    def _pipeline(self, corpus: Corpus, settings: Settings | None = None) -> Pipeline:
        how = self._how
        chosen = settings or how.settings
        return Pipeline(self._run, corpus, how.languages, how.preprocessing, chosen, how.watch)

    def _by_parser(self, source: TreesFrom, treebanks: Sequence[TreebankPart]) -> None:
        settings, given = self._how.settings, TreeSource(parser=source.source)
        side = _side(source.name)
        if source.way is Way.KIND:
            given = TreeSource(source.treebanks(treebanks))
            parse = source.parse_settings(settings.parse)
            settings = msgspec.structs.replace(settings, parse=parse)
        if source.of_brackets:
            self._learn_brackets(side, given.treebanks, settings)
            given = TreeSource(parser=self._run / side.parser)
        corpus = Corpus(self.path, self.path, target_trees=given)
        corpus_trees(self._pipeline(corpus, settings), side)

    def _learn_brackets(
        self, side: Side, treebanks: Sequence[TreebankPart], settings: Settings
    ) -> None:
        """Brackets are not cut as the text is cut; case is folded where the text has none."""
        how = settings.parse
        if not has_capitals(read_lines(self._run / TARGET)):
            how = msgspec.structs.replace(how, lowercase=True)
        train_on(self._pipeline(Corpus(self.path, self.path)), side, treebanks, how)

    def _take(self, source: TreesFrom) -> None:
        def make(outputs: Outputs, progress: Progress | None) -> None:  # noqa: ARG001
            trees = trees_of_lines(
                source.path, self.words, self.path, whole=True, heads=source.heads
            )
            write_sentences(outputs[self.file(source.name).name], trees)

        self._step(source, "taking trees", make, [source.path])

    def _chain(self, source: TreesFrom) -> None:
        chain = Chain(source.source)

        def make(outputs: Outputs, progress: Progress | None) -> None:  # noqa: ARG001
            trees = (
                Sentence.from_columns(words, head=chain.heads(len(words)))
                if words
                else Sentence.from_columns([], comments=["# empty"])
                for words in self.words
            )
            write_sentences(outputs[self.file(source.name).name], trees)

        self._step(source, "making chains", make, [])

    def _step(self, source: TreesFrom, label: str, make: Action, inputs: Sequence[Path]) -> None:
        self._pipeline(Corpus(self.path, self.path)).step(
            f"{source.name}-parse",
            label,
            make,
            inputs=[self._run / TARGET, *inputs],
            settings={"source": source.heads or "" if inputs else source.source},
            outputs=[self.file(source.name).name],
        )

    def _keep_whole(self, source: TreesFrom) -> None:
        trees, output = self.file(source.name), self.whole(source.name).name

        def make(outputs: Outputs) -> None:
            found = read_sentences(trees)
            write_sentences(outputs[output], (one for one in found if None not in one.heads))

        self._run.step(f"{source.name}-whole", make, inputs=[trees], outputs=[output])

    def _read(self, name: str, path: Path) -> Parses:
        found = Parses.of(name, read_sentences(path))
        if len(found.heads) != len(self.words):
            lines, trees = len(self.words), len(found.heads)
            raise FormatError(f"{path}: {trees:,} trees of {lines:,} lines", path)
        return found


class _Own(Side):
    """The target side with a parser and trees of one source; treebanks are cut once for all."""

    def treebank(self, number: int) -> str:
        """The file of an adapted treebank, counted from 1."""
        return TARGET_SIDE.treebank(number)


def _side(name: str) -> Side:
    side = TARGET_SIDE
    return _Own(side.name, f"{name}-", side.text, side.case, f"{name}-trees.conllu")
