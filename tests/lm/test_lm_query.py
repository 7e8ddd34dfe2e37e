"""Querying n-gram models, against the ARPA file taken literally."""

import gzip
import math
import random
import subprocess
import sys
from pathlib import Path
from typing import Literal

import headway.lm
import pytest
from arpa_oracle import LN10, Arpa
from headway import ConfigError, ModelError
from headway.lm import ChartState, LanguageModel
from hypothesis import given
from hypothesis import strategies as st

WORDS = ["the", "a", "dog", "cat", "sees", "walks", "with", "big", "small", "."]


def random_text(seed: int, many: int = 400) -> list[str]:
    chance = random.Random(seed)
    return [" ".join(chance.choices(WORDS, k=chance.randint(1, 9))) for _ in range(many)]


@pytest.fixture(scope="session")
def arpa(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("lm")
    text, model = directory / "text", directory / "model.arpa"
    text.write_text("\n".join(random_text(1)) + "\n")
    headway.lm.train(text, model, order=4)
    return model


@pytest.fixture(scope="session", params=["arpa", "hashed", "trie", "in memory"])
def model(
    arpa: Path, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> LanguageModel:
    if request.param == "arpa":
        return LanguageModel.load(arpa)
    binary = tmp_path_factory.mktemp("binary") / "model.bin"
    layout: Literal["hashed", "trie"] = "trie" if request.param == "trie" else "hashed"
    headway.lm.build(arpa, binary, layout=layout)
    return LanguageModel.load(binary, in_memory=request.param == "in memory")


def test_words_score_as_the_file_says(arpa: Path, model: LanguageModel) -> None:
    oracle = Arpa(arpa)
    for sentence in [*random_text(2, 60), "an unheard dog sees a xyzzy", "", "dog <unk> dog"]:
        expected = oracle.words(sentence)
        found = model.score_words(sentence)
        assert [row[1:] for row in expected] == [(w.length, w.unknown) for w in found]
        for (log10, _, _), word in zip(expected, found, strict=True):
            assert word.log_prob == pytest.approx(log10 * LN10, abs=1e-5)
        assert model.score(sentence) == pytest.approx(sum(w.log_prob for w in found), abs=1e-5)


def test_batches_score_as_single_sentences_whatever_the_threads(model: LanguageModel) -> None:
    sentences = random_text(3, 700)
    single = [model.score(sentence) for sentence in sentences]
    assert model.score(sentences) == single
    assert model.score(tuple(sentences), threads=1) == single
    assert model.score([]) == []


def test_boundaries_are_as_asked(model: LanguageModel) -> None:
    words = model.score_words("the dog", begin=False, end=False)
    assert len(words) == 2
    assert words[0].length == 1
    assert model.score("the dog", begin=False, end=False) == pytest.approx(
        sum(word.log_prob for word in words)
    )
    assert model.score("", begin=False, end=False) == 0.0


def test_perplexity_counts_unknown_words_or_leaves_them_out(model: LanguageModel) -> None:
    score = model.evaluate(["the dog xyzzy", "a cat"])
    words = [*model.score_words("the dog xyzzy"), *model.score_words("a cat")]
    logs = [word.log_prob for word in words]
    known = [word.log_prob for word in words if not word.unknown]
    assert (score.words, score.unknown) == (7, 1)
    assert score.perplexity == pytest.approx(math.exp(-sum(logs) / 7))
    assert score.perplexity_known == pytest.approx(math.exp(-sum(known) / 6))
    assert math.isnan(model.evaluate([]).perplexity)


def test_states_are_as_short_as_what_can_matter(model: LanguageModel) -> None:
    seen: dict[headway.lm.State, list[str]] = {}
    for sentence in random_text(4, 40):
        words = sentence.split()
        scores, state = model.advance(model.state(), words)
        assert sum(w.log_prob for w in scores) == pytest.approx(model.score(sentence, end=False))
        assert len(state) < model.order
        other = seen.setdefault(state, words)
        for follow in WORDS:
            ours, theirs = ([*w, follow] for w in (words, other))
            assert model.score_words(" ".join(ours))[-2].log_prob == pytest.approx(
                model.score_words(" ".join(theirs))[-2].log_prob
            )
    unknown = model.advance(model.state(), ["xyzzy"])[1]
    assert len(unknown) == 0
    assert unknown == model.state(begin=False)


def test_states_of_other_models_are_refused(arpa: Path) -> None:
    one, other = LanguageModel.load(arpa), LanguageModel.load(arpa)
    with pytest.raises(ValueError, match="another model"):
        one.advance(other.state(), ["dog"])
    part, _ = other.join(["dog"])
    with pytest.raises(ValueError, match="another model"):
        one.join([part])
    with pytest.raises(TypeError, match="found int"):
        one.join([3])  # type: ignore[list-item]
    assert one.state() != other.state()


@given(st.lists(st.sampled_from([*WORDS, "xyzzy"]), max_size=12), st.randoms(), st.booleans())
def test_parts_joined_in_any_order_score_as_from_left_to_right(
    arpa: Path, words: list[str], chance: random.Random, begin: bool
) -> None:
    model = _cached(arpa)
    parts: list[str | ChartState] = list(words)
    total = 0.0
    while len(parts) > 1:
        start = chance.randrange(len(parts) - 1)
        end = chance.randint(start + 1, min(len(parts), start + 4))
        part, added = model.join(parts[start:end])
        total += added
        parts[start:end] = [part]
    whole, added = model.join(parts, begin=begin)
    expected = model.score(" ".join(words), begin=begin, end=False)
    assert total + added == pytest.approx(expected, abs=1e-4)
    assert whole == model.join(words, begin=begin)[0]
    assert hash(whole) == hash(model.join(words, begin=begin)[0])


_MODELS: dict[Path, LanguageModel] = {}


def _cached(path: Path) -> LanguageModel:
    return _MODELS.setdefault(path, LanguageModel.load(path))


def test_arpa_to_binary_to_arpa_loses_nothing(arpa: Path, tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("hashed.bin", "trie.bin")]
    headway.lm.build(arpa, files[0])
    headway.lm.build(arpa, files[1], layout="trie")
    written = []
    for file in files:
        LanguageModel.load(file).write_arpa(tmp_path / "again.arpa")
        written.append((tmp_path / "again.arpa").read_bytes())
    assert written[0] == written[1]
    assert Arpa(tmp_path / "again.arpa").entries == Arpa(arpa).entries
    headway.lm.build(tmp_path / "again.arpa", files[1], layout="trie")
    LanguageModel.load(files[1]).write_arpa(tmp_path / "third.arpa")
    assert (tmp_path / "third.arpa").read_bytes() == written[0]


def test_one_layout_is_built_from_the_other(arpa: Path, tmp_path: Path) -> None:
    direct, around, trie = (tmp_path / name for name in ("a.bin", "b.bin", "t.bin"))
    headway.lm.build(arpa, direct)
    headway.lm.build(arpa, trie, layout="trie")
    headway.lm.build(trie, around)
    assert direct.read_bytes() == around.read_bytes()


def test_memory_and_threads_do_not_change_a_binary(arpa: Path, tmp_path: Path) -> None:
    layouts: list[Literal["hashed", "trie"]] = ["hashed", "trie"]
    for layout in layouts:
        headway.lm.build(arpa, tmp_path / "a", layout=layout, memory="64M", threads=1)
        headway.lm.build(arpa, tmp_path / "b", layout=layout)
        assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_quantised_scores_stay_within_what_is_stated(arpa: Path, tmp_path: Path) -> None:
    exact = LanguageModel.load(arpa)
    sizes = []
    for bits in (4, 8, 16):
        file = tmp_path / f"{bits}.bin"
        loss = headway.lm.build(arpa, file, layout="trie", quantise=bits)
        coarse = LanguageModel.load(file)
        sizes.append(coarse.size)
        change = (max(loss.probs) + sum(loss.backoffs)) * LN10
        for sentence in random_text(5, 40):
            for one, other in zip(
                exact.score_words(sentence), coarse.score_words(sentence), strict=True
            ):
                assert abs(one.log_prob - other.log_prob) <= change + 1e-6
                assert one.length == other.length
    assert sizes == sorted(sizes)
    assert loss.largest < 1e-3


def test_binaries_are_shared_between_processes_and_whole(arpa: Path, tmp_path: Path) -> None:
    file = tmp_path / "m.bin"
    headway.lm.build(arpa, file)
    code = f"import headway.lm as l; print(l.LanguageModel.load({str(file)!r}).score('the dog'))"
    runs = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, check=True) for _ in "ab"
    ]
    assert (
        float(runs[0].stdout) == float(runs[1].stdout) == LanguageModel.load(file).score("the dog")
    )


