"""The core's BLEU, chrF and TER are sacrebleu's, on any text."""

from collections.abc import Sequence

import pytest
from headway import _core
from headway.errors import ConfigError
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER

# Few words, so that n-grams repeat and shifts are worth it; some of them odd.
WORDS = st.sampled_from(["a", "b", "c", "d", "e", "the", "house", "ß", "日本", "x\u200by", "’s"])
LINES = st.lists(WORDS, max_size=25).map(" ".join)
TEXTS = st.integers(1, 5).flatmap(
    lambda size: st.tuples(
        st.lists(LINES, min_size=size, max_size=size),
        st.lists(st.lists(LINES, min_size=size, max_size=size), min_size=1, max_size=3),
    )
)
ANY = st.tuples(
    st.lists(st.text(max_size=30), min_size=2, max_size=2),
    st.lists(st.lists(st.text(max_size=30), min_size=2, max_size=2), min_size=1, max_size=2),
)


def ours(metric: str, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    rows = _core.metric_statistics(metric, hypotheses, references)
    return _core.metric_scores(metric, [[sum(column) for column in zip(*rows, strict=True)]])[0]


@given(TEXTS)
@settings(deadline=None, max_examples=150)
def test_bleu_is_sacrebleus_to_the_last_digit(texts: tuple[list[str], list[list[str]]]) -> None:
    peer = BLEU(tokenize="none", force=True).corpus_score(*texts).score
    assert ours("bleu", *texts) == pytest.approx(peer, rel=1e-13, abs=1e-13)


@given(TEXTS)
@settings(deadline=None, max_examples=150)
def test_chrf_is_sacrebleus(texts: tuple[list[str], list[list[str]]]) -> None:
    assert ours("chrf", *texts) == pytest.approx(CHRF().corpus_score(*texts).score, rel=1e-13)


@given(TEXTS)
@settings(deadline=None, max_examples=150)
def test_ter_is_sacrebleus(texts: tuple[list[str], list[list[str]]]) -> None:
    peer = TER(case_sensitive=True).corpus_score(*texts).score
    assert -ours("ter", *texts) == pytest.approx(peer, rel=1e-13)


@given(st.data())
@settings(deadline=None, max_examples=15)
def test_ter_of_long_lines_meets_the_same_limits(data: st.DataObject) -> None:
    few = st.sampled_from(["a", "b", "c", "d"])
    size = st.sampled_from([1, 3, 60, 90])
    hypothesis, reference = (
        " ".join(data.draw(st.lists(few, min_size=n, max_size=n)))
        for n in (data.draw(size), data.draw(size))
    )
    peer = TER(case_sensitive=True).corpus_score([hypothesis], [[reference]]).score
    assert -ours("ter", [hypothesis], [[reference]]) == pytest.approx(peer, rel=1e-13)


@given(ANY)
@settings(deadline=None, max_examples=150)
def test_any_text_at_all_scores_the_same(texts: tuple[list[str], list[list[str]]]) -> None:
    bleu = BLEU(tokenize="none", force=True).corpus_score(*texts).score
    assert ours("bleu", *texts) == pytest.approx(bleu, rel=1e-13, abs=1e-13)
    assert ours("chrf", *texts) == pytest.approx(CHRF().corpus_score(*texts).score, rel=1e-13)
    ter = TER(case_sensitive=True).corpus_score(*texts).score
    assert -ours("ter", *texts) == pytest.approx(ter, rel=1e-13)


@given(TEXTS)
@settings(deadline=None, max_examples=30)
def test_the_combined_metric_is_the_mean_and_threads_change_nothing(
    texts: tuple[list[str], list[list[str]]],
) -> None:
    mean = (ours("bleu", *texts) + ours("ter", *texts)) / 2
    assert ours("bleu-ter", *texts) == pytest.approx(mean, rel=1e-12)
    for name in ("bleu", "ter", "chrf", "bleu-ter"):
        one = _core.metric_statistics(name, *texts, threads=1)
        assert one == _core.metric_statistics(name, *texts, threads=3)


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ConfigError, match='metric "blue": expected one of bleu, ter'):
        _core.metric_statistics("blue", ["a"], [["a"]])
    with pytest.raises(ConfigError, match="reference 1 has 2 lines for 1"):
        _core.metric_statistics("bleu", ["a"], [["a", "b"]])
    with pytest.raises(ConfigError, match="no reference"):
        _core.metric_statistics("bleu", ["a"], [])
    with pytest.raises(ConfigError, match="expected 10 numbers"):
        _core.metric_scores("bleu", [[1.0]])
