"""What is translated: lines, lists of words, sources with trees."""

from pathlib import Path

import pytest
from conftest import Headway
from headway import ConfigError, FormatError, Source, Translator
from headway.corpus import read_lines
from headway.systems.source import SourceTrees
from headway.trees import DependencyTree, Sentence, read_sentences, write_sentences


def chain(words: list[str]) -> DependencyTree:
    """Each word hangs from the one before."""
    many = len(words)
    return DependencyTree(words, list(range(many)), ["X"] * many, ["dep"] * many)


@pytest.mark.parametrize("system", ["phrase", "hiero", "str2dep"])
def test_lines_words_and_sources_are_the_same_sentence(small_systems: Path, system: str) -> None:
    translator = Translator.load(small_systems / system)
    lines = [*read_lines(small_systems / "corpus" / "test.de")][:4]
    words = translator.words(lines)
    sources = [Source(tuple(one), ((chain(one), 1.0),)) for one in words]
    by_line, by_words = translator.translate(lines), translator.translate(words)
    by_source = translator.translate(sources)
    mixed = translator.translate([lines[0], words[1], sources[2], lines[3]])
    for found in (by_words, by_source, mixed):
        assert [(one.text, one.score, one.source) for one in found] == [
            (one.text, one.score, one.source) for one in by_line
        ]
    assert all("ignored-trees" in one.flags for one in by_source)
    assert not any("ignored-trees" in one.flags for one in by_line)
    assert Source.of(chain(words[0])) == sources[0]


def test_trees_that_do_not_fit_are_refused(small_systems: Path) -> None:
    translator = Translator.load(small_systems / "phrase")
    tree = chain(["a", "b"])
    with pytest.raises(ConfigError, match="a source tree of 2 words for a sentence of 3"):
        translator.translate([Source(("a", "b", "c"), ((tree, 1.0),))])
    with pytest.raises(ConfigError, match="weight of a source tree is -1; give one above 0"):
        translator.translate([Source(("a", "b"), ((tree, -1.0),))])


@pytest.mark.parametrize("words", [["der Hund", "bellt"], ["der", ""], ["der\n"], "der Hund"])
def test_words_are_words(small_systems: Path, words: list[str]) -> None:
    translator = Translator.load(small_systems / "phrase")
    with pytest.raises(ConfigError, match=r"is empty or has white space|expected a list of words"):
        translator.translate([Source(words if isinstance(words, str) else tuple(words))])


def trees_of(path: Path, words: list[list[str]]) -> Path:
    sentences = []
    for one in words:
        heads = list(range(len(one)))
        sentences.append(Sentence.from_columns(one, head=heads, deprel=["dep"] * len(one)))
    write_sentences(path, sentences)
    return path


def test_trees_of_a_file_go_with_their_lines(small_systems: Path, tmp_path: Path) -> None:
    words = [["Der", "Hund"], [], ["Sie", "schläft", "."]]
    path = trees_of(tmp_path / "t.conllu", [words[0], words[2]])
    found = SourceTrees(path).sources(words, 1, "text.de")
    assert [one.words for one in found] == [tuple(one) for one in words]
    assert [len(one.trees) for one in found] == [1, 0, 1]
    assert list(found[2].trees[0][0].heads) == [0, 1, 2]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["der Hund"], r"t\.conllu: no tree for <stdin>:2; give one"),
        (["der Hund", "sie schläft"], r"t\.conllu:4: a tree of 'sie schläft' for <stdin>:2"),
        (["der Hund", "sie schläft .", "ja"], r"t\.conllu:8: more trees than lines"),
    ],
)
def test_trees_of_other_words_are_refused_with_file_and_line(
    tmp_path: Path, words: list[str], message: str
) -> None:
    path = trees_of(tmp_path / "t.conllu", [one.split() for one in words])

    def read() -> None:
        trees = SourceTrees(path)
        trees.sources([["Der", "Hund"], ["Sie", "schläft", "."]], 1, "<stdin>")
        trees.finish()

    with pytest.raises(FormatError, match=message):
        read()


def test_the_command_reads_trees_of_its_input(
    small_systems: Path, tmp_path: Path, headway: Headway
) -> None:
    corpus = small_systems / "corpus"
    text, trees = corpus / "test.de", corpus / "test.de.conllu"
    cut = Translator.load(small_systems / "phrase").words([*read_lines(text)])
    given = [sentence.forms for sentence in read_sentences(trees)]
    if [[w.lower() for w in one] for one in cut] != [[w.lower() for w in one] for one in given]:
        trees = trees_of(tmp_path / "cut.conllu", cut)
    plain = headway("translate", small_systems / "phrase", "-i", text)
    done = headway("translate", small_systems / "phrase", "-i", text, "--source-trees", trees)
    assert (done.returncode, done.stdout) == (0, plain.stdout), done.stderr
    assert "--source-trees has no effect: phrase does not use it" in done.stderr
    short = trees_of(tmp_path / "short.conllu", cut[:1])
    done = headway("translate", small_systems / "phrase", "-i", text, "--source-trees", short)
    assert done.returncode == 2
    assert "no tree for" in done.stderr
