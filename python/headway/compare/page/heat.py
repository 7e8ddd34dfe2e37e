"""Table 2 as two heat maps: how often sources agree in roots and in heads."""

from html import escape

from headway.compare.heads import Agreement
from headway.compare.result import Compared

_ABOUT = (
    "How often two sources agree, counted over the sentences of which both have a tree. "
    "Choose a cell to see where the two differ."
)
# From these shares of the colour on, text on it changes its own: by then the contrast of black
# and of white is 4.5 to 1, for light pages and for dark ones.
_HOT, _WARM = 0.8, 0.58


def heat_maps(found: Compared) -> list[str]:
    """The section; nothing for a single source."""
    if not found.agreements:
        return []
    return [
        '<section aria-labelledby="agreement"><h2 id="agreement">Agreement</h2>',
        f"<p>{_ABOUT}</p>",
        '<div class="maps">',
        _map(found, "roots", "Same root word", "% of sentences"),
        _map(found, "heads", "Same head", "% of words"),
        "</div></section>",
    ]


def _map(found: Compared, key: str, title: str, unit: str) -> str:
    names = [line.name for line in found.sources]
    cells = {(one.one, one.other): one for one in found.agreements}
    values = [getattr(one, key) for one in found.agreements]
    low, high = min(values), max(values)
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in names)
    rows = []
    for name in names:
        row = [f'<th scope="row">{escape(name)}</th>']
        for other in names:
            one = cells.get((name, other)) or cells.get((other, name))
            row.append(_cell(one, key, low, high, names) if one else '<td class="self">–</td>')
        rows.append(f"<tr>{''.join(row)}</tr>")
    legend = f'<span>{low:.1f}</span><i aria-hidden="true"></i><span>{high:.1f}</span>'
    return (
        f'<div class="wide"><table class="heat"><caption>{title} <small>{unit}</small></caption>'
        f"<thead><tr><td></td>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
        f'<p class="legend">{legend}</p></div>'
    )


def _cell(one: Agreement, key: str, low: float, high: float, names: list[str]) -> str:
    value: float = getattr(one, key)
    share = (value - low) / (high - low) if high > low else 0.5
    kinds = f"{' warm' if share > _WARM else ''}{' hot' if share > _HOT else ''}"
    count, what = (
        (f"{one.same_roots:,} of {one.sentences:,}", "sentences have the same root word")
        if key == "roots"
        else (f"{one.same_heads:,} of {one.words:,}", "words have the same head")
    )
    title = escape(f"{one.one} and {one.other}: {count} {what}")
    places = f'data-one="{names.index(one.one)}" data-other="{names.index(one.other)}"'
    return (
        f'<td><button type="button" class="cell{kinds}" style="--share:{share:.3f}" {places} '
        f'title="{title}" aria-label="{title}, {value:.1f} per cent; show where they differ">'
        f"{value:.1f}</button></td>"
    )
