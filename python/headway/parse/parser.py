"""Using a trained parser."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from headway._core import DependencyTree, GraphParser
from headway.errors import ModelError
from headway.progress import Progress

FILE = "parser.bin"
CARD = "model.toml"


@dataclass(frozen=True)
class Ranked:
    """One of the best few trees; probabilities are normalised over these."""

    tree: DependencyTree
    score: float
    probability: float


class Parser:
    """A trained parser with its tagger."""

    def __init__(self, core: GraphParser) -> None:
        self._core = core

    @property
    def tags(self) -> str:
        """The column of its tags: upos or xpos."""
        return self._core.tags

    @property
    def search(self) -> str:
        """How it searches: eisner, mst or local."""
        return self._core.search

    def with_search(self, search: str) -> "Parser":
        """The same parser with another search."""
        return Parser(self._core.with_search(search))

    def tag(self, words: Sequence[str]) -> list[str]:
        """The tag of each word of a sentence."""
        return self._core.tag(list(words))

    def parse(
        self,
        sentences: Sequence[Sequence[str]],
        *,
        threads: int = 0,
        progress: Progress | None = None,
    ) -> list[DependencyTree]:
        """The best tree of each sentence, a list of words."""
        return self._core.parse([list(words) for words in sentences], threads, progress)

    def parse_tagged(self, words: Sequence[str], tags: Sequence[str]) -> DependencyTree:
        """The best tree of words whose tags are known."""
        return self._core.parse_tagged(list(words), list(tags))

    def kbest(
        self,
        words: Sequence[str],
        k: int,
        *,
        scale: float = 1.0,
        tags: Sequence[str] | None = None,
    ) -> list[Ranked]:
        """The k best trees, best first: exact for eisner and mst, one tree for local.

        Probabilities are proportional to exp(scale · score), over the trees of the list.
        """
        given = None if tags is None else list(tags)
        return [Ranked(*found) for found in self._core.kbest(list(words), k, scale, given)]

    def scores(self, words: Sequence[str], tags: Sequence[str]) -> list[list[float]]:
        """The scores of all arcs: row m - 1 holds those into word m, from root and words."""
        return self._core.scores(list(words), list(tags))

    def explain(
        self, words: Sequence[str], tags: Sequence[str], head: int, modifier: int
    ) -> list[tuple[str, float]]:
        """Every feature of an arc (head 0 is the root), with what it adds to the score."""
        return self._core.explain(list(words), list(tags), head, modifier)

    def parse_file(
        self,
        source: str | Path,
        output: str | Path,
        *,
        language: str | None = None,
        tokenised: bool = False,
        split_hyphens: bool = False,
        threads: int = 0,
        progress: Progress | None = None,
    ) -> int:
        """Parses a file, a sentence a line, into a CoNLL-U file; answers the number of lines."""
        return self._core.parse_file(
            source, output, language, not tokenised, split_hyphens, threads, progress
        )

    def save(self, directory: str | Path) -> None:
        """Writes the binary of the parser into a directory that exists."""
        self._core.save(Path(directory) / FILE)


def load(directory: str | Path) -> Parser:
    """Reads a parser that `train` wrote."""
    path = Path(directory)
    if path.is_dir() and not (path / FILE).exists():
        raise ModelError(f"{path}: no {FILE} in it; train one: headway parse train --out {path}")
    return Parser(GraphParser.load(path / FILE if path.is_dir() else path))
