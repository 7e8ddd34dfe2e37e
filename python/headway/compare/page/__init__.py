"""The page of a comparison: one HTML file that needs no network and no server.

`style.css` and `script.js` lie beside this file and are written into the page. What is in the
tables is HTML already; sentences and their drawings are data that the script shows.
"""

from collections.abc import Sequence
from html import escape
from pathlib import Path

from headway.compare.page.data import page_data
from headway.compare.page.heat import heat_maps
from headway.compare.page.tables import difference_table, figures_table
from headway.compare.result import Compared
from headway.show import page, read
from headway.trees.drawing.svg_text import STYLE


def comparison_page(found: Compared, words: Sequence[Sequence[str]], trees: Sequence[Path]) -> str:
    """HTML of a comparison: `words` by line, `trees` of each source in the order of its lines."""
    sections = [*heat_maps(found), *figures_table(found), *difference_table(found)]
    if found.pairs:
        sections += [_read("sentences.html")]
    data = page_data(found, words, trees)
    return page(
        f"Dependency trees of {found.target.name}",
        sections,
        summary=_summary(found),
        styles=[STYLE, _read("style.css")],
        scripts=[
            f'<script type="application/json" id="data">{data}</script>',
            f"<script>{_read('script.js')}</script>",
        ],
    )


def _summary(found: Compared) -> str:
    count = len(found.sources)
    parts = [
        f"{found.sentences:,} sentences",
        f"{found.words:,} words",
        f"{count} source{'s' if count != 1 else ''} of trees",
    ]
    if found.system:
        seeds = ", ".join(map(str, found.seeds))
        seeds = f"seed{'s' if len(found.seeds) > 1 else ''} {seeds}"
        parts.append(f"translated by {escape(found.system)}, {seeds}")
    return " · ".join(parts)


def _read(name: str) -> str:
    return read(name, __package__)
