"""A text with markup as translation sees it: plain text, and where what else stood in it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from headway.systems.constraints import Mode

STAND_IN = "\U00010000"
"""Stands for what is not translated. A letter of Linear B: every tokeniser keeps it whole, it has
no case, and no system knows it."""

_LINE_BREAKS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"


@dataclass
class Tag:
    """A tag, or a comment, at a place of the text."""

    place: int
    raw: str
    element: "Element | None" = None
    """Of a tag that begins or ends an element."""
    opens: bool = False


@dataclass
class Element:
    """The text between an opening tag and its closing tag."""

    opening: Tag
    closing: Tag


@dataclass
class Held:
    """Something that is not translated and stands in the text as one word."""

    start: int
    end: int
    raw: str
    """As it comes out."""


@dataclass
class Given:
    """A translation that is given for some of the text."""

    start: int
    end: int
    choices: list[tuple[str, float]]
    """Translations with their probabilities."""
    mode: Mode


@dataclass
class Flow:
    """A text without its markup, and where that was; read to the end before it is used."""

    encode: Callable[[str], str]
    """Writes plain text in the format."""
    text: str = ""
    tags: list[Tag] = field(default_factory=list)
    """In the order of the text."""
    held: list[Held] = field(default_factory=list)
    given: list[Given] = field(default_factory=list)
    zones: list[tuple[int, int]] = field(default_factory=list)
    walls: list[int] = field(default_factory=list)
    breaks: list[int] = field(default_factory=list)
    """Places that no sentence crosses, in order."""

    def say(self, text: str, *, by_line: bool = False) -> None:
        """Adds plain text; with `by_line` a line break ends a sentence."""
        for line in text.splitlines(keepends=True) if by_line else [text]:
            self.text += line
            if by_line and line != line.rstrip(_LINE_BREAKS):
                self.breaks.append(len(self.text))

    def mark(self, raw: str, *, breaks: bool = False) -> Tag:
        """Adds a tag; one that `breaks` is no part of a sentence."""
        tag = Tag(len(self.text), raw)
        self.tags.append(tag)
        if breaks:
            self.breaks.append(tag.place)
        return tag

    def hold(self, raw: str) -> None:
        """Adds something that is not translated, as a separate word."""
        start = len(self.text)
        self.text += STAND_IN
        self.held.append(Held(start, start + len(STAND_IN), raw))

    @cached_property
    def places(self) -> list[int]:
        """Where each tag is."""
        return [tag.place for tag in self.tags]

    @cached_property
    def held_at(self) -> dict[int, str]:
        """What is held, by where it begins."""
        return {held.start: held.raw for held in self.held}

    @cached_property
    def edges(self) -> frozenset[int]:
        """Where a separate word begins or ends."""
        held = [(one.start, one.end) for one in self.held]
        given = [(one.start, one.end) for one in self.given]
        return frozenset(place for span in held + given for place in span)
