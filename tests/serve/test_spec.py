"""What the specification promises holds for random requests, good and bad."""

import re
from html.parser import HTMLParser
from urllib.parse import urlsplit

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import CHECKS
from serving import Running

# What a wrong request is answered is for people to choose between 4xx; all must be in the spec.
_CHECKS = ("not_a_server_error", "status_code_conformance", "content_type_conformance")


@pytest.fixture(scope="module")
def api(service: Running) -> object:
    return schemathesis.openapi.from_dict(service.get("/spec").json)


schema = schemathesis.pytest.from_fixture("api")


@schema.parametrize()
@settings(
    max_examples=12,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
def test_random_requests(service: Running, case: schemathesis.Case) -> None:
    checks = [*CHECKS.get_by_names([*_CHECKS, "response_schema_conformance"])]
    case.call_and_validate(base_url=service.url, checks=checks)


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
