"""Graphs of arcs that become trees, and the report of what that took."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from headway._core import Sentence, repair_graphs
from headway.errors import ConfigError, FormatError
from headway.trees.files import batches


def flaw(path: Path, line: int, message: str) -> FormatError:
    """What is wrong with a line of a file."""
    return FormatError(f"{path}:{line}: {message}", path, line)


def read_number(text: str) -> int | None:
    """A number of a word or a slot; None for anything else, and for more than any sentence has."""
    return int(text) if re.fullmatch("[0-9]{1,6}", text) else None


@dataclass
class Graph:
    """A sentence as a parser gives it: words with any number of heads each."""

    path: Path
    line: int
    """Where it begins."""
    words: list[str]
    tags: list[str] = field(default_factory=list)
    """As many as words, or none."""
    arcs: list[tuple[int, int]] = field(default_factory=list)
    """Dependent and head, from 1."""
    root: int | None = None
    fragments: int = 1
    """Parts that the parser analysed each for itself; the root word is in the first."""
    parsed: bool = True


@dataclass
class Repairs:
    """What was repaired in a file of graphs (Wu et al. 2012, section 2.4)."""

    sentences: int = 0
    words: int = 0
    several_heads: int = 0
    """Words of which all heads but one were taken away."""
    headless: int = 0
    """Words without a head, which hang from the root word now."""
    guessed_roots: int = 0
    """Sentences whose root word nobody named."""
    cycles: int = 0
    """Directed cycles, which are kept."""
    cyclic: int = 0
    """Sentences with cycles."""
    fragmental: int = 0
    """Sentences that the parser analysed in several parts."""
    unparsed: int = 0
    """Sentences without an analysis: their words have no heads."""

    def table(self) -> dict[str, int]:
        """All counts by name."""
        return asdict(self)

    def lines(self) -> Iterator[str]:
        """The repairs that were necessary, a line each."""
        for count, what in (
            (self.unparsed, "sentences without an analysis, whose words have no heads"),
            (self.fragmental, "sentences in fragments, whose root word is that of the first"),
            (self.guessed_roots, "sentences whose root word was guessed"),
            (self.several_heads, "words with several heads, of which one was kept"),
            (self.headless, "words without a head, which hang from the root word"),
            (self.cyclic, f"sentences with directed cycles, of which {self.cycles:,} are kept"),
        ):
            if count:
                yield f"{what}: {count:,}"


def repair(graphs: Iterable[Graph], repairs: Repairs) -> Iterator[tuple[int, Sentence]]:
    """One head for every word, by the rules of the paper's section 2.4; counted in `repairs`.

    Of several heads of a word the one is kept whose arc most words need to reach the root word;
    ties go to the longer arc, then to the head further left. Words without a head hang from the
    root word. Words of a sentence without an analysis have no heads. Each sentence comes with the
    line where it begins.
    """
    for batch in batches(graphs):
        answers = repair_graphs([(len(one.words), one.arcs, one.root) for one in batch])
        for graph, answer in zip(batch, answers, strict=True):
            heads, _root, guessed, several, headless, cycles = answer
            repairs.sentences += 1
            repairs.words += len(heads)
            if not graph.parsed:
                repairs.unparsed += 1
                yield graph.line, _sentence(graph, [None] * len(heads))
                continue
            repairs.cycles += cycles
            repairs.cyclic += cycles > 0
            repairs.several_heads += several
            repairs.headless += headless
            repairs.guessed_roots += guessed and bool(heads)
            repairs.fragmental += graph.fragments > 1
            yield graph.line, _sentence(graph, heads)


def _sentence(graph: Graph, heads: Sequence[int | None]) -> Sentence:
    try:
        return Sentence.from_columns(graph.words, xpos=graph.tags or None, head=list(heads))
    except ConfigError as error:
        raise flaw(graph.path, graph.line, str(error)) from None
