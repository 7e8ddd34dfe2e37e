"""Features times weights as bars to the right and to the left of nothing."""

from html import escape

from headway.show.picture.data import Picture
from headway.trees.drawing.svg_text import text, width_of

Parts = tuple[float, float, str, list[str]]

_ROW, _NAMES_LEAST, _ROOM, _NUMBERS = 24.0, 90.0, 360.0, 150.0
MINUS = "\N{MINUS SIGN}"


def products(picture: Picture) -> list[tuple[str, float, float, float]]:
    """Name, value, weight and product of each feature, those that count most first."""
    rows = [(name, value, weight, value * weight) for name, value, weight in picture.features]
    return sorted(rows, key=lambda row: -abs(row[3]))


def signed(value: float) -> str:
    """A number with three digits behind the point and a true minus."""
    text = f"{value:.3f}"
    return text.removeprefix("-") if not float(text) else text.replace("-", MINUS)


def bars_html(picture: Picture) -> str:
    """A table whose last column draws each product."""
    rows = products(picture)
    low, high = _limits(rows)
    cells = []
    for name, value, weight, product in rows:
        left, share = _share(product, low, high)
        kind = "minus" if product < 0 else "plus"
        bar = f'<i class="{kind}" style="--left:{left:.4f};--share:{share:.4f}"></i>'
        cells.append(
            f'<tr><th scope="row">{_breakable(name)}</th><td>{signed(value)}</td>'
            f"<td>{signed(weight)}</td><td>{signed(product)}</td>"
            f'<td class="bar" aria-hidden="true">{bar}</td></tr>'
        )
    head = "".join(f'<th scope="col">{it}</th>' for it in ("feature", "value", "weight", "product"))
    total = (
        f'<tr class="total"><th scope="row">score</th><td></td><td></td>'
        f"<td>{signed(picture.score)}</td><td></td></tr>"
    )
    return (
        '<div class="wide" tabindex="0" role="region" aria-label="Features times weights">'
        f'<table class="bars"><thead><tr>{head}<td></td></tr></thead>'
        f"<tbody>{''.join(cells)}{total}</tbody></table></div>"
    )


def _breakable(name: str) -> str:
    """A name that may be broken where its parts meet."""
    return escape(name).replace(".", ".<wbr>").replace("-", "-<wbr>")


def bars(picture: Picture) -> Parts:
    """Width, height, title and elements of the same as a drawing."""
    rows = products(picture)
    low, high = _limits(rows)
    names = max([_NAMES_LEAST, *(width_of(row[0], 13) for row in rows)])
    start = names + 20
    body = []
    for place, (name, value, weight, product) in enumerate(rows):
        y = 8 + place * _ROW
        left, share = _share(product, low, high)
        kind = "minus" if product < 0 else "plus"
        box = f'x="{start + left * _ROOM:.1f}" y="{y:.1f}" height="15" rx="3"'
        body += [
            text(names + 8, y + 12, "name", name),
            f'<rect class="{kind}" {box} width="{max(share * _ROOM, 1):.1f}"/>',
            text(start + _ROOM + 12, y + 12, "number", f"{signed(value)} × {signed(weight)}"),
        ]
    y = 8 + len(rows) * _ROW
    body.append(text(names + 8, y + 12, "name total", "score"))
    body.append(text(start + 2, y + 12, "number total", signed(picture.score)))
    return start + _ROOM + _NUMBERS, y + 24, "features times weights", body


def _limits(rows: list[tuple[str, float, float, float]]) -> tuple[float, float]:
    values = [row[3] for row in rows]
    low, high = min([0.0, *values]), max([0.0, *values])
    return (low, high) if high > low else (0.0, 1.0)


def _share(product: float, low: float, high: float) -> tuple[float, float]:
    """Where a bar begins and how long it is, as parts of the room."""
    left = (min(product, 0.0) - low) / (high - low)
    return left, abs(product) / (high - low)
