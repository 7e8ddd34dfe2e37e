"""Confidence in words: calibration and how it is judged."""

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from headway import FormatError
from headway.evaluate import (
    calibrated,
    evaluate_confidence,
    isotonic,
    reliability,
    reliability_svg,
    right_words,
)
from hypothesis import given
from hypothesis import strategies as st

PAIRS = st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=400)


def test_a_word_is_right_as_often_as_a_reference_has_it() -> None:
    words = ["the", "dog", "the", "cat", "the"]
    assert right_words(words, [["the", "the", "cat"], ["dog"]]) == [True, True, True, True, False]
    assert right_words(words, []) == [False] * 5


@given(PAIRS)
def test_calibration_rises_and_keeps_the_mean(pairs: list[tuple[float, bool]]) -> None:
    knots = isotonic(pairs)
    assert knots == sorted(knots)
    assert len({x for x, _ in knots}) == len(knots)
    values = [calibrated(knots, step / 50) for step in range(51)]
    assert values == sorted(values)
    if pairs:
        assert all(0 < y < 1 for _, y in knots)


def test_calibration_brings_confidence_to_the_truth() -> None:
    # Whoever says 0.9 is right in 6 of 10 cases, whoever says 0.5 in 3.
    pairs = [(0.9, place % 10 < 6) for place in range(1000)]
    pairs += [(0.5, place % 10 < 3) for place in range(1000)]
    knots = isotonic(pairs)
    assert [y for _, y in knots] == [pytest.approx(0.3, abs=0.01), pytest.approx(0.6, abs=0.01)]
    assert reliability(pairs).error == pytest.approx(0.25)
    after = reliability((calibrated(knots, said), right) for said, right in pairs)
    assert after.error < 0.01
    assert calibrated([], 0.7) == 0.7
    assert calibrated(knots, 0.7) == pytest.approx(0.45, abs=0.01)


@given(PAIRS)
def test_the_error_is_the_mean_distance_of_bins(pairs: list[tuple[float, bool]]) -> None:
    found = reliability(pairs, bins=4)
    assert found.words == len(pairs)
    expected = 0.0
    for low in range(4):
        own = [(c, r) for c, r in pairs if min(int(c * 4), 3) == low]
        expected += abs(sum(c for c, _ in own) - sum(r for _, r in own))
    assert found.error == pytest.approx(expected / max(1, len(pairs)))
    root = ET.fromstring(reliability_svg(found))  # noqa: S314  our own
    assert sum(1 for it in root.iter() if it.tag.endswith("circle")) == len(found.bins)


def test_files_of_confidences_are_checked(tmp_path: Path) -> None:
    table, reference = tmp_path / "t", tmp_path / "r"
    reference.write_text("The dog barks.\nA cat.\n")
    table.write_text("1\tthe\t0.9\tphrase\n1\tcat\t0.5\n2\tcat\t1.0\n")
    found = evaluate_confidence(table, [reference])
    assert found.words == 3
    assert found.right == pytest.approx(2 / 3)
    for text, told in (
        ("1 the 0.9\n", "t:1: expected sentence, word and confidence"),
        ("1\tthe\t1.5\n", "t:1: expected"),
        ("1\tthe\t0.9\n3\tthe\t0.9\n", "sentence 3: the reference has no such line"),
        ("", "no words"),
    ):
        table.write_text(text)
        with pytest.raises(FormatError, match=told):
            evaluate_confidence(table, [reference])
