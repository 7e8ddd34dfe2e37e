"""Parts of a text that no translation may change."""

import re

from headway.markup.flow import Flow

_NAME = r"[A-Za-z_][\w.\-]*"
PLACEHOLDER = re.compile(
    "|".join(
        [
            r"\{\{\{?[^{}\n]{0,200}\}\}\}?",  # {{name}} of Mustache, Jinja, Vue
            r"\{%[^{}\n]{0,200}%\}",  # {% tag %} of Jinja
            r"<%[^<>\n]{0,200}%>",  # <%= name %> of ERB
            rf"[$#%]\{{{_NAME}\}}",  # ${name}, #{name}, %{name}
            rf"\{{(?:\d+|{_NAME})?(?:![rsa])?(?:[:,][^{{}}\n]{{0,40}})?\}}",  # {0}, {name:.2f}
            rf"%\({_NAME}\)[#0\- +]*\d*(?:\.\d+)?[a-zA-Z]",  # %(name)s
            r"%(?:\d+\$)?[#0\-+]*\d*(?:\.\d+)?(?:hh|h|ll|l|z|j)?[sdiuoxXfFeEgGcpn@]\b",  # %1$d
            rf"(?<![\w$])\$\w*{_NAME}\$",  # $name$
            r"(?i:https?|ftp|file)://[^\s<>\"“”„«»`|]*[^\s<>\"“”„«»`|.,;:!?'’…)\]}]",
            r"(?<![\w.@])www\.[^\s<>\"“”„«»`|]*[^\s<>\"“”„«»`|.,;:!?'’…)\]}]",
            r"(?<![\w.+%\-])[\w.+%\-]{1,64}@(?:[A-Za-z0-9\-]{1,63}\.)+[A-Za-z]{2,24}\b",
        ]
    )
)

_NUMBER = re.compile(r"[^\w\s]*\d[\d.,:/'’\-–−+]*[^\w\s]*")


def is_number(word: str) -> bool:
    """Whether a word is a number, a date or a time in digits."""
    return _NUMBER.fullmatch(word) is not None


def add_text(flow: Flow, text: str, *, by_line: bool = False) -> None:
    """Adds plain text to running text, with its placeholders held."""
    at = 0
    for match in PLACEHOLDER.finditer(text):
        flow.say(text[at : match.start()], by_line=by_line)
        flow.hold(flow.encode(match[0]))
        at = match.end()
    flow.say(text[at:], by_line=by_line)
