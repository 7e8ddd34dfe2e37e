"""What happens to every request: it is counted, logged, and may come from any web page."""

import time

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from headway.serve.log import AccessLog
from headway.serve.metrics import Metrics

ENDPOINT = "headway.endpoint"
"""Where a request keeps the path of what answers it, such as `/api/v1/documents/{id}`."""

_HEADERS = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Headers": "Authorization, Content-Type",
    "Access-Control-Allow-Methods": "GET, POST, DELETE",
    "Access-Control-Expose-Headers": "Location, Retry-After",
    "Access-Control-Max-Age": "86400",
    "X-Content-Type-Options": "nosniff",
}


class Outside:
    """Around the whole application."""

    def __init__(self, app: ASGIApp, metrics: Metrics, log: AccessLog) -> None:
        self._app, self._metrics, self._log = app, metrics, log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        start, status = time.monotonic(), 500
        self._metrics.began()

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            if scope["method"] == "OPTIONS":
                await _allow(send_with_headers)
            else:
                await self._app(scope, receive, send_with_headers)
        finally:
            seconds = time.monotonic() - start
            endpoint = scope.get(ENDPOINT, "other")
            self._metrics.ended(_known(scope["method"]), endpoint, status, seconds)
            self._log.note(scope, status, seconds)


async def _allow(send: Send) -> None:
    """What a browser asks before it sends a request of another site's page."""
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body", "body": b""})


def _known(method: str) -> str:
    """A method; clients may send any, and each would be a number kept for good."""
    return method if method in ("GET", "HEAD", "POST", "DELETE", "OPTIONS") else "other"
