"""`/api/v1/picture`: translations with pictures of how they came about, for the page."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from headway.serve.asked import Asked, asked, number_of
from headway.serve.held import restored
from headway.serve.loaded import LoadedModel
from headway.serve.pool import Ticket
from headway.serve.replies import json_reply
from headway.serve.service import Service
from headway.serve.translating import Done, route, translate
from headway.show.picture import picture_html, target_html
from headway.systems import Translation
from headway.systems.picture import picture_of

# Nobody looks at the pictures of a whole document.
_DRAWN = 20


async def picture_endpoint(service: Service, request: Request) -> Response:
    """`POST /api/v1/picture`.

    `alternatives` is how many further translations are listed; `shown` is the place of the one
    that is drawn, 0 for the best.
    """
    fields = await service.fields(request)
    what = asked(fields, service.limits)
    listed = number_of(fields, "alternatives", service.limits.max_candidates)
    shown = number_of(fields, "shown", service.limits.max_candidates)
    request.state.texts = what.texts

    def options(model: LoadedModel) -> dict[str, Any]:
        n_best = max(listed, shown)
        more = {"n_best": n_best, "distinct": True} if n_best else {}
        own = model.translator
        return {"trees": own.has_trees, "confidence": own.has_confidence, **more}

    def work(ticket: Ticket) -> dict[str, Any]:
        done = translate(service, route(service, what), "text", ticket, options)
        return {"texts": [_text(one, what, shown) for one in done]}

    return json_reply(await service.run(request, work))


def _text(done: Done, what: Asked, shown: int) -> dict[str, Any]:
    """One text with a picture of each of its sentences."""
    model, detected = done.routed.model, done.routed.detected
    found = [] if model is None else restored(done.routed.text, done.found.translations)
    lone = len(found) == 1
    given = done.routed.text if lone else ""
    sentences = []
    if model is not None:
        sentences = [
            _drawn(one, model, given, shown, picture=place < _DRAWN)
            for place, one in enumerate(found)
        ]
    text = done.found.text
    if lone and shown and sentences:
        text = sentences[0]["text"]
    return {
        "translatedText": text,
        "model": None if model is None else model.name,
        "system": None if model is None else model.system,
        "source": what.source if model is None else model.source,
        "target": what.target,
        "detectedLanguage": None if detected is None else detected.table(),
        "sentences": sentences,
    }


def _drawn(
    found: Translation, model: LoadedModel, given: str, shown: int, *, picture: bool
) -> dict[str, Any]:
    """A sentence: the words of its translation and the rest of the picture, as HTML."""
    others = [one for one in found.n_best if one.words != found.words]
    chosen = others[shown - 1] if 0 < shown <= len(others) else None
    text = found.text if chosen is None else model.translator.written(chosen.words)[0]
    seen = picture_of(
        found,
        given=given,
        languages=(model.source, model.target),
        chosen=chosen,
        text=text,
        weights=model.translator.weights,
    )
    return {
        "text": text,
        "score": seen.score,
        "words": target_html(seen),
        "picture": picture_html(seen, target=False) if picture and found.source else "",
    }
