"""The web application: which path is answered by what, and what all answers share."""

from __future__ import annotations

import logging
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from http import HTTPStatus
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from headway.errors import ConfigError
from headway.serve import extras, libre, pictures
from headway.serve.guide import guide_page
from headway.serve.log import AccessLog
from headway.serve.looks import LOOKS
from headway.serve.outside import ENDPOINT, Outside
from headway.serve.refusals import RefusedError, invalid
from headway.serve.replies import json_reply, refusal_reply
from headway.serve.service import Service
from headway.serve.spec import specification

_log = logging.getLogger(__name__)

PAGE = Path(__file__).parent / "page"
"""Files of the page at `/`."""

Endpoint = Callable[[Service, Request], Awaitable[Response]]


async def spec_endpoint(service: Service, _request: Request) -> Response:
    """`GET /spec`: OpenAPI."""
    return json_reply(specification(service.limits, service.models))


async def guide_endpoint(service: Service, _request: Request) -> Response:
    """`GET /docs`: the same for people."""
    page = guide_page(specification(service.limits, service.models))
    headers = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'"}
    return Response(page, media_type="text/html", headers=headers)


async def metrics_endpoint(service: Service, request: Request) -> Response:
    """`GET /metrics`: for Prometheus, with a key where one is required."""
    service.admit(request, {})
    pool = service.pool
    values = {
        "headway_decoder_threads": float(pool.threads),
        "headway_sentences_waiting": float(pool.waiting),
        "headway_sentences_total": float(pool.sentences),
        "headway_decoder_seconds_total": pool.seconds,
        "headway_documents": float(len(service.documents)),
    }
    kind = "text/plain; version=0.0.4"
    return PlainTextResponse(service.metrics.text(values), media_type=kind)


_ENDPOINTS: Mapping[str, tuple[str, Mapping[str, Endpoint]]] = {
    "/translate": ("translate", {"POST": libre.translate_endpoint}),
    "/detect": ("detect", {"POST": libre.detect_endpoint}),
    "/languages": ("languages", {"GET": libre.languages_endpoint}),
    "/frontend/settings": ("settings", {"GET": libre.settings_endpoint}),
    "/suggest": ("suggest", {"POST": libre.suggest_endpoint}),
    "/health": ("health", {"GET": libre.health_endpoint}),
    "/translate_file": ("translate_file", {"POST": libre.translate_file_endpoint}),
    "/download_file/{id}/{name}": ("download", {"GET": libre.download_endpoint}),
    "/api/v1/translate": ("explain", {"POST": extras.translate_endpoint}),
    "/api/v1/picture": ("picture", {"POST": pictures.picture_endpoint}),
    "/api/v1/models": ("models", {"GET": extras.models_endpoint}),
    "/api/v1/documents": ("documents", {"POST": extras.begin_document_endpoint}),
    "/api/v1/documents/{id}": (
        "document",
        {"GET": extras.document_endpoint, "DELETE": extras.drop_document_endpoint},
    ),
    "/spec": ("spec", {"GET": spec_endpoint}),
    "/docs": ("docs", {"GET": guide_endpoint}),
    "/metrics": ("metrics", {"GET": metrics_endpoint}),
}
"""Names and what answers each method, by path."""


def create_app(service: Service, log: AccessLog) -> ASGIApp:
    """The application; it closes the service when it ends."""

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        yield
        service.close()

    app = Starlette(
        routes=[
            Route(path, _answered(service, path, by_method), methods=[*by_method], name=name)
            for path, (name, by_method) in _ENDPOINTS.items()
        ]
        + [Route(f"/{name}", _answered(service, "/", {"GET": it})) for name, it in LOOKS.items()],
        lifespan=lifespan,
        exception_handlers={HTTPException: _http_error},
    )
    app.router.default = _page()
    return Outside(app, service.metrics, log)


def _answered(
    service: Service, path: str, by_method: Mapping[str, Endpoint]
) -> Callable[[Request], Awaitable[Response]]:
    """An endpoint whose refusals and failures become answers."""

    async def answer(request: Request) -> Response:
        request.scope[ENDPOINT] = path
        endpoint = by_method.get(request.method) or by_method["GET"]  # HEAD
        try:
            return await endpoint(service, request)
        except RefusedError as error:
            return refusal_reply(error)
        except ConfigError as error:
            return refusal_reply(invalid(str(error)))
        except Exception as error:
            kind = type(error).__name__
            # Not its message, which may have the text of a user in it.
            trace = "".join(traceback.format_tb(error.__traceback__)).rstrip()
            _log.error("%s failed: %s\n%s", path, kind, trace)
            return json_reply({"error": f"Cannot translate text: {kind}; see the log"}, 500)

    return answer


def _page() -> ASGIApp:
    """What answers all other paths: files of the page."""
    if not PAGE.is_dir():
        return _nothing
    files = StaticFiles(directory=PAGE, html=True)

    async def page(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
            await _nothing(scope, receive, send)
        else:
            scope[ENDPOINT] = "/"
            await files(scope, receive, send)

    return page


async def _nothing(_scope: Scope, _receive: Receive, _send: Send) -> None:
    raise HTTPException(HTTPStatus.NOT_FOUND)


async def _http_error(_request: Request, error: Exception) -> Response:
    """What routing refuses, in the words of this API."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    headers = getattr(error, "headers", None)
    messages = {404: "no such page; /docs lists all", 405: "this method is not allowed here"}
    message = messages.get(status, HTTPStatus(status).phrase)
    return json_reply({"error": message}, status, headers)
