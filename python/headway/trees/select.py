"""Which trees of a file, or of two with their alignment, are to be drawn."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path

from headway._core import ConstituentTree, DependencyTree, Sentence
from headway.corpus import read_alignments
from headway.errors import ConfigError, FormatError
from headway.trees.drawing import draw, draw_pair, draw_pair_svg, draw_svg
from headway.trees.drawing.canvas import printable
from headway.trees.files import drawable, guess_format, read_penn, read_sentences

Links = list[tuple[int, int]]


@dataclass(frozen=True)
class Drawable:
    """A tree, or two with their word alignment, and what to write above."""

    title: str
    tree: DependencyTree
    other: DependencyTree | None = None
    links: Links = field(default_factory=list)

    def text(self, width: int, colour: bool = False) -> str:
        """For a terminal of `width` columns."""
        if self.other is None:
            drawing = draw(self.tree, width, colour)
        else:
            drawing = draw_pair(self.tree, self.other, self.links, width, colour)
        return f"{printable(self.title)}\n{drawing}"

    def svg(self, width: int) -> str:
        """As SVG; a pair takes the width it needs."""
        if self.other is None:
            return draw_svg(self.tree, width)
        return draw_pair_svg(self.tree, self.other, self.links)


@dataclass(frozen=True)
class Choice:
    """One sentence by its number (from 1) or its sent_id; all if neither is given."""

    index: int | None = None
    sent_id: str | None = None

    def takes(self, number: int, sentence: Sentence) -> bool:
        """Whether a sentence is chosen."""
        by_number = self.index is None or self.index == number
        return by_number and (self.sent_id is None or self.sent_id == sentence.sent_id)

    @property
    def is_one(self) -> bool:
        """Whether there is nothing to look for after the first."""
        return self.index is not None or self.sent_id is not None

    def missing(self, path: Path, count: int) -> ConfigError:
        """What to say when nothing was chosen."""
        if self.sent_id is not None:
            wanted = f"no sentence with sent_id {self.sent_id}"
        else:
            wanted = f"no sentence {self.index or 1}"
        return ConfigError(f"{path}: {wanted} among its {count:,}")


def select_trees(
    path: Path,
    choice: Choice,
    format: str | None = None,  # noqa: A002
    tags: str = "upos",
) -> Iterator[Drawable]:
    """The chosen trees of a file of sentences."""
    count = 0
    for count, sentence in enumerate(read_sentences(path, format), start=1):
        if choice.takes(count, sentence):
            yield Drawable(_title(count, sentence), drawable(sentence, tags))
            if choice.is_one:
                return
    if choice.is_one or not count:
        raise choice.missing(path, count)


def select_pairs(
    source: Path, target: Path, alignment: Path, choice: Choice, tags: str = "upos"
) -> Iterator[Drawable]:
    """The chosen pairs of two files of sentences, one alignment line for each."""
    count = 0
    for count, (left, right, links) in enumerate(_triples(source, target, alignment), start=1):
        if choice.takes(count, left):
            one, other = drawable(left, tags), drawable(right, tags)
            _check(links, one, other, alignment, count)
            yield Drawable(_title(count, left), one, other, links)
            if choice.is_one:
                return
    if choice.is_one or not count:
        raise choice.missing(source, count)


def select_penn(path: Path, index: int | None = None) -> Iterator[ConstituentTree]:
    """The chosen trees of a file of brackets."""
    count = 0
    for count, tree in enumerate(read_penn(path), start=1):
        if index in (None, count):
            yield tree
    if index is not None and index > count:
        raise Choice(index).missing(path, count)


def is_penn(path: Path, format: str | None) -> bool:  # noqa: A002
    """Whether a file holds brackets."""
    return (format or guess_format(path)) == "penn"


def _title(number: int, sentence: Sentence) -> str:
    name = sentence.sent_id or f"sentence {number}"
    return f"# {name}: {sentence.text}"


def _triples(
    source: Path, target: Path, alignment: Path
) -> Iterator[tuple[Sentence, Sentence, Links]]:
    readers = (
        read_sentences(source),
        read_sentences(target),
        (found.links for found in read_alignments(alignment)),
    )
    paths = (source, target, alignment)
    for count, (left, right, links) in enumerate(zip_longest(*readers)):
        if left is None or right is None or links is None:
            ended = next(p for p, x in zip(paths, (left, right, links), strict=True) if x is None)
            longer = next(
                p for p, x in zip(paths, (left, right, links), strict=True) if x is not None
            )
            raise FormatError(
                f"{ended}: ends after {count:,} sentences, but {longer} goes on; "
                "the three files must have one for each other",
                ended,
            )
        yield left, right, links


def _check(
    links: Links, source: DependencyTree, target: DependencyTree, path: Path, line: int
) -> None:
    for left, right in links:
        if left >= len(source) or right >= len(target):
            raise FormatError(
                f"{path}:{line}: link {left}-{right} is outside the sentences, which have "
                f"{len(source)} and {len(target)} words; positions count from 0",
                path,
                line,
            )
