"""A combination wherever translations are asked for and shown: service, markup, picture, report."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import Headway
from headway import Settings, Translator, combine
from headway.markup import translate_marked
from serving import Running, running

PAIR = {"source": "de", "target": "en"}
QUICK = ["tune.iterations=1", "consensus.scales=[1.0]", "consensus.n_best=20"]


@pytest.fixture(scope="module")
def combination(small_systems: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("combination")
    for side in ("de", "en"):
        text = (small_systems / "corpus" / f"train.{side}").read_text(encoding="utf-8")
        few = text.splitlines()[:12]
        (place / f"few.{side}").write_text("\n".join(few) + "\n", encoding="utf-8")
    combine(
        small_systems / "phrase",
        small_systems / "str2dep",
        dev_source=place / "few.de",
        dev_target=place / "few.en",
        out=place / "together",
        settings=Settings.load(None, QUICK),
    )
    return place / "together"


@pytest.fixture(scope="module")
def both(combination: Path, small_systems: Path) -> Iterator[Running]:
    with running(combination, small_systems / "phrase") as found:
        yield found


def explained(service: Running, line: str, **fields: object) -> Any:
    found = service.post("/api/v1/translate", q=line, **PAIR, **fields)
    assert found.status == 200, found.body
    return found.json["texts"][0]["sentences"][0]


def test_it_is_served(both: Running, combination: Path, lines: list[str]) -> None:
    translator = Translator.load(combination)
    (expected,) = translator.translate([lines[0]], n_best=3, confidence=True)
    plain = both.post("/translate", q=lines[0], **PAIR, alternatives=2)
    assert plain.json["translatedText"] == expected.text
    assert plain.json["alternatives"]
    found = explained(both, lines[0], n_best=2)
    assert found["target"] == list(expected.words)
    assert found["confidence"] == list(expected.confidence or ())
    assert found["system"] == expected.system
    assert found["support"] == {name: list(it) for name, it in expected.support.items()}
    assert found["n_best"][1]["confidence"] == list(expected.n_best[1].confidence or ())
    assert found["tree"] is not None
    detected = both.form("/detect", q="Der alte Mann sieht einen Hund.").json
    assert detected[0]["language"] == "de"


def test_it_is_drawn_with_its_doubts(both: Running) -> None:
    found = both.post("/api/v1/picture", q="Der Zyxwv sieht {name}.", **PAIR, alternatives=2)
    (sentence,) = found.json["texts"][0]["sentences"]
    assert "{name}" in sentence["words"]
    assert "unknown word Zyxwv, copied" in sentence["words"]
    assert "confidence" in sentence["words"]
    assert "<dt>Said by</dt>" in sentence["picture"]
    assert "union.gain" in sentence["picture"].replace("<wbr>", "")


def test_confidence_is_there_where_it_was_learnt_and_wanted(
    both: Running, combination: Path, lines: list[str]
) -> None:
    assert Translator.load(combination).has_confidence
    models = {one["name"]: one for one in both.get("/api/v1/models").json}
    assert models[combination.name]["has_confidence"]
    assert not models["phrase"]["has_confidence"]
    assert explained(both, lines[0], confidence=False)["confidence"] is None
    single = explained(both, lines[0], model="phrase", confidence=True)
    assert (single["confidence"], single["system"], single["support"]) == (None, None, {})


def test_what_it_cannot_do_is_refused(both: Running) -> None:
    found = both.post("/api/v1/translate", q="Hund", forest=True, **PAIR)
    assert found.status == 400
    assert "keeps no forest" in found.error


def test_markup(combination: Path) -> None:
    text = '<p>Der <b>alte</b> Mann sieht %s.</p><p translate="no">Hund</p>'
    (found,) = translate_marked(Translator.load(combination), [text], format="html", n_best=2)
    for tag in ("<p>", "<b>", "</b>", "%s", '<p translate="no">Hund</p>'):
        assert found.text.count(tag) == 1
    (given,) = translate_marked(
        Translator.load(combination), ['Der <n translation="grey cat">Mann</n> .'], format="xml"
    )
    assert "grey cat" in given.text


def test_inspect_and_report(
    combination: Path, small_systems: Path, headway: Headway, tmp_path: Path
) -> None:
    html, svg = tmp_path / "a.html", tmp_path / "a.svg"
    done = headway("inspect", combination, "Der Mann schläft.", "--html", html, "--svg", svg)
    assert done.returncode == 0, done.stderr
    assert "<dt>Said by</dt>" in html.read_text(encoding="utf-8")
    assert "union.gain" in svg.read_text(encoding="utf-8")
    corpus, report = small_systems / "corpus", tmp_path / "report.html"
    test = ["--test-source", corpus / "test.de", "--test-target", corpus / "test.en"]
    done = headway("report", combination, *test, "--out", report)
    assert done.returncode == 0, done.stderr
    assert "union.gain" in report.read_text(encoding="utf-8")
