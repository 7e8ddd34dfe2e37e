"""Parsers from outside, behind the interface of our own."""

import json
import math
import sys
import types
from pathlib import Path
from typing import Any

import pytest
from conftest import Headway
from headway import parse
from headway.errors import ConfigError, FormatError
from treebanks import treebank

WORDS = ["The", "dog", "barks", "."]


def word(text: str, head: int, deprel: str, upos: str, xpos: str | None) -> Any:
    return types.SimpleNamespace(text=text, head=head, deprel=deprel, upos=upos, xpos=xpos)


class FakeStanza:
    """As much of a pipeline as is asked of it: every word hangs from the first."""

    def __init__(self, split: bool = False) -> None:
        self.split = split
        self.batches: list[int] = []

    def __call__(self, sentences: list[list[str]]) -> Any:
        self.batches.append(len(sentences))
        parsed = []
        for words in sentences:
            assert words, "Stanza is given no empty sentence"
            found = [
                word(w, int(at > 0), "root" if at == 0 else "dep", "X", "x")
                for at, w in enumerate(words)
            ]
            parsed.append(types.SimpleNamespace(words=found * (2 if self.split else 1)))
        return types.SimpleNamespace(sentences=parsed)


def test_stanza_sentences_become_trees() -> None:
    sentence = types.SimpleNamespace(
        words=[
            word("The", 2, "det", "DET", "DT"),
            word("dog", 3, "nsubj", "NOUN", "NN"),
            word("barks", 0, "root", "VERB", None),
            word(".", 3, "punct", "PUNCT", "."),
        ]
    )
    tree = parse.tree_from_stanza(sentence)
    assert (tree.forms, tree.heads) == (WORDS, [2, 3, 0, 3])
    assert tree.tags == ["DT", "NN", "_", "."]
    assert tree.labels == ["det", "nsubj", "root", "punct"]
    assert parse.tree_from_stanza(sentence, tags="upos").tags == ["DET", "NOUN", "VERB", "PUNCT"]


def test_stanza_pipelines_are_parsers() -> None:
    pipeline = FakeStanza()
    parser = parse.StanzaParser(pipeline)
    sentences = [WORDS, [], ["Yes"], *([["a", "b"]] * 600)]
    trees = parser.parse(sentences)
    assert [tree.forms for tree in trees] == sentences
    assert trees[0].heads == [0, 1, 1, 1]
    assert all(size <= 256 for size in pipeline.batches)
    assert parser.tag(["a", "b"]) == ["x", "x"]
    assert parser.kbest(["a"], 3)[0].probability == 1
    for scale in (math.inf, math.nan, -1.0):
        with pytest.raises(ConfigError, match=r"^scale: .* makes no probabilities"):
            parser.kbest(["a"], 3, scale=scale)
    with pytest.raises(FormatError, match="Stanza made 4 words of 2; make the pipeline with"):
        parse.StanzaParser(FakeStanza(split=True)).parse([["a", "b"]])
    with pytest.raises(ConfigError, match="a stanza parser takes no tags"):
        parser.parse_tagged(["a"], ["x"])
    with pytest.raises(ConfigError, match="a stanza parser is not saved"):
        parser.save("anywhere")


def test_text_is_tokenised_and_keeps_its_spaces(tmp_path: Path) -> None:
    source, output = tmp_path / "text", tmp_path / "trees.conllu"
    source.write_text("The dog barks.\n\nNo\n")
    told: list[tuple[int, int]] = []
    parser = parse.StanzaParser(FakeStanza())
    count = parser.parse_file(
        source, output, language="en", progress=lambda done, total: told.append((done, total))
    )
    assert count == 3
    assert told[-1] == (3, 0)
    text = output.read_text()
    assert text.startswith("# text = The dog barks.\n1\tThe\t_\t_\tx\t_\t0\troot\t_\t_\n")
    assert "3\tbarks\t_\t_\tx\t_\t1\tdep\t_\tSpaceAfter=No\n4\t.\t" in text
    parser.parse_file(source, output, tokenised=True)
    assert "3\tbarks.\t" in output.read_text()


def test_missing_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for package, name in (("spacy", "spaCy"), ("stanza", "Stanza")):
        monkeypatch.setitem(sys.modules, package, None)
        with pytest.raises(ConfigError) as caught:
            parse.load(f"{package}:en")
        expected = f"{name} is not installed; run: pip install 'headway[{package}]'"
        assert str(caught.value) == expected


def test_missing_stanza_models_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def pipeline(language: str, **options: object) -> None:
        assert (language, options["package"], options["download_method"]) == ("xx", "gsd", None)
        raise FileNotFoundError("no resources\nlong story")

    monkeypatch.setitem(sys.modules, "stanza", types.SimpleNamespace(Pipeline=pipeline))
    with pytest.raises(ConfigError) as caught:
        parse.load("stanza:xx:gsd")
    assert str(caught.value) == (
        "stanza:xx:gsd: no resources; fetch it in Python: stanza.download('xx')"
    )


@pytest.fixture(scope="module")
def spacy() -> Any:
    return pytest.importorskip(
        "spacy", reason="spaCy is not installed: pip install 'headway[spacy]'"
    )


