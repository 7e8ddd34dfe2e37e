"""Constituent trees in Penn brackets."""

import gzip
import pickle
from pathlib import Path

from headway.trees import ConstituentTree, convert, read_penn, read_sentences, write_penn

TEXT = (
    "( (S (NP-SBJ-1 (NN Time)) (VP (VBZ flies) (NP (-NONE- *-1)) (PRN (-LRB- -LRB-) (NN 1\\/2)))))"
)


def test_a_tree_says_what_is_in_it() -> None:
    tree = ConstituentTree(TEXT)
    assert str(tree) == TEXT
    assert tree.leaves == ["Time", "flies", "*-1", "-LRB-", "1\\/2"]
    assert tree.words == ["Time", "flies", "*-1", "(", "1/2"]
    assert tree.tags == ["NN", "VBZ", "-NONE-", "-LRB-", "NN"]
    assert tree.spans()[:3] == [("", 1, 5), ("S", 1, 5), ("NP-SBJ-1", 1, 1)]
    assert [child.label for child in tree.children[0].children] == ["NP-SBJ-1", "VP"]
    assert tree.children[0].children[0].children[0].leaves == ["Time"]


def test_stripping() -> None:
    tree = ConstituentTree(TEXT)
    bare = "(S (NP (NN Time)) (VP (VBZ flies) (PRN (-LRB- -LRB-) (NN 1\\/2))))"
    assert str(tree.strip()) == bare
    assert str(tree.strip(traces=False, functions=False, wrapper=False)) == TEXT


def test_trees_are_values() -> None:
    tree = ConstituentTree(TEXT)
    assert pickle.loads(pickle.dumps(tree)) == tree  # noqa: S301
    assert {tree} == {ConstituentTree(TEXT)}


def test_the_treebank_sample_is_read_as_it_is(data: Path, tmp_path: Path) -> None:
    path = data / "ptb" / "wsj-sample.mrg.gz"
    trees = list(read_penn(path))
    original = gzip.decompress(path.read_bytes()).decode()
    assert "".join(map(str, trees)).replace(" ", "") == "".join(original.split())
    for width in (None, 70):
        write_penn(tmp_path / "copy.mrg", trees, width)
        assert list(read_penn(tmp_path / "copy.mrg")) == trees


def test_stripped_words_are_those_of_the_dependency_trees(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "bare.mrg"
    convert(data / "ptb" / "wsj-sample.mrg.gz", out, strip=True)
    words = [(tree.leaves, tree.tags) for tree in read_penn(out)]
    table = read_sentences(data / "ptb" / "wsj-sample.dp.gz")
    assert words == [(sentence.forms, sentence.column("xpos")) for sentence in table]
