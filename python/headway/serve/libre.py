"""The endpoints of LibreTranslate's API, with its fields and codes."""

from __future__ import annotations

import asyncio
from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response

from headway.serve.asked import asked, needed, number_of, text_of, texts_of
from headway.serve.documents import Document
from headway.serve.formats import ENDINGS, Translate, format_of, translated_name
from headway.serve.loaded import AUTO, language_name
from headway.serve.pool import Ticket
from headway.serve.reading import Fields, SentFile
from headway.serve.refusals import RefusedError, invalid, missing
from headway.serve.replies import json_reply
from headway.serve.service import Service
from headway.serve.translating import Done, route, translate, translate_texts


async def translate_endpoint(service: Service, request: Request) -> Response:
    """`POST /translate`."""
    fields = await service.fields(request)
    wanted = asked(fields, service.limits)
    alternatives = number_of(fields, "alternatives", service.limits.max_candidates)
    request.state.texts = wanted.texts

    def work(ticket: Ticket) -> list[Done]:
        options = {"n_best": alternatives, "distinct": True} if alternatives else {}
        return translate(service, route(service, wanted), wanted.format, ticket, lambda _: options)

    done = await service.run(request, work)
    table: dict[str, Any] = {"translatedText": [one.found.text for one in done]}
    if wanted.detects:
        found = [one.routed.detected for one in done]
        table["detectedLanguage"] = [one.table() for one in found if one is not None]
    if alternatives:
        table["alternatives"] = [list(one.found.alternatives[:alternatives]) for one in done]
    if not wanted.batch:
        table = {name: values[0] for name, values in table.items()}
    return json_reply(table)


async def detect_endpoint(service: Service, request: Request) -> Response:
    """`POST /detect`."""
    fields = await service.fields(request)
    texts, _ = texts_of(fields, service.limits)
    request.state.texts = texts
    found = await service.run(request, lambda _: service.detector.detect("\n".join(texts)))
    return json_reply([one.table() for one in found])


async def languages_endpoint(service: Service, _request: Request) -> Response:
    """`GET /languages`."""
    return json_reply(service.models.languages())


async def settings_endpoint(service: Service, _request: Request) -> Response:
    """`GET /frontend/settings`."""
    limits, first = service.limits, next(iter(service.models))
    return json_reply(
        {
            "charLimit": limits.max_characters,
            "frontendTimeout": 500,
            "apiKeys": service.keys.required,
            "keyRequired": service.keys.required,
            "suggestions": False,
            "filesTranslation": limits.documents > 0,
            "supportedFilesFormat": list(ENDINGS),
            "language": {
                "source": {"code": first.source, "name": language_name(first.source)},
                "target": {"code": first.target, "name": language_name(first.target)},
            },
        }
    )


async def suggest_endpoint(service: Service, request: Request) -> Response:
    """`POST /suggest`: nobody would look at what is suggested."""
    await service.fields(request)
    raise RefusedError(403, "Suggestions are disabled on this server.")


async def health_endpoint(_service: Service, _request: Request) -> Response:
    """`GET /health`: models are loaded before anybody can ask."""
    return json_reply({"status": "ok"})


async def translate_file_endpoint(service: Service, request: Request) -> Response:
    """`POST /translate_file`: answers when the file is translated."""
    document = begin_document(service, await service.fields(request, files=True))
    await asyncio.get_running_loop().run_in_executor(None, document.finished.wait)
    if document.state != "done":
        service.documents.drop(document.id)
        raise invalid(document.error or "the translation was ended")
    url = request.url_for("download", id=document.id, name=document.name)
    return json_reply({"translatedFileUrl": str(url)})


def begin_document(service: Service, fields: Fields) -> Document:
    """A file that is to be translated."""
    file = fields.get("file")
    if not isinstance(file, SentFile):
        raise missing("file")
    if not file.name:
        raise invalid("Invalid request: empty file")
    source, target = needed(fields, "source"), needed(fields, "target")
    form = format_of(file.name)
    if source == AUTO:
        start = file.content[:4096].decode(errors="replace")
        found = service.detector.detect(start, service.models.sources_for(target))
        source = found[0].language
    model = service.models.find(source, target, text_of(fields, "model", "") or None)

    def work(ticket: Ticket, progress: Any) -> bytes:
        def texts(lines: Any, kind: Any, told: Any) -> list[str]:
            found = translate_texts(service, model, lines, kind, ticket, progress=told)
            return [one.text for one in found]

        translate_them: Translate = texts
        return form.translate(file.content, source, target, translate_them, progress)

    return service.documents.begin(translated_name(file.name, target), form.media_type, work)


async def download_endpoint(service: Service, request: Request) -> Response:
    """`GET /download_file/ID/NAME`: who knows the identifier may have it."""
    document = service.documents.get(request.path_params["id"])
    if document.state != "done" or document.name != request.path_params["name"]:
        raise RefusedError(404, "no such file: it is not translated")
    return file_reply(document)


def file_reply(document: Document) -> Response:
    """The file, never shown as a page of this server."""
    name = quote(document.name)
    headers = {
        "Content-Disposition": f"attachment; filename*=UTF-8''{name}",
        "X-Content-Type-Options": "nosniff",
    }
    return Response(document.content, media_type=document.media_type, headers=headers)
