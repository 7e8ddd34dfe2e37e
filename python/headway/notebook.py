"""How objects of the core draw themselves in a notebook.

The bindings call `svg` and `html` for `_repr_svg_` and `_repr_html_`.
"""

import base64

from headway._core import Alignment, DependencyTree, Sentence
from headway.align.draw import grid_svg
from headway.trees import draw_svg

# Positions stand for words in the picture of an alignment, which knows none. A larger grid would
# be of no use to anybody.
_MOST = 200


def svg(shown: object) -> str | None:
    """A standalone drawing; None where there is nothing to draw, and the text is shown."""
    match shown:
        case DependencyTree():
            return draw_svg(shown)
        case Sentence():
            whole = None not in shown.heads and len(shown) > 0
            return draw_svg(shown) if whole else None
        case Alignment():
            return _grid(shown)
        case _:
            return None


def html(shown: object) -> str | None:
    """The same as an image, whose style stays its own."""
    drawn = svg(shown)
    if drawn is None:
        return None
    data = base64.b64encode(drawn.encode()).decode()
    return f'<img alt="" style="max-width:100%" src="data:image/svg+xml;base64,{data}">'


def _grid(alignment: Alignment) -> str | None:
    if not len(alignment):
        return None
    source, target = (max(side) + 1 for side in zip(*alignment.links, strict=True))
    if max(source, target) > _MOST:
        return None
    return grid_svg([*map(str, range(source))], [*map(str, range(target))], alignment)
