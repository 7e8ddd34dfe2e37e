"""headway's own API: what it says of a translation is what Python says of it."""

import math
from pathlib import Path
from typing import Any

import pytest
from headway import Translation, Translator
from serving import Running


@pytest.fixture(scope="module")
def translators(small_systems: Path) -> dict[str, Translator]:
    return {name: Translator.load(small_systems / name) for name in ("phrase", "str2dep")}


def explain(service: Running, line: str, **fields: object) -> dict[str, Any]:
    found = service.post("/api/v1/translate", q=line, source="de", target="en", **fields)
    assert found.status == 200, found.body
    (text,) = found.json["texts"]
    (sentence,) = text["sentences"]
    assert sentence["text"] == text["translatedText"]
    answer: dict[str, Any] = sentence
    return answer


def same(found: dict[str, Any], expected: Translation) -> None:
    table = expected.table()
    table.pop("source_trees", None)
    assert {name: found[name] for name in table} == table


def test_a_sentence_is_its_table(
    service: Running, translators: dict[str, Translator], lines: list[str]
) -> None:
    for name, translator in translators.items():
        for line, expected in zip(lines, translator.translate(lines), strict=True):
            same(explain(service, line, model=name), expected)


def test_products_add_up_to_the_score(service: Running, lines: list[str]) -> None:
    for name in ("phrase", "str2dep"):
        found = explain(service, lines[0], model=name, n_best=3)
        for one in (found, *found["n_best"]):
            products = [row["product"] for row in one["contributions"]]
            assert math.fsum(products) == pytest.approx(one["score"])
            assert products == sorted(products, key=abs, reverse=True)


def test_n_best_trees_and_forest(
    service: Running, translators: dict[str, Translator], lines: list[str]
) -> None:
    (expected,) = translators["str2dep"].translate(
        [lines[0]], n_best=5, distinct=True, trees=True, forests=True
    )
    found = explain(service, lines[0], model="str2dep", n_best=4, forest=True)
    assert [one["target"] for one in found["n_best"]] == [
        list(one.words) for one in expected.n_best[:4]
    ]
    assert expected.tree is not None
    assert found["tree"]["heads"] == list(expected.heads or ())
    assert found["tree"]["words"] == list(expected.words)
    assert found["tree"]["labels"] == list(expected.tree.labels)
    assert expected.forest is not None
    assert found["forest"]["edges"] == len(expected.forest)
    assert found["forest"]["nodes"] == len(expected.forest.nodes)


def test_what_is_not_asked_for_is_not_there(service: Running, lines: list[str]) -> None:
    plain = explain(service, lines[0], model="str2dep", trees=False)
    assert (plain["tree"], plain["forest"], plain["n_best"]) == (None, None, [])
    assert explain(service, lines[0], model="phrase")["tree"] is None


def test_unknown_words_are_told(service: Running) -> None:
    found = explain(service, "Der Mann sieht Zyxwv.")
    (unknown,) = found["unknown"]
    assert unknown["word"] == "Zyxwv"
    assert unknown["kind"] == "copy"


def test_models_are_listed(service: Running) -> None:
    found = {one["name"]: one for one in service.get("/api/v1/models").json}
    assert list(found) == ["phrase", "str2dep"]
    assert not found["phrase"]["has_trees"]
    assert found["str2dep"]["has_trees"]
    assert found["str2dep"]["system"] == "str2dep"
    assert (found["phrase"]["source"], found["phrase"]["target"]) == ("de", "en")
    assert found["phrase"]["weights"]["lm"] > 0


def test_text_that_is_in_the_target_language(service: Running) -> None:
    english = "The old man is watching the dog."
    found = service.post("/api/v1/translate", q=english, source="auto", target="en").json
    (text,) = found["texts"]
    assert text["translatedText"] == english
    assert (text["model"], text["sentences"]) == (None, [])


def test_wrong_flags_and_counts(service: Running) -> None:
    good = {"q": "Hund", "source": "de", "target": "en"}
    for wrong in ({"trees": "maybe"}, {"forest": 1}, {"n_best": -1}, {"n_best": 101}):
        found = service.post("/api/v1/translate", **good, **wrong)
        assert found.status == 400
        assert next(iter(wrong)) in found.error
    assert service.form("/api/v1/translate", **good, trees="false", forest="1").status == 200
