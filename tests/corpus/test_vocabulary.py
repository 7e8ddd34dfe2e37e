"""Words to dense ids and back."""

from pathlib import Path

import pytest
from headway import InputError, ModelError, OutputError, Vocabulary
from hypothesis import given
from hypothesis import strategies as st


@given(st.lists(st.text()))
def test_ids_are_dense_in_order_of_first_sight(words: list[str]) -> None:
    expected: dict[str, int] = {}
    ids = [expected.setdefault(word, len(expected)) for word in words]
    vocabulary = Vocabulary()
    assert vocabulary.add(words) == ids
    assert vocabulary.add(words) == ids
    assert vocabulary.words(ids) == words
    assert vocabulary.ids(words) == ids
    assert len(vocabulary) == len(expected)
    assert list(vocabulary) == list(expected)
    assert vocabulary == Vocabulary(words)


def test_unknown_words_and_ids_are_told() -> None:
    vocabulary = Vocabulary(["a", "b"])
    assert vocabulary.ids(["b", "c"]) == [1, None]
    assert "a" in vocabulary
    assert "c" not in vocabulary
    for bad in ([2], [0, 7]):
        with pytest.raises(IndexError, match="among 2"):
            vocabulary.words(bad)
    with pytest.raises(OverflowError):
        vocabulary[-1]
    with pytest.raises(TypeError):
        vocabulary.add("ab")  # type: ignore[arg-type]


@given(st.lists(st.text()))
def test_a_saved_vocabulary_is_loaded_the_same(
    tmp_path_factory: pytest.TempPathFactory, words: list[str]
) -> None:
    path = tmp_path_factory.mktemp("v") / "v"
    vocabulary = Vocabulary(words)
    vocabulary.save(path)
    assert Vocabulary.load(path) == vocabulary


def test_vocabularies_differ_by_order_and_content() -> None:
    assert Vocabulary(["a", "b"]) != Vocabulary(["b", "a"])
    assert Vocabulary(["ab"]) != Vocabulary(["a", "b"])


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "v"
    Vocabulary(["Hund", "Katze"]).save(path)
    whole = path.read_bytes()
    path.write_bytes(whole[:-3])
    with pytest.raises(ModelError):
        Vocabulary.load(path)
    path.write_bytes(whole.replace(b"Katze", b"Kasse"))
    with pytest.raises(ModelError, match="damaged"):
        Vocabulary.load(path)
    with pytest.raises(InputError, match="no such file"):
        Vocabulary.load(tmp_path / "none")
    with pytest.raises(OutputError, match="is a directory"):
        Vocabulary().save(tmp_path)


def test_a_large_vocabulary_keeps_every_word() -> None:
    words = [f"word{number}" for number in range(300_000)]
    vocabulary = Vocabulary(words)
    assert vocabulary.ids(words) == list(range(300_000))
    assert vocabulary[299_999] == "word299999"
