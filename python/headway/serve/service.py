"""What all endpoints share: models, decoder threads, limits, and who may use them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from starlette.requests import Request

from headway.serve.access import ApiKeys, RateLimit, client_of, key_of
from headway.serve.detect import Detector
from headway.serve.documents import Documents
from headway.serve.loaded import LoadedModels
from headway.serve.metrics import Metrics
from headway.serve.pool import DecoderPool, GaveUpError, Ticket
from headway.serve.reading import Fields, read_fields
from headway.serve.refusals import client_gone, slow_down, took_too_long
from headway.settings import ServeSettings

# JSON writes a character as up to 12 bytes (`\ud83d\ude00`); the rest is for names and the like.
_BYTES_PER_CHARACTER = 12
_FEW_BYTES = 64 << 10
# Bodies of requests without a limit of characters.
_MOST_BYTES = 256 << 20
# Seconds after which it is worth watching whether the client of a request is still there.
_AT_ONCE = 0.1

T = TypeVar("T")


class Service:
    """Everything that answers requests."""

    def __init__(
        self, models: LoadedModels, limits: ServeSettings, keys: ApiKeys, threads: int
    ) -> None:
        self.models, self.limits, self.keys = models, limits, keys
        self.detector = Detector.of(models)
        self.metrics = Metrics()
        self.documents = Documents(limits.documents, 60 * limits.keep_minutes)
        self.pool = DecoderPool(threads)
        self._rates = RateLimit(limits.requests_per_minute)
        # Each thread waits for decoder threads most of the time.
        self._threads = ThreadPoolExecutor(limits.waiting, thread_name_prefix="request")
        self._running = 0

    def close(self) -> None:
        """Ends all threads."""
        self.documents.close()
        self.pool.close()
        self._threads.shutdown(wait=True, cancel_futures=True)

    async def fields(self, request: Request, *, files: bool = False) -> Fields:
        """What a request brings, if its client may use the service."""
        fields = await read_fields(
            request, most_bytes=self._most_bytes(files), seconds=self.limits.body_seconds
        )
        self.admit(request, fields)
        return fields

    def admit(self, request: Request, fields: Fields) -> None:
        """Refuses who has no key, or sends too many requests."""
        key = key_of(request, fields)
        self.keys.check(key)
        self._rates.check(client_of(request, key if self.keys.required else ""))

    def _most_bytes(self, files: bool) -> int:
        if files:
            return self.limits.max_file_bytes + _FEW_BYTES
        most = self.limits.max_characters
        return _MOST_BYTES if most < 0 else _BYTES_PER_CHARACTER * most + _FEW_BYTES

    async def run(self, request: Request, work: Callable[[Ticket], T]) -> T:
        """Does work of a request in a thread; ends it when its time is up or its client gone."""
        if self._running >= self.limits.waiting:
            raise slow_down("too many requests are waiting; try again", 1)
        ticket = Ticket(self.limits.max_seconds)
        self._running += 1
        future: asyncio.Future[T] = asyncio.get_running_loop().run_in_executor(
            self._threads, work, ticket
        )
        future.add_done_callback(self._ended)
        try:
            at_once = min(_AT_ONCE, self.limits.max_seconds)
            done, _ = await asyncio.wait({future}, timeout=at_once)
            if not done:
                await self._watched(request, future, self.limits.max_seconds - at_once)
            return future.result()
        except GaveUpError:
            raise took_too_long(self.limits.max_seconds) from None
        finally:
            ticket.cancel()

    async def _watched(self, request: Request, future: asyncio.Future[T], seconds: float) -> None:
        """Waits for work that takes longer; refuses if its client goes or its time is up first."""
        gone: asyncio.Future[None] = asyncio.ensure_future(_disconnected(request))
        both: set[asyncio.Future[Any]] = {future, gone}
        try:
            done, _ = await asyncio.wait(both, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        finally:
            gone.cancel()
        if future not in done:
            raise client_gone() if gone in done else took_too_long(self.limits.max_seconds)

    def _ended(self, future: asyncio.Future[T]) -> None:
        self._running -= 1
        if not future.cancelled():
            future.exception()  # whoever waited may have left: nobody else asks for it


async def _disconnected(request: Request) -> None:
    """Until the client has closed the connection; the body was read before."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
