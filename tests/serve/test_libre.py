"""The API of LibreTranslate, asked by its client and by hand."""

import json
from pathlib import Path
from typing import Any

import pytest
from headway import Translator
from libretranslatepy import LibreTranslateAPI
from serving import Reply, Running

JSON = {"Content-Type": "application/json"}


@pytest.fixture(scope="module")
def translated(small_systems: Path, lines: list[str]) -> list[str]:
    translator = Translator.load(small_systems / "phrase")
    return [found.text for found in translator.translate(lines)]


def test_libretranslates_own_client(
    service: Running, lines: list[str], translated: list[str]
) -> None:
    client = LibreTranslateAPI(service.url)
    assert [client.translate(line, "de", "en") for line in lines] == translated
    assert client.detect("Der alte Mann sieht einen Hund.")[0]["language"] == "de"
    assert client.languages() == [
        {"code": "de", "name": "German", "targets": ["en"]},
        {"code": "en", "name": "English", "targets": []},
    ]


def test_a_list_is_answered_by_a_list(
    service: Running, lines: list[str], translated: list[str]
) -> None:
    found = service.post("/translate", q=lines, source="de", target="en")
    assert found.status == 200
    assert found.json == {"translatedText": translated}
    pairs = [("q", line) for line in lines]
    assert service.form("/translate", *pairs, source="de", target="en").json == found.json


def test_the_source_language_is_detected(
    service: Running, lines: list[str], translated: list[str]
) -> None:
    found = service.form("/translate", q=lines[0], source="auto", target="en").json
    assert found["translatedText"] == translated[0]
    assert found["detectedLanguage"]["language"] == "de"
    assert 50 < found["detectedLanguage"]["confidence"] <= 100
    english = "The old man is watching the dog."
    both = service.post("/translate", q=[lines[0], english], source="auto", target="en").json
    assert both["translatedText"] == [translated[0], english]
    assert [one["language"] for one in both["detectedLanguage"]] == ["de", "en"]


def test_alternatives_are_others(service: Running, lines: list[str]) -> None:
    found = service.post("/translate", q=lines[0], source="de", target="en", alternatives=3).json
    assert set(found) == {"translatedText", "alternatives"}
    said = [found["translatedText"], *found["alternatives"]]
    assert len(said) == len(set(said)) == 4
    batch = service.post("/translate", q=lines[:2], source="de", target="en", alternatives=3).json
    assert batch["alternatives"][0] == found["alternatives"]
    assert len(batch["alternatives"]) == 2


def test_text_without_words_stays_as_it_is(service: Running) -> None:
    for text in ("😀 😀", "...", " ", "\n"):
        found = service.post("/translate", q=text, source="de", target="en")
        assert found.json == {"translatedText": text}
    found = service.post("/translate", q="😀", source="auto", target="en").json
    assert found["translatedText"] == "😀"
    assert found["detectedLanguage"]["confidence"] == 0


def test_html_keeps_its_tags(service: Running) -> None:
    text = "<p>Der <b>alte</b> Mann.</p>"
    found = service.post("/translate", q=text, source="de", target="en", format="html")
    assert found.status == 200
    said = found.json["translatedText"]
    for tag in ("<p>", "<b>", "</b>", "</p>"):
        assert said.count(tag) == 1


def test_what_clients_ask_first(service: Running) -> None:
    assert service.get("/health").json == {"status": "ok"}
    found = service.get("/frontend/settings").json
    assert found["charLimit"] == 50_000
    assert not found["apiKeys"]
    assert not found["suggestions"]
    assert found["supportedFilesFormat"] == [".txt", ".html", ".htm", ".tmx"]
    assert found["language"]["source"] == {"code": "de", "name": "German"}
    assert found["language"]["target"] == {"code": "en", "name": "English"}


def refused(reply: Reply, status: int, *words: str) -> None:
    assert reply.status == status, reply.body
    assert all(word in reply.error for word in words), reply.error


