"""The derivation: a bar over the source words of each step, with those inside below it."""

from collections.abc import Iterator

from headway.show.picture.data import Picture, Span
from headway.show.picture.words import numbered
from headway.trees.drawing.svg_text import FORM, LABEL, clean, text, width_of

_MARGIN, _GAP, _BAR, _ROW, _PAD = 16.0, 14.0, 24.0, 30.0, 9.0
_WIDEST = 300.0  # a column grows for the text of a bar up to this

Parts = tuple[float, float, str, list[str]]


def derivation(picture: Picture) -> Parts:
    """Width, height, title and elements of the drawing."""
    several = len(picture.spans) > 1
    labels = {
        number: f"{order}  {span.text or '–'}" if order and several else (span.text or "–")
        for order, (number, span) in _ordered(picture)
    }
    lefts, widths = _columns(picture, labels)
    levels = max((span.height for span in picture.spans), default=0)
    base = _MARGIN + levels * _ROW
    body = [
        text(left + width / 2, base + 22, "form", word, source=place)
        for place, (left, width, word) in enumerate(zip(lefts, widths, picture.source, strict=True))
    ]
    for number, span in numbered(picture):
        first, last = span.source[0], span.source[1] - 1
        if first > last:
            continue
        x, end = lefts[first], lefts[last] + widths[last]
        y = base - span.height * _ROW
        body += _stems(span, lefts, widths, y + _BAR, base + 6)
        body.append(_bar(number, span, (x, y, end - x), labels[number]))
    edge = lefts[-1] + widths[-1] if lefts else _MARGIN
    return edge + _MARGIN, base + 40, f"derivation of {' '.join(picture.target)}", body


def _ordered(picture: Picture) -> Iterator[tuple[int, tuple[int, Span]]]:
    """Numbered spans with their order in the target, from 1; 0 for those inside others."""
    whole = {id(span): order for order, span in enumerate(picture.spans, 1)}
    for number, span in numbered(picture):
        yield whole.get(id(span), 0), (number, span)


def _columns(picture: Picture, labels: dict[int, str]) -> tuple[list[float], list[float]]:
    """Where the column of each word begins and how wide it is: as its bars need."""
    widths = [max(width_of(word, FORM), 22.0) for word in picture.source]
    spans = sorted(numbered(picture), key=lambda one: one[1].source[1] - one[1].source[0])
    for number, span in spans:
        start, end = span.source
        if start == end:
            continue
        needed = min(width_of(labels[number], LABEL) + 2 * _PAD, _WIDEST)
        lacking = needed - sum(widths[start:end]) - _GAP * (end - start - 1)
        for place in range(start, end):
            widths[place] += max(0.0, lacking) / (end - start)
    lefts = [_MARGIN + sum(widths[:place]) + _GAP * place for place in range(len(widths))]
    return lefts, widths


def _stems(
    span: Span, lefts: list[float], widths: list[float], top: float, bottom: float
) -> list[str]:
    """Thin lines from a bar to the words that are its own."""
    middles = (lefts[place] + widths[place] / 2 for place in span.own_source)
    return [f'<path class="stem" d="M{x:.1f} {top:.1f}V{bottom:.1f}"/>' for x in middles]


def _bar(number: int, span: Span, place: tuple[float, float, float], label: str) -> str:
    x, y, width = place
    box = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{_BAR}" rx="6"'
    shown = text(x + width / 2, y + 16.5, "said", fitted(label, width - _PAD))
    return (
        f'<g class="span {span.kind}" data-span="{number}"><title>{clean(span.about)}</title>'
        f"<rect {box}/>{shown}</g>"
    )


def fitted(label: str, room: float) -> str:
    """The label, cut where it is longer than its room."""
    if width_of(label, LABEL) <= room:
        return label
    while label and width_of(f"{label}…", LABEL) > room:
        label = label[:-1]
    return f"{label}…"
