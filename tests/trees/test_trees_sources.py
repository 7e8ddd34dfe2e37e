"""Trees of other parsers as `headway trees convert` reads them, and words compared with a text."""

import random
from pathlib import Path

import pytest
from conftest import Headway
from headway.errors import ConfigError, FormatError
from headway.trees import Graph, Repairs, read_dependencies, read_sentences, repair

BRACKETS = (
    "( (S (NP-SBJ (NNP Ann)) (VP (VBD saw) (NP (-LRB- -LRB-) (NNS 1\\/2) (-RRB- -RRB-)))))\n"
    "(())\n( (S (NP (NNS cats) (CC and) (NNS dogs)) (VP (VBP run))))\n"
)
TEXT = "Ann saw ( 1/2 )\nnot parsed\ncats and dogs run\n"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "en.mrg").write_text(BRACKETS)
    (tmp_path / "en.txt").write_text(TEXT)
    grs = "(ncmod _ b_1 a_0)\n(ncmod _ d_3 a_0)\n(ncmod _ b_1 d_3)\n(ncmod _ a_0 b_1)\n"
    words = "<c> a|T|N b|T|N c|T|N d|T|N\n"
    (tmp_path / "en.grs").write_text(grs + words)
    (tmp_path / "other.dp").write_text("a\tT\t2\nB\tT\t0\nc\tT\t2\nd\tT\t2\n\n")
    return tmp_path


def test_brackets_become_trees_with_the_words_of_the_text(headway: Headway, files: Path) -> None:
    options = ["--heads", "lth", "--text", files / "en.txt"]
    done = headway("trees", "convert", files / "en.mrg", files / "en.conllu", *options)
    assert done.returncode == 0
    assert done.stderr.splitlines() == [
        "3 trees",
        "sentences without an analysis, whose words have no heads: 1",
    ]
    found = list(read_sentences(files / "en.conllu"))
    assert [one.forms for one in found] == [line.split() for line in TEXT.splitlines()]
    assert [one.heads for one in found] == [[2, 0, 4, 2, 4], [None, None], [4, 1, 2, 0]]
    assert found[0].column("xpos") == ["NNP", "VBD", "-LRB-", "NNS", "-RRB-"]


def test_the_rules_of_collins_are_the_default(files: Path) -> None:
    found = [one.heads for one in read_dependencies(files / "en.mrg")]
    assert found == [[2, 0, 4, 2, 4], [], [4, 1, 1, 0]]


def test_the_report_says_what_was_repaired(headway: Headway, files: Path) -> None:
    done = headway("trees", "convert", files / "en.grs", files / "en.conllu")
    assert done.stdout == ""
    assert done.stderr.splitlines() == [
        "1 tree",
        "sentences whose root word was guessed: 1",
        "words with several heads, of which one was kept: 1",
        "words without a head, which hang from the root word: 1",
    ]
    (found,) = read_sentences(files / "en.conllu")
    assert found.heads == [0, 1, 1, 2]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["en.mrg", "a.conllu", "--heads", "syn"],
            'no heads "syn" for penn; expected collins, lth',
        ),
        (["en.grs", "a.conllu", "--heads", "lth"], "grs files have their own heads"),
        (["en.mrg", "a.conllu", "--roots", "en.grs"], "penn files have roots"),
        (["en.mrg", "a.mrg", "--heads", "lth"], "are for dependency trees"),
        (["en.mrg", "a.conllu", "--strip"], "only Penn brackets can be stripped"),
        (["en.grs", "a.grs"], "grs files hold graphs and are read only"),
        (
            ["en.grs", "a.conllu", "--roots", "en.mrg"],
            "en.mrg:1: 5 words here, but 4 in the tree at",
        ),
        (
            ["en.grs", "a.conllu", "--roots", "other.dp"],
            'other.dp:1: word 2 is "B" here, but "b" in the tree at en.grs:1; --roots needs trees',
        ),
        (
            ["en.grs", "a.conllu", "--text", "en.txt"],
            "en.txt:1: 5 words here, but 4 in the tree at",
        ),
        (["en.txt", "a.conllu", "--from", "grs"], 'en.txt:1: expected "(relation head dependent)"'),
        (["none", "a.conllu", "--from", "penn"], "none: no such file"),
    ],
)
def test_what_cannot_be_is_refused(
    headway: Headway, files: Path, arguments: list[str], message: str
) -> None:
    done = headway("trees", "convert", *arguments, cwd=files)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (files / "a.conllu").exists()


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (TEXT.replace("saw", "sees"), 1, 'word 2 is "sees" here, but "saw" in the tree at'),
        (TEXT.replace("dogs run", "dogs"), 3, "3 words here, but 4 in the tree at"),
    ],
)
def test_words_that_differ_are_named_in_both_files(
    files: Path, text: str, line: int, message: str
) -> None:
    (files / "en.txt").write_text(text)
    with pytest.raises(FormatError) as caught:
        list(read_dependencies(files / "en.mrg", text=files / "en.txt"))
    assert str(caught.value).startswith(f"{files / 'en.txt'}:{line}: ")
    assert f"{message} {files / 'en.mrg'}:{line}" in str(caught.value)


def test_texts_of_another_length_are_refused(files: Path) -> None:
    for lines, message in ((2, "en.txt: ends after 2 sentences"), (4, "en.mrg: ends after 3")):
        (files / "en.txt").write_text("".join(f"{TEXT}more\n".splitlines(keepends=True)[:lines]))
        with pytest.raises(FormatError, match=message):
            list(read_dependencies(files / "en.mrg", text=files / "en.txt"))


def test_files_without_trees_are_refused(tmp_path: Path) -> None:
    for name in ("a.mrg", "a.xml", "a.deps", "a.parg"):
        (tmp_path / name).write_text("")
        with pytest.raises(FormatError, match=f"{name}:1: no sentences found"):
            list(read_dependencies(tmp_path / name))


def test_tables_are_read_as_well(files: Path) -> None:
    (files / "en.dp").write_text("a\tN\t2\nb\tV\t0\n\n")
    (files / "ab").write_text("a b\n")
    (found,) = read_dependencies(files / "en.dp", text=files / "ab")
    assert found.heads == [2, 0]


def test_repaired_graphs_have_one_head_for_each_word_as_given() -> None:
    rng = random.Random(7)
    graphs = []
    for _ in range(300):
        words = rng.randrange(1, 9)
        numbers = range(1, words + 1)
        arcs = [(rng.choice(numbers), rng.choice(numbers)) for _ in range(rng.randrange(2 * words))]
        root = rng.choice([None, *numbers])
        graphs.append(Graph(Path("graphs"), 1, ["w"] * words, arcs=arcs, root=root))
    repairs = Repairs()
    for graph, (_, sentence) in zip(graphs, repair(graphs, repairs), strict=True):
        tree = sentence.tree()
        (root,) = tree.roots
        assert graph.root in (None, root)
        for word, head in enumerate(tree.heads, start=1):
            own = {h for w, h in graph.arcs if w == word != h}
            assert head in (own or {root}) if word != root else head == 0
    assert repairs.sentences == 300
    assert repairs.words == sum(len(graph.words) for graph in graphs)
    assert repairs.cyclic <= repairs.cycles


def test_words_that_no_table_can_hold_are_placed(tmp_path: Path) -> None:
    graph = Graph(tmp_path / "f", 7, ["a\tb"])
    with pytest.raises((ConfigError, FormatError), match=r"f:7: "):
        list(repair([graph], Repairs()))