def test_wrong_fields_are_named(service: Running) -> None:
    good = {"q": "Hund", "source": "de", "target": "en"}
    for name in good:
        rest = {key: value for key, value in good.items() if key != name}
        for value in ({}, {name: ""}, {name: None}):
            refused(service.post("/translate", **rest, **value), 400, f"missing {name}")
    wrong: list[Any] = [5, True, {}, [1], ["a", None]]
    for bad in wrong:
        refused(service.post("/translate", **{**good, "q": bad}), 400, "q is neither")
    refused(service.post("/translate", **{**good, "source": 5}), 400, "source is not a string")
    refused(service.post("/translate", **{**good, "source": "xx"}), 400, "xx is not supported")
    refused(service.post("/translate", **{**good, "target": "xx"}), 400, "xx is not supported")
    refused(service.post("/translate", q="a", source="auto", target="xx"), 400, "xx is not")
    refused(service.post("/translate", q="a", source="auto", target="de"), 400, "German (de)")
    turned = {"q": "dog", "source": "en", "target": "de"}
    refused(service.post("/translate", **turned), 400, "German (de) is not available")
    refused(service.post("/translate", **good, format="rtf"), 400, "rtf format is not supported")
    counts: list[Any] = [-1, 101, 1.5, "many", [], True]
    for count in counts:
        refused(service.post("/translate", **good, alternatives=count), 400, "alternatives")
    refused(service.post("/translate", **good, model="absent"), 400, "model absent", "phrase")
    refused(service.form("/detect"), 400, "missing q")


def test_malformed_bodies(service: Running) -> None:
    def send(body: bytes, kind: str = "application/json") -> Reply:
        return service.ask("POST", "/translate", body, {"Content-Type": kind})

    for body in (b"", b"{", b"nonsense", b'{"q": "\\ud800"}', b"[" * 100_000):
        refused(send(body), 400, "Invalid JSON format")
    refused(send(b'{"q": "\xff\xfe"}'), 400, "UTF-8")
    refused(send(b"[1]"), 400, "expected an object")
    refused(send(b"q=%ff&source=de&target=en", "application/x-www-form-urlencoded"), 400, "UTF-8")
    refused(send(b"q=\xff&source=de&target=en", "application/x-www-form-urlencoded"), 400, "UTF-8")
    refused(send(b"q", "multipart/form-data"), 400, "multipart")
    refused(send(b"q", "multipart/form-data; boundary=x"), 400, "multipart")
    refused(send(b"q", "image/png"), 415, "image/png", "application/json")
    raw = "q=Grüße&source=de&target=en".encode()  # as curl sends it
    assert send(raw, "application/x-www-form-urlencoded").status == 200


def test_too_much_is_refused(service: Running) -> None:
    refused(service.post("/translate", q="a" * 50_001, source="de", target="en"), 400, "50001")
    refused(service.post("/translate", q=["a"] * 501, source="de", target="en"), 400, "501 texts")
    body = b'{"q": "' + b"a" * 2_000_000 + b'"}'
    refused(service.ask("POST", "/translate", body, JSON), 413, "bytes")
    refused(service.ask("POST", "/translate", iter([body]), JSON), 413, "bytes")  # in chunks


def test_other_paths_and_methods(service: Running) -> None:
    refused(service.get("/absent"), 404)
    refused(service.get("/../../etc/passwd"), 404)
    refused(service.get("/translate"), 405)
    assert service.get("/translate").headers["allow"] == "POST"
    refused(service.ask("PUT", "/languages"), 405)
    refused(service.post("/suggest", q="a"), 403, "disabled")


def test_any_web_page_may_ask(service: Running) -> None:
    asked = service.ask("OPTIONS", "/translate", headers={"Origin": "http://example.org"})
    assert asked.status == 204
    for found in (asked, service.get("/languages"), service.get("/absent")):
        assert found.headers["access-control-allow-origin"] == "*"


def test_control_characters_and_long_words(service: Running) -> None:
    for text in ("a\0b", "\x1b[31mHund", "\u202eHund", "Hund\u2028Hund", "a" * 5_000, "\ufeffHund"):
        found = service.ask(
            "POST", "/translate", json.dumps({"q": text, "source": "de", "target": "en"}), JSON
        )
        assert found.status == 200, text
