"""The shapes of requests and answers, as OpenAPI has them."""

from typing import Any

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "number"}
COUNT: Schema = {"type": "integer", "minimum": 0}
FLAG: Schema = {"type": "boolean"}


def listed(items: Schema, **more: Any) -> Schema:
    """A list."""
    return {"type": "array", "items": items, **more}


def one_of(*schemas: Schema) -> Schema:
    """Any of these."""
    return {"anyOf": list(schemas)}


def record(**fields: Schema) -> Schema:
    """An object that has all of these fields."""
    return {"type": "object", "properties": fields, "required": list(fields)}


def loose(schema: Schema, *optional: str) -> Schema:
    """An object that may lack some of its fields."""
    return {**schema, "required": [it for it in schema["required"] if it not in optional]}


def maybe(schema: Schema) -> Schema:
    """It or null."""
    return {**schema, "nullable": True}


def named(name: str) -> Schema:
    """One of `SCHEMAS`."""
    return {"$ref": f"#/components/schemas/{name}"}


_SPAN = listed(COUNT, minItems=2, maxItems=2)
_TREE = loose(
    record(
        words=listed(TEXT),
        heads=listed(maybe(COUNT)),
        labels=listed(TEXT),
        tags=listed(TEXT),
        segments=listed(COUNT),
    ),
    "segments",
)
_CONTRIBUTION = record(feature=TEXT, value=NUMBER, weight=NUMBER, product=NUMBER)
_SEGMENT = loose(
    record(
        source=_SPAN,
        target=_SPAN,
        source_text=TEXT,
        target_text=TEXT,
        unknown=maybe(TEXT),
        rule=listed(TEXT),
    ),
    "source_text",
    "rule",
)
_STEP = loose(
    record(source=_SPAN, segment=COUNT, operation=TEXT, parts=listed(COUNT)),
    "segment",
    "operation",
)
_UNKNOWN = record(
    place=COUNT,
    word=TEXT,
    kind=TEXT,
    known=maybe(TEXT),
    said=listed(TEXT),
    target=listed(COUNT),
)
_NUMBERS: Schema = {"type": "object", "additionalProperties": NUMBER}
_DERIVATION = {
    "target": listed(TEXT),
    "score": NUMBER,
    "features": _NUMBERS,
    "contributions": listed(_CONTRIBUTION),
    "segments": listed(_SEGMENT),
    "steps": listed(_STEP),
    "alignment": listed(_SPAN),
    "unknown": listed(_UNKNOWN),
    "system": maybe(TEXT),
    "confidence": maybe(listed(NUMBER)),
    "support": {"type": "object", "additionalProperties": listed(NUMBER)},
    "tree": maybe(_TREE),
    "phrase_tree": maybe(_TREE),
}

SCHEMAS: dict[str, Schema] = {
    "Error": record(error=TEXT),
    "Detection": record(confidence={"type": "number", "minimum": 0, "maximum": 100}, language=TEXT),
    "Language": record(code=TEXT, name=TEXT, targets=listed(TEXT)),
    "Translated": loose(
        record(
            translatedText=one_of(TEXT, listed(TEXT)),
            detectedLanguage=one_of(named("Detection"), listed(named("Detection"))),
            alternatives=listed(one_of(TEXT, listed(TEXT))),
        ),
        "detectedLanguage",
        "alternatives",
    ),
    "Settings": record(
        charLimit={"type": "integer"},
        frontendTimeout=COUNT,
        apiKeys=FLAG,
        keyRequired=FLAG,
        suggestions=FLAG,
        filesTranslation=FLAG,
        supportedFilesFormat=listed(TEXT),
        language={"type": "object"},
    ),
    "Health": record(status=TEXT),
    "TranslatedFile": record(translatedFileUrl=TEXT),
    "Document": loose(
        record(
            id=TEXT,
            name=TEXT,
            state={"type": "string", "enum": ["waiting", "running", "done", "failed", "cancelled"]},
            done=COUNT,
            total=COUNT,
            error=maybe(TEXT),
            translatedFileUrl=TEXT,
        ),
        "translatedFileUrl",
    ),
    "Model": record(
        name=TEXT,
        system=TEXT,
        source=TEXT,
        target=TEXT,
        has_trees=FLAG,
        has_phrase_trees=FLAG,
        has_confidence=FLAG,
        uses_source_trees=FLAG,
        has_source_parser=FLAG,
        second_pass=FLAG,
        bytes=COUNT,
        weights=_NUMBERS,
        facts={"type": "object"},
    ),
    "Candidate": record(**_DERIVATION),
    "Sentence": record(
        **_DERIVATION,
        text=TEXT,
        source=listed(TEXT),
        read=listed(TEXT),
        flags=listed(TEXT),
        source_trees=listed({"type": "object"}),
        n_best=listed(named("Candidate")),
        forest=maybe(record(nodes=COUNT, edges=COUNT, log_derivations=maybe(NUMBER))),
    ),
    "Explained": record(
        source=TEXT,
        target=TEXT,
        texts=listed(
            record(
                translatedText=TEXT,
                alternatives=listed(TEXT),
                model=maybe(TEXT),
                system=maybe(TEXT),
                detectedLanguage=maybe(record(confidence=NUMBER, language=TEXT)),
                sentences=listed(named("Sentence")),
            )
        ),
    ),
    "Drawn": record(
        texts=listed(
            record(
                translatedText=TEXT,
                model=maybe(TEXT),
                system=maybe(TEXT),
                source=TEXT,
                target=TEXT,
                detectedLanguage=maybe(record(confidence=NUMBER, language=TEXT)),
                sentences=listed(record(text=TEXT, score=NUMBER, words=TEXT, picture=TEXT)),
            )
        ),
    ),
}
