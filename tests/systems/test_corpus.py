"""A training's files as one value."""

from pathlib import Path

import pytest
from headway import ConfigError, Corpus, InputError, Settings, TreeSource, train
from headway.parse import TreebankPart

QUICK = Settings.load(None, ["align.samples=1", "lm.classes.count=0"])


def test_a_corpus_is_the_same_as_its_files(corpus: Path, tmp_path: Path) -> None:
    one, two = corpus / "dev.de", corpus / "test.de"
    targets = [corpus / "dev.en", corpus / "test.en"]
    whole = Corpus([one, two], targets, monolingual=[corpus / "train.en"])
    train("phrase", whole, out=tmp_path / "a", settings=QUICK)
    train(
        "phrase", [one, two], targets, tmp_path / "b", monolingual=[corpus / "train.en"],
        settings=QUICK,
    )  # fmt: skip
    for name in ("rules.table", "lm.bin"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_trees_come_by_side(corpus: Path, tmp_path: Path) -> None:
    trees = TreeSource(treebanks=f"{corpus / 'dev.en.conllu'}:2")
    assert trees.treebanks == (TreebankPart(corpus / "dev.en.conllu", 2.0),)
    assert (trees.ways, TreeSource().ways, TreeSource("a", "b", "c").ways) == (1, 0, 3)
    given = Corpus(corpus / "dev.de", corpus / "dev.en", source_trees=trees)
    with pytest.raises(ConfigError, match="str2dep uses no source trees; leave out --source-tree"):
        train("str2dep", given, out=tmp_path / "x")
    both = Corpus(corpus / "dev.de", corpus / "dev.en", target_trees=trees)
    with pytest.raises(ConfigError, match="phrase uses no trees; leave out --treebank"):
        train("phrase", both, out=tmp_path / "x")


def test_a_corpus_names_all_files(corpus: Path, tmp_path: Path) -> None:
    whole = Corpus(corpus / "dev.de", corpus / "dev.en")
    with pytest.raises(ConfigError, match="a Corpus names all files; give no others beside it"):
        train("phrase", whole, corpus / "dev.en", tmp_path / "x")
    with pytest.raises(ConfigError, match="2 source files, but 1 target files"):
        Corpus([corpus / "dev.de", corpus / "test.de"], corpus / "dev.en")
    missing = Corpus(corpus / "dev.de", corpus / "nowhere")
    with pytest.raises(InputError, match="nowhere: no such file"):
        train("phrase", missing, out=tmp_path / "x")
    assert not (tmp_path / "x.work").exists()
