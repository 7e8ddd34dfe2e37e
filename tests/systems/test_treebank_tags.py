"""The tags that a parser of a side learns where a treebank has words without some."""

import logging
from pathlib import Path

import pytest
from headway import Bundle, FormatError, Settings, fragment, parse, train
from headway.systems.treebank_tags import learnt_tags
from headway.trees import read_sentences

# A parser that is trained in no time, and little else to do.
FAST = [
    "parse.kind=transition", "parse.transition.beam=1", "parse.transition.rounds=1",
    "parse.tagger_rounds=1", "parse.jackknife=0", "parse.label_rounds=1", "parse.feature_bits=18",
    "align.samples=1", "align.fertility_iterations=2", "lm.classes.count=0",
]  # fmt: skip


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("tags")
    fragment.write(place, pairs=60, dev=1, test=1, seed=4)
    return place


def _with_gap(
    corpus: Path, out: Path, *, number: int, columns: tuple[str, ...]
) -> tuple[Path, int]:
    """German trees whose sentence of this number has a second word without tags; its line."""
    sentences = list(read_sentences(corpus / "train.de.conllu"))
    for name in columns:
        tags = list(sentences[number].column(name))
        tags[1] = "_"
        sentences[number].set_column(name, tags)
    out.write_text("".join(map(str, sentences)), encoding="utf-8")
    return out, [one.line for one in read_sentences(out)][number]


def test_a_source_treebank_without_some_xpos_is_learnt_by_upos(
    corpus: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    bank, line = _with_gap(corpus, tmp_path / "bank.conllu", number=30, columns=("xpos",))
    with caplog.at_level(logging.WARNING):
        train(
            "phrase-deporder",
            corpus / "train.de",
            corpus / "train.en",
            tmp_path / "m",
            source_treebanks=str(bank),
            target_trees=corpus / "train.en.conllu",
            settings=Settings.load(None, FAST),
            warn_idle=False,
        )
    told = [one.getMessage() for one in caplog.records if "XPOS" in one.getMessage()]
    where = f"{bank}:{line}: word 2 of this sentence has no XPOS tag"
    assert told == [f"{where}; the source parser learns UPOS instead"]
    (parser,) = Bundle.open(tmp_path / "m").names("source-parser")
    assert parse.load(Bundle.open(tmp_path / "m").path(parser)).tags == "upos"
    # The other side decides for itself.
    assert learnt_tags([corpus / "train.en.conllu"], Settings.load()).column == "xpos"


def test_a_column_asked_for_by_name_is_not_replaced(corpus: Path, tmp_path: Path) -> None:
    bank, line = _with_gap(corpus, tmp_path / "bank.conllu", number=30, columns=("xpos",))
    settings = Settings.load(None, ["parse.tags=xpos"])
    expected = rf"bank.conllu:{line}: word 2 of .* no XPOS tag; --set parse.tags=upos"
    with pytest.raises(FormatError, match=expected):
        train(
            "str2dep",
            corpus / "train.de",
            corpus / "train.en",
            tmp_path / "m",
            treebanks=str(bank),
            settings=settings,
        )
    assert not (tmp_path / "m.work").exists()


def test_every_treebank_of_a_side_counts(corpus: Path, tmp_path: Path) -> None:
    bank, line = _with_gap(corpus, tmp_path / "bank.conllu", number=3, columns=("xpos",))
    found = learnt_tags([corpus / "train.de.conllu", bank], Settings.load())
    assert found.column == "upos"
    assert found.gap is not None
    assert (found.gap.path, found.gap.line) == (bank, line)


def test_a_word_without_any_tag_is_an_error_of_the_file_given(corpus: Path, tmp_path: Path) -> None:
    bank, line = _with_gap(corpus, tmp_path / "bank.conllu", number=3, columns=("xpos", "upos"))
    with pytest.raises(FormatError, match=rf"bank.conllu:{line}: .*; tag the treebank"):
        learnt_tags([bank], Settings.load())


def test_sentences_without_heads_do_not_count(corpus: Path, tmp_path: Path) -> None:
    bank, _ = _with_gap(corpus, tmp_path / "bank.conllu", number=3, columns=("xpos",))
    sentences = list(read_sentences(bank))
    sentences[3].set_column("head", ["_"] * len(sentences[3].forms))
    bank.write_text("".join(map(str, sentences)), encoding="utf-8")
    assert learnt_tags([bank], Settings.load()).gap is None
