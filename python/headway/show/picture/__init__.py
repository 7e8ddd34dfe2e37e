"""A picture of one translation: its words, links, trees, derivation, features, alternatives.

`Picture` is what there is to see, of whatever system. `picture_html` makes a fragment of it for a
page, `picture_svg` one drawing. Both show the same.
"""

from headway.show.picture.data import Alternative, Choice, Picture, Span
from headway.show.picture.html import picture_html, target_html
from headway.show.picture.svg import picture_svg
from headway.show.picture.whole import picture_page, picture_scoped

__all__ = [
    "Alternative",
    "Choice",
    "Picture",
    "Span",
    "picture_html",
    "picture_page",
    "picture_scoped",
    "picture_svg",
    "target_html",
]
