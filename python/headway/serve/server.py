"""Listens, and ends well: models are loaded first, and requests in work are answered last."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import socket
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from headway.errors import ConfigError
from headway.settings import ServeSettings

# Time for what is in work when the service ends, beside its own limit.
_GRACE = 5
# A connection that is open and silent between two requests.
_KEEP_ALIVE = 30
_SLOW = b"""HTTP/1.1 408 Request Timeout\r
Content-Type: application/json\r
Connection: close\r
Content-Length: 37\r
\r
{"error": "the request came too late"}"""


def bind(host: str, port: int) -> socket.socket:
    """Takes the address, without listening: nobody can connect yet."""
    try:
        (family, kind, protocol, _, address), *_ = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
    except (OSError, UnicodeError):
        raise ConfigError(f"serve.host {host}: no such address; try 127.0.0.1") from None
    found = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind(address)
    except OSError as error:
        found.close()
        reason = (error.strerror or str(error)).lower()
        message = f"cannot listen on {host} port {port}: {reason}"
        raise ConfigError(f"{message}; name another with --port, or --port 0 for any") from None
    return found


def address_of(bound: socket.socket) -> str:
    """Where to find it, as a URL."""
    host, port = bound.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def run(
    app: ASGIApp, bound: socket.socket, limits: ServeSettings, ready: Callable[[], None]
) -> None:
    """Serves until SIGTERM or Ctrl-C, then ends what is in work; a second Ctrl-C ends at once."""
    config = uvicorn.Config(
        app,
        http=type("_Timed", (_TimedProtocol,), {"seconds": limits.body_seconds}),
        ws="none",
        loop="asyncio",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        limit_concurrency=limits.connections,
        timeout_keep_alive=_KEEP_ALIVE,
        timeout_graceful_shutdown=int(limits.max_seconds) + _GRACE,
    )
    _quiet_uvicorn()
    _Server(config, ready).run([bound])


class _Server(uvicorn.Server):
    """Says when it listens, and leaves signals as they were."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Unlike uvicorn's, does not end the process by the signal after all was done well."""
        before = {one: signal.signal(one, self._stop) for one in uvicorn.server.HANDLED_SIGNALS}
        try:
            yield
        finally:
            for one, handler in before.items():
                signal.signal(one, handler)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self.handle_exit(number, frame)


def _quiet_uvicorn() -> None:
    """Its log has tracebacks of faults only; requests that are no HTTP are everyday life."""
    logging.getLogger("uvicorn").setLevel(logging.CRITICAL)
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)


class _Joined:
    """A transport that sends what is written in one go at once: an answer's head with its body.

    uvicorn writes them apart, and each is a call of the system that wakes the client.
    """

    def __init__(self, transport: Any, loop: asyncio.AbstractEventLoop) -> None:
        self._transport, self._loop = transport, loop
        self._parts: list[bytes] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        """Sends it when all callbacks that are ready have run."""
        if not self._parts:
            self._loop.call_soon(self._send)
        self._parts.append(data)

    def close(self) -> None:
        """Sends what is left first."""
        self._send()
        self._transport.close()

    def _send(self) -> None:
        if self._parts:
            parts, self._parts = self._parts, []
            self._transport.write(b"".join(parts))


class _TimedProtocol(H11Protocol):
    """The protocol with a time limit for the head of a request, which uvicorn lacks."""

    seconds = 20.0
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        joined: Any = _Joined(transport, self.loop)
        super().connection_made(joined)
        self._watch()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self._unwatch()
        super().connection_lost(exc)

    def _watch(self) -> None:
        """Starts the clock while a head is incomplete; stops it when it is there."""
        waits = self.conn.their_state is h11.IDLE and self.timeout_keep_alive_task is None
        if not waits:
            self._unwatch()
        elif self._timer is None:
            self._timer = self.loop.call_later(self.seconds, self._give_up)

    def _unwatch(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _give_up(self) -> None:
        self._timer = None
        if not self.transport.is_closing() and self.conn.their_state is h11.IDLE:
            self.transport.write(_SLOW)
            self.transport.close()
