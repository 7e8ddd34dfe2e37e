"""Translates files of each format: plain text, HTML and TMX."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import PurePosixPath, PureWindowsPath

from headway.markup import Format
from headway.progress import Progress
from headway.serve.refusals import invalid
from headway.serve.tmx import translate_tmx

Translate = Callable[[Sequence[str], Format, Progress | None], list[str]]
"""Texts as they come out."""


@dataclass(frozen=True)
class FileFormat:
    """How files with some endings are translated."""

    endings: tuple[str, ...]
    media_type: str
    translate: Callable[[bytes, str, str, Translate, Progress], bytes]
    """From content, source and target language."""


def _translate_text(
    content: bytes, _source: str, _target: str, translate: Translate, progress: Progress
) -> bytes:
    """Line by line; ends of lines stay what they are."""
    text, encode = _decoded(content)
    parts = re.split("(\r\n|\r|\n)", text)
    lines = parts[::2]
    parts[::2] = translate(lines, "text", progress)
    return encode("".join(parts))


def _translate_html(
    content: bytes, _source: str, target: str, translate: Translate, progress: Progress
) -> bytes:
    """As a whole; its markup stays, and says that it is in the target language now."""
    text, encode = _decoded(content)
    (found,) = translate([text], "html", progress)
    return encode(_LANG.sub(rf"\g<1>{target}\g<3>", found, count=1))


_LANG = re.compile(r"""(<html\b[^>]*\blang\s*=\s*["']?)([\w-]+)(["'\s>])""", re.IGNORECASE)


def _decoded(content: bytes) -> tuple[str, Callable[[str], bytes]]:
    """UTF-8, or UTF-16 with its mark; and how to write it again."""
    for mark, encoding in _MARKS.items():
        if content.startswith(mark):
            text = _text(content[len(mark) :], encoding)
            return text, partial(_encoded, mark, encoding)
    return _text(content, "utf-8"), str.encode


def _encoded(mark: bytes, encoding: str, text: str) -> bytes:
    return mark + text.encode(encoding)


_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}


def _text(content: bytes, encoding: str) -> str:
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise invalid(f"the file is no valid UTF-8 in line {line}; save it as UTF-8") from None


FORMATS = (
    FileFormat((".txt",), "text/plain; charset=utf-8", _translate_text),
    FileFormat((".html", ".htm"), "text/html; charset=utf-8", _translate_html),
    FileFormat((".tmx",), "application/xml", translate_tmx),
)

ENDINGS: tuple[str, ...] = tuple(ending for one in FORMATS for ending in one.endings)


def format_of(name: str) -> FileFormat:
    """The format of a file with this name."""
    ending = PurePosixPath(name).suffix.lower()
    for one in FORMATS:
        if ending in one.endings:
            return one
    found = ending[:20] or "no ending"
    raise invalid(f"Invalid request: file format not supported: {found}; give {', '.join(ENDINGS)}")


def translated_name(name: str, target: str) -> str:
    """`news.txt` as `news.en.txt`, without directories."""
    plain = PureWindowsPath(PurePosixPath(name).name).name
    path = PurePosixPath(plain)
    return f"{path.stem}.{target}{path.suffix}"
