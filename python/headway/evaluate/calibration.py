"""Confidence in words: how often words of a confidence are right, and how to make the two agree."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from headway.printing import prints_briefly

Knots = Sequence[tuple[float, float]]
"""Points of a line that rises: what a system says, and how often it is right."""

# Points of a calibration at most: each has at least a few dozen words of a dev set.
_MOST_KNOTS = 30
_LEAST_WORDS = 30


@prints_briefly
@dataclass(frozen=True)
class Bin:
    """Words of about the same confidence."""

    confidence: float
    """Their mean confidence."""
    right: float
    """The share of them that are right."""
    words: int


@prints_briefly
@dataclass(frozen=True)
class Reliability:
    """How far confidence is from the truth."""

    bins: tuple[Bin, ...]

    @property
    def words(self) -> int:
        """All words."""
        return sum(one.words for one in self.bins)

    @property
    def error(self) -> float:
        """The expected calibration error: the mean distance of both, by words."""
        far = sum(one.words * abs(one.confidence - one.right) for one in self.bins)
        return far / max(1, self.words)

    @property
    def right(self) -> float:
        """The share of all words that are right."""
        return sum(one.words * one.right for one in self.bins) / max(1, self.words)


def right_words(words: Sequence[str], references: Sequence[Sequence[str]]) -> list[bool]:
    """For each word whether some reference has it, as often as it stands there up to its place."""
    most: Counter[str] = Counter()
    for reference in references:
        most |= Counter(reference)
    seen: Counter[str] = Counter()
    found = []
    for word in words:
        seen[word] += 1
        found.append(seen[word] <= most[word])
    return found


def reliability(pairs: Iterable[tuple[float, bool]], bins: int = 10) -> Reliability:
    """Words with confidence from 0 to 1 and whether they are right, in bins of equal width."""
    own: list[list[tuple[float, bool]]] = [[] for _ in range(bins)]
    for confidence, right in pairs:
        own[min(int(confidence * bins), bins - 1)].append((confidence, right))
    return Reliability(tuple(_bin(words) for words in own if words))


def _bin(words: Sequence[tuple[float, bool]]) -> Bin:
    confidence = sum(confidence for confidence, _ in words) / len(words)
    return Bin(confidence, sum(right for _, right in words) / len(words), len(words))


def isotonic(pairs: Iterable[tuple[float, bool]]) -> list[tuple[float, float]]:
    """The line that rises and is nearest to the truth (pool adjacent violators).

    Words are put together first, so that each point stands for enough of them; one right and one
    wrong word are added to each, so that nothing is ever certain.
    """
    blocks: list[tuple[float, float, int]] = []  # sum of what is said, right words, words
    for block in _blocks(sorted(pairs)):
        blocks.append(block)
        while len(blocks) > 1 and _rate(blocks[-2]) >= _rate(blocks[-1]):
            last, before = blocks.pop(), blocks.pop()
            blocks.append((before[0] + last[0], before[1] + last[1], before[2] + last[2]))
    points = [(round(block[0] / block[2], 6), round(_rate(block), 6)) for block in blocks]
    # Of points that rounding makes one above the other, the last one counts.
    return list({x: (x, y) for x, y in points}.values())


def _rate(block: tuple[float, float, int]) -> float:
    return (block[1] + 1) / (block[2] + 2)


def _blocks(pairs: Sequence[tuple[float, bool]]) -> Iterable[tuple[float, float, int]]:
    """Neighbours by confidence; equal ones are never apart."""
    least = max(_LEAST_WORDS, len(pairs) // _MOST_KNOTS)
    start = 0
    while start < len(pairs):
        end = start + least
        while end < len(pairs) and pairs[end][0] == pairs[end - 1][0]:
            end += 1
        if len(pairs) - end < least // 2:
            end = len(pairs)
        own = pairs[start:end]
        yield sum(said for said, _ in own), float(sum(right for _, right in own)), len(own)
        start = end


def calibrated(knots: Knots, said: float) -> float:
    """What is between two points lies on a straight line; what is outside has the nearest value."""
    if not knots:
        return said
    place = bisect_left([x for x, _ in knots], said)
    if place == 0:
        return knots[0][1]
    if place == len(knots):
        return knots[-1][1]
    (x, y), (next_x, next_y) = knots[place - 1], knots[place]
    return y + (next_y - y) * (said - x) / (next_x - x)


def reliability_svg(found: Reliability) -> str:
    """A drawing: confidence to the right, the share of right words upwards, bars for words."""
    side, edge = 360, 48
    whole = side + 2 * edge

    def x(value: float) -> float:
        return edge + side * value

    def y(value: float) -> float:
        return edge + side * (1 - value)

    most = max((one.words for one in found.bins), default=1)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole} {whole}">',
        '<g font-family="sans-serif" font-size="12">',
        "<title>How often words of each confidence are right</title>",
        f'<rect width="{whole}" height="{whole}" fill="#fff"/>',
    ]
    for tick in range(0, 11, 2):
        at = tick / 10
        parts += [
            f'<line x1="{x(at):.1f}" y1="{y(0)}" x2="{x(at):.1f}" y2="{y(1)}" stroke="#ddd"/>',
            f'<line x1="{x(0)}" y1="{y(at):.1f}" x2="{x(1)}" y2="{y(at):.1f}" stroke="#ddd"/>',
            f'<text x="{x(at):.1f}" y="{y(0) + 16}" text-anchor="middle">{at:.1f}</text>',
            f'<text x="{x(0) - 6}" y="{y(at) + 4:.1f}" text-anchor="end">{at:.1f}</text>',
        ]
    for one in found.bins:
        height = 0.25 * side * one.words / most
        parts.append(
            f'<rect x="{x(one.confidence) - 8:.1f}" y="{y(0) - height:.1f}" width="16" '
            f'height="{height:.1f}" fill="#c8d8e8"><title>{one.words:,} words</title></rect>'
        )
    parts.append(
        f'<line x1="{x(0)}" y1="{y(0)}" x2="{x(1)}" y2="{y(1)}" stroke="#888" '
        'stroke-dasharray="4 4"/>'
    )
    title = f"{found.words:,} words, expected calibration error {found.error:.3f}"
    points = " ".join(f"{x(one.confidence):.1f},{y(one.right):.1f}" for one in found.bins)
    parts.append(f'<polyline points="{points}" fill="none" stroke="#1f5f9f" stroke-width="2"/>')
    parts += [
        f'<circle cx="{x(one.confidence):.1f}" cy="{y(one.right):.1f}" r="4" fill="#1f5f9f">'
        f"<title>confidence {one.confidence:.3f}, right {one.right:.3f}, {one.words:,} words"
        "</title></circle>"
        for one in found.bins
    ]
    parts += [
        f'<text x="{x(0.5)}" y="{whole - 10}" text-anchor="middle">confidence</text>',
        f'<g transform="rotate(-90 14 {y(0.5)})">',
        f'<text x="14" y="{y(0.5)}" text-anchor="middle">share of right words</text></g>',
        f'<text x="{x(0)}" y="24">{title}</text>',
        "</g>",
        "</svg>",
    ]
    return "\n".join(parts) + "\n"
