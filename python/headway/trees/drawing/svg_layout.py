"""Where the words of a tree go in an SVG: one line, or as many as a width asks for."""

from dataclasses import dataclass

from headway._core import DependencyTree
from headway.trees.drawing.levels import Arc, arcs_of
from headway.trees.drawing.svg_text import FORM, LABEL, TAG, width_of

MARGIN = 28.0
_GAP = 18.0
_NAMES = 150.0
_CORNERS = 18.0  # what the rounded corners of an arc take beside its label
STEM = 10.0  # between two arcs that meet at a word


@dataclass(frozen=True)
class Line:
    """The words from `first` on, each with its centre and its width."""

    first: int
    centres: list[float]
    widths: list[float]

    @property
    def last(self) -> int:
        """The last word of the line."""
        return self.first + len(self.centres) - 1

    @property
    def end(self) -> float:
        """Where the last word ends."""
        return self.centres[-1] + self.widths[-1] / 2

    def centre(self, word: int) -> float:
        """The centre of one of its words."""
        return self.centres[word - self.first]

    def shifted(self, distance: float) -> "Line":
        """The line further right."""
        return Line(self.first, [centre + distance for centre in self.centres], self.widths)

    def holds(self, word: int) -> bool:
        """Whether a word is in the line."""
        return self.first <= word <= self.last


def lay_out(tree: DependencyTree, width: float | None) -> list[Line]:
    """Lines of about the same length, none longer than `width` if a word is not."""
    if not len(tree):
        return []
    page = _Page(tree)
    whole = page.line(1, float("inf"))
    if width is None or whole.end + MARGIN <= width:
        return [whole]
    # Arcs that go on in another line name the word they lead to, which takes room.
    room = max(width - MARGIN - _NAMES, width / 2)
    count = int((whole.end - MARGIN) // (room - MARGIN)) + 1
    even = (whole.end - MARGIN) / count * 1.12 + MARGIN
    return page.lines(min(room, even))


class _Page:
    """Breaks a sentence into lines."""

    def __init__(self, tree: DependencyTree) -> None:
        self.widths = _widths(tree)
        self.arcs_to: dict[int, list[Arc]] = {}
        self.ends = [1] * (len(tree) + 1)  # arcs that meet at each word
        self.crossing = [0] * (len(tree) + 2)  # arcs over the gap before each word
        for arc in arcs_of(tree):
            self.arcs_to.setdefault(arc.right, []).append(arc)
            self.ends[arc.head] += 1
            for word in range(arc.left + 1, arc.right + 1):
                self.crossing[word] += 1

    def lines(self, limit: float) -> list[Line]:
        """All lines, each broken where few arcs are cut, but not before two thirds of it."""
        lines: list[Line] = []
        first = 1
        while first <= len(self.widths):
            line = self.line(first, limit)
            if line.last < len(self.widths):
                earliest = first + max(1, len(line.centres) * 2 // 3)
                cuts = range(line.last + 1, min(earliest, line.last + 1) - 1, -1)
                kept = min(cuts, key=lambda cut: self.crossing[cut]) - first
                line = Line(first, line.centres[:kept], line.widths[:kept])
            lines.append(line)
            first = line.last + 1
        return lines

    def line(self, first: int, limit: float) -> Line:
        """The words from `first` on that end before `limit`, one at least."""
        centres: list[float] = []
        x = MARGIN
        for word in range(first, len(self.widths) + 1):
            half = self.widths[word - 1] / 2
            centre = x + half
            for arc in self.arcs_to.get(word, []):
                if arc.left >= first:
                    centre = max(centre, centres[arc.left - first] + self._room(arc))
            if centres and centre + half > limit:
                break
            centres.append(centre)
            x = centre + half + _GAP
        return Line(first, centres, self.widths[first - 1 : first - 1 + len(centres)])

    def _room(self, arc: Arc) -> float:
        """How far apart the ends of an arc must be for its label to fit between its stems."""
        spread = sum(
            min(STEM * (self.ends[word] - 1), self.widths[word - 1] + 8) / 2
            for word in (arc.left, arc.right)
        )
        return width_of(arc.label, LABEL) + _CORNERS + spread if arc.label else 0.0


def _widths(tree: DependencyTree) -> list[float]:
    """Room for each word and its tag; a root also for its label."""
    rows = zip(tree.forms, tree.tags, tree.labels, tree.heads, strict=True)
    return [
        max(
            width_of(form, FORM),
            width_of(tag, TAG) * 1.05,
            width_of(label, LABEL) if head == 0 else 0,
            20.0,
        )
        for form, tag, label, head in rows
    ]
