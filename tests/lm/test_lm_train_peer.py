"""Estimation against KenLM's own: every n-gram, probability and back-off weight."""

import gzip
from pathlib import Path

import headway.lm
import pytest
from kneser_ney_oracle import query, read_arpa

# As KenLM reports them for the same text (shared/peers/README.md).
MULTI30K_DISCOUNTS = [
    [0.606991, 0.934093, 1.54051],
    [0.750057, 1.08576, 1.45836],
    [0.835173, 1.14724, 1.36601],
    [0.900754, 1.22952, 1.45687],
    [0.92953, 1.19677, 1.39911],
]


@pytest.mark.parametrize(
    ("text", "arpa", "discounts"),
    [
        ("multi30k/train.tok.en.gz", "multi30k-en.5gram.arpa.gz", MULTI30K_DISCOUNTS),
        ("jaen/train.en.gz", "jaen-en.5gram.arpa.gz", None),
    ],
)
def test_the_model_is_kenlms(
    *,
    data: Path,
    peers: Path,
    tmp_path: Path,
    text: str,
    arpa: str,
    discounts: list[list[float]] | None,
) -> None:
    training = headway.lm.train(data / text, tmp_path / "lm.arpa", order=5)
    with (tmp_path / "lm.arpa").open(encoding="utf-8") as file:
        ours = read_arpa(file)
    with gzip.open(peers / "kenlm" / arpa, "rt", encoding="utf-8") as file:
        theirs = read_arpa(file)
    assert ours.keys() == theirs.keys()
    worst = max(
        abs(mine - other)
        for ngram, values in theirs.items()
        for mine, other in zip(ours[ngram], values, strict=True)
    )
    assert worst < 1e-5
    assert training.fallback == []
    if discounts is not None:
        for found, expected in zip(training.discounts, discounts, strict=True):
            assert found == pytest.approx(expected, abs=1e-5)

    words = [ngram[0] for ngram in ours if len(ngram) == 1 and ngram != ("<s>",)]
    contexts = [ngram for ngram in ours if len(ngram) < 5 and ngram[-1] != "</s>"]
    for context in contexts[:: len(contexts) // 8]:
        total = sum(query(ours, context, word) for word in words)
        assert total == pytest.approx(1.0, abs=1e-4), context
