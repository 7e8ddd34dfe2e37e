"""Files that are translated in the background, and kept in memory until they are fetched."""

import logging
import secrets
import threading
import time
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Literal

from headway.errors import HeadwayError
from headway.progress import Progress
from headway.serve.pool import GaveUpError, Ticket
from headway.serve.refusals import RefusedError, slow_down

_log = logging.getLogger(__name__)

State = Literal["waiting", "running", "done", "failed", "cancelled"]

# Files that are translated at the same time; the decoder threads are shared with all else.
_AT_ONCE = 2


@dataclass
class Document:
    """A file, and how far its translation is."""

    id: str
    name: str
    """What the translated file is called."""
    media_type: str
    state: State = "waiting"
    done: int = 0
    total: int = 0
    """Sentences; 0 until they are counted."""
    error: str = ""
    content: bytes = b""
    ticket: Ticket = field(default_factory=Ticket)
    ended: float = 0.0
    finished: threading.Event = field(default_factory=threading.Event)

    def table(self) -> dict[str, Any]:
        """What `/api/v1/documents/ID` says."""
        return {
            "id": self.id,
            "name": self.name,
            "state": self.state,
            "done": self.done,
            "total": self.total,
            "error": self.error or None,
        }


Translate = Callable[[Ticket, Progress], bytes]
"""Translates a file's content; asks the ticket whether to go on, and tells of progress."""


class Documents:
    """All files of a service."""

    def __init__(self, most: int, keep_seconds: float) -> None:
        self._most, self._keep = most, keep_seconds
        self._all: dict[str, Document] = {}
        self._lock = threading.Lock()
        self._threads = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="document")

    def __len__(self) -> int:
        return len(self._all)

    def begin(self, name: str, media_type: str, translate: Translate) -> Document:
        """Takes a file; it is translated when its turn comes."""
        if not self._most:
            raise RefusedError(
                HTTPStatus.FORBIDDEN, "Files translation is disabled on this server."
            )
        document = Document(secrets.token_urlsafe(16), name, media_type)
        with self._lock:
            self._forget_old()
            self._make_way()
            if len(self._all) >= self._most:
                raise slow_down(f"at most {self._most} files wait or are kept", 10)
            self._all[document.id] = document
        self._threads.submit(self._work, document, translate)
        return document

    def get(self, name: str) -> Document:
        """The file of an identifier."""
        with self._lock:
            self._forget_old()
            found = self._all.get(name)
        if found is None:
            message = "no such file: it was never there, or is not kept any longer"
            raise RefusedError(HTTPStatus.NOT_FOUND, message)
        return found

    def drop(self, name: str) -> Document:
        """Ends its translation, and forgets it."""
        document = self.get(name)
        document.ticket.cancel()
        with self._lock:
            self._all.pop(name, None)
        return document

    def close(self) -> None:
        """Ends all."""
        with self._lock:
            left = list(self._all.values())
        for document in left:
            document.ticket.cancel()
        self._threads.shutdown(wait=True, cancel_futures=True)
        for document in left:  # whose turn never came: somebody may wait for them
            if not document.finished.is_set():
                document.state = "cancelled"
                document.finished.set()

    def _forget_old(self) -> None:
        now = time.monotonic()
        for old in [it for it in self._all.values() if it.ended and now - it.ended > self._keep]:
            del self._all[old.id]

    def _make_way(self) -> None:
        """Forgets the file that ended first, if there are as many as may be."""
        ended = [it for it in self._all.values() if it.ended]
        if len(self._all) >= self._most and ended:
            del self._all[min(ended, key=lambda it: it.ended).id]

    def _work(self, document: Document, translate: Translate) -> None:
        def told(done: int, total: int) -> None:
            document.done, document.total = done, total

        document.state = "running"
        try:
            document.ticket.check()
            document.content = translate(document.ticket, told)
            document.state = "done"
        except GaveUpError:
            document.state = "cancelled"
        except (RefusedError, HeadwayError) as error:
            document.error, document.state = str(error), "failed"
        except Exception as error:
            kind = type(error).__name__
            trace = "".join(traceback.format_tb(error.__traceback__)).rstrip()
            _log.error("a file failed: %s\n%s", kind, trace)  # not its message: it may have text
            document.error, document.state = f"Cannot translate text: {kind}; see the log", "failed"
        finally:
            document.ended = time.monotonic()
            document.finished.set()
