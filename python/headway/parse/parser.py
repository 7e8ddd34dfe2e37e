"""What every parser does."""

from abc import ABC, abstractmethod
from collections.abc import Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from headway import _core
from headway._core import ConstituentTree, DependencyTree, Sentence
from headway.errors import ConfigError
from headway.parse.doubts import agreed_language, doubt_words, is_settled
from headway.printing import prints_briefly
from headway.progress import Progress

FILE = "parser.bin"
CARD = "model.toml"

_ABLE = {"beam": "transition", "brackets": "pcfg"}
"""What only one kind of parser has; everything else is one of graph-based ones."""


@prints_briefly
@dataclass(frozen=True)
class Ranked:
    """One of the best few trees; probabilities are normalised over these."""

    tree: DependencyTree
    score: float
    probability: float


@dataclass(frozen=True)
class Batch:
    """How a list of sentences is parsed; errors count them from `first` on."""

    threads: int = 0
    progress: Progress | None = None
    first: int = 1


@dataclass(frozen=True)
class FileJob:
    """How a file is parsed, a sentence a line."""

    source: str | Path
    output: str | Path
    language: str | None
    tokenised: bool
    split_hyphens: bool
    threads: int
    progress: Progress | None


class Parser(ABC):
    """Words in, trees out. What only some kinds of parsers can do, others refuse.

    Kinds of parsers say how they do it in the methods whose names begin with `_`.
    """

    kind: str
    """graph, transition, dmv, pcfg, spacy, stanza or trees."""

    language: str | None = None
    """The code of the language it was trained for, where somebody said so."""

    known_tags: Set[str] = frozenset()
    """The tags of its column that it knows, as far as it can say."""

    def __repr__(self) -> str:
        language = f" for {self.language}" if self.language else ""
        return f"<{type(self).__name__}{language}, tags {self.tags}>"

    @property
    @abstractmethod
    def tags(self) -> str:
        """The column of its tags: upos or xpos."""

    @abstractmethod
    def tag(self, words: Sequence[str]) -> list[str]:
        """The tag of each word of a sentence."""

    def parse(
        self,
        sentences: Sequence[Sequence[str]],
        *,
        threads: int = 0,
        progress: Progress | None = None,
        first: int = 1,
    ) -> list[DependencyTree]:
        """The best tree of each sentence, a list of words; errors count them from `first` on."""
        return self._parse(sentences, Batch(threads, progress, first))

    @abstractmethod
    def _parse(self, sentences: Sequence[Sequence[str]], how: Batch) -> list[DependencyTree]: ...

    @abstractmethod
    def parse_tagged(self, words: Sequence[str], tags: Sequence[str]) -> DependencyTree:
        """The best tree of words whose tags are known."""

    def kbest(
        self,
        words: Sequence[str],
        k: int,
        *,
        scale: float = 1.0,
        tags: Sequence[str] | None = None,
    ) -> list[Ranked]:
        """The k best trees, best first.

        Exact with a graph-based parser that searches by eisner or mst, those of a beam with a
        transition-based one, a single tree with all others. Probabilities are proportional to
        exp(scale · score), over the trees of the list.
        """
        return self._ranked(words, k, scale, tags)

    @abstractmethod
    def _ranked(
        self, words: Sequence[str], k: int, scale: float, tags: Sequence[str] | None
    ) -> list[Ranked]: ...

    def kbest_all(
        self,
        sentences: Sequence[Sequence[str]],
        k: int,
        *,
        scale: float = 1.0,
        threads: int = 0,
        progress: Progress | None = None,
        first: int = 1,
    ) -> list[list[Ranked]]:
        """What `kbest` finds for each sentence; errors count them from `first` on."""
        return self._all_ranked(sentences, k, scale, Batch(threads, progress, first))

    def _all_ranked(
        self, sentences: Sequence[Sequence[str]], k: int, scale: float, how: Batch
    ) -> list[list[Ranked]]:
        found = []
        for words in sentences:
            found.append(self._ranked(words, k, scale, None))
            if how.progress is not None:
                how.progress(len(found), len(sentences))
        return found

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
        """Parses a file, a sentence a line, into a CoNLL-U file; answers the number of lines.

        A trained parser uses its own language where none is given, and refuses another one.
        """
        return self._parse_file(
            FileJob(source, output, language, tokenised, split_hyphens, threads, progress)
        )

    @abstractmethod
    def _parse_file(self, job: FileJob) -> int: ...

    def brackets(
        self,
        sentences: Sequence[Sequence[str]],
        *,
        threads: int = 0,
        progress: Progress | None = None,
        first: int = 1,
    ) -> list[ConstituentTree]:
        """The best brackets of each sentence; errors count them from `first` on."""
        del sentences, threads, progress, first
        self._refuse("gives no brackets")

    def bracket_file(
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
        """Parses a file as `parse_file` does, into a file of Penn brackets, a tree a line."""
        return self._bracket_file(
            FileJob(source, output, language, tokenised, split_hyphens, threads, progress)
        )

    def _bracket_file(self, job: FileJob) -> int:
        del job
        self._refuse("gives no brackets")

    def parse_anew(
        self,
        sentences: Sequence[Sentence],
        *,
        threads: int = 0,
        progress: Progress | None = None,
        first: int = 1,
    ) -> None:
        """Writes tags, of both columns if it knows both, heads and labels into sentences.

        Errors count them from `first` on.
        """
        words = [sentence.forms for sentence in sentences]
        found = self._with_coarse(words, Batch(threads, progress, first))
        for sentence, (tree, coarse) in zip(sentences, found, strict=True):
            sentence.set_tree(tree, self.tags)
            if any(coarse):
                sentence.set_column("upos", [tag or "_" for tag in coarse])

    def _with_coarse(
        self, sentences: list[list[str]], how: Batch
    ) -> list[tuple[DependencyTree, list[str]]]:
        """Trees, each with the tags of the column that it does not show; none unless known."""
        return [(tree, []) for tree in self._parse(sentences, how)]

    def count_unknown(self, sentences: Sequence[Sequence[str]]) -> tuple[int, int]:
        """Words with letters, and how many of them training has not seen, as far as it can say."""
        del sentences
        return 0, 0

    @abstractmethod
    def save(self, directory: str | Path) -> None:
        """Writes the binary of the parser into a directory that exists."""

    @property
    def search(self) -> str:
        """How it searches: eisner, mst or local."""
        self._refuse("has no choice of search")

    def with_search(self, search: str) -> "Parser":
        """The same parser with another search."""
        self._refuse(f"cannot search by {search}")

    def with_beam(self, beam: int) -> "Parser":
        """The same parser with another beam size; 1 is greedy."""
        self._refuse(f"has no beam, so none of {beam}")

    def scores(self, words: Sequence[str], tags: Sequence[str]) -> list[list[float]]:
        """The scores of all arcs: row m - 1 holds those into word m, from root and words."""
        del words, tags
        self._refuse("gives arcs no scores")

    def explain(
        self, words: Sequence[str], tags: Sequence[str], head: int, modifier: int
    ) -> list[tuple[str, float]]:
        """Every feature of an arc (head 0 is the root), with what it adds to the score."""
        del words, tags
        self._refuse(f"gives the arc from {head} to {modifier} no score")

    def _refuse(self, what: str) -> NoReturn:
        able = next((kind for word, kind in _ABLE.items() if word in what), "graph")
        raise ConfigError(f"a {self.kind} parser {what}; use one trained with --kind {able}")


class TrainedParser(Parser):
    """A parser of the core, with its tagger."""

    _core: _core.TreeParser

    @property
    def known_tags(self) -> Set[str]:  # type: ignore[override]  # asked for, not kept
        """The tags of its column that it knows."""
        return self._core.known_tags

    def count_unknown(self, sentences: Sequence[Sequence[str]]) -> tuple[int, int]:
        """Words with letters, and how many of them training has not seen."""
        return self._core.count_unknown([list(words) for words in sentences])

    @property
    def tags(self) -> str:
        """The column of its tags: upos or xpos."""
        return self._core.tags

    def tag(self, words: Sequence[str]) -> list[str]:
        """The tag of each word of a sentence."""
        return self._core.tag(list(words))

    def _parse(self, sentences: Sequence[Sequence[str]], how: Batch) -> list[DependencyTree]:
        words = [list(words) for words in sentences]
        return self._core.parse(words, how.threads, how.progress, how.first)

    def parse_tagged(self, words: Sequence[str], tags: Sequence[str]) -> DependencyTree:
        """The best tree of words whose tags are known."""
        return self._core.parse_tagged(list(words), list(tags))

    def _ranked(
        self, words: Sequence[str], k: int, scale: float, tags: Sequence[str] | None
    ) -> list[Ranked]:
        given = None if tags is None else list(tags)
        return [Ranked(*found) for found in self._core.kbest(list(words), k, scale, given)]

    def _all_ranked(
        self, sentences: Sequence[Sequence[str]], k: int, scale: float, how: Batch
    ) -> list[list[Ranked]]:
        words = [list(words) for words in sentences]
        found = self._core.kbest_all(words, k, scale, how.threads, how.progress, how.first)
        return [[Ranked(*one) for one in ranked] for ranked in found]

    def _parse_file(self, job: FileJob) -> int:
        return self._write_file(job, brackets=False)

    def _bracket_file(self, job: FileJob) -> int:
        return self._write_file(job, brackets=True)

    def _write_file(self, job: FileJob, *, brackets: bool) -> int:
        lines, words, unknown = self._core.parse_file(
            job.source,
            job.output,
            agreed_language(self.language, job.language),
            not job.tokenised,
            job.split_hyphens,
            job.threads,
            job.progress,
            brackets,
        )
        if not is_settled(self.language, job.language):
            doubt_words(job.source, words, unknown)
        return lines

    def brackets(
        self,
        sentences: Sequence[Sequence[str]],
        *,
        threads: int = 0,
        progress: Progress | None = None,
        first: int = 1,
    ) -> list[ConstituentTree]:
        """The best brackets of each sentence; errors count them from `first` on."""
        return self._core.brackets([list(words) for words in sentences], threads, progress, first)

    def _with_coarse(
        self, sentences: list[list[str]], how: Batch
    ) -> list[tuple[DependencyTree, list[str]]]:
        return self._core.parse_with_coarse(sentences, how.threads, how.progress, how.first)

    def save(self, directory: str | Path) -> None:
        """Writes the binary of the parser into a directory that exists."""
        self._core.save(Path(directory) / FILE)
