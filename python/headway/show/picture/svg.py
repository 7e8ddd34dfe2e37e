"""The picture as one drawing: the figures one below the other."""

from headway.show.page import read
from headway.show.picture.bars import bars
from headway.show.picture.data import Picture
from headway.show.picture.pair import pair
from headway.show.picture.spans import derivation
from headway.trees.drawing.svg import tree_parts
from headway.trees.drawing.svg_text import document, text

_HEADING, _MARGIN, _WIDTH = 34.0, 24.0, 1400


def picture_svg(picture: Picture) -> str:
    """A standalone SVG file."""
    figures = [("", pair(picture))]
    if picture.phrase_tree is not None:
        figures.append(("Tree over phrases", tree_parts(picture.phrase_tree, _WIDTH)))
    if picture.spans:
        figures.append(("Derivation", derivation(picture)))
    if picture.features:
        figures.append(("Features × weights", bars(picture)))
    body, y, widest = list[str](), 0.0, 0.0
    for title, (width, height, _, elements) in figures:
        if title:
            body.append(text(_MARGIN, y + 24, "heading", title))
            y += _HEADING
        body += [f'<g transform="translate(0,{y:.1f})">', *elements, "</g>"]
        y, widest = y + height + 6, max(widest, width)
    title = f"{' '.join(picture.source)} → {' '.join(picture.target)}"
    return document(widest, y, title, body, read("drawing.css"))