@pytest.fixture
def pipeline(spacy: Any) -> Any:
    """A pipeline whose component hangs each word from the next and the last from the root."""
    name = "chain_for_tests"

    def chain(doc: Any) -> Any:
        heads = [min(at + 1, len(doc) - 1) for at in range(len(doc))]
        deps = ["dep"] * (len(doc) - 1) + ["ROOT"]
        tagged = spacy.tokens.Doc(
            doc.vocab, words=[t.text for t in doc], heads=heads, deps=deps[: len(doc)],
            tags=["T"] * len(doc), pos=["X"] * len(doc),
        )  # fmt: skip
        return tagged if len(doc) else doc

    spacy.Language.component(name, func=chain)
    nlp = spacy.blank("en")
    nlp.add_pipe(name)
    return nlp


def test_spacy_documents_become_trees(spacy: Any) -> None:
    doc = spacy.tokens.Doc(
        spacy.blank("en").vocab,
        words=WORDS,
        heads=[1, 2, 2, 2],
        deps=["det", "nsubj", "ROOT", "punct"],
        tags=["DT", "NN", "VBZ", "."],
        pos=["DET", "NOUN", "VERB", "PUNCT"],
    )
    tree = parse.tree_from_spacy(doc)
    assert (tree.forms, tree.heads) == (WORDS, [2, 3, 0, 3])
    assert tree.tags == ["DT", "NN", "VBZ", "."]
    assert tree.labels == ["det", "nsubj", "root", "punct"]
    assert parse.tree_from_spacy(doc, tags="upos").tags == ["DET", "NOUN", "VERB", "PUNCT"]
    assert parse.tree_from_spacy(doc[1:4]).heads == [2, 0, 2]


def test_several_roots_become_one(spacy: Any) -> None:
    doc = spacy.tokens.Doc(
        spacy.blank("en").vocab,
        words=["Yes", ".", "No", "."],
        heads=[0, 0, 2, 2],
        deps=["ROOT", "punct", "ROOT", "punct"],
    )
    tree = parse.tree_from_spacy(doc)
    assert tree.heads == [0, 1, 1, 3]
    assert tree.labels == ["root", "punct", "parataxis", "punct"]
    assert tree.tags == ["_"] * 4


def test_spacy_pipelines_are_parsers(pipeline: Any, spacy: Any) -> None:
    parser = parse.SpacyParser(pipeline)
    trees = parser.parse([WORDS, [], ["Yes"]])
    assert [tree.forms for tree in trees] == [WORDS, [], ["Yes"]]
    assert trees[0].heads == [2, 3, 4, 0]
    assert trees[0].labels == ["dep", "dep", "dep", "root"]
    assert parser.tag(WORDS) == ["T"] * 4
    with pytest.raises(ConfigError, match="this spaCy pipeline has no parser in it"):
        parse.SpacyParser(spacy.blank("en")).parse([WORDS])


def test_saved_spacy_pipelines_are_loaded_by_path(spacy: Any, tmp_path: Path) -> None:
    nlp = spacy.blank("en")
    parser = nlp.add_pipe("parser")
    for label in ("det", "nsubj", "punct"):
        parser.add_label(label)
    nlp.initialize()
    nlp.to_disk(tmp_path / "model")
    outside = parse.load(f"spacy:{tmp_path / 'model'}")
    # Untrained, but it is spaCy's own parser: one sentence, one root.
    [tree] = outside.parse([[*WORDS, "It", "runs", "."]])
    assert tree.is_tree
    with pytest.raises(ConfigError, match=r"spacy:no_such_model: .*python -m spacy download"):
        parse.load("spacy:no_such_model")


def test_files_of_trees_are_parsers(tmp_path: Path, headway: Headway) -> None:
    file = tmp_path / "trees.conllu"
    file.write_text(treebank(1, 30))
    parser = parse.load(file)
    assert (parser.kind, parser.tags) == ("trees", "xpos")
    done = headway("parse", "eval", file, file, "--json")
    assert done.returncode == 0, done.stderr
    table = json.loads(done.stdout)
    assert table["uas"] == table["las"] == table["tags"] == 100
    with pytest.raises(
        FormatError, match=r"no tree of sentence 1, 'The dog barks \.'; are its words"
    ):
        parser.parse([WORDS])
    assert parser.parse([[]])[0].heads == []


def test_repeated_sentences_get_their_trees_in_turn(tmp_path: Path) -> None:
    file = tmp_path / "trees.conllu"
    one = "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n2\tb\t_\tX\t_\t_\t1\tx\t_\t_\n\n"
    other = "1\ta\t_\tX\t_\t_\t2\tx\t_\t_\n2\tb\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
    file.write_text(one + other)
    parser = parse.load(file)
    assert parser.tags == "upos"
    found = parser.parse([["a", "b"]] * 3)
    assert [tree.heads for tree in found] == [[0, 1], [2, 0], [2, 0]]


def test_unparsed_files_are_refused_with_their_line(tmp_path: Path, headway: Headway) -> None:
    file = tmp_path / "bare.conllu"
    file.write_text("1\ta\t_\tX\t_\t_\t_\t_\t_\t_\n\n")
    done = headway("parse", "run", file, stdin="a\n")
    assert done.returncode == 2
    assert "bare.conllu:1: word 1 of this sentence has no head" in done.stderr
    assert done.stderr.count("\n") == 1
