"""What a request is answered that cannot be done."""

from collections.abc import Mapping
from http import HTTPStatus


class RefusedError(Exception):
    """Becomes `{"error": message}` with a status; clients of LibreTranslate know these."""

    def __init__(self, status: int, message: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.headers = dict(headers or {})


def invalid(message: str) -> RefusedError:
    """A request that is wrong in itself: 400."""
    return RefusedError(HTTPStatus.BAD_REQUEST, message)


def missing(name: str) -> RefusedError:
    """A request without a field that it needs."""
    return invalid(f"Invalid request: missing {name} parameter")


def slow_down(reason: str, seconds: float) -> RefusedError:
    """Too much at once: 429, with the time after which to try again."""
    headers = {"Retry-After": str(max(1, round(seconds)))}
    return RefusedError(HTTPStatus.TOO_MANY_REQUESTS, f"Slowdown: {reason}", headers)


def took_too_long(seconds: float) -> RefusedError:
    """The limit of time for one request: 503."""
    message = f"translating took more than {seconds:g} s; send less text at a time"
    return RefusedError(HTTPStatus.SERVICE_UNAVAILABLE, message)


def client_gone() -> RefusedError:
    """For the log: nobody reads the answer. The status is nginx's, as HTTP has none."""
    return RefusedError(499, "the client closed the connection")
