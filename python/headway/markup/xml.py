"""The markup of Moses: translations that are given, zones and walls, in well-formed XML."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import unescape
from typing import Any, Literal, get_args

from headway.errors import FormatError
from headway.markup.flow import Element, Flow, Given, Tag
from headway.markup.placeholders import add_text
from headway.systems.constraints import Mode

XmlMode = Literal["exclusive", "inclusive", "constraint", "ignore"]
"""What a translation that is given leaves to the system."""
XML_MODES: tuple[str, ...] = get_args(XmlMode)

_TOKEN = re.compile(
    r"<!--.*?-->|<\?.*?\?>|</?[A-Za-z_](?>[^<>\"']|\"[^\"]*\"|'[^']*')*+>", re.DOTALL
)
_TAG = re.compile(r"<(/?)([^\s/>]+)(.*?)(/?)>", re.DOTALL)
_ATTRIBUTE = re.compile(r"\s+([^\s=/]+)\s*=\s*(\"[^\"]*\"|'[^']*')")
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


def encode(text: str) -> str:
    """Plain text as XML."""
    return text.translate(_ESCAPES)


@dataclass
class _Open:
    name: str
    at: int
    tag: Tag | None
    start: int
    values: dict[str, str]
    before: list[int]
    """How much of each kind the text had before it."""


def read(text: str, mode: XmlMode, where: str) -> Flow:
    """Finds the text of XML, a sentence on each line; `where` names the text in errors."""
    return _Reader(text, mode, where).read()


class _Reader:
    def __init__(self, text: str, mode: XmlMode, where: str) -> None:
        self._text, self._mode, self._where = text, mode, where
        self._flow = Flow(encode)
        self._open: list[_Open] = []

    def read(self) -> Flow:
        """All of it."""
        at = 0
        for match in _TOKEN.finditer(self._text):
            self._plain(at, match.start())
            at = match.end()
            if match[0].startswith(("<!--", "<?")):
                self._flow.mark(match[0])
            else:
                self._tag(match[0], match.start())
        self._plain(at, len(self._text))
        if self._open:
            last = self._open[-1]
            raise self._error(last.at, f"<{last.name}> is not closed; add </{last.name}>")
        return self._flow

    def _plain(self, start: int, end: int) -> None:
        text = self._text[start:end]
        if "<" in text:
            at = start + text.index("<")
            raise self._error(at, "< is no tag; write &lt; for the sign, or complete the tag")
        if any("translation" in one.values for one in self._open):
            self._flow.say(unescape(text), by_line=True)  # what stands for it is given
        else:
            add_text(self._flow, unescape(text), by_line=True)

    def _tag(self, raw: str, at: int) -> None:
        found = _TAG.fullmatch(raw)
        if found is None:
            raise self._error(at, f"{raw[:40]} is no tag")
        closes, name, rest, alone = found.groups()
        if closes:
            self._close(name, raw, at)
            return
        values = self._attributes(rest, raw, at)
        if name == "wall":
            self._flow.walls.append(len(self._flow.text))
            if alone:
                return
        flow = self._flow
        before = [len(own) for own in _lists(flow)]
        one = _Open(name, at, None, len(flow.text), values, before)
        if "translation" in values and any("translation" in it.values for it in self._open):
            raise self._error(at, f"<{name}> gives a translation within another one")
        if alone:
            if "translation" in values:
                raise self._error(at, f"<{name}/> gives a translation for no words")
            if name != "zone":
                self._flow.mark(raw)
            return
        if name not in ("zone", "wall") and "translation" not in values:
            one.tag = self._flow.mark(raw)
        self._open.append(one)

    def _attributes(self, rest: str, raw: str, at: int) -> dict[str, str]:
        values, end = {}, 0
        while match := _ATTRIBUTE.match(rest, end):
            values[match[1]] = unescape(match[2][1:-1])
            end = match.end()
        if rest[end:].strip():
            message = f'{raw[:40]}: expected attributes as name="value"'
            raise self._error(at, f"{message}, found {rest[end:].strip()[:20]}")
        return values

    def _close(self, name: str, raw: str, at: int) -> None:
        if not self._open:
            raise self._error(at, f"{raw} closes nothing; remove it, or add <{name}> before it")
        one = self._open.pop()
        if one.name != name:
            raise self._error(at, f"{raw} where </{one.name}> is expected; close inner tags first")
        end = len(self._flow.text)
        if _is_fixed(one):
            self._fix(one, self._text[one.at : at + len(raw)])
        elif "translation" in one.values:
            self._give(one, end)
        elif name == "zone":
            self._flow.zones.append((one.start, end))
        elif one.tag is not None:
            tag = self._flow.mark(raw)
            one.tag.opens = True
            one.tag.element = tag.element = Element(one.tag, tag)

    def _fix(self, one: _Open, source: str) -> None:
        """Words that are not translated: all within, tags too, as it was."""
        flow = self._flow
        flow.text = flow.text[: one.start]
        lists = _lists(flow)
        for own, many in zip(lists, one.before, strict=True):
            del own[many:]
        flow.hold(source)

    def _give(self, one: _Open, end: int) -> None:
        if self._mode == "ignore":
            return
        if not self._flow.text[one.start : end].strip():
            raise self._error(one.at, f"<{one.name}> gives a translation for no words")
        texts = one.values["translation"].split("||")
        chances = self._chances(one, len(texts))
        choices = list(zip(texts, chances, strict=True))
        self._flow.given.append(Given(one.start, end, choices, self._mode_of(one)))

    def _mode_of(self, one: _Open) -> Mode:
        mode = one.values.get("mode", self._mode)
        if mode not in XML_MODES[:3]:
            expected = ", ".join(XML_MODES[:3])
            raise self._error(one.at, f'mode="{mode}": expected one of {expected}')
        return mode  # type: ignore[return-value]

    def _chances(self, one: _Open, many: int) -> Sequence[float]:
        given = one.values.get("prob")
        if given is None:
            return [1.0] * many
        try:
            chances = [float(value) for value in given.split("||")]
        except ValueError:
            chances = []
        if len(chances) != many or not all(0 < chance <= 1 for chance in chances):
            message = f'prob="{given}": expected a probability above 0 for each translation'
            raise self._error(one.at, f"{message}, {many} in all")
        return chances

    def _error(self, at: int, message: str) -> FormatError:
        line = self._text.count("\n", 0, at) + 1
        place = at - (self._text.rfind("\n", 0, at) + 1) + 1
        lines = f"line {line}, " if "\n" in self._text else ""
        return FormatError(f"{self._where}, {lines}character {place}: {message}", None)


def _lists(flow: Flow) -> list[list[Any]]:
    """All that a text has besides its characters."""
    return [flow.tags, flow.held, flow.zones, flow.walls, flow.given, flow.breaks]


def _is_fixed(one: _Open) -> bool:
    named = one.name == "x" and one.values.get("translation") == "no"
    return named or one.values.get("translate", "").lower() == "no"
