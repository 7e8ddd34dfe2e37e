"""The picture as a whole page, and in a notebook."""

from headway.show.page import page, read
from headway.show.picture.data import Picture
from headway.show.picture.html import picture_html
from headway.trees.drawing.svg_text import STYLE


def picture_styles() -> list[str]:
    """What the fragment needs of style."""
    return [STYLE, read("drawing.css"), read("picture.css")]


def picture_script() -> str:
    """What makes the words of all pictures of a page answer to the pointer and to keys."""
    return f'<script type="module">{read("picture.js")}\nconnect(document.body);</script>'


def picture_page(picture: Picture, title: str, summary: str = "") -> str:
    """One self-contained HTML file; `summary` is HTML."""
    return page(
        title,
        [f"<section>{picture_html(picture)}</section>"],
        summary=summary,
        styles=picture_styles(),
        scripts=[picture_script()],
    )


def picture_scoped(picture: Picture) -> str:
    """A fragment with its own style, which leaves the rest of a notebook as it is."""
    style = f".headway{{{TOKENS}{''.join(picture_styles())}}}"
    return f'<div class="headway"><style>{style}</style>{picture_html(picture)}</div>'


# What the common style sheet declares for whole pages.
TOKENS = """
--card:#ffffff;--ink:#1b2330;--soft:#55606f;--rule:#dde3ea;--accent:#2f6f9f;--differs:#a3237c;
--mark:#f9e3f1;--better:#1d6b3c;--worse:#a5332b;--doubt:#b3261e;
color-scheme:light;background:var(--card);color:var(--ink);padding:1rem;border-radius:8px;
@media (prefers-color-scheme:dark){--card:#14181f;--ink:#e8edf4;--soft:#9aa7b8;--rule:#2a323d;
--accent:#6db3e4;--differs:#f58fca;--mark:#4a1f3b;--better:#7fd19c;--worse:#f2938c;--doubt:#f2938c;
color-scheme:dark}
"""
