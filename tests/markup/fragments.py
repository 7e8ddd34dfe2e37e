"""Random fragments of HTML that nest well, and what their markup is."""

import random
import re
from dataclasses import dataclass, field
from html import unescape

INLINE = ["b", "i", "em", "a", "span", "u", "x-y"]
BLOCKS = ["p", "div", "li", "h2", "td", "blockquote"]
VOID = re.compile(r"<(?:br|img|wbr)\b|<!|.*/>$")
TAG = re.compile(r"<!--.*?-->|<script.*?</script>|<code.*?</code>|<[^>]*>", re.DOTALL)


@dataclass
class Fragment:
    """A fragment, the words to be translated in order, and what may not change."""

    text: str = ""
    words: list[str] = field(default_factory=list)
    fixed: list[str] = field(default_factory=list)


class Maker:
    """Makes fragments; every tag and word has a number of its own."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self._number = 0
        self._found = Fragment()

    def make(self) -> Fragment:
        self._found = Fragment()
        for _ in range(self._chance.randint(1, 3)):
            self._block(2)
        return self._found

    def _next(self) -> int:
        self._number += 1
        return self._number

    def _say(self, text: str) -> None:
        self._found.text += text

    def _block(self, depth: int) -> None:
        if self._chance.random() < 0.3:
            self._inline(2)
            return
        name = self._chance.choice(BLOCKS)
        self._say(f'<{name} id="{self._next()}">')
        if depth and self._chance.random() < 0.3:
            for _ in range(self._chance.randint(1, 2)):
                self._block(depth - 1)
        else:
            self._inline(3)
        self._say(f"</{name}>" + self._chance.choice(["", "\n", "  "]))

    def _inline(self, depth: int) -> None:
        for _ in range(self._chance.randint(0, 6)):
            kind = self._chance.random()
            if kind < 0.55 or not depth:
                self._words()
            elif kind < 0.8:
                name = self._chance.choice(INLINE)
                self._say(f"<{name} id='{self._next()}'>")
                self._inline(depth - 1)
                self._say(f"</{name}>")
            else:
                self._other()
            self._say(self._chance.choice(["", " ", " ", "\n"]))

    def _words(self) -> None:
        for _ in range(self._chance.randint(1, 4)):
            word = f"{self._chance.choice('abcXYZ')}w{self._next()}q"
            self._found.words.append(word)
            self._say(word + self._chance.choice([" ", " ", " ", ". ", ", ", "! ", " &amp; "]))

    def _other(self) -> None:
        number = self._next()
        self._say(
            self._chance.choice(
                [f"<br id='{number}'>", f'<img id="{number}" alt="a > b">', f"<wbr id='{number}'/>"]
            )
            if self._chance.random() < 0.5
            else self._fixed(number)
        )

    def _fixed(self, number: int) -> str:
        fixed = self._chance.choice(
            [
                f"{{{{name{number}}}}}",
                f"%({number}x)s".replace(f"{number}x", f"x{number}"),
                f"http://a{number}.de/?x=1&amp;y",
                f"m{number}@a.de",
                f"<code id='{number}'>a  <b>{number}</b> &lt;</code>",
                f'<span id="{number}" translate="no">Kein  Wort <i>{number}</i></span>',
                f"<!-- <b>{number} -->",
                f"<script id='{number}'>if (a<b) {{ '<i>' }}</script>",
            ]
        )
        self._found.fixed.append(fixed)
        return f" {fixed} "


def markup(text: str) -> tuple[list[str], dict[str, tuple[str, ...]]]:
    """All tags, and for each opening one those that it is in; fails where tags do not nest."""
    inside: dict[str, tuple[str, ...]] = {}
    stack: list[str] = []
    for tag in (found := TAG.findall(text)):
        if tag.startswith("</"):
            opening = stack.pop()
            assert re.match(rf"<{tag[2:-1]}\b", opening), (tag, opening)
        else:
            inside[tag] = tuple(stack)
            if not VOID.match(tag) and not tag.endswith(("</script>", "</code>")):
                stack.append(tag)
    assert not stack, stack
    return sorted(found), inside


def words(text: str) -> list[str]:
    """The words of the text outside of tags."""
    return re.findall(r"[abcXYZ]w\d+q", unescape(TAG.sub(" ", text)))
