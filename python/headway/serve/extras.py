"""The endpoints of headway's own API: all that is known about a translation."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from headway.serve.answers import Wanted, answer
from headway.serve.asked import asked, flag_of, number_of
from headway.serve.libre import begin_document
from headway.serve.loaded import LoadedModel
from headway.serve.pool import Ticket
from headway.serve.replies import json_reply
from headway.serve.service import Service
from headway.serve.translating import route, translate


async def translate_endpoint(service: Service, request: Request) -> Response:
    """`POST /api/v1/translate`."""
    fields = await service.fields(request)
    what = asked(fields, service.limits)
    wanted = Wanted(
        n_best=number_of(fields, "n_best", service.limits.max_candidates),
        trees=flag_of(fields, "trees", default=True),
        forest=flag_of(fields, "forest"),
        confidence=flag_of(fields, "confidence", default=True),
    )
    request.state.texts = what.texts

    def options(model: LoadedModel) -> dict[str, Any]:
        trees = wanted.trees and model.translator.has_trees
        n_best = {"n_best": wanted.n_best} if wanted.n_best else {}
        sure = wanted.confidence and model.translator.has_confidence
        return {"trees": trees, "confidence": sure, "forests": wanted.forest, **n_best}

    def work(ticket: Ticket) -> dict[str, Any]:
        done = translate(service, route(service, what), what.format, ticket, options)
        return answer(done, what, wanted)

    return json_reply(await service.run(request, work))


async def models_endpoint(service: Service, _request: Request) -> Response:
    """`GET /api/v1/models`."""
    return json_reply([model.table() for model in service.models])


async def begin_document_endpoint(service: Service, request: Request) -> Response:
    """`POST /api/v1/documents`: answers at once; the file is translated meanwhile."""
    document = begin_document(service, await service.fields(request, files=True))
    place = str(request.url_for("document", id=document.id))
    return json_reply(document.table(), status=202, headers={"Location": place})


async def document_endpoint(service: Service, request: Request) -> Response:
    """`GET /api/v1/documents/ID`: how far it is."""
    document = service.documents.get(request.path_params["id"])
    table = document.table()
    if document.state == "done":
        url = request.url_for("download", id=document.id, name=document.name)
        table["translatedFileUrl"] = str(url)
    return json_reply(table)


async def drop_document_endpoint(service: Service, request: Request) -> Response:
    """`DELETE /api/v1/documents/ID`: ends the translation, or forgets the file."""
    document = service.documents.drop(request.path_params["id"])
    return json_reply({**document.table(), "state": "cancelled"})
