"""Languages are told apart by how their words are spelt."""

from pathlib import Path

import pytest
from headway.serve import detect
from headway.serve.detect import Detector, Spelling
from headway.serve.loaded import LoadedModels, load_models


@pytest.fixture(scope="module")
def detector(small_systems: Path) -> Detector:
    models: LoadedModels = load_models([small_systems / "phrase"])
    return Detector.of(models)


def test_sentences_that_nobody_trained_on(detector: Detector, corpus: Path) -> None:
    for language in ("de", "en"):
        lines = (corpus / f"dev.{language}").read_text(encoding="utf-8").splitlines()
        found = [detector.detect(line)[0] for line in lines]
        right = sum(one.language == language for one in found)
        assert right >= 0.95 * len(lines), language


def test_short_words_and_capitals(detector: Detector) -> None:
    for language, words in {
        "de": ("der Hund", "DER MANN", "sie"),
        "en": ("the", "THE MAN"),
    }.items():
        for word in words:
            assert detector.detect(word)[0].language == language, word


def test_other_scripts_and_no_words(detector: Detector) -> None:
    for text in ("これは日本語の文です", "это русский текст", "😀", "123", "", " "):
        assert detector.detect(text)[0].confidence < 50, text


def test_only_among_some(detector: Detector) -> None:
    assert [one.language for one in detector.detect("the old man", {"de"})] == ["de"]


def test_confidences_are_shares(detector: Detector) -> None:
    for text in ("der", "a", "Hund dog", "x" * 100_000):
        found = detector.detect(text)
        assert {one.language for one in found} == {"de", "en"}
        assert 0 <= sum(one.confidence for one in found) <= 100.1
        assert [one.confidence for one in found] == sorted(it.confidence for it in found)[::-1]


def test_a_spelling_is_a_distribution() -> None:
    spelling = Spelling({"ab": 3.0, "abc": 1.0, "b": 2.0})
    for context in ("", " ", " a", "zz"):
        seen = sum(spelling._prob(context + letter) for letter in "abc ")
        others = (detect._CHARACTERS - 4) * spelling._prob(context + "q")
        assert seen + others == pytest.approx(1)
    assert spelling.log_prob("ab") > spelling.log_prob("ba") > spelling.log_prob("zz")
