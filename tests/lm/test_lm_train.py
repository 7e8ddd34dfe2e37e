"""Estimation against a literal version of the paper, and its laws."""

import logging
import random
from pathlib import Path

import headway.lm
import pytest
from headway import ConfigError, _core
from hypothesis import given
from hypothesis import strategies as st
from kneser_ney_oracle import KneserNey, Ngram, limited, query, read_arpa

Entries = dict[Ngram, tuple[float, float]]

sentences = st.lists(
    st.lists(st.sampled_from("aaaabbbccd") | st.sampled_from("efghijklmnopq"), max_size=9),
    min_size=1,
    max_size=60,
)
pruning = st.sampled_from([[], [0, 1], [0, 0, 1], [0, 1, 1, 2], [0, 2]])


def trained(directory: Path, text: list[list[str]], **options: object) -> Entries:
    """Our model of a text, read back from the ARPA file."""
    source, model = directory / "text", directory / "lm.arpa"
    source.write_text("".join(" ".join(sentence) + "\n" for sentence in text))
    headway.lm.train(source, model, **options)  # type: ignore[arg-type]
    return read_arpa(model.read_text().splitlines())


def assert_same(found: Entries, expected: Entries, tolerance: float) -> None:
    assert found.keys() == expected.keys()
    for ngram, values in expected.items():
        assert found[ngram] == pytest.approx(values, abs=tolerance), ngram


def assert_sums_to_one(entries: Entries, order: int) -> None:
    words = [word for (word,) in (ngram for ngram in entries if len(ngram) == 1) if word != "<s>"]
    contexts = [ngram for ngram in entries if len(ngram) < order and ngram[-1] != "</s>"]
    unseen: list[Ngram] = [("zzz", *context)[-(order - 1) :] for context in contexts[:20]]
    for context in [(), *contexts, *(unseen if order > 1 else [])]:
        total = sum(query(entries, context, word) for word in words)
        assert total == pytest.approx(1.0, abs=1e-5), context


@given(sentences, st.integers(1, 6), pruning, st.none() | st.integers(1, 6))
def test_every_value_equals_the_literal_version(
    tmp_path_factory: pytest.TempPathFactory,
    text: list[list[str]],
    order: int,
    prune: list[int],
    limit: int | None,
) -> None:
    prune = prune[:order]
    found = trained(
        tmp_path_factory.mktemp("lm"), text, order=order, prune=prune, vocab_limit=limit
    )
    literal = KneserNey(text if limit is None else limited(text, limit), order, prune)
    assert_same(found, literal.entries(), 1e-6)


def zipf_text(words: int, sentences: int, seed: int) -> list[list[str]]:
    """Text with singletons, doubletons and frequent words at every order."""
    rng = random.Random(seed)
    lengths = [rng.randint(0, 20) for _ in range(sentences)]
    return [[f"w{int(words ** rng.random())}" for _ in range(length)] for length in lengths]


@pytest.mark.parametrize("prune", [[], [0, 0, 1], [0, 1, 2]])
@pytest.mark.parametrize("limit", [None, 50])
def test_discounts_from_counts_equal_the_literal_version(
    tmp_path: Path, prune: list[int], limit: int | None
) -> None:
    text = zipf_text(1500, 700, seed=5)
    literal = KneserNey(text if limit is None else limited(text, limit), 3, prune)
    source = tmp_path / "text"
    source.write_text("".join(" ".join(sentence) + "\n" for sentence in text))
    model = tmp_path / "lm.arpa"
    training = headway.lm.train(source, model, order=3, prune=prune, vocab_limit=limit)
    # The vocabulary cut down has no singletons left: then the fallback is what both take.
    assert training.fallback == ([] if limit is None else [1])
    assert training.kept == [len(ngrams) for ngrams in _by_length(literal.entries(), 3)]
    for found, expected in zip(training.discounts, literal.discounts, strict=True):
        assert found == pytest.approx(expected, abs=1e-9)
    entries = read_arpa(model.read_text().splitlines())
    assert_same(entries, literal.entries(), 1e-6)


