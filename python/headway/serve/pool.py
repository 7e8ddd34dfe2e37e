"""One pool of decoder threads for all requests.

Sentences wait in a queue, by request. A thread takes a few sentences of the first request and puts
the rest of it behind the others, so that a long text does not hold up a short one. All threads use
the same translators; each translates with one thread of the core.
"""

import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

from headway.progress import Progress
from headway.systems import Translation, Translator
from headway.systems.source import Given

# Sentences that a thread takes at a time, so that the last threads to finish are not far apart.
_MOST_AT_ONCE = 8
# The same while other requests wait.
_FEW_AT_ONCE = 2


class GaveUpError(Exception):
    """The work is not wanted any more: its time is up, or its client has gone."""


class Ticket:
    """Whether a piece of work is still wanted."""

    def __init__(self, seconds: float | None = None) -> None:
        """`seconds` are its limit."""
        self._end = None if seconds is None else time.monotonic() + seconds
        self._cancelled = threading.Event()

    def cancel(self) -> None:
        """Nobody waits for it any more."""
        self._cancelled.set()

    def check(self) -> None:
        """Raises if it is not wanted any more."""
        if self.over:
            raise GaveUpError

    @property
    def over(self) -> bool:
        """Whether it is not wanted any more."""
        late = self._end is not None and time.monotonic() > self._end
        return late or self._cancelled.is_set()


class _Work:
    """Sentences of one call, and what became of them so far."""

    def __init__(
        self,
        translator: Translator,
        lines: Sequence[Given],
        options: Mapping[str, Any],
        ticket: Ticket,
        progress: Progress | None,
    ) -> None:
        self.translator, self.lines, self.options = translator, lines, options
        self.ticket, self.progress = ticket, progress
        self.next, self.done = 0, 0
        self.found: list[Translation | None] = [None] * len(lines)
        self.error: BaseException | None = None
        self.finished = threading.Event()

    def take(self, most: int) -> range:
        """The next sentences."""
        part = range(self.next, min(self.next + most, len(self.lines)))
        self.next = part.stop
        return part

    @property
    def left(self) -> int:
        return len(self.lines) - self.next


class DecoderPool:
    """Threads that translate sentences of all requests."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._queue: deque[_Work] = deque()
        self._ready = threading.Condition()
        self._closed = False
        self.cutting = threading.Lock()
        """Held by the request whose text is cut into words."""
        self.sentences = 0
        """How many were translated so far."""
        self.seconds = 0.0
        """Time that threads spent on them."""
        self._threads = [
            threading.Thread(target=self._serve, name=f"decoder-{number}", daemon=True)
            for number in range(threads)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def waiting(self) -> int:
        """Sentences that no thread has begun with."""
        with self._ready:
            return sum(work.left for work in self._queue)

    def translate(
        self,
        translator: Translator,
        lines: Sequence[Given],
        options: Mapping[str, Any],
        ticket: Ticket,
        progress: Progress | None = None,
    ) -> list[Translation]:
        """Like `translator.translate(lines, **options)`, by the threads of the pool."""
        ticket.check()
        if not lines:
            return []
        work = _Work(translator, lines, options, ticket, progress)
        with self._ready:
            if self._closed:
                raise GaveUpError
            self._queue.append(work)
            self._ready.notify(min(len(lines), self.threads))
        work.finished.wait()
        if work.error is not None:
            raise work.error
        return [found for found in work.found if found is not None]

    def close(self) -> None:
        """Ends the threads; work that waits is given up."""
        with self._ready:
            self._closed = True
            for work in self._queue:
                work.ticket.cancel()
            self._ready.notify_all()
        for thread in self._threads:
            thread.join()

    def _serve(self) -> None:
        while (taken := self._take()) is not None:
            work, part = taken
            start = time.monotonic()
            try:
                found = self._translate(work, part)
                self._finish(work, part, found, time.monotonic() - start)
            except BaseException as error:
                self._fail(work, error)

    def _take(self) -> tuple[_Work, range] | None:
        """Sentences to translate next; None at the end of the service."""
        with self._ready:
            while not self._queue:
                if self._closed:
                    return None
                self._ready.wait()
            work = self._queue.popleft()
            most = _FEW_AT_ONCE if self._queue else _MOST_AT_ONCE
            fair = -(-work.left // self.threads)
            part = work.take(min(most, fair))
            if work.left:
                self._queue.append(work)
            return work, part

    def _translate(self, work: _Work, part: range) -> list[Translation]:
        work.ticket.check()

        def still_wanted(_done: int, _total: int) -> None:
            work.ticket.check()  # what it raises ends the search

        lines = [work.lines[place] for place in part]
        return work.translator.translate(
            lines, **work.options, threads=1, before=part.start, progress=still_wanted
        )

    def _finish(
        self, work: _Work, part: range, found: Sequence[Translation], seconds: float
    ) -> None:
        with self._ready:
            work.found[part.start : part.stop] = found
            work.done += len(part)
            self.sentences += len(part)
            self.seconds += seconds
            done = work.done
        if work.progress is not None:
            work.progress(done, len(work.lines))
        if done == len(work.lines):
            work.finished.set()

    def _fail(self, work: _Work, error: BaseException) -> None:
        with self._ready:
            work.error = work.error or error
            if work in self._queue:
                self._queue.remove(work)
        work.finished.set()


class PooledTranslator:
    """What markup asks of a translator, whose sentences the pool translates for a piece of work."""

    def __init__(self, translator: Translator, pool: DecoderPool, ticket: Ticket) -> None:
        self._own, self._pool, self._ticket = translator, pool, ticket
        self.written = translator.written
        self.target_words = translator.target_words

    def places(
        self,
        lines: Sequence[str],
        *,
        threads: int = 0,  # noqa: ARG002
    ) -> list[list[tuple[int, int]]]:
        """Where words stand; one request at a time, which takes far less than to translate.

        The core keeps the threads of a few calls at once, and starts those of more for each call.
        """
        with self._pool.cutting:
            return self._own.places(lines, threads=1)

    def translate(
        self,
        lines: Sequence[Given],
        *,
        progress: Progress | None = None,
        threads: int | None = None,  # noqa: ARG002
        **options: Any,
    ) -> list[Translation]:
        """As `Translator.translate` does it."""
        return self._pool.translate(self._own, lines, options, self._ticket, progress)
