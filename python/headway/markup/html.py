"""HTML cut into running text and what lies between: every tag is found, whatever the markup."""

import re
from collections import Counter
from html import unescape

from headway.markup.flow import Element, Flow, Tag
from headway.markup.placeholders import add_text

_TOKEN = re.compile(
    r"<!--.*?(?:-->|\Z)|<[!?][^>]*+(?:>|\Z)"
    r"|</[A-Za-z][^>]*+>"
    r"|<[A-Za-z](?>[^<>\"']|\"[^\"]*\"|'[^']*')*+>",
    re.DOTALL,
)
_NAME = re.compile(r"</?([^\s/>]+)")
_FIXED = re.compile(
    r"""\btranslate\s*=\s*["']?no\b|\bclass\s*=\s*(?:"[^"]*\bnotranslate\b|'[^']*\bnotranslate\b|notranslate\b)""",
    re.IGNORECASE,
)


def _names(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


_RAW = frozenset(["script", "style"])
_UNTRANSLATED = _names("""
    code kbd samp var svg math template object iframe
""")
_VOID = _names("""
    area base br col embed hr img input link meta param source track wbr
""")
_BLOCKS = _names("""
    address article aside base blockquote body br button caption center col colgroup dd details
    dialog dir div dl dt fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 head
    header hgroup hr html legend li link main menu meta nav noscript ol optgroup option p pre
    search section select summary table tbody td textarea tfoot th thead title tr ul video audio
""")

_LINES = frozenset(["pre", "textarea"])  # where line breaks count

# What stands for white space and signs in attributes stays as it is: attributes are not read.
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\xa0": "&nbsp;"})


def encode(text: str) -> str:
    """Plain text as HTML."""
    return text.translate(_ESCAPES)


def read(text: str) -> Flow:
    """Finds the text of HTML and all of its markup; nothing is ever lost."""
    return _Reader(text).read()


class _Reader:
    def __init__(self, text: str) -> None:
        self._text, self._at = text, 0
        self._flow = Flow(encode)
        self._open: list[tuple[str, Tag]] = []
        """Inline elements that are open."""
        self._names: Counter[str] = Counter()
        """How many of each name."""
        self._pre = 0

    def read(self) -> Flow:
        """All of it."""
        while match := _TOKEN.search(self._text, self._at):
            self._add_text(self._text[self._at : match.start()])
            self._at = match.end()
            self._token(match[0])
        self._add_text(self._text[self._at :])
        return self._flow

    def _add_text(self, text: str) -> None:
        add_text(self._flow, unescape(text), by_line=self._pre > 0)

    def _token(self, raw: str) -> None:
        if raw[1] in "!?":
            self._flow.mark(raw)
            return
        found = _NAME.match(raw)
        name = found[1].lower() if found else ""
        if raw[1] == "/":
            self._close(name, raw)
            return
        alone = name in _VOID or raw.endswith("/>")
        if name in _RAW:
            self._flow.mark(raw + self._rest(name, nested=False))
        elif not alone and (name in _UNTRANSLATED or _FIXED.search(raw)):
            self._fixed(name, raw + self._rest(name, nested=True))
        elif name in _BLOCKS:
            self._flow.mark(raw, breaks=True)
            self._pre += name in _LINES and not alone
        else:
            tag = self._flow.mark(raw)
            if not alone:
                self._open.append((name, tag))
                self._names[name] += 1

    def _close(self, name: str, raw: str) -> None:
        if name in _BLOCKS:
            self._pre = max(0, self._pre - (name in _LINES))
            self._flow.mark(raw, breaks=True)
            return
        tag = self._flow.mark(raw)
        # What was opened within and is closed later does not nest: such tags stand alone.
        while self._names[name]:
            other, opening = self._open.pop()
            self._names[other] -= 1
            if other == name:
                opening.opens = True
                opening.element = tag.element = Element(opening, tag)
                return

    def _fixed(self, name: str, raw: str) -> None:
        """An element that is not translated."""
        if name in _BLOCKS:
            self._flow.mark(raw, breaks=True)
        else:
            self._flow.hold(raw)

    def _rest(self, name: str, *, nested: bool) -> str:
        """All up to the end of an element, or of the text where it has none."""
        start, depth = self._at, 1
        for match in re.finditer(
            rf"<(/?){re.escape(name)}(?=[\s/>])[^>]*>", self._text[start:], re.I
        ):
            depth += -1 if match[1] else int(nested and not match[0].endswith("/>"))
            if depth == 0:
                self._at = start + match.end()
                return self._text[start : self._at]
        self._at = len(self._text)
        return self._text[start:]
