"""Text in SVG: how wide it is without a font at hand, how it is escaped, how it looks."""

import unicodedata
from html import escape

FORM, TAG, LABEL = 17.0, 11.0, 11.5
"""Font sizes in pixels."""

_NARROW, _BROAD = frozenset("iljtfrI.,:;'’‘`|!()[]{}/ -"), frozenset("mwMWQOGD@%&—…")

STYLE = """
.paper{fill:#ffffff}
text{font-family:Inter,'Helvetica Neue',Helvetica,Arial,'Noto Sans','Noto Sans CJK SC',
'Source Han Sans SC','PingFang SC','Microsoft YaHei',sans-serif;text-anchor:middle}
.form{font-size:17px;fill:#1b2330}
.tag{font-size:11px;fill:#7d8896;letter-spacing:.04em}
.label{font-size:11.5px;fill:#3d4b5e;stroke:#ffffff;stroke-width:5px;stroke-linejoin:round;
paint-order:stroke}
.arc{fill:none;stroke:#8b9bb0;stroke-width:1.5px}
.tip{fill:#8b9bb0}
.root .arc{stroke:#2f6f9f}.root .tip{fill:#2f6f9f}.root .label{fill:#2f6f9f;font-weight:600}
.crossing .arc{stroke:#c07a2c}.crossing .tip{fill:#c07a2c}.crossing .label{fill:#8f5413}
.cycle .arc{stroke:#c8433f;stroke-dasharray:5 3}.cycle .tip{fill:#c8433f}.cycle .label{fill:#a8302c}
.link{fill:none;stroke:#5b9a78;stroke-width:1.6px;opacity:.75}
.doubt{fill:#b3261e;text-decoration:underline dotted}
g:hover>.arc,.link:hover{stroke-width:3px;opacity:1}
@media (prefers-color-scheme:dark){
.paper{fill:#14181f}.form{fill:#e8edf4}.tag{fill:#8592a3}.label{fill:#b9c6d6;stroke:#14181f}
.arc{stroke:#5f7189}.tip{fill:#5f7189}
.root .arc{stroke:#6db3e4}.root .tip{fill:#6db3e4}.root .label{fill:#6db3e4}
.crossing .arc{stroke:#dc9a4c}.crossing .tip{fill:#dc9a4c}.crossing .label{fill:#e9b578}
.cycle .arc{stroke:#ee6f6a}.cycle .tip{fill:#ee6f6a}.cycle .label{fill:#f39a96}
.link{stroke:#6fbf95}.doubt{fill:#f2938c}}
"""


def clean(text: str) -> str:
    """Text for XML: characters it cannot hold replaced, markup escaped."""
    allowed = (c if unicodedata.category(c) not in {"Cc", "Cs", "Cn"} else "\ufffd" for c in text)
    return escape("".join(allowed))


def width_of(text: str, size: float) -> float:
    """About the width of a text in pixels, rather too wide than too narrow."""
    return size * sum(map(_em, text))


def _em(character: str) -> float:
    if unicodedata.combining(character):
        return 0.0
    if unicodedata.east_asian_width(character) in "WF":
        return 1.02
    if character in _NARROW:
        return 0.36
    if character in _BROAD:
        return 0.9
    return 0.7 if character.isupper() else 0.58


def text(x: float, y: float, kind: str, content: str, **data: int) -> str:
    """One text element, `kind` its class; `data` are numbers that pages can find it by."""
    found = "".join(f' data-{name}="{value}"' for name, value in data.items())
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}"{found}>{clean(content)}</text>'


def document(width: float, height: float, title: str, body: list[str], style: str = "") -> str:
    """A standalone SVG file, light or dark as its reader prefers."""
    paper = '<rect class="paper" width="100%" height="100%"/>'
    return drawing(width, height, title, [f"<style>{STYLE}{style}</style>", paper, *body])


def drawing(width: float, height: float, title: str, body: list[str]) -> str:
    """The same without style and paper, for pages that have both."""
    size = f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">',
            f"<title>{clean(title)}</title>",
            *body,
            "</svg>\n",
        ]
    )
