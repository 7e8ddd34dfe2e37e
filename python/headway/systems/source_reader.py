"""What is given for translation as search wants it: words cut and cased, and trees over them."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice

from headway import parse
from headway.errors import ConfigError
from headway.parse import Ranked
from headway.progress import Progress
from headway.systems.bundle import Bundle
from headway.systems.decoder import Decoder
from headway.systems.source import Given, Prepared, Source
from headway.systems.text import SourceText
from headway.trees import DependencyTree

PARSER = "source-parser"
"""The component of a bundle that parses what it translates."""

# A list of the best trees takes a second for 250 words; longer sentences have the best tree alone.
_MOST_RANKED = 100
# Parsing takes time by the third power of length. Nothing is so long unless search.max_words is.
_MOST_PARSED = 1000

Trees = tuple[tuple[DependencyTree, float], ...]


class SourceReader:
    """Makes sources of lines, words and sources that people give."""

    def __init__(self, bundle: Bundle, text: SourceText, decoder: Decoder) -> None:
        self._bundle, self._text, self._decoder = bundle, text, decoder

    @property
    def has_parser(self) -> bool:
        """Whether the bundle has a parser of the source language."""
        return bool(self._bundle.names(PARSER))

    @cached_property
    def _parser(self) -> parse.Parser:
        """Opened when the first sentence is to be parsed: trees may be given with all."""
        return parse.load(self._bundle.path(self._bundle.names(PARSER)[0]))

    def sources(
        self, given: Sequence[Given], *, threads: int = 0, progress: Progress | None = None
    ) -> list[Source]:
        """Sources with words in the system's case; parsed where search uses trees and has none."""
        found = self._prepared(given, threads)
        if not (self._decoder.uses_trees and self.has_parser):
            return found
        bare = [place for place, one in enumerate(found) if one.words and not one.trees]
        trees = self._trees([found[place] for place in bare], threads, progress)
        for place, own in zip(bare, trees, strict=True):
            found[place] = Prepared(found[place].words, own, found[place].constraints)
        return found

    def check_trees(self, sources: Sequence[Source], option: str) -> None:
        """Refuses sources without trees of a system that uses them and cannot parse."""
        missing = self._decoder.uses_trees and not self.has_parser
        if missing and not any(source.trees for source in sources):
            name = self._bundle.manifest.system
            message = f"this {name} uses source trees and has no parser for them"
            raise ConfigError(f"{message}; give {option} F.conllu")

    def _prepared(self, given: Sequence[Given], threads: int) -> list[Source]:
        lines = [one for one in given if isinstance(one, str)]
        cut = iter(self._text.words(lines, threads=threads))
        found: list[Source] = []
        for one in given:
            if isinstance(one, str):
                found.append(Prepared(tuple(next(cut))))
            elif isinstance(one, Prepared):
                found.append(one)
            else:
                source = one if isinstance(one, Source) else Source(tuple(one))
                source.check()
                words = tuple(self._text.cased(source.words))
                found.append(Prepared(words, source.trees, source.constraints))
        return found

    def _trees(
        self, sentences: Sequence[Source], threads: int, progress: Progress | None
    ) -> Iterator[Trees]:
        """Trees of sentences; those that search takes in pieces are parsed in the same pieces."""
        pieces = [self._decoder.pieces(one.core(one.words)) for one in sentences]
        words_of = [one.words for one in sentences]
        both = list(zip(words_of, pieces, strict=True))
        parts = [words[start:end] for words, own in both for start, end in own]
        found = iter(self._ranked(parts, threads, progress))
        for words, own in both:
            ranked = list(islice(found, len(own)))
            if not all(ranked):
                yield ()
            elif len(own) > 1:
                yield ((_joined(words, [one[0].tree for one in ranked]), 1.0),)
            else:
                yield tuple((it.tree, it.probability) for it in ranked[0] if it.probability > 0)

    def _ranked(
        self, sentences: Sequence[Sequence[str]], threads: int, progress: Progress | None
    ) -> list[list[Ranked]]:
        """The best trees of each sentence, as many as search uses; none of very long ones."""
        most = int(self._decoder.search.get("source_trees", 1))
        longest = _MOST_RANKED if most > 1 else 0
        listed = [words for words in sentences if len(words) <= longest]
        single = [words for words in sentences if longest < len(words) <= _MOST_PARSED]
        lists = iter(self._parser.kbest_all(listed, most, threads=threads, progress=progress))
        trees = iter(self._parser.parse(single, threads=threads, progress=progress))
        found: list[list[Ranked]] = []
        for words in sentences:
            if len(words) <= longest:
                found.append(next(lists))
            else:
                best = next(trees) if len(words) <= _MOST_PARSED else None
                found.append([] if best is None else [Ranked(best, 0.0, 1.0)])
        return found


def _joined(words: Sequence[str], trees: Sequence[DependencyTree]) -> DependencyTree:
    """Trees of neighbours as one over all their words; each keeps its root."""
    heads: list[int] = []
    for tree in trees:
        start = len(heads)
        heads += [head + start if head else 0 for head in tree.heads]
    tags = [tag for tree in trees for tag in tree.tags]
    labels = [label for tree in trees for label in tree.labels]
    return DependencyTree(list(words), heads, tags, labels)
