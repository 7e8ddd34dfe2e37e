"""Drawing text from a model."""

import math
from collections import Counter
from pathlib import Path

import headway.lm
import pytest
from conftest import Headway
from headway.lm import LanguageModel, Sampler
from test_lm_query import random_text


@pytest.fixture(scope="module", params=[3, 4])
def arpa(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    directory = tmp_path_factory.mktemp("sample")
    text, model = directory / "text", directory / "m.arpa"
    text.write_text("\n".join(random_text(7, 300)) + "\n")
    headway.lm.train(text, model, order=request.param)
    return model


def chi_square(observed: Counter[str], probs: dict[str, float]) -> tuple[float, int]:
    """The statistic and its degrees of freedom, rare words taken together."""
    total = sum(observed.values())
    common = [word for word, prob in probs.items() if prob * total >= 5]
    cells = [(observed[word], probs[word] * total) for word in common]
    rest = 1 - sum(probs[word] for word in common)
    if rest * total >= 5:
        cells.append((total - sum(observed[word] for word in common), rest * total))
    return sum((seen - expected) ** 2 / expected for seen, expected in cells), len(cells) - 1


def test_words_are_drawn_as_the_model_says(arpa: Path) -> None:
    model = LanguageModel.load(arpa)
    after: dict[tuple[str, ...], Counter[str]] = {}
    for sentence in Sampler(arpa, seed=3, unknown=True).sentences(40_000):
        words = [*sentence.split(), "</s>"]
        for place, word in enumerate(words[:4]):
            after.setdefault(tuple(words[:place]), Counter())[word] += 1
    tested = 0
    for context, observed in sorted(after.items()):
        if sum(observed.values()) < 400:
            continue
        probs = {
            word: math.exp(model.advance(model.state(), [*context, word])[0][-1].log_prob)
            for word in model.words()
            if word != "<s>"
        }
        assert sum(probs.values()) == pytest.approx(1, abs=1e-4)
        statistic, freedom = chi_square(observed, probs)
        # Five standard deviations of a chi-square variable, for each of the contexts.
        assert statistic < freedom + 5 * math.sqrt(2 * freedom) + 5, context
        tested += 1
    assert tested >= 30


def test_the_same_seed_draws_the_same_text_whatever_the_threads(arpa: Path, tmp_path: Path) -> None:
    headway.lm.build(arpa, tmp_path / "h.bin")
    texts = [
        list(Sampler(file, seed=5, threads=threads).sentences(1500))
        for file, threads in [(arpa, 1), (arpa, 2), (tmp_path / "h.bin", 2)]
    ]
    assert texts[0] == texts[1] == texts[2]
    assert texts[0] != list(Sampler(arpa, seed=6).sentences(1500))
    assert not any("<unk>" in sentence for sentence in texts[0])


def test_sample_writes_as_much_as_asked(headway: Headway, arpa: Path, tmp_path: Path) -> None:
    done = headway("lm", "sample", arpa, "-n", 20, "--seed", 5)
    assert done.stdout.splitlines() == list(Sampler(arpa, seed=5).sentences(20))
    assert headway("lm", "sample", arpa).stdout.count("\n") == 10
    assert headway("lm", "sample", arpa, "-n", 0).stdout == ""
    out = tmp_path / "text.gz"
    headway("lm", "sample", arpa, "--words", 1000, "-o", out, "--longest", 3)
    lines = headway("lm", "query", arpa, "-i", out, "--no-end").stdout.splitlines()
    words = [int(line.split("\t")[1]) for line in lines[:-1]]
    assert sum(words[:-1]) < 1000 <= sum(words)
    assert max(words) == 3