def _by_length(entries: Entries, order: int) -> list[list[Ngram]]:
    return [[ngram for ngram in entries if len(ngram) == n] for n in range(1, order + 1)]


@pytest.mark.parametrize("order", [1, 2, 3, 5, 6])
@pytest.mark.parametrize(
    "text",
    [
        [["one", "sentence", "only"]],
        [["again"] * 50],
        [["again"]] * 50,
        [[]],
        [[], [], ["a"]],
        [["x"]],
        zipf_text(30, 100, seed=3),
    ],
    ids=lambda text: f"{len(text)} of {len(text[0])}" if text and isinstance(text, list) else None,
)
def test_small_text_trains_and_sums_to_one(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, text: list[list[str]], order: int
) -> None:
    with caplog.at_level(logging.WARNING, "headway"):
        entries = trained(tmp_path, text, order=order)
    assert_sums_to_one(entries, order)
    warnings = [record.getMessage() for record in caplog.records]
    assert len(warnings) <= 1
    if len(text) < 100:
        assert warnings[0].startswith("little or repetitive text: no discounts for n-grams of")


def test_pruned_models_sum_to_one(tmp_path: Path) -> None:
    entries = trained(tmp_path, zipf_text(40, 300, seed=8), order=4, prune=[0, 1, 2, 3])
    assert_sums_to_one(entries, 4)


@pytest.mark.parametrize(("memory", "threads"), [(0, 1), (0, 3), (1 << 26, 2), (1 << 32, 1)])
def test_memory_and_threads_change_no_byte(tmp_path: Path, memory: int, threads: int) -> None:
    source = tmp_path / "text"
    text = zipf_text(3000, 15_000, seed=2)
    source.write_text("".join(" ".join(sentence) + "\n" for sentence in text))

    def model(memory: int, threads: int) -> bytes:
        path = tmp_path / "lm.arpa"
        _core.lm_train([source], path, 5, memory, [], None, False, None, threads, None)
        return path.read_bytes()

    assert model(memory, threads) == model(1 << 30, 4)


def test_several_files_are_one_text(tmp_path: Path) -> None:
    text = zipf_text(50, 200, seed=4)
    whole = trained(tmp_path, text, order=3)
    for name, part in (("one", text[:80]), ("two", text[80:])):
        lines = "".join(" ".join(sentence) + "\n" for sentence in part)
        (tmp_path / name).write_text(lines)
    model = tmp_path / "parts.arpa"
    headway.lm.train([tmp_path / "one", str(tmp_path / "two")], model, order=3)
    assert read_arpa(model.read_text().splitlines()) == whole


def test_progress_is_told(tmp_path: Path) -> None:
    calls: list[tuple[int, int]] = []
    source = tmp_path / "text"
    lines = "".join(" ".join(sentence) + "\n" for sentence in zipf_text(3000, 40_000, seed=1))
    source.write_text(lines)
    headway.lm.train(
        source, tmp_path / "lm.arpa", progress=lambda done, total: calls.append((done, total))
    )
    assert calls
    assert all(done <= total or total == 0 for done, total in calls)
    assert calls == sorted(calls, key=lambda call: call[0])


@pytest.mark.parametrize(
    ("memory", "size"), [("512M", 512 << 20), ("2G", 2 << 30), ("1.5 GiB", 3 << 29), (1 << 27,) * 2]
)
def test_memory_is_given_with_its_unit(memory: str | int, size: int) -> None:
    assert headway.lm.memory_bytes(memory) == size


def test_numbers_beyond_all_text_are_limits_like_others(tmp_path: Path) -> None:
    text = zipf_text(50, 100, seed=6)
    many = 10**30
    assert trained(tmp_path, text, order=2, vocab_limit=many) == trained(tmp_path, text, order=2)
    pruned = trained(tmp_path, text, order=2, prune=[0, many], memory=many)
    assert {len(ngram) for ngram in pruned} == {1}
    with pytest.raises(ConfigError, match="expected 1 to 6"):
        trained(tmp_path, text, order=many)
