"""Parsers from outside: spaCy, Stanza, and files of trees that any parser wrote.

from headway import parse
parser = parse.load("spacy:en_core_web_sm")     # pip install 'headway[spacy]'
[tree] = parser.parse([["The", "dog", "barks", "."]])

They are given words, so their trees have the same words as ours.
"""

import math
from abc import abstractmethod
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NoReturn

from headway._core import DependencyTree, Sentence, Tokeniser
from headway.corpus.lines import read_lines
from headway.errors import ConfigError, FormatError
from headway.parse.parser import Batch, FileJob, Parser, Ranked
from headway.progress import Progress
from headway.trees import read_sentences, tag_column, tree_of, write_sentences

BATCH = 256


class OutsideParser(Parser):
    """What parsers from outside share: a stream of sentences in, a stream of trees out."""

    @abstractmethod
    def stream(self, sentences: Iterable[Sequence[str]]) -> Iterator[DependencyTree]:
        """The tree of each sentence, in order, none of them asked for before it is needed."""

    def tag(self, words: Sequence[str]) -> list[str]:
        """The tag of each word of a sentence."""
        return self.parse([words])[0].tags

    def _parse(self, sentences: Sequence[Sequence[str]], how: Batch) -> list[DependencyTree]:
        trees = []  # threads are the affair of the package that parses
        for tree in self.stream(sentences):
            trees.append(tree)
            if how.progress is not None:
                how.progress(len(trees), len(sentences))
        return trees

    def parse_tagged(self, words: Sequence[str], tags: Sequence[str]) -> DependencyTree:
        """Refused: these parsers find tags themselves."""
        del words, tags
        raise ConfigError(f"a {self.kind} parser takes no tags; give it words alone")

    def _ranked(
        self, words: Sequence[str], k: int, scale: float, tags: Sequence[str] | None
    ) -> list[Ranked]:
        """The one tree there is."""
        if not (math.isfinite(scale) and scale >= 0):
            raise ConfigError(f"scale: {scale} makes no probabilities; give a number from 0 on")
        if tags is not None:
            self.parse_tagged(words, tags)
        return [Ranked(tree, 0.0, 1.0) for tree in self.parse([words])[:k]]

    def _parse_file(self, job: FileJob) -> int:
        tokeniser = None
        if not job.tokenised:
            tokeniser = Tokeniser(job.language, split_hyphens=job.split_hyphens)
        return write_sentences(job.output, self._sentences(job.source, tokeniser, job.progress))

    def _sentences(
        self, source: str | Path, tokeniser: Tokeniser | None, progress: Progress | None
    ) -> Iterator[Sentence]:
        waiting: deque[tuple[str, list[bool]]] = deque()

        def words() -> Iterator[list[str]]:
            for line in read_lines(source):
                found, joined = _cut(line, tokeniser)
                waiting.append((" ".join(line.split()), joined))
                yield found

        for done, tree in enumerate(self.stream(words()), 1):
            text, joined = waiting.popleft()
            yield _sentence(tree, self.tags, text, joined)
            if progress is not None:
                progress(done, 0)

    def save(self, directory: str | Path) -> None:
        """Refused: it is not ours to copy."""
        raise ConfigError(f"{directory}: a {self.kind} parser is not saved; name it when needed")


def _cut(line: str, tokeniser: Tokeniser | None) -> tuple[list[str], list[bool]]:
    """Words, and whether the next one stands right behind each."""
    if tokeniser is None:
        words = line.split()
        return words, [False] * len(words)
    tokens = tokeniser.tokenise(line)
    words = tokens.words
    return words, [not gap for gap in tokens.gaps[1 : len(words)]] + [False] * bool(words)


def _sentence(tree: DependencyTree, tags: str, text: str, joined: list[bool]) -> Sentence:
    sentence = Sentence.from_tree(tree, tags)
    sentence.set_value("text", text)
    sentence.set_column("misc", ["SpaceAfter=No" if one else "_" for one in joined])
    return sentence


def _single_root(heads: list[int]) -> list[int]:
    """Roots behind the first hang from the first: a line is one sentence to us."""
    if heads.count(0) < 2:
        return heads
    first = heads.index(0)
    return [first + 1 if not head and at != first else head for at, head in enumerate(heads)]


def _tree(
    words: Sequence[str], heads: list[int], tags: list[str], labels: list[str]
) -> DependencyTree:
    heads = _single_root(heads)
    labels = [_label(label, head) for label, head in zip(labels, heads, strict=True)]
    return DependencyTree(list(words), heads, [tag or "_" for tag in tags], labels)


def _label(label: str, head: int) -> str:
    if label.lower() == "root":
        return "root" if head == 0 else "parataxis"
    return label or "_"


def _missing(package: str, extra: str) -> NoReturn:
    raise ConfigError(f"{package} is not installed; run: pip install 'headway[{extra}]'") from None


def _reason(error: Exception) -> str:
    """The first line of what a package said."""
    return str(error).partition("\n")[0].rstrip(". ") or "cannot be loaded"


def tree_from_spacy(doc: Any, tags: str = "xpos") -> DependencyTree:
    """The tree of a spaCy `Doc` or `Span`, tags from `tag_` (xpos) or `pos_` (upos)."""
    tokens = list(doc)
    place = {token.i: at for at, token in enumerate(tokens, 1)}
    heads = [0 if token.head.i == token.i else place.get(token.head.i, 0) for token in tokens]
    found = [token.tag_ if tags == "xpos" else token.pos_ for token in tokens]
    return _tree([token.text for token in tokens], heads, found, [token.dep_ for token in tokens])


