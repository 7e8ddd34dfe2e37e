"""Which column of tags the parser of a side learns.

Treebanks differ: UD Chinese has words without XPOS, and all of its words have UPOS. Each side
decides for itself, so that one such treebank does not take XPOS from the other side.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from headway.errors import FormatError
from headway.settings import ParseSettings, Settings
from headway.trees import Sentence, read_sentences


@dataclass(frozen=True)
class Gap:
    """The first word without a tag."""

    path: Path
    line: int
    """Where its sentence begins."""
    word: int
    tags: str

    def __str__(self) -> str:
        column = self.tags.upper()
        return f"{self.path}:{self.line}: word {self.word} of this sentence has no {column} tag"


@dataclass(frozen=True)
class LearntTags:
    """The column to learn, and what speaks against the one of the settings."""

    column: str
    gap: Gap | None = None


def learnt_tags(treebanks: Sequence[Path], settings: Settings) -> LearntTags:
    """The column that all words have a tag in: the one of the settings unless it has gaps.

    A column that was asked for by name is not replaced: then a gap is an error.
    """
    how = settings.parse
    gap = _first_gap(treebanks, how, how.tags)
    if gap is None:
        return LearntTags(how.tags)
    other = "upos" if how.tags == "xpos" else "xpos"
    if _first_gap(treebanks, how, other) is not None:
        raise FormatError(f"{gap}; tag the treebank", gap.path, gap.line)
    if "parse.tags" in settings.named:
        raise FormatError(f"{gap}; --set parse.tags={other}", gap.path, gap.line)
    return LearntTags(other, gap)


def _first_gap(treebanks: Sequence[Path], how: ParseSettings, tags: str) -> Gap | None:
    for path in treebanks:
        for sentence in _learnt(path, how):
            column = sentence.column(tags)
            if "_" in column:
                return Gap(path, sentence.line, column.index("_") + 1, tags)
    return None


def _learnt(path: Path, how: ParseSettings) -> Iterator[Sentence]:
    """The sentences that training looks at."""
    for sentence in read_sentences(path):
        if sentence.forms and (how.kind == "dmv" or None not in sentence.heads):
            yield sentence
