"""The access log: who asked what when, and how long it took. Texts are not in it by default."""

import json
from collections.abc import Callable
from datetime import UTC, datetime

from starlette.types import Scope

# A path may be as long as the client likes.
_LONGEST = 200


class AccessLog:
    """Writes a line for each request."""

    def __init__(self, write: Callable[[str], None] | None, *, texts: bool = False) -> None:
        """`write` takes lines; without it nothing is logged. `texts` adds what is translated."""
        self._write, self._texts = write, texts

    def note(self, scope: Scope, status: int, seconds: float) -> None:
        """A request that was answered; its query may have a key or a text, and is left out."""
        if self._write is None:
            return
        now = datetime.now(UTC).isoformat(timespec="seconds")
        client = scope["client"][0] if scope.get("client") else "-"
        path = json.dumps(scope["path"][:_LONGEST])[1:-1]  # controls would forge lines
        texts = scope.get("state", {}).get("texts", ())
        size = f" {sum(map(len, texts))} characters" if texts else ""
        line = f"{now} {client} {scope['method']} {path} {status} {seconds * 1000:.0f} ms{size}"
        if self._texts and texts:
            line = f"{line} {json.dumps(texts, ensure_ascii=False)}"
        self._write(line)
