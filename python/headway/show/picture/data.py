"""What there is to see of a translation."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from headway._core import DependencyTree


@dataclass(frozen=True)
class Span:
    """A step of a derivation: some source words, what they became, and the steps inside."""

    source: tuple[int, int]
    text: str
    """What it says, with `[X1]` and `[X2]` where others are put; or how parts are put together."""
    origin: str = ""
    """What it says this for; nothing where parts are put together."""
    own_source: tuple[int, ...] = ()
    own_target: tuple[int, ...] = ()
    """The places of its words that are not of a part."""
    note: str = ""
    """That it is an unknown word, and what became of it."""
    parts: tuple["Span", ...] = ()

    @property
    def kind(self) -> str:
        """What it is drawn as: `rule`, `unknown` or `join`."""
        return "unknown" if self.note else ("rule" if self.origin else "join")

    @property
    def about(self) -> str:
        """What it does, in a line."""
        text = f"{self.origin} → {self.text or '(nothing)'}" if self.origin else self.text
        return f"{text}; {self.note}" if self.note else text

    @property
    def height(self) -> int:
        """Levels of spans from the words up to this one."""
        return 1 + max((part.height for part in self.parts), default=0)

    def all(self) -> Iterator["Span"]:
        """Itself, then all that is inside."""
        yield self
        for part in self.parts:
            yield from part.all()


@dataclass(frozen=True)
class Alternative:
    """Another translation."""

    text: str
    words: tuple[str, ...]
    score: float
    place: int = 0
    """Which candidate it is: 0 is the best, and others are counted from 1."""


@dataclass(frozen=True)
class Choice:
    """What search could choose from for some source words."""

    span: tuple[int, int]
    options: tuple[tuple[str, float], ...]
    """What they say and score on their own, best first."""
    total: int


@dataclass(frozen=True)
class Picture:
    """A translation and what is known about it."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    text: str
    """The translation as people write it."""
    links: tuple[tuple[int, int], ...] = ()
    source_tree: DependencyTree | None = None
    target_tree: DependencyTree | None = None
    phrase_tree: DependencyTree | None = None
    spans: tuple[Span, ...] = ()
    """The derivation; of phrases one after the other, all of them, in the order of the target."""
    features: tuple[tuple[str, float, float], ...] = ()
    """Name, value, weight."""
    score: float = 0.0
    unknown: tuple[tuple[int, str], ...] = ()
    """Source words that the system does not know: place, and what became of it."""
    confidence: tuple[float, ...] = ()
    """Of each target word, between 0 and 1, where it is known."""
    alternatives: tuple[Alternative, ...] = ()
    choices: tuple[Choice, ...] = ()
    given: str = ""
    """The source as it was typed."""
    facts: tuple[tuple[str, str], ...] = ()
    """Other things to tell: name and value."""
    languages: tuple[str, str] = ("", "")
    doubts: dict[int, str] = field(default_factory=dict)
    """Target words that stand for unknown ones, or that the system is unsure of: place, reason."""
