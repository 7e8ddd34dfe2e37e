"""The API as OpenAPI 3.0 describes it, made for the models and limits of a service."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from headway.serve.loaded import AUTO, LoadedModels
from headway.serve.schemas import COUNT, FLAG, SCHEMAS, TEXT, Schema, listed, named, one_of
from headway.settings import ServeSettings
from headway.version import __version__

JSON, FORM = "application/json", "application/x-www-form-urlencoded"
MULTIPART, PLAIN, ANY = "multipart/form-data", "text/plain", "application/octet-stream"

_REFUSED = {
    "400": "Invalid request: a field is missing or wrong, or there is too much text.",
    "403": "The API key is wrong, or the server does not do this.",
    "404": "There is no such file.",
    "408": "The request arrived too slowly.",
    "413": "The request has too many bytes.",
    "415": "The request is neither JSON nor a form.",
    "429": "Slow down: too many requests; Retry-After says when to try again.",
    "500": "The server failed.",
    "503": "Translating took too long, or too many connections are open.",
}
_OF_POST = ("400", "403", "408", "413", "415", "429", "500", "503")


def specification(limits: ServeSettings, models: LoadedModels) -> dict[str, Any]:
    """What `/spec` answers."""
    fields = _Fields(limits, models)
    return {
        "openapi": "3.0.3",
        "info": {
            "title": "headway",
            "version": __version__,
            "description": "Statistical machine translation with dependency syntax."
            " The paths without /api/v1 are those of LibreTranslate.",
        },
        "paths": _paths(fields),
        "components": {
            "schemas": SCHEMAS,
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{}, {"key": []}],
    }


class _Fields:
    """What requests may have."""

    def __init__(self, limits: ServeSettings, models: LoadedModels) -> None:
        example = next(iter(models))
        most = limits.max_candidates
        size = {} if limits.max_texts < 0 else {"maxItems": limits.max_texts}
        length = {} if limits.max_characters < 0 else {"maxLength": limits.max_characters}
        # Another limit counts all texts together, which a schema cannot say.
        text = {**TEXT, "minLength": 1, **length}
        self.q = one_of(text, listed(TEXT, minItems=1, **size))
        sources = list(dict.fromkeys(model.source for model in models))
        targets = list(dict.fromkeys(model.target for model in models))
        self.source = {**TEXT, "enum": [*sources, AUTO], "example": example.source}
        self.target = {**TEXT, "enum": targets, "example": example.target}
        self.model = {**TEXT, "enum": [model.name for model in models]}
        self.count = {**COUNT, "maximum": most, "default": 0}

    def languages(self) -> dict[str, Schema]:
        return {"source": self.source, "target": self.target}


def _paths(fields: _Fields) -> dict[str, Any]:
    key = {"api_key": TEXT}
    form = {"format": {**TEXT, "enum": ["text", "html"], "default": "text"}}
    texts = {"q": fields.q, **fields.languages(), **form, "model": fields.model}
    file = {"file": {**TEXT, "format": "binary"}, **fields.languages(), "model": fields.model}
    needs = ("q", "source", "target")
    of_file = ("file", "source", "target")
    number = [{"name": "id", "in": "path", "required": True, "schema": TEXT}]
    return {
        "/translate": {
            "post": _post(
                "Translate texts",
                "A string is answered by a string, a list by a list.",
                {**texts, "alternatives": fields.count, **key},
                needs,
                named("Translated"),
            )
        },
        "/detect": {
            "post": _post(
                "Find out the language of a text",
                "Among those of the loaded models, the likeliest first.",
                {"q": fields.q, **key},
                ("q",),
                listed(named("Detection")),
            )
        },
        "/languages": {"get": _get("Languages", "What is translated to what.", _list("Language"))},
        "/translate_file": {
            "post": _post(
                "Translate a file",
                "Plain text, HTML or TMX. The answer comes when all is translated.",
                {**file, **key},
                of_file,
                named("TranslatedFile"),
                kinds=(MULTIPART,),
            )
        },
        "/download_file/{id}/{name}": {
            "get": _get(
                "Fetch a translated file",
                "Its address is in other answers.",
                {**TEXT, "format": "binary"},
                parameters=[
                    *number,
                    {"name": "name", "in": "path", "required": True, "schema": TEXT},
                ],
                kind=ANY,
                refused=("404", "500"),
            )
        },
        "/frontend/settings": {
            "get": _get("Settings of clients", "Limits and defaults.", named("Settings"))
        },
        "/health": {"get": _get("Health", "Models are loaded.", named("Health"))},
        "/suggest": {
            "post": _refused_post("Suggest a better translation", "This server takes none.")
        },
        "/metrics": {
            "get": _get("Metrics", "For Prometheus.", TEXT, kind=PLAIN, refused=("400", "403"))
        },
        "/api/v1/translate": {
            "post": _post(
                "Translate texts and explain",
                "Each sentence comes with its derivation, alignment, features and trees.",
                {
                    **texts,
                    "n_best": fields.count,
                    "trees": {**FLAG, "default": True},
                    "forest": {**FLAG, "default": False},
                    "confidence": {**FLAG, "default": True},
                    **key,
                },
                needs,
                named("Explained"),
            )
        },
        "/api/v1/picture": {
            "post": _post(
                "Translate texts and draw",
                "Each sentence comes as HTML: its words, and a picture of how it was translated.",
                {
                    **{name: it for name, it in texts.items() if name != "format"},
                    "alternatives": fields.count,
                    "shown": fields.count,
                    **key,
                },
                needs,
                named("Drawn"),
            )
        },
        "/api/v1/models": {"get": _get("Models", "The bundles that are loaded.", _list("Model"))},
        "/api/v1/documents": {
            "post": _post(
                "Begin to translate a file",
                "Answers at once; ask for its progress.",
                {**file, **key},
                of_file,
                named("Document"),
                kinds=(MULTIPART,),
                status="202",
            )
        },
        "/api/v1/documents/{id}": {
            "get": _get(
                "Progress of a file",
                "Sentences that are done, of all.",
                named("Document"),
                parameters=number,
                refused=("404", "500"),
            ),
            "delete": _get(
                "End the translation of a file",
                "Or forget it, if it is translated.",
                named("Document"),
                parameters=number,
                refused=("404", "500"),
            ),
        },
    }


def _list(name: str) -> Schema:
    return listed(named(name))


def _content(kinds: Sequence[str], schema: Schema) -> dict[str, Any]:
    return {kind: {"schema": schema} for kind in kinds}


def _responses(status: str, good: Mapping[str, Any], refused: Sequence[str]) -> dict[str, Any]:
    bad = {"content": _content([JSON], named("Error"))}
    return {
        status: {"description": "Done.", "content": good},
        **{code: {"description": _REFUSED[code], **bad} for code in refused},
    }


def _post(
    summary: str,
    about: str,
    fields: Mapping[str, Schema],
    needs: Sequence[str],
    answer: Schema,
    *,
    kinds: Sequence[str] = (JSON, FORM),
    status: str = "200",
) -> dict[str, Any]:
    body = {"type": "object", "properties": dict(fields), "required": list(needs)}
    return {
        "summary": summary,
        "description": about,
        "requestBody": {"required": True, "content": _content(kinds, body)},
        "responses": _responses(status, _content([JSON], answer), _OF_POST),
    }


def _refused_post(summary: str, about: str) -> dict[str, Any]:
    answers = _responses(
        "403", _content([JSON], named("Error")), ("400", "408", "413", "415", "429")
    )
    return {"summary": summary, "description": about, "responses": answers}


def _get(
    summary: str,
    about: str,
    answer: Schema,
    *,
    parameters: Sequence[Mapping[str, Any]] = (),
    kind: str = JSON,
    refused: Sequence[str] = (),
) -> dict[str, Any]:
    return {
        "summary": summary,
        "description": about,
        **({"parameters": list(parameters)} if parameters else {}),
        "responses": _responses("200", _content([kind], answer), refused),
    }
