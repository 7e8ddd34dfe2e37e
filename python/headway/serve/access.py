"""Who may use the service, and how often."""

import hashlib
import hmac
import time
from collections import OrderedDict
from collections.abc import Sequence
from http import HTTPStatus
from pathlib import Path

from starlette.requests import Request

from headway.corpus import read_lines
from headway.errors import ConfigError
from headway.serve.reading import Fields
from headway.serve.refusals import RefusedError, invalid, slow_down

# Clients that are remembered; who was not seen for longest is forgotten first.
_MOST_CLIENTS = 10_000


class ApiKeys:
    """The keys of a service; without any, everybody may use it."""

    def __init__(self, keys: Sequence[str] = ()) -> None:
        self._digests = [_digest(key) for key in keys]

    @classmethod
    def load(cls, path: Path | None) -> "ApiKeys":
        """Keys of a file, one a line; empty lines and those that begin with # are none."""
        if path is None:
            return cls()
        lines = [line.strip() for line in read_lines(path)]
        keys = [line for line in lines if line and not line.startswith("#")]
        if not keys:
            raise ConfigError(f"{path}: no API key in it; write one a line")
        return cls(keys)

    @property
    def required(self) -> bool:
        """Whether a request needs one."""
        return bool(self._digests)

    def check(self, key: str) -> None:
        """Refuses a key that is missing or wrong."""
        if not self.required:
            return
        if not key:
            raise invalid("an API key is required; ask the operator of this server for one")
        if not self._knows(key):
            raise RefusedError(HTTPStatus.FORBIDDEN, "Invalid API key")

    def _knows(self, key: str) -> bool:
        """Compares with all, so that the time says nothing about how near a wrong key is."""
        digest, known = _digest(key), False
        for own in self._digests:
            known |= hmac.compare_digest(digest, own)
        return known


def key_of(request: Request, fields: Fields) -> str:
    """The key of a request: `api_key` of its fields, or `Authorization: Bearer …`."""
    key = fields.get("api_key")
    if isinstance(key, str) and key:
        return key
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def _digest(key: str) -> bytes:
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()


class RateLimit:
    """So many requests a minute for each client; what was not used may be used at once."""

    def __init__(self, per_minute: int) -> None:
        self._per_minute = per_minute
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """Requests left, and when that was, by client."""

    def check(self, client: str, now: float | None = None) -> None:
        """Counts a request; refuses it if the client had too many."""
        if not self._per_minute:
            return
        now = time.monotonic() if now is None else now
        left, before = self._left.pop(client, (float(self._per_minute), now))
        left = min(self._per_minute, left + (now - before) * self._per_minute / 60)
        allowed = left >= 1
        self._left[client] = (left - 1 if allowed else left, now)
        if len(self._left) > _MOST_CLIENTS:
            self._left.popitem(last=False)
        if not allowed:
            reason = f"at most {self._per_minute} requests per minute"
            raise slow_down(reason, 60 * (1 - left) / self._per_minute)


def client_of(request: Request, key: str) -> str:
    """Whose requests are counted together: those with a key, else those of an address."""
    if key:
        return f"key {_digest(key).hex()}"
    return request.client.host if request.client else ""
