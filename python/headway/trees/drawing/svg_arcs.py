"""The arcs over (or under) one line of words in an SVG."""

from dataclasses import dataclass

from headway._core import DependencyTree
from headway.trees.drawing.levels import Arc, Skyline, arcs_of, shown
from headway.trees.drawing.svg_layout import MARGIN, STEM, Line
from headway.trees.drawing.svg_text import LABEL, clean, text, width_of

_RADIUS = 9.0
_TIP = 6.0
_BESIDE = 8.0  # between the corner of an arc that goes on and its label
_LONGEST = 16  # characters of a word named in such a label


@dataclass(frozen=True)
class Span:
    """The part of an arc that is drawn over a line; `left` or `right` is None where it goes on."""

    arc: Arc
    left: int | None
    right: int | None
    level: int


class Arcs:
    """Arcs of a line, growing upwards (`way` -1) or downwards (1) from `base`."""

    def __init__(self, tree: DependencyTree, line: Line, way: int = -1) -> None:
        self.tree, self.line, self.way = tree, line, way
        self.spans = _spans(tree, line)
        self.top = max((span.level for span in self.spans), default=0)
        self.step = 27.0 if self.top <= 9 else 23.0
        self.anchors = _anchors(self.spans, self.roots, line)
        self.kinds = _kinds(tree)

    @property
    def roots(self) -> list[int]:
        """The roots among the words of the line."""
        return [root for root in self.tree.roots if self.line.holds(root)]

    @property
    def height(self) -> float:
        """From the base to beyond the highest label."""
        loops = any(word == head for word, head in enumerate(self.tree.heads, start=1))
        return (self.top + 1) * self.step + (14.0 if self.roots or loops else 0.0)

    @property
    def overhang(self) -> tuple[float, float]:
        """What the labels of arcs that go on need left of the first word and right of the last."""
        left, right = 0.0, self.line.end + MARGIN / 2
        for span in self.spans:
            size = width_of(self._label(span), LABEL) + _RADIUS + _BESIDE + 6
            if not span.left:
                left = max(left, size + MARGIN / 2 - self.anchors[span.arc, span.right])
            if not span.right:
                right = max(right, self.anchors[span.arc, span.left] + size)
        return left, right

    def draw(self, base: float, edge: float) -> list[str]:
        """The elements, with arcs that go on drawn to `edge` or to the left margin."""
        arcs = [self._arc(span, base, edge) for span in reversed(self.spans)]
        roots = [self._root(root, base) for root in self.roots]
        return [*arcs, *roots, *self._loops(base)]

    def _arc(self, span: Span, base: float, edge: float) -> str:
        y = base + self.way * span.level * self.step
        arc = span.arc
        start = self.anchors[arc, span.left] if span.left else MARGIN / 2
        end = self.anchors[arc, span.right] if span.right else edge
        parts = [f'<path class="arc" d="{self._path(span, start, end, y, base)}"/>']
        if arc.word in (span.left, span.right):
            parts.append(self._tip(self.anchors[arc, arc.word], base))
        label = self._label(span)
        half = width_of(label, LABEL) / 2
        middle = (start + end) / 2
        if not span.left:  # near the word, where the eye is
            middle = end - _RADIUS - _BESIDE - half
        elif not span.right:
            middle = start + _RADIUS + _BESIDE + half
        if label:
            parts.append(text(middle, y + 4, "label", label))
        return self._group(arc.head, arc.word, parts)

    def _path(self, span: Span, start: float, end: float, y: float, base: float) -> str:
        """A bridge with rounded corners, open where the arc goes on in another line."""
        radius = min(_RADIUS, (end - start) / 2)
        foot = y - self.way * radius
        path = f"M{start:.1f} {y:.1f}"
        if span.left:
            corner = f"Q{start:.1f} {y:.1f} {start + radius:.1f} {y:.1f}"
            path = f"M{start:.1f} {base:.1f}V{foot:.1f}{corner}"
        if span.right:
            return f"{path}H{end - radius:.1f}Q{end:.1f} {y:.1f} {end:.1f} {foot:.1f}V{base:.1f}"
        return f"{path}H{end:.1f}"

    def _label(self, span: Span) -> str:
        """The label; with the word at the other end if that is on another line."""
        arc = span.arc
        if span.left and span.right:
            return arc.label
        other = arc.head if arc.word in (span.left, span.right) else arc.word
        form = self.tree.forms[other - 1]
        form = form if len(form) <= _LONGEST else f"{form[: _LONGEST - 1]}…"
        return f"{arc.label} {'←' if other == arc.head else '→'} {form}".strip()

    def _root(self, root: int, base: float) -> str:
        x = self.anchors[None, root]
        y = base + self.way * ((self.top + 1) * self.step - 6)
        label = y - 4 if self.way < 0 else y + 12
        parts = [
            f'<path class="arc" d="M{x:.1f} {y:.1f}V{base:.1f}"/>',
            self._tip(x, base),
            text(x, label, "label", shown(self.tree.labels[root - 1])),
        ]
        return self._group(0, root, parts)

    def _loops(self, base: float) -> list[str]:
        """Words that are their own heads."""
        drawn = []
        for word, head in enumerate(self.tree.heads, start=1):
            if word == head and self.line.holds(word):
                x, y = self.line.centre(word), base + self.way * 34
                bow = f"{x - 24:.1f} {y:.1f} {x + 24:.1f} {y:.1f} {x + 5:.1f} {base:.1f}"
                path = f"M{x - 5:.1f} {base:.1f}C{bow}"
                label = text(x, y + 4, "label", shown(self.tree.labels[word - 1]))
                parts = [f'<path class="arc" d="{path}"/>', self._tip(x + 5, base), label]
                drawn.append(self._group(word, word, parts))
        return drawn

    def _tip(self, x: float, base: float) -> str:
        back = base + self.way * _TIP
        return (
            f'<path class="tip" d="M{x:.1f} {base - self.way * 1.5:.1f}'
            f'L{x - 3.6:.1f} {back:.1f}H{x + 3.6:.1f}Z"/>'
        )

    def _group(self, head: int, word: int, parts: list[str]) -> str:
        forms = ["root", *self.tree.forms]
        label = self.tree.labels[word - 1]
        title = f"<title>{clean(f'{forms[head]} → {forms[word]}: {label}')}</title>"
        kind = self.kinds.get(word)
        named = f' class="{kind}"' if kind else ""
        # The word below the arc, so that pages can find the arc.
        return f'<g{named} data-word="{word}">{title}{"".join(parts)}</g>'


