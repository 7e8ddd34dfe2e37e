"""What a training has no use for is told, and weights that a system has not are refused."""

from math import nan
from pathlib import Path
from typing import Any

import pytest
from conftest import Headway
from headway import ConfigError, Corpus, Settings, _core, train
from headway.systems import SYSTEMS, searches
from headway.systems.effects import idle_weights
from headway.systems.searches import StatefulFeature
from headway.systems.system import Choice

IDLE = {
    "hiero": (
        "search.max_phrase=3", "search.stop=true", "str2dep.model=filtered", "rescore.order=2",
        "extract.phrase.max_length=5", "extract.str2dep.labels=false",
        "extract.tags=upos", "extract.kind=hiero", "lm.dependency_order=2", "parse.rounds=3",
        "lm.classes.order=3", "parse.dmv.restarts=1", "tune.iterations=2",
        "weights.dependency-lm=1",
    ),
    "phrase": (
        "search.span_limit=9", "extract.hiero.slots=1", "weights.glue=1", "weights.dependency=1",
        "tune.n_best=7", "rescore.n_best=9",
    ),
    "phrase-deplm": (
        "extract.hiero.slots=1", "lm.dependency_order=2", "weights.dependency-lm=1",
        "parse.transition.beam=2", "extract.tags=upos",
    ),
    "str2dep": (
        "extract.hiero.slots=1", "extract.phrase.max_length=3", "weights.glue=1", "parse.rounds=2",
        "extract.reordering.model=none", "weights.unmatched-labels=1", "tune.iterations=2",
        "str2dep.model=str-dep", "extract.str2dep.labels=false", "extract.tags=upos",
    ),
}  # fmt: skip
USED = {
    "hiero": (
        "extract.hiero.slots=1", "lm.order=3", "weights.glue=0.1", "align.lowercase=false",
        "lm.classes.count=0",
    ),
    "phrase": (
        "extract.phrase.max_length=3", "extract.reordering.model=phrase", "lm.classes.order=3",
        "weights.reordering=0.1", "weights.class-lm=0.2", "search.distortion_limit=3",
    ),
    "phrase-deplm": (
        "parse.rounds=1", "parse.tagger_rounds=1", "parse.jackknife=0", "parse.label_rounds=1",
        "parse.feature_bits=18", "weights.dependency=0.1",
    ),
    "str2dep": (
        "extract.str2dep.slots=1", "extract.str2dep.structures=all", "lm.dependency_order=2",
        "search.stop=true", "weights.ill-formed=-1", "align.fertility_iterations=2",
        "align.samples=2", "lm.classes.order=3", "weights.class-lm=0.2",
    ),
}  # fmt: skip


@pytest.mark.parametrize("system", IDLE)
def test_training_settings_without_effect_are_told(
    corpus: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture, system: str
) -> None:
    given: dict[str, Any] = {
        "phrase-deplm": {"treebanks": corpus / "dev.en.conllu"},
        "str2dep": {"target_trees": corpus / "dev.en.conllu"},
    }.get(system, {})
    chosen = Settings.load(None, [*IDLE[system], *USED[system]])
    found = train(
        system, corpus / "dev.de", corpus / "dev.en", tmp_path / "x", settings=chosen, **given
    )
    told = [one.split()[0] for one in caplog.messages if "effect" in one or "second pass" in one]
    # Its own configuration is told of by what it has no use for, not by its name.
    names = {it.partition("=")[0] for it in IDLE[system]} - own_configuration(system)
    assert sorted(told) == sorted(names)
    assert found.rules


def own_configuration(system: str) -> set[str]:
    return {"str2dep.model"} if system == "str2dep" else set()


def test_settings_of_a_file_are_told_too(corpus: Path, tmp_path: Path, headway: Headway) -> None:
    (tmp_path / "all.toml").write_text(headway("settings").stdout)
    (tmp_path / "some.toml").write_text("[tune]\niterations = 3\n\n[weights]\nreordering = 1.0\n")
    for name, idle in (("all", []), ("some", ["tune.iterations", "weights.reordering"])):
        done = headway(
            "train", "hiero", "--source", corpus / "dev.de", "--target", corpus / "dev.en",
            "--out", tmp_path / name, "--config", tmp_path / f"{name}.toml",
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        told = [line.split()[1] for line in done.stderr.splitlines() if "has no effect" in line]
        assert told == idle


@pytest.mark.parametrize(
    ("system", "setting", "weight", "why"),
    [
        ("hiero", "", "dependency-lm", "no such feature: only str2dep has it"),
        (
            "hiero",
            "",
            "reordering.backward.swap",
            "no such feature: only phrase, phrase-deplm, phrase-deporder and phrase-qpdg have it",
        ),
        ("hiero", "lm.classes.count=0", "class-lm", "no such feature: lm.classes.count is 0"),
        ("hiero", "", "gluu", "no such feature; did you mean glue"),
        ("hiero", "", "lm.foo", "no such feature; did you mean lm"),
        ("phrase", "", "glue", "no such feature: only hiero and str2dep have it"),
        ("phrase", "", "Glue", "no such feature; it has p"),
        ("phrase", "", "dependency", "no such feature: only phrase-deplm has it"),
        ("phrase", "", "reordering", "stands for several features; weigh them all with --set"),
        ("phrase", "extract.reordering.model=none", "reordering.backward.swap", "model is none"),
        ("str2dep", "", "glue", "no such feature: str2dep has special-rules instead"),
        ("str2dep", "extract.str2dep.labels=false", "unmatched-labels", "rules have no labels"),
        ("str2dep", "str2dep.model=filtered", "ill-formed", "no trees with str2dep.model=filtered"),
    ],
)
def test_weights_that_a_system_has_not_are_refused_before_training(
    corpus: Path, tmp_path: Path, system: str, setting: str, weight: str, why: str
) -> None:
    sides, trees = (corpus / "dev.de", corpus / "dev.en"), corpus / "dev.en.conllu"
    settings = Settings.load(None, [setting] if setting else [])
    with pytest.raises(ConfigError, match=rf"weight {weight}: .*{why}"):
        train(
            system, *sides, tmp_path / "x", weights={weight: 3.0}, settings=settings,
            target_trees=trees if system == "str2dep" else None,
        )  # fmt: skip
    assert not (tmp_path / "x.work").exists()


def test_a_weight_is_a_number(corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"weight lm: expected a number from .* found nan"):
        train("hiero", corpus / "dev.de", corpus / "dev.en", tmp_path / "x", weights={"lm": nan})
    assert not (tmp_path / "x.work").exists()


def test_a_feature_of_the_table_is_known_to_all_systems_of_its_search(
    corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after one more line in the core's registry: nothing else has to name it."""
    stutter = StatefulFeature(
        "rules", frozenset({"stack"}), ("stutter",), frozenset({"stutter_limit"}), None, False, True
    )
    monkeypatch.setattr(searches, "STATEFUL", (*searches.STATEFUL, stutter))
    settings = Settings.load()
    settings.weights["stutter"] = 0.1
    choice = Choice(settings, Corpus(corpus / "dev.de", corpus / "dev.en"))
    found = {name: idle_weights(system, choice) for name, system in SYSTEMS.items()}
    assert {name for name, idle in found.items() if "stutter" not in idle} == {
        "phrase", "phrase-deplm", "phrase-deporder",
    }  # fmt: skip
    assert found["hiero"]["stutter"] == "only phrase, phrase-deplm and phrase-deporder have it"


def test_default_settings_are_those_that_the_core_declares() -> None:
    assert sorted(Settings.load().search) == sorted(_core.search_settings())
