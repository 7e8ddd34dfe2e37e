"""What the specification promises holds for random requests, good and bad."""

import re
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlsplit

import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import CHECKS
from schemathesis.core.result import Ok
from serving import Running

# What a wrong request is answered is for people to choose between 4xx; all must be in the spec.
_CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_schema_conformance",
)


def test_random_requests(service: Running) -> None:
    schema = schemathesis.openapi.from_dict(service.get("/spec").json)
    checks: Any = CHECKS.get_by_names([*_CHECKS])
    tried = 0
    for found in schema.get_all_operations():
        assert isinstance(found, Ok)
        operation: Any = found.ok()
        for mode in GenerationMode if operation.body else [GenerationMode.POSITIVE]:

            @settings(
                max_examples=8,
                deadline=None,
                derandomize=True,
                database=None,
                suppress_health_check=list(HealthCheck),
            )
            @given(case=operation.as_strategy(generation_mode=mode))
            def ask(case: schemathesis.Case[Any]) -> None:
                nonlocal tried
                tried += 1
                case.call_and_validate(base_url=service.url, checks=checks)

            ask()
    assert tried > 100


def test_the_specification_has_every_path(service: Running) -> None:
    paths = service.get("/spec").json["paths"]
    for path, operations in paths.items():
        for method in operations:
            plain = re.sub(r"\{\w+\}", "x", path)
            found = service.ask(method.upper(), plain)
            assert found.status != 405, path
            assert str(found.status) in operations[method]["responses"], path


class Links(HTMLParser):
    """Everything that a page would fetch or lead to."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value or "" for name, value in attrs if name in ("src", "href", "action")]
        assert tag != "script"


def test_the_guide_needs_nothing_from_elsewhere(service: Running) -> None:
    page = service.get("/docs")
    assert page.headers["content-type"].startswith("text/html")
    assert page.headers["content-security-policy"].startswith("default-src 'none'")
    text = page.body.decode()
    links = Links()
    links.feed(text)
    assert links.found == ["spec"]
    assert "url(" not in text
    for path in service.get("/spec").json["paths"]:
        assert path in text
    assert not any(urlsplit(link).netloc for link in links.found)
