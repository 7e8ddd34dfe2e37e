"""Tables of a report as HTML."""

from collections.abc import Iterable, Sequence
from html import escape


def table(label: str, headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of text that scrolls where it is wider than the page; first cells are headings."""
    head = "".join(f'<th scope="col">{escape(one)}</th>' for one in headings)
    body = "".join(
        f'<tr><th scope="row">{escape(row[0])}</th>'
        + "".join(f"<td>{escape(cell)}</td>" for cell in row[1:])
        + "</tr>"
        for row in rows
    )
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{escape(label)}">'
        f'<table class="figures plain"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
        "</div>"
    )


def bar(share: float, kind: str = "") -> str:
    """A bar of a share of the room."""
    return f'<i class="share {kind}" style="--share:{share:.4f}" aria-hidden="true"></i>'


def told(text: str) -> str:
    """A paragraph."""
    return f"<p>{escape(text)}</p>"
