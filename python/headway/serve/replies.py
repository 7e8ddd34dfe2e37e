"""Answers as JSON."""

from collections.abc import Mapping

import msgspec
from starlette.responses import Response

from headway.serve.refusals import RefusedError

_ENCODER = msgspec.json.Encoder()


def json_reply(
    value: object, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """A value as JSON."""
    return Response(_ENCODER.encode(value), status, headers=headers, media_type="application/json")


def refusal_reply(error: RefusedError) -> Response:
    """`{"error": …}`."""
    return json_reply({"error": error.message}, error.status, error.headers)
