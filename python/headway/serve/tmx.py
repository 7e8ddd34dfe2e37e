"""Translates the units of a TMX file that lack the target language."""

from __future__ import annotations

import copy
import html
import io
import re
from collections.abc import Callable, Sequence
from xml.etree.ElementTree import Element, ElementTree, ParseError, tostring
from xml.etree.ElementTree import fromstring as parsed
from xml.parsers.expat import ExpatError, ParserCreate
from xml.sax.saxutils import escape

from headway.markup import Format
from headway.progress import Progress
from headway.serve.refusals import invalid

_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
# Elements of a segment whose text is code of some program; `hi` has text to translate.
_HIGHLIGHT = "hi"

Texts = Callable[[Sequence[str], Format, Progress | None], list[str]]


def translate_tmx(
    content: bytes, source: str, target: str, translate: Texts, progress: Progress
) -> bytes:
    """Adds a segment of the target language to each unit that has none.

    Units that have one stay as they are, and so do those without the source language.
    """
    root = _root(content)
    units = [unit for unit in root.iter("tu") if _segment(unit, target) is None]
    segments = [(unit, _segment(unit, source)) for unit in units]
    found = [(unit, segment) for unit, segment in segments if segment is not None]
    codes: list[dict[str, Element]] = []
    texts: list[str] = []
    for _, segment in found:
        own: dict[str, Element] = {}
        texts.append(_marked(segment, own))
        codes.append(own)
    done = translate(texts, "html", progress)
    for (unit, _), text, own in zip(found, done, codes, strict=True):
        variant = Element("tuv", {_LANG: target})
        variant.append(_unmarked(text, own))
        variant.tail = unit[-1].tail
        unit.append(variant)
    return _written(root)


def _root(content: bytes) -> Element:
    """The file's tree; entities that it declares are refused, as they may be endless."""
    guard = ParserCreate()
    guard.EntityDeclHandler = _refuse_entity
    try:
        guard.Parse(content, True)
        root = parsed(content)  # noqa: S314  expat fetches nothing, and there is no entity
    except (ExpatError, ParseError) as error:
        raise invalid(f"the file is no well-formed TMX: {error}") from None
    except (LookupError, ValueError) as error:  # of its encoding
        raise invalid(f"the file is no TMX that can be read: {error}") from None
    if root.tag != "tmx":
        raise invalid(f"the file is no TMX: its root is <{root.tag[:40]}>")
    return root


def _refuse_entity(name: str, *_: object) -> None:
    raise invalid(f"the file is no TMX that can be read: it declares the entity {name[:40]}")


def _segment(unit: Element, language: str) -> Element | None:
    """The segment of a unit in a language, whatever its region: `en` finds `EN-US`."""
    for variant in unit.iter("tuv"):
        code = variant.get(_LANG) or variant.get("lang") or ""
        if _primary(code) == _primary(language):
            return variant.find("seg")
    return None


def _primary(code: str) -> str:
    return code.replace("_", "-").split("-")[0].lower()


def _marked(segment: Element, codes: dict[str, Element]) -> str:
    """A segment as HTML: its codes are empty tags, which come back where their words go."""
    parts = [html.escape(segment.text or "", quote=False)]
    for child in segment:
        number = str(len(codes))
        codes[number] = child
        if child.tag == _HIGHLIGHT:
            parts.append(f'<span data-code="{number}">{_marked(child, codes)}</span>')
        else:
            parts.append(f'<img data-code="{number}">')
        parts.append(html.escape(child.tail or "", quote=False))
    return "".join(parts)


_TAG = re.compile(r'<(?:img|span) data-code="(\d+)"\s*/?>|</span>')


def _unmarked(text: str, codes: dict[str, Element]) -> Element:
    """The segment of a translated HTML, with its codes as they were."""
    parts, last = ["<seg>"], 0
    for tag in _TAG.finditer(text):
        parts.append(_plain(text[last : tag.start()]))
        parts.append(_code(tag[1], codes))
        last = tag.end()
    parts += [_plain(text[last:]), "</seg>"]
    return parsed("".join(parts))  # noqa: S314  what we wrote ourselves


def _plain(text: str) -> str:
    return escape(html.unescape(text))


def _code(number: str | None, codes: dict[str, Element]) -> str:
    if number is None:
        return "</hi>"
    element = copy.copy(codes[number])
    element.tail = None
    if element.tag != _HIGHLIGHT:
        return tostring(element, encoding="unicode")
    empty = Element(_HIGHLIGHT, element.attrib)
    return tostring(empty, encoding="unicode").replace(" />", ">").replace("/>", ">")


def _written(root: Element) -> bytes:
    output = io.BytesIO()
    ElementTree(root).write(output, encoding="utf-8", xml_declaration=True)
    return output.getvalue() + b"\n"
