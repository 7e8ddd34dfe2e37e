"""The API for people: one page made from its specification, with nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

_STYLE = """
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem; }
h2 { border-top: 1px solid #8886; padding-top: 1.2rem; font-size: 1.15rem; }
code, pre { font-family: ui-monospace, monospace; font-size: .92em; }
pre { overflow-x: auto; padding: .7rem; background: #8881; }
table { border-collapse: collapse; }
th, td { text-align: left; padding: .15rem 1rem .15rem 0; vertical-align: top; }
"""


def guide_page(specification: Mapping[str, Any]) -> str:
    """The page, as HTML."""
    info = specification["info"]
    parts = [
        "<!doctype html>",
        '<html lang="en">',
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(info['title'])}: API</title>",
        f"<style>{_STYLE}</style>",
        f"<h1>The API of {escape(info['title'])} {escape(info['version'])}</h1>",
        f"<p>{escape(info['description'])}",
        '<a href="spec">/spec</a> is the same for programs, as OpenAPI.</p>',
    ]
    schemas = specification["components"]["schemas"]
    for path, operations in specification["paths"].items():
        for method, operation in operations.items():
            parts += _operation(path, method.upper(), operation, schemas)
    return "\n".join(parts)


def _operation(
    path: str, method: str, operation: Mapping[str, Any], schemas: Mapping[str, Any]
) -> Iterator[str]:
    yield f"<h2><code>{method} {escape(path)}</code></h2>"
    yield f"<p><b>{escape(operation['summary'])}.</b> {escape(operation['description'])}</p>"
    content = operation.get("requestBody", {}).get("content", {})
    if content:
        yield f"<p>Takes {escape(' or '.join(content))}:</p>"
        yield from _fields(next(iter(content.values()))["schema"])
        if "application/json" in content:
            yield f"<pre>{escape(_curl(path, content['application/json']['schema']))}</pre>"
    yield "<p>Answers:</p><table>"
    for status, answer in operation["responses"].items():
        kinds = answer.get("content", {})
        shape = next((_shape(one["schema"], schemas) for one in kinds.values()), "")
        yield f"<tr><th>{status}<td>{escape(answer['description'])}<td><code>{escape(shape)}</code>"
    yield "</table>"


def _fields(schema: Mapping[str, Any]) -> Iterator[str]:
    needed = schema.get("required", ())
    yield "<table>"
    for name, field in schema["properties"].items():
        must = "required" if name in needed else ""
        yield f"<tr><th><code>{escape(name)}</code><td>{escape(_kind(field))}<td>{must}"
    yield "</table>"


def _kind(field: Mapping[str, Any]) -> str:
    """A type in words."""
    if "anyOf" in field:
        return " or ".join(_kind(one) for one in field["anyOf"])
    if field.get("type") == "array":
        return f"list of {_kind(field['items'])}s"
    if "enum" in field:
        return ", ".join(field["enum"])
    return "file" if field.get("format") == "binary" else str(field.get("type", "object"))


def _shape(schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> str:
    """An answer, one level deep."""
    if "$ref" in schema:
        return _shape(schemas[schema["$ref"].rpartition("/")[2]], schemas)
    if schema.get("type") == "array":
        return f"[{_shape(schema['items'], schemas)}, …]"
    if "properties" in schema:
        return f"{{{', '.join(schema['properties'])}}}"
    return str(schema.get("type", ""))


def _curl(path: str, schema: Mapping[str, Any]) -> str:
    """A command to try."""
    fields = schema["properties"]
    shown = {name: fields[name].get("example", "…") for name in schema["required"]}
    pairs = ", ".join(f'"{name}": "{value}"' for name, value in shown.items())
    return f"curl http://localhost:5000{path} -H 'Content-Type: application/json' -d '{{{pairs}}}'"
