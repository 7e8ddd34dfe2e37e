"""Whole pages: one HTML file each, that needs no network and no server."""

from collections.abc import Iterable
from html import escape
from importlib import resources

# Nothing is loaded from anywhere, whatever the text of a corpus says.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
_POLICY += "; img-src data:; base-uri 'none'; form-action 'none'"


def page(
    title: str,
    sections: Iterable[str],
    *,
    summary: str = "",
    styles: Iterable[str] = (),
    scripts: Iterable[str] = (),
) -> str:
    """A page with the common look; `summary`, `sections` and `scripts` are HTML already."""
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(title)}</title>",
            f"<style>{read('style.css')}{''.join(styles)}</style></head><body>",
            f"<header><h1>{escape(title)}</h1>",
            f"<p>{summary}</p></header>" if summary else "</header>",
            "<main>",
            *sections,
            "</main>",
            *scripts,
            "</body></html>",
            "",
        ]
    )


def section(name: str, title: str, *content: str, about: str = "") -> str:
    """A part of a page with a heading; `content` is HTML, `about` is text."""
    told = f"<p>{escape(about)}</p>" if about else ""
    parts = "\n".join(content)
    return (
        f'<section aria-labelledby="{name}"><h2 id="{name}">{escape(title)}</h2>{told}\n'
        f"{parts}</section>"
    )


def read(name: str, package: str = __package__ or "") -> str:
    """A style sheet or script that lies beside the module of a package."""
    return resources.files(package).joinpath(name).read_text(encoding="utf-8")