def _spans(tree: DependencyTree, line: Line) -> list[Span]:
    """What is to be drawn over a line, lower arcs first. An arc that only passes is not."""
    parts = []
    for arc in arcs_of(tree):
        left = arc.left if line.holds(arc.left) else None
        right = arc.right if line.holds(arc.right) else None
        if left or right:
            start = left - line.first + 1 if left else 0
            end = right - line.first + 1 if right else len(line.centres) + 1
            parts.append((end - start, start, end, arc, left, right))
    skyline = Skyline(len(line.centres))
    parts.sort(key=lambda part: part[:3])
    return [
        Span(arc, left, right, skyline.place(start, end))
        for _, start, end, arc, left, right in parts
    ]


Anchors = dict[tuple[Arc | None, int | None], float]


def _anchors(spans: list[Span], roots: list[int], line: Line) -> Anchors:
    """Where each arc meets each of its words: side by side in an order that crosses nothing.

    From left to right: arcs to the left, low before high; the root's; arcs to the right, high
    before low.
    """
    at_words: dict[int, list[tuple[int, int, Arc | None]]] = {}
    for span in spans:
        if span.left:
            at_words.setdefault(span.left, []).append((1, -span.level, span.arc))
        if span.right:
            at_words.setdefault(span.right, []).append((-1, span.level, span.arc))
    for root in roots:
        at_words.setdefault(root, []).append((0, 0, None))
    anchors: Anchors = {}
    for word, ends in at_words.items():
        ends.sort(key=lambda end: end[:2])
        width = line.widths[word - line.first]
        step = min(STEM, (width + 8) / len(ends))
        for index, (_, _, arc) in enumerate(ends):
            anchors[arc, word] = line.centre(word) + (index - (len(ends) - 1) / 2) * step
    return anchors


def _kinds(tree: DependencyTree) -> dict[int, str]:
    """The words whose arcs stand out: roots, those in cycles, those that cross others."""
    kinds = dict.fromkeys(_crossing(tree), "crossing")
    kinds |= dict.fromkeys(tree.roots, "root")
    return kinds | {word: "cycle" for cycle in tree.cycles for word in cycle}


def _crossing(tree: DependencyTree) -> list[int]:
    """The words whose arc passes over a word that does not hang under their head."""
    if tree.is_projective:
        return []
    found = []
    for arc in arcs_of(tree):
        under = set(tree.descendants(arc.head))
        if any(word not in under for word in range(arc.left + 1, arc.right)):
            found.append(arc.word)
    return found
