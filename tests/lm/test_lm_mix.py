"""Several models as one."""

import math
import random
from pathlib import Path

import headway.lm
import pytest
from arpa_oracle import LN10
from conftest import Headway
from headway import ConfigError
from headway.lm import LanguageModel, Mixture

TEXTS = (
    "the dog walks .\na dog sees the cat .\nthe cat walks .\n",
    "a bird sings .\nthe bird sees a dog .\n",
)


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> list[LanguageModel]:
    directory = tmp_path_factory.mktemp("mix")
    found = []
    for index, text in enumerate(TEXTS):
        (directory / "text").write_text(text * 2)
        headway.lm.train(directory / "text", directory / f"{index}.arpa", order=3)
        found.append(LanguageModel.load(directory / f"{index}.arpa"))
    return found


def probability(models: list[LanguageModel], weights: list[float], words: list[str]) -> float:
    """Of the last word after the others, by definition."""
    known = any(words[-1] in model for model in models)
    total = 0.0
    for model, weight in zip(models, weights, strict=True):
        if words[-1] in model or not known:
            scores, _ = model.advance(model.state(), words)
            total += weight * math.exp(scores[-1].log_prob)
    return total


def test_a_mixture_scores_weighted_sums(models: list[LanguageModel]) -> None:
    mixture = Mixture(models, [3, 1])
    assert mixture.weights == [0.75, 0.25]
    sentence = "the bird sees the xyzzy dog ."
    words = [*sentence.split(), "</s>"]
    logs = [
        math.log(probability(models, mixture.weights, words[: n + 1])) for n in range(len(words))
    ]
    score = mixture.score_texts([sentence])[0]
    assert score.log_prob == pytest.approx(sum(logs), abs=1e-5)
    assert (score.words, score.unknown) == (8, 1)
    assert score.log_prob_unknown == pytest.approx(logs[4], abs=1e-5)


def test_tuned_weights_are_the_best_ones(models: list[LanguageModel]) -> None:
    dev = ["the dog sees a cat .", "the bird walks .", "a cat sees the dog .", "xyzzy"]
    mixture, tuning = Mixture.tune(models, dev)
    assert sum(tuning.weights) == pytest.approx(1)
    best = mixture.evaluate(dev).perplexity_known
    assert best == pytest.approx(tuning.perplexity, rel=1e-4)
    assert tuning.perplexity <= tuning.perplexity_before
    for step in range(101):
        other = Mixture(models, [step / 100, 1 - step / 100]).evaluate(dev).perplexity_known
        assert other >= best - 1e-6
    with pytest.raises(ConfigError, match="no word of the tuning text"):
        Mixture.tune([models[0]], [])


def test_the_merged_model_has_the_mixtures_n_grams_and_sums_to_one(
    models: list[LanguageModel], tmp_path: Path
) -> None:
    mixture = Mixture(models, [0.6, 0.4])
    mixture.write_arpa(tmp_path / "mixed.arpa")
    merged = LanguageModel.load(tmp_path / "mixed.arpa")
    words = [word for word in merged.words() if word != "<s>"]
    assert set(words) == {w for m in models for w in m.words()} - {"<s>"}
    chance = random.Random(3)
    for _ in range(60):
        context = chance.choices(words, k=chance.randint(0, 3))
        total = 0.0
        for word in words:
            score = merged.advance(merged.state(), [*context, word])[0][-1]
            total += math.exp(score.log_prob)
            if score.length == merged.order:
                expected = probability(models, mixture.weights, [*context, word])
                assert score.log_prob == pytest.approx(math.log(expected), abs=1e-4)
        assert total == pytest.approx(1, abs=1e-4)


def test_mix_prints_weights_and_writes_a_model(
    headway: Headway, models: list[LanguageModel], tmp_path: Path
) -> None:
    dev, out = tmp_path / "dev", tmp_path / "m.arpa"
    dev.write_text(TEXTS[1])
    paths = [model.path for model in models]
    done = headway("lm", "mix", *paths, "--tune", dev, "-i", dev, "-o", out)
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    weights = [float(line.split("\t")[0]) for line in lines[:2]]
    assert weights[1] > weights[0]
    assert sum(weights) == pytest.approx(1, abs=1e-5)
    assert "perplexity" in lines[2]
    assert LanguageModel.load(out).order == 3
    assert headway("lm", "mix", *paths).returncode == 2
    assert headway("lm", "mix", *paths, "-w", 1).returncode == 2


def test_weights_that_cannot_be_are_named(models: list[LanguageModel]) -> None:
    for weights in ([1.0], [-1.0, 2.0], [0.0, 0.0], [math.nan, 1.0]):
        with pytest.raises(ConfigError, match="weights"):
            Mixture(models, weights)
    assert pytest.approx(math.log(10)) == LN10
