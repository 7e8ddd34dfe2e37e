"""Files: each format comes back as it went, translated."""

import threading
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from xml.etree import ElementTree

import pytest
from headway import Translator
from headway.progress import Progress
from headway.serve.documents import Documents
from headway.serve.formats import format_of, translated_name
from headway.serve.pool import Ticket
from headway.serve.refusals import RefusedError
from serving import Reply, Running

PAIR = {"source": "de", "target": "en"}


def fetched(service: Running, reply: Reply) -> bytes:
    assert reply.status == 200, reply.body
    found = service.get(urlsplit(reply.json["translatedFileUrl"]).path)
    assert found.status == 200
    assert found.headers["content-disposition"].startswith("attachment;")
    return found.body


def test_plain_text_keeps_its_lines(
    service: Running, small_systems: Path, lines: list[str]
) -> None:
    translator = Translator.load(small_systems / "phrase")
    first, second = (found.text for found in translator.translate(lines[:2]))
    content = f"{lines[0]}\r\n\r\n  \n{lines[1]}".encode()
    reply = service.send_file("/translate_file", "news.txt", content, **PAIR)
    assert fetched(service, reply).decode() == f"{first}\r\n\r\n  \n{second}"
    assert reply.json["translatedFileUrl"].endswith("/news.en.txt")
    wide = b"\xff\xfe" + lines[0].encode("utf-16-le")
    reply = service.send_file("/translate_file", "wide.txt", wide, **PAIR)
    assert fetched(service, reply).decode("utf-16") == first


def test_html_keeps_its_tags(service: Running) -> None:
    page = '<!doctype html><html lang="de"><body><p>Der alte <b>Mann</b>.</p></body></html>'
    found = fetched(service, service.send_file("/translate_file", "a.html", page.encode(), **PAIR))
    assert b'<html lang="en">' in found
    for tag in (b"<p>", b"</p>", b"<b>", b"</b>", b"</body>"):
        assert found.count(tag) == 1


def test_tmx_gets_what_it_lacks(service: Running) -> None:
    content = b"""<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE tmx SYSTEM "tmx14.dtd">
<tmx version="1.4"><header/><body>
<tu tuid="1"><tuv xml:lang="de-DE"><seg>Der alte Mann &amp; der Hund.</seg></tuv></tu>
<tu tuid="2"><tuv xml:lang="de"><seg>Der Hund.</seg></tuv>
<tuv xml:lang="EN-us"><seg>Kept.</seg></tuv></tu>
<tu tuid="3"><tuv xml:lang="fr"><seg>Le chien.</seg></tuv></tu>
<tu tuid="4"><tuv xml:lang="de"><seg>Der <bpt i="1">&lt;b&gt;</bpt>alte<ept i="1">&lt;/b&gt;</ept>
 <hi type="x">Mann</hi>.</seg></tuv></tu>
</body></tmx>"""
    reply = service.send_file("/translate_file", "memory.tmx", content, **PAIR)
    root = ElementTree.fromstring(fetched(service, reply))  # noqa: S314  of our own service
    lang = "{http://www.w3.org/XML/1998/namespace}lang"
    units: dict[Any, dict[Any, Any]] = {
        unit.get("tuid"): {tuv.get(lang): tuv.find("seg") for tuv in unit.iter("tuv")}
        for unit in root.iter("tu")
    }
    assert list(units["1"]) == ["de-DE", "en"]
    assert "&" in units["1"]["en"].text
    assert list(units["2"]) == ["de", "EN-us"]
    assert units["2"]["EN-us"].text == "Kept."
    assert list(units["3"]) == ["fr"]
    codes = {child.tag: child.text for child in units["4"]["en"]}
    assert codes["bpt"] == "<b>"
    assert codes["ept"] == "</b>"
    assert "hi" in codes


def test_files_that_cannot_be_translated(service: Running) -> None:
    def refused(name: str, content: bytes, *words: str, **fields: str) -> None:
        found = service.send_file("/translate_file", name, content, **(fields or PAIR))
        assert found.status == 400, found.body
        assert all(word in found.error for word in words), found.error

    refused("a.txt", b"ok\n\xff", "UTF-8", "line 2")
    refused("a.pdf", b"%PDF", ".pdf", ".txt", ".tmx")
    refused("", b"text", "empty file")
    refused("a.txt", b"Hund", "missing source", target="en")
    refused("a.txt", b"Hund", "xx is not supported", source="xx", target="en")
    refused("a.tmx", b"<tmx>", "TMX")
    refused("a.tmx", b"<html/>", "TMX", "html")
    bomb = b'<!DOCTYPE tmx [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><tmx><body>&b;</body></tmx>'
    refused("a.tmx", bomb, "entity")
    assert (
        service.form("/translate_file", **PAIR).error == "Invalid request: missing file parameter"
    )
    large = service.send_file("/translate_file", "a.txt", b"a" * 10_200_000, **PAIR)
    assert large.status == 413


