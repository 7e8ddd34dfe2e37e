"""The same scores and n-gram lengths as KenLM, on the same ARPA files."""

import gzip
import random
from pathlib import Path

import headway.lm
import kenlm
import pytest
from arpa_oracle import LN10
from headway.lm import LanguageModel

SIZES = {
    "multi30k-en": (17_200_000, 7_800_000)
}  # KenLM's hashed and trie binaries (peers/README.md)


@pytest.fixture(scope="module", params=["multi30k-en", "jaen-en", "ours"])
def files(
    peers: Path,
    data: Path,
    tmp_path_factory: pytest.TempPathFactory,
    request: pytest.FixtureRequest,
) -> list[Path]:
    """An ARPA file and our two binaries of it."""
    directory = tmp_path_factory.mktemp("peer")
    arpa = directory / "m.arpa"
    if request.param == "ours":
        headway.lm.train(data / "jaen" / "train.en.gz", arpa, order=4, prune=[0, 0, 1])
    else:
        arpa.write_bytes(
            gzip.decompress((peers / "kenlm" / f"{request.param}.5gram.arpa.gz").read_bytes())
        )
    hashed, trie = directory / "h.bin", directory / "t.bin"
    headway.lm.build(arpa, hashed)
    headway.lm.build(arpa, trie, layout="trie")
    if request.param in SIZES:
        assert hashed.stat().st_size < SIZES[request.param][0]
        assert trie.stat().st_size < SIZES[request.param][1]
    return [arpa, hashed, trie]


def lines(path: Path, most: int) -> list[str]:
    with gzip.open(path, "rt", encoding="utf-8") as text:
        return [line.rstrip("\n") for line, _ in zip(text, range(most), strict=False)]


@pytest.fixture(scope="module")
def sentences(data: Path) -> list[str]:
    text = lines(data / "multi30k" / "test2016.tok.en.gz", 600)
    text += lines(data / "jaen" / "test.en.gz", 400)
    foreign = lines(data / "multi30k" / "test2016.tok.de.gz", 300)  # mostly unknown words
    chance = random.Random(1)
    shuffled = [" ".join(chance.sample(line.split(), len(line.split()))) for line in text[:300]]
    return [*text, *foreign, *shuffled, "", "<unk> a <unk>"]


def test_totals_and_lengths_are_kenlms(files: list[Path], sentences: list[str]) -> None:
    peer = kenlm.Model(str(files[0]))
    expected = [list(peer.full_scores(sentence)) for sentence in sentences]
    for file in files[1:]:
        model = LanguageModel.load(file)
        scores = model.score(sentences)
        for sentence, words, score in zip(sentences, expected, scores, strict=True):
            assert score / LN10 == pytest.approx(sum(word[0] for word in words), abs=1e-4)
            ours = [(word.length, word.unknown) for word in model.score_words(sentence)]
            assert ours == [word[1:] for word in words]


def test_states_are_as_short_as_kenlms(files: list[Path], sentences: list[str]) -> None:
    peer, model = kenlm.Model(str(files[0])), LanguageModel.load(files[2])
    seen: dict[object, headway.lm.State] = {}
    for sentence in sentences[::3]:
        before, after = kenlm.State(), kenlm.State()
        peer.BeginSentenceWrite(before)
        state = model.state()
        for word in sentence.split():
            peer.BaseScore(before, word, after)
            before, after = after, before
            _, state = model.advance(state, [word])
            # KenLM's states hash by their words: equal there, equal here.
            assert seen.setdefault((hash(before), len(state)), state) == state
