"""Parsers that learn from their own trees of the training text."""

from pathlib import Path

import pytest
from conftest import Headway
from headway import ConfigError, Settings, parse, train
from headway.corpus import read_lines
from headway.systems import Trained, TreeSource
from headway.trees import read_sentences

FAST = [
    "parse.kind=transition", "parse.transition.beam=1", "parse.transition.rounds=1",
    "parse.tagger_rounds=1", "parse.jackknife=0", "parse.label_rounds=1", "parse.feature_bits=18",
    "align.fertility_iterations=2", "align.samples=1", "lm.classes.count=0", "run.threads=2",
]  # fmt: skip


def trained(corpus: Path, out: Path, *overrides: str, self_train: bool = True) -> Trained:
    return train(
        "str2dep",
        corpus / "dev.de",
        corpus / "dev.en",
        out,
        treebanks=[corpus / "dev.en.conllu"],
        self_train=self_train,
        settings=Settings.load(None, [*FAST, *overrides]),
        work=out.parent / "work",
    )


def test_the_parser_learns_from_its_own_trees(corpus: Path, tmp_path: Path) -> None:
    plain = trained(corpus, tmp_path / "plain", self_train=False)
    first = trained(corpus, tmp_path / "first")
    steps = [step.name for step in first.steps if not step.reused]
    assert steps[:3] == ["first-parser", "self-trees", "parser"]
    assert "first-parser" not in [step.name for step in plain.steps]
    # What the first parser says of the text is what the second one learns from.
    work = tmp_path / "work"
    lines = [line.split() for line in read_lines(work / "train.target")]
    said = [sentence.tree() for sentence in read_sentences(work / "self.conllu")]
    assert [tree.forms for tree in said] == lines
    parsed = parse.load(work / "first-parser.bin").parse(lines[:50])
    assert [tree.heads for tree in said[:50]] == [tree.heads for tree in parsed]
    assert first.bundle.manifest.facts["self_trees"] == len(lines)
    # Each step is done once, and again only if something that it reads has changed.
    again = trained(corpus, tmp_path / "again")
    assert all(step.reused for step in again.steps)
    other = trained(corpus, tmp_path / "other", "self_train.weight=2")
    redone = {step.name for step in other.steps if not step.reused}
    assert "parser" in redone
    assert not {"first-parser", "self-trees", "align"} & redone


def test_self_training_needs_a_treebank(corpus: Path, tmp_path: Path, headway: Headway) -> None:
    with pytest.raises(ConfigError, match="give --treebank too"):
        TreeSource(parser="x", self_train=True)
    sides = ("--source", corpus / "dev.de", "--target", corpus / "dev.en")
    out = tmp_path / "out"
    found = headway("train", "phrase-deplm", *sides, "--parser", "x", "--self-train", "--out", out)
    assert found.returncode == 2
    assert "--self-train: self-training begins with a parser trained on a treebank" in found.stderr
    assert not out.exists()


def test_a_weight_of_nothing_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"self_train.weight"):
        Settings.load(None, ["self_train.weight=0"])


def test_the_weight_has_no_effect_without_self_training(
    corpus: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    trained(corpus, tmp_path / "out", "self_train.weight=3", self_train=False)
    assert "self_train.weight has no effect: --self-train is not given" in caplog.text