def test_progress_of_a_file(service: Running, lines: list[str]) -> None:
    content = "\n".join(lines * 5).encode()
    begun = service.send_file("/api/v1/documents", "long.txt", content, **PAIR)
    assert begun.status == 202
    place = urlsplit(begun.headers["location"]).path
    seen = []
    while (found := service.get(place).json)["state"] in ("waiting", "running"):
        seen.append(found["done"])
        time.sleep(0.01)
    assert found["state"] == "done"
    assert found["done"] == found["total"] == 5 * len(lines)
    assert seen == sorted(seen)
    assert service.get(urlsplit(found["translatedFileUrl"]).path).body.count(b"\n") == 29
    assert service.ask("DELETE", place).status == 200
    assert service.get(place).status == 404


def test_empty_file(service: Running) -> None:
    reply = service.send_file("/translate_file", "a.txt", b"", **PAIR)
    assert fetched(service, reply) == b""


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.txt", "a.en.txt"),
        ("../../etc/a.txt", "a.en.txt"),
        ("C:\\texts\\a.html", "a.en.html"),
        ("ä b.TMX", "ä b.en.TMX"),
    ],
)
def test_names_of_translated_files(name: str, expected: str) -> None:
    assert translated_name(name, "en") == expected
    assert format_of(name)


def test_old_files_make_way_and_running_ones_do_not() -> None:
    go_on, began = threading.Event(), threading.Event()

    def slow(ticket: Ticket, _progress: Progress) -> bytes:
        began.set()
        while not go_on.wait(0.01):
            ticket.check()
        return b"done"

    documents = Documents(2, keep_seconds=3600)
    try:
        first = documents.begin("a.txt", "text/plain", slow)
        began.wait()
        second = documents.begin("b.txt", "text/plain", slow)
        with pytest.raises(RefusedError, match="at most 2 files"):
            documents.begin("c.txt", "text/plain", slow)
        documents.drop(second.id)
        second.finished.wait()
        assert second.state == "cancelled"
        go_on.set()
        first.finished.wait()
        assert documents.get(first.id).content == b"done"
        for _ in range(3):
            documents.begin("d.txt", "text/plain", slow).finished.wait()
        assert len(documents) == 2
        with pytest.raises(RefusedError, match="not kept"):
            documents.get(first.id)
    finally:
        documents.close()


def quick(_ticket: Ticket, _progress: Progress) -> bytes:
    return b"done"


def test_asking_for_a_file_forgets_none() -> None:
    documents = Documents(2, keep_seconds=3600)
    try:
        both = [documents.begin(f"{name}.txt", "text/plain", quick) for name in "ab"]
        for _ in range(2):
            for document in both:
                document.finished.wait()
                assert documents.get(document.id) is document
        third = documents.begin("c.txt", "text/plain", quick)
        assert documents.get(third.id) is third
        assert len(documents) == 2
    finally:
        documents.close()


def test_nobody_waits_for_a_file_whose_turn_never_comes() -> None:
    began = threading.Event()

    def slow(ticket: Ticket, _progress: Progress) -> bytes:
        began.set()
        while True:
            ticket.check()
            time.sleep(0.01)

    documents = Documents(8, keep_seconds=3600)
    begun = [documents.begin("a.txt", "text/plain", slow) for _ in range(4)]
    began.wait()
    documents.close()
    assert [document.finished.is_set() for document in begun] == [True] * 4
    assert {document.state for document in begun} == {"cancelled"}


def test_a_fault_of_ours_goes_to_the_log_without_the_text(
    caplog: pytest.LogCaptureFixture,
) -> None:
    text = " ".join(["a", "secret", "text"])  # tracebacks show the lines of a program

    def fails(_ticket: Ticket, _progress: Progress) -> bytes:
        raise KeyError(text)

    documents = Documents(2, keep_seconds=3600)
    try:
        found = documents.begin("a.txt", "text/plain", fails)
        found.finished.wait()
    finally:
        documents.close()
    assert (found.state, found.error) == ("failed", "Cannot translate text: KeyError; see the log")
    assert "KeyError" in caplog.text
    assert text not in caplog.text
