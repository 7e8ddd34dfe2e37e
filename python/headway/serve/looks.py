"""What the page shares with `headway inspect --html`: its style, and how words answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response

from headway.serve.service import Service
from headway.show import read
from headway.show.picture.whole import picture_styles


async def style_endpoint(_service: Service, _request: Request) -> Response:
    """`GET /look.css`."""
    styles = "".join([read("style.css"), *picture_styles()])
    return Response(styles, media_type="text/css", headers=_FRESH)


async def script_endpoint(_service: Service, _request: Request) -> Response:
    """`GET /picture.js`."""
    return Response(read("picture.js"), media_type="text/javascript", headers=_FRESH)


# A browser that kept those of an earlier headway would show a strange mixture.
_FRESH = {"Cache-Control": "no-cache"}

LOOKS: dict[str, Callable[[Service, Request], Awaitable[Response]]] = {
    "look.css": style_endpoint,
    "picture.js": script_endpoint,
}
"""Files that are not among those of the page, and what answers them."""