def test_damaged_binaries_are_refused_or_found_by_verify(arpa: Path, tmp_path: Path) -> None:
    file, broken = tmp_path / "m.bin", tmp_path / "b.bin"
    headway.lm.build(arpa, file)
    whole = file.read_bytes()
    broken.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ModelError, match=r"b\.bin: .* bytes promised"):
        LanguageModel.load(broken)
    middle = len(whole) // 2
    broken.write_bytes(whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :])
    with pytest.raises(ModelError, match="damaged; build"):
        LanguageModel.load(broken).verify()
    headway.Vocabulary(["a"]).save(broken)
    with pytest.raises(ModelError, match="a headway vocab file where a lm file is expected"):
        LanguageModel.load(broken)


def test_settings_that_cannot_be_are_named(arpa: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="only the trie layout"):
        headway.lm.build(arpa, tmp_path / "m", quantise=8)
    with pytest.raises(ConfigError, match="2 to 24"):
        headway.lm.build(arpa, tmp_path / "m", layout="trie", quantise=40)
    with pytest.raises(ConfigError, match="expected hashed or trie"):
        LanguageModel.load(arpa, layout="heap")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="one string"):
        LanguageModel.load(arpa).score_texts("the dog")


def test_compressed_arpa_files_are_read(arpa: Path, tmp_path: Path) -> None:
    packed = tmp_path / "m.arpa.gz"
    packed.write_bytes(gzip.compress(arpa.read_bytes()))
    assert LanguageModel.load(packed).score("a dog") == LanguageModel.load(arpa).score("a dog")
    packed.write_bytes(packed.read_bytes()[:-2000])
    with pytest.raises(headway.FormatError, match=r"m\.arpa\.gz:\d+: .*cut short"):
        LanguageModel.load(packed)
