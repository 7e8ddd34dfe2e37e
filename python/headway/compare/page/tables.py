"""Table 3 and the differences between systems, as HTML."""

from html import escape
from pathlib import Path

from headway.compare.result import Column, Compared, Difference, Line, columns

_SIGNS = "+ better, - worse at 95\u00a0%, = neither"
_MEANINGS = f"{_SIGNS}; one sign for each seed"
_DIFFERENCE = (
    "BLEU on the test set of the row minus that of the column, on average over seeds, "
    f"with a sign for each of them ({_SIGNS})."
)


def figures_table(found: Compared) -> list[str]:
    """Table 3; its columns can be sorted."""
    shown, first = columns(found), found.lines[0].name
    heads = [_head("trees", "text", "the source of trees, or a system without them")]
    heads += [_head(one.title, "number", one.about) for one in shown]
    if found.system:
        heads.append(f'<th scope="col" title="{_MEANINGS}">vs {escape(first)}</th>')
    rows = [_row(found, line, first) for line in found.lines]
    notes = "".join(
        f"<div><dt>{escape(one.title)}</dt><dd>{escape(one.about)}</dd></div>" for one in shown
    )
    if found.system:
        notes += f"<div><dt>vs {escape(first)}</dt><dd>BLEU test: {_MEANINGS}</dd></div>"
    return [
        '<section aria-labelledby="figures"><h2 id="figures">Figures</h2>',
        "<p>Choose the head of a column to sort by it.</p>",
        '<div class="wide" tabindex="0" role="region" aria-labelledby="figures">',
        f'<table id="table" class="figures"><thead><tr>{"".join(heads)}</tr></thead>',
        f"<tbody>{''.join(rows)}</tbody></table></div>",
        f'<dl class="notes">{notes}</dl></section>',
    ]


def _head(title: str, kind: str, about: str) -> str:
    return (
        f'<th scope="col" aria-sort="none" class="{kind}" title="{escape(about)}">'
        f'<button type="button" data-sort="{kind}">{escape(title)}</button></th>'
    )


def _row(found: Compared, line: Line, first: str) -> str:
    source = Path(line.source).name if line.source else line.name
    note = f" <small>{escape(source)}</small>" if source != line.name else ""
    name = escape(line.name)
    cells = [f'<th scope="row" data-value="{name}">{name}{note}</th>']
    cells += [_cell(line, column) for column in columns(found)]
    if found.system:
        cells.append(f'<td class="signs">{escape(line.signs(first))}</td>')
    return f"<tr>{''.join(cells)}</tr>"


def _cell(line: Line, column: Column) -> str:
    value = column.value(line)
    seeds = line.bleu(column.key)
    spread = f" <small>{min(seeds):.1f}–{max(seeds):.1f}</small>" if len(seeds) > 1 else ""
    number = "" if value is None else value
    return f'<td data-value="{number}">{column.text(line)}{spread}</td>'


def difference_table(found: Compared) -> list[str]:
    """BLEU of each system against each other one; nothing without systems."""
    if len([line for line in found.lines if line.scores]) < 2:
        return []
    names = [line.name for line in found.lines]
    cells = {(one.other, one.one): one for one in found.differences}
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in names)
    rows = []
    for name in names:
        row = "".join(_difference(cells, name, other) for other in names)
        rows.append(f'<tr><th scope="row">{escape(name)}</th>{row}</tr>')
    return [
        '<section aria-labelledby="differences"><h2 id="differences">Differences in BLEU</h2>',
        f"<p>{_DIFFERENCE}</p>",
        '<div class="wide" tabindex="0" role="region" aria-labelledby="differences">',
        f'<table class="figures plain"><thead><tr><td></td>{head}</tr></thead>',
        f"<tbody>{''.join(rows)}</tbody></table></div></section>",
    ]


_OTHER_WAY = str.maketrans("+-", "-+")


def _difference(cells: dict[tuple[str, str], Difference], name: str, other: str) -> str:
    if one := cells.get((name, other)):
        value, signs = one.bleu, one.signs
    elif one := cells.get((other, name)):
        value, signs = -one.bleu, one.signs.translate(_OTHER_WAY)
    else:
        return '<td class="self">–</td>'
    kind = {"+": "better", "-": "worse"}.get(signs[:1], "") if len(set(signs)) == 1 else ""
    shown = f"{value:+.2f}".replace("-", "\N{MINUS SIGN}")
    return f'<td class="{kind}">{shown} <span class="signs">{escape(signs)}</span></td>'
