"""The graph-based parser."""

from collections.abc import Sequence

from headway import _core
from headway.parse.parser import TrainedParser


class GraphParser(TrainedParser):
    """Finds the tree whose arcs have the highest scores."""

    kind = "graph"

    def __init__(self, core: _core.GraphParser, language: str | None = None) -> None:
        self._core: _core.GraphParser = core
        self.language = language

    @property
    def search(self) -> str:
        """How it searches: eisner, mst or local."""
        return self._core.search

    @property
    def tagger(self) -> str:
        """What its tagger sees: full (all words) or streaming (a word and those before it)."""
        return self._core.tagger

    def with_search(self, search: str) -> "GraphParser":
        """The same parser with another search."""
        return GraphParser(self._core.with_search(search), self.language)

    def scores(self, words: Sequence[str], tags: Sequence[str]) -> list[list[float]]:
        """The scores of all arcs: row m - 1 holds those into word m, from root and words."""
        return self._core.scores(list(words), list(tags))

    def explain(
        self, words: Sequence[str], tags: Sequence[str], head: int, modifier: int
    ) -> list[tuple[str, float]]:
        """Every feature of an arc (head 0 is the root), with what it adds to the score."""
        return self._core.explain(list(words), list(tags), head, modifier)