class SpacyParser(OutsideParser):
    """A spaCy pipeline with a parser in it."""

    kind = "spacy"

    def __init__(self, pipeline: Any, tags: str = "xpos") -> None:
        self._pipeline = pipeline
        self._tags = tags

    @classmethod
    def load(cls, model: str) -> "SpacyParser":
        """A model that is installed, by its name or path; nothing is fetched."""
        try:
            import spacy  # noqa: PLC0415 - an extra
        except ImportError:
            _missing("spaCy", "spacy")
        try:
            return cls(spacy.load(model))
        except (OSError, ValueError) as error:
            reason = _reason(error)
            raise ConfigError(
                f"spacy:{model}: {reason}; install it: python -m spacy download {model}"
            ) from None

    @property
    def tags(self) -> str:
        """The column of its tags: upos or xpos."""
        return self._tags

    def stream(self, sentences: Iterable[Sequence[str]]) -> Iterator[DependencyTree]:
        """The tree of each sentence, in order."""
        # A document of one sentence: spaCy would else cut lines as it sees fit.
        from spacy.tokens import Doc  # noqa: PLC0415 - an extra

        def docs() -> Iterator[Any]:
            for words in sentences:
                starts: list[Any] = [at == 0 for at in range(len(words))]
                yield Doc(self._pipeline.vocab, words=list(words), sent_starts=starts or None)

        for doc in self._pipeline.pipe(docs(), batch_size=BATCH):
            if len(doc) and not doc.has_annotation("DEP"):
                raise ConfigError(
                    "this spaCy pipeline has no parser in it; use one such as en_core_web_sm"
                )
            yield tree_from_spacy(doc, self._tags)


def tree_from_stanza(sentence: Any, tags: str = "xpos") -> DependencyTree:
    """The tree of a sentence of a Stanza document, tags from `xpos` or `upos`."""
    words = list(sentence.words)
    found = [getattr(word, tags) for word in words]
    heads, labels = [int(word.head) for word in words], [str(word.deprel) for word in words]
    return _tree([word.text for word in words], heads, found, labels)


class StanzaParser(OutsideParser):
    """A Stanza pipeline with the processor `depparse`, made with `tokenize_pretokenized`."""

    kind = "stanza"

    def __init__(self, pipeline: Any, tags: str = "xpos") -> None:
        self._pipeline = pipeline
        self._tags = tags

    @classmethod
    def load(cls, model: str) -> "StanzaParser":
        """The models of a language, `en` or `en:PACKAGE`, that are there; nothing is fetched."""
        try:
            import stanza  # noqa: PLC0415 - an extra
        except ImportError:
            _missing("Stanza", "stanza")
        language, _, package = model.partition(":")
        try:
            pipeline = stanza.Pipeline(
                language,
                package=package or "default",
                processors="tokenize,pos,lemma,depparse",
                tokenize_pretokenized=True,
                download_method=None,
                verbose=False,
            )
        except Exception as error:
            reason = _reason(error)
            raise ConfigError(
                f"stanza:{model}: {reason}; fetch it in Python: stanza.download({language!r})"
            ) from None
        return cls(pipeline)

    @property
    def tags(self) -> str:
        """The column of its tags: upos or xpos."""
        return self._tags

    def stream(self, sentences: Iterable[Sequence[str]]) -> Iterator[DependencyTree]:
        """The tree of each sentence, in order."""
        rest = iter(sentences)
        while batch := [list(words) for words in islice(rest, BATCH)]:
            # Stanza has no sentence without words.
            known = [words for words in batch if words]
            parsed = iter(self._pipeline(known).sentences if known else [])
            for words in batch:
                yield self._checked(words, next(parsed, None) if words else None)

    def _checked(self, words: list[str], sentence: Any) -> DependencyTree:
        if not words:
            return DependencyTree([], [])
        tree = None if sentence is None else tree_from_stanza(sentence, self._tags)
        if tree is None or len(tree) != len(words):
            found = 0 if tree is None else len(tree)
            raise FormatError(
                f"Stanza made {found} words of {len(words)}; "
                "make the pipeline with tokenize_pretokenized=True and without mwt"
            )
        return DependencyTree(words, tree.heads, tree.tags, tree.labels)


class TreeFile(OutsideParser):
    """A file of trees as a parser: it knows the sentences that stand in it.

    A sentence that stands there several times gets its trees in turn, then the last again.
    """

    kind = "trees"

    def __init__(self, path: str | Path, tags: str | None = None) -> None:
        self._path = Path(path)
        sentences = list(read_sentences(self._path))
        if not sentences:
            raise FormatError(f"{path}: no sentence in it; name a file of trees", self._path)
        self._tags = tags or tag_column(sentences, "xpos")
        self._trees: dict[tuple[str, ...], list[DependencyTree]] = {}
        for sentence in sentences:
            tree = tree_of(sentence, self._path, self._tags)
            self._trees.setdefault(tuple(tree.forms), []).append(tree)

    @property
    def tags(self) -> str:
        """The column of its tags: upos or xpos."""
        return self._tags

    def stream(self, sentences: Iterable[Sequence[str]]) -> Iterator[DependencyTree]:
        """The tree of each sentence, in order."""
        asked: Counter[tuple[str, ...]] = Counter()
        for number, words in enumerate(sentences, 1):
            key = tuple(words)
            trees = self._trees.get(key, [])
            if not trees and key:
                raise FormatError(
                    f"{self._path}: no tree of sentence {number}, {' '.join(key)[:40]!r}; "
                    "are its words the same?",
                    self._path,
                )
            asked[key] += 1
            yield trees[min(asked[key], len(trees)) - 1] if trees else DependencyTree([], [])
