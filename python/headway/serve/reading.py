"""Reads what a request brings: JSON or a form, as fields by name."""

import asyncio
import io
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qsl

import msgspec
from starlette.datastructures import Headers, UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import ClientDisconnect, Request

from headway.serve.refusals import RefusedError, invalid

# Fields of a form that a client may send; each text of a batch is one.
_MOST_FIELDS = 10_000
# Bytes beyond the limit that are read and thrown away: most clients read the answer only after they
# have sent all.
_DISCARDED = 64 << 20


@dataclass(frozen=True)
class SentFile:
    """A file of a form."""

    name: str
    content: bytes


Fields = Mapping[str, Any]
"""Values as JSON has them; of a form, strings, lists of strings and files."""


async def read_fields(request: Request, *, most_bytes: int, seconds: float) -> Fields:
    """The fields of a request: of its JSON or form, and of its query."""
    body = await _body(request, most_bytes, seconds)
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    query = _pairs(request.scope["query_string"])
    if kind == "application/json" or kind.endswith("+json"):
        return _json(body)  # a query beside it has no say, as in LibreTranslate
    if kind == "multipart/form-data":
        return {**query, **await _multipart(request.headers, body)}
    if kind in ("", "application/x-www-form-urlencoded") or not body:
        return {**query, **_pairs(body)}
    raise RefusedError(
        HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
        f"Content-Type {kind[:80]}: expected application/json, application/x-www-form-urlencoded"
        " or multipart/form-data",
    )


async def _body(request: Request, most_bytes: int, seconds: float) -> bytes:
    """All of it, unless it is too large or its client too slow."""
    parts: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(seconds):
            async for part in request.stream():
                size += len(part)
                if size <= most_bytes:
                    parts.append(part)
                elif size > most_bytes + _DISCARDED:
                    break
    except TimeoutError:
        raise RefusedError(
            HTTPStatus.REQUEST_TIMEOUT,
            f"the request did not arrive within {seconds:g} s; send it faster, or in parts",
            {"Connection": "close"},
        ) from None
    except ClientDisconnect:
        raise invalid("the request ended before all of it arrived") from None
    if size > most_bytes:
        raise _too_large(most_bytes)
    return b"".join(parts)


def _too_large(most_bytes: int) -> RefusedError:
    message = f"the request has more than {most_bytes:,} bytes; send less at a time"
    return RefusedError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, message, {"Connection": "close"})


def _json(body: bytes) -> Fields:
    try:
        fields = msgspec.json.decode(body)
    except UnicodeDecodeError:
        raise invalid("Invalid JSON format: the body is no valid UTF-8") from None
    except (msgspec.DecodeError, RecursionError) as error:
        reason = str(error) or "nested too deeply"
        raise invalid(f"Invalid JSON format: {reason}") from None
    if not isinstance(fields, dict):
        raise invalid('Invalid JSON format: expected an object such as {"q": "…"}')
    return fields


def _pairs(body: bytes) -> dict[str, Any]:
    """`q=…&q=…&source=de`: a name that comes twice has a list."""
    try:
        text = body.decode()
        pairs = parse_qsl(
            text, keep_blank_values=True, errors="strict", max_num_fields=_MOST_FIELDS
        )
    except UnicodeDecodeError:
        raise invalid("the form is no valid UTF-8, or not percent-encoded") from None
    except ValueError:
        raise invalid(f"the form has more than {_MOST_FIELDS:,} fields") from None
    found: dict[str, Any] = {}
    for name, value in pairs:
        _add(found, name, _unix_lines(value))
    return found


async def _multipart(headers: Headers, body: bytes) -> dict[str, Any]:
    async def stream() -> AsyncGenerator[bytes, None]:
        yield body
        yield b""

    parser = MultiPartParser(
        headers, stream(), max_files=4, max_fields=_MOST_FIELDS, max_part_size=len(body) + 1
    )
    try:
        form = await parser.parse()
    except (MultiPartException, UnicodeDecodeError, LookupError, KeyError) as error:
        reason = getattr(error, "message", "") or "it cannot be read"
        raise invalid(f"the multipart form is malformed: {reason}") from None
    found: dict[str, Any] = {}
    async with asyncio.timeout(None):
        for name, value in form.multi_items():
            if isinstance(value, UploadFile):
                content = io.BytesIO(await value.read()).getvalue()
                _add(found, name, SentFile(value.filename or "", content))
            else:
                _add(found, name, _unix_lines(value))
    await form.close()
    return found


def _add(found: dict[str, Any], name: str, value: Any) -> None:
    if name not in found:
        found[name] = value
    elif isinstance(found[name], list):
        found[name].append(value)
    else:
        found[name] = [found[name], value]


def _unix_lines(text: str) -> str:
    """Forms end lines with CR and LF, and limits count characters."""
    return text.replace("\r\n", "\n")
