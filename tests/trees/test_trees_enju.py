"""Enju's XML: every row of Table 1 of Wu et al. (2012), Figure 1, and bad files."""

from pathlib import Path
from xml.sax.saxutils import quoteattr

import pytest
from conftest import Headway
from headway.errors import ConfigError, FormatError
from headway.trees import Repairs, read_dependencies, read_graphs, read_sentences
from headway.trees.sources.pas import TYPES

# Type of predicate -> dependent and head of each arc, as Table 1 has them.
TABLE_1 = {
    "adj_arg1": "pred>arg1",
    "adj_arg12": "arg2>pred pred>arg1",
    "adj_mod_arg1": "pred>arg1 arg1>mod",
    "adj_mod_arg12": "arg2>pred pred>arg1 arg1>mod",
    "aux_arg12": "arg1>arg2 pred>arg2",
    "aux_mod_arg12": "arg1>arg2 pred>arg2 arg2>mod",
    "conj_arg1": "pred>arg1",
    "conj_arg12": "arg2>pred pred>arg1",
    "conj_arg123": "arg2>pred arg3>pred pred>arg1",
    "comp_arg1": "pred>arg1",
    "comp_arg12": "pred>arg1 arg1>arg2",
    "comp_mod_arg1": "arg1>pred pred>mod",
    "noun_arg1": "pred>arg1",
    "noun_arg2": "arg2>pred",
    "noun_arg12": "arg2>pred pred>arg1",
    "poss_arg2": "pred>arg2",
    "poss_arg12": "pred>arg2 arg2>arg1",
    "prep_arg12": "arg2>pred pred>arg1",
    "prep_arg123": "arg2>pred arg3>pred pred>arg1",
    "prep_mod_arg12": "arg2>pred pred>arg1 arg1>mod",
    "prep_mod_arg123": "arg2>pred arg3>pred pred>arg1 arg1>mod",
    "quote_arg2": "pred>arg2",
    "quote_arg12": "arg1>pred pred>arg2",
    "quote_arg23": "arg3>pred pred>arg2",
    "quote_arg123": "arg1>pred arg3>pred pred>arg2",
    "lparen_arg123": "pred>arg3 arg2>arg3 arg3>arg1",
    "relative_arg1": "pred>arg1",
    "relative_arg12": "arg2>pred pred>arg1",
    "verb_arg1": "arg1>pred",
    "verb_arg12": "arg1>pred arg2>pred",
    "verb_arg123": "arg1>pred arg2>pred arg3>pred",
    "verb_arg1234": "arg1>pred arg2>pred arg3>pred arg4>pred",
    "verb_mod_arg1": "arg1>pred pred>mod",
    "verb_mod_arg12": "arg1>pred arg2>pred pred>mod",
    "verb_mod_arg123": "arg1>pred arg2>pred arg3>pred pred>mod",
    "verb_mod_arg1234": "arg1>pred arg2>pred arg3>pred arg4>pred pred>mod",
    "app_arg12": "arg2>arg1 pred>arg1",
    "coord_arg12": "arg2>arg1 pred>arg1",
    "det_arg1": "pred>arg1",
    "it_arg1": "pred>arg1",
    "punct_arg1": "pred>arg1",
    "dtv_arg2": "pred>arg2",
    "lgs_arg2": "arg2>pred",
}
ROLES = ("pred", "arg1", "arg2", "arg3", "arg4", "mod")


def tok(key: str, word: str, pred: str, **arguments: str) -> str:
    """A word as Enju 2.4 writes it."""
    given = {
        "id": key,
        "cat": "N",
        "pos": "NN",
        "base": word,
        "lexentry": "[&lt;N&gt;]",
        "pred": pred,
    }
    given |= arguments
    attributes = " ".join(
        f'{name}="{value}"' if name == "lexentry" else f"{name}={quoteattr(value)}"
        for name, value in given.items()
    )
    return f"<tok {attributes}>{word}</tok>"


def cons(key: str, head: str, *inside: str, sem: str | None = None) -> str:
    """A phrase; its semantic head is the syntactic one unless given."""
    heads = f'head="{head}" sem_head="{sem or head}"'
    return f'<cons id="{key}" cat="S" xcat="" {heads} schema="x">{" ".join(inside)}</cons>'


def sentence(*inside: str, status: str = "success") -> str:
    return f'<sentence id="s0" parse_status="{status}" fom="1.5">{" ".join(inside)}</sentence>\n'


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "test.xml"
    path.write_text(text)
    return path


def arcs(tmp_path: Path, text: str, heads: str = "syn") -> set[tuple[int, int]]:
    (graph,) = read_graphs(write(tmp_path, text), heads=heads)
    return set(graph.arcs)


def test_table_1_has_these_types() -> None:
    assert set(TYPES) == set(TABLE_1)


@pytest.mark.parametrize("pred", TABLE_1)
def test_every_row_of_table_1(tmp_path: Path, pred: str) -> None:
    """Six words; the first is the predicate and points at phrases of the others, all of them."""
    places = {role: f"c{number}" for number, role in enumerate(ROLES) if number}
    words = [tok("t0", "w0", pred, **places)]
    words += [cons(f"c{n}", f"t{n}", tok(f"t{n}", f"w{n}", "noun_arg0")) for n in range(1, 6)]
    number = {role: place for place, role in enumerate(ROLES, start=1)}
    pairs = (arc.split(">") for arc in TABLE_1[pred].split())
    expected = {(number[dependent], number[head]) for dependent, head in pairs}
    assert arcs(tmp_path, sentence(cons("c9", "t0", *words))) == expected


def test_arguments_that_are_missing_give_no_arcs(tmp_path: Path) -> None:
    words = [
        tok("t0", "a", "verb_arg12", arg1="unk", arg2="t1"),
        tok("t1", "b", "adj_mod_arg1", mod="t0"),
        tok("t2", "c", "noun_arg1", arg1="t2"),
    ]
    assert arcs(tmp_path, sentence(cons("c0", "t0", *words))) == {(2, 1)}


# The text of the paper names t0 = when, its type and arguments c16 and c3, t6 = is, t10 = is,
# and the two arcs between them. All else (the other words, phrases and types) is reconstructed.
FIGURE_1 = sentence(
    cons(
        "c0",
        "c16",
        cons(
            "c1",
            "c2",
            cons("c2", "t0", tok("t0", "when", "conj_arg12", arg1="c16", arg2="c3")),
            cons(
                "c3",
                "c13",
                cons(
                    "c4",
                    "c6",
                    cons("c5", "t1", tok("t1", "the", "det_arg1", arg1="c6")),
                    cons(
                        "c6",
                        "c7",
                        cons(
                            "c7",
                            "c11",
                            cons("c8", "t2", tok("t2", "fluid", "noun_arg1", arg1="c9")),
                            cons(
                                "c9",
                                "c11",
                                cons("c10", "t3", tok("t3", "pressure", "noun_arg1", arg1="c11")),
                                cons("c11", "t4", tok("t4", "cylinder", "noun_arg0")),
                            ),
                        ),
                        cons("c12", "t5", tok("t5", "31", "adj_arg1", arg1="c7")),
                    ),
                ),
                cons(
                    "c13",
                    "c14",
                    cons("c14", "t6", tok("t6", "is", "aux_arg12", arg1="c4", arg2="c15")),
                    cons("c15", "t7", tok("t7", "used", "verb_arg12", arg1="unk", arg2="c4")),
                    sem="c15",
                ),
            ),
        ),
        tok("t8", ",", "punct_arg1", arg1="c1"),
        cons(
            "c16",
            "c18",
            cons("c17", "t9", tok("t9", "fluid", "noun_arg0")),
            cons(
                "c18",
                "c19",
                cons("c19", "t10", tok("t10", "is", "aux_arg12", arg1="c17", arg2="c20")),
                cons(
                    "c20",
                    "c22",
                    cons("c21", "t11", tok("t11", "gradually", "adj_arg1", arg1="c22")),
                    cons("c22", "t12", tok("t12", "applied", "verb_arg12", arg1="unk", arg2="c17")),
                ),
                sem="c20",
            ),
        ),
        tok("t13", ".", "punct_arg0"),
    )
)
TEXT = "when the fluid pressure cylinder 31 is used , fluid is gradually applied ."
WORDS = TEXT.split()


def test_figure_1_by_syntactic_heads(tmp_path: Path) -> None:
    path = write(tmp_path, FIGURE_1)
    (graph,) = read_graphs(path)
    assert graph.words == WORDS
    # is(6) -> when(0) -> is(10), as the paper says; from 1 here.
    assert {(7, 1), (1, 11)} <= set(graph.arcs)
    repairs = Repairs()
    (found,) = read_dependencies(path, repairs=repairs)
    assert found.heads == [11, 5, 5, 5, 8, 5, 1, 11, 1, 13, 0, 13, 11, 11]
    assert (repairs.several_heads, repairs.headless, repairs.cycles) == (2, 3, 0)


def test_figure_1_by_semantic_heads(tmp_path: Path) -> None:
    (graph,) = read_graphs(write(tmp_path, FIGURE_1), heads="sem")
    # The clauses are headed by their participles: used(7) -> when(0) -> applied(12).
    assert {(8, 1), (1, 13)} <= set(graph.arcs)
    assert graph.root == 13
    (found,) = read_dependencies(write(tmp_path, FIGURE_1), heads="sem")
    assert found.heads == [13, 5, 5, 5, 8, 5, 8, 1, 1, 13, 13, 13, 0, 13]


def test_sentences_may_be_laid_out_wrapped_or_without_a_parse(tmp_path: Path) -> None:
    pretty = FIGURE_1.replace("<cons", "\n  <cons").replace("<tok", "\n  <tok")
    failed = '<sentence id="s1" parse_status="fail">no tree here</sentence>\n'
    text = f'<?xml version="1.0" encoding="UTF-8"?>\n<all>\n{pretty}{failed}{FIGURE_1}</all>\n'
    repairs = Repairs()
    found = list(read_dependencies(write(tmp_path, text), repairs=repairs))
    assert [one.forms for one in found] == [WORDS, ["no", "tree", "here"], WORDS]
    assert found[1].heads == [None, None, None]
    assert (repairs.sentences, repairs.unparsed) == (3, 1)


def he_runs(company: str) -> str:
    """A sentence of Enju's without its full stop."""
    return cons(
        "c0",
        "c2",
        cons("c1", "t0", tok("t0", "He", "noun_arg0")),
        cons(
            "c2",
            "t1",
            tok("t1", "runs", "verb_arg12", arg1="c1", arg2="c3"),
            cons(
                "c3", "t3", tok("t2", "the", "det_arg1", arg1="t3"), tok("t3", company, "noun_arg0")
            ),
        ),
    )


def test_words_outside_tokens_hang_from_the_root(tmp_path: Path) -> None:
    """Enju ignores words tagged as full stops and leaves them after the phrase."""
    text = sentence(he_runs("company") + ".")
    assert "</cons>.</sentence>" in text
    repairs = Repairs()
    (found,) = read_dependencies(write(tmp_path, text), repairs=repairs)
    assert found.forms == ["He", "runs", "the", "company", "."]
    assert found.heads == [2, 0, 4, 2, 2]
    assert found.column("xpos") == ["NN"] * 4 + ["_"]
    assert (repairs.headless, repairs.fragmental, repairs.words) == (1, 0, 5)
    given = tmp_path / "text"
    given.write_text("He runs the company .\n")
    (same,) = read_dependencies(tmp_path / "test.xml", text=given)
    assert same.heads == found.heads


def test_words_outside_tokens_keep_their_place(tmp_path: Path) -> None:
    """Text is split at white space and at tokens, wherever it stands, and counts for numbers."""
    inside = he_runs("company").replace('<cons id="c3"', '( ha ) <cons id="c3"')
    text = sentence('"' + inside + '."\n!').replace("<tok", "\n<tok").replace(">He<", ">A&amp;B<")
    (found,) = read_dependencies(write(tmp_path, text))
    assert found.forms == ['"', "A&B", "runs", "(", "ha", ")", "the", "company", '."', "!"]
    assert found.heads == [3, 3, 0, 3, 3, 3, 8, 3, 3, 3]


def test_long_text_outside_tokens_is_not_cut(tmp_path: Path) -> None:
    word = "x" * 100_000
    (found,) = read_dependencies(write(tmp_path, sentence(he_runs("company"), word)))
    assert found.forms[-1] == word


def test_fragmental_parses_are_counted_and_hang_from_the_first(
    headway: Headway, tmp_path: Path
) -> None:
    parts = [
        cons("c8", "c9", cons("c9", "t9", tok("t9", "Well", "adj_arg0"))),
        ",",
        he_runs("company"),
        ".",
    ]
    path = write(tmp_path, sentence(*parts, status="fragmental parse") + FIGURE_1)
    done = headway("trees", "convert", path, tmp_path / "a.conllu")
    assert "sentences in fragments, whose root word is that of the first: 1" in done.stderr
    found, _ = read_sentences(tmp_path / "a.conllu")
    assert found.forms == ["Well", ",", "He", "runs", "the", "company", "."]
    assert found.heads == [0, 1, 4, 1, 6, 4, 1]


@pytest.mark.parametrize("status", ["time out", "sentence length limit exceeded"])
def test_failed_parses_are_no_trees(headway: Headway, tmp_path: Path, status: str) -> None:
    """`trees check` counts them as sentences without heads."""
    path = write(tmp_path, sentence("He runs.", status=status) + FIGURE_1)
    given, out = tmp_path / "text", tmp_path / "a.conllu"
    given.write_text(f"He runs .\n{TEXT}\n")
    headway("trees", "convert", path, out, "--text", given)
    assert [one.forms for one in read_sentences(out)] == [["He", "runs", "."], WORDS]
    rows = headway("trees", "check", out).stdout.splitlines()
    assert [row.split() for row in rows if "without heads" in row] == [
        ["without", "heads", "1", "line", "1"]
    ]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (sentence("\n", tok("t0", "a", "verb_arg21")), 2, 'unknown type of predicate "verb_arg21"'),
        (sentence("\n", tok("t0", "a", "verb_arg21")), 2, "did you mean verb_arg1"),
        (sentence(tok("t0", "a", "verb_arg1", arg1="c7")), 1, 'no <cons> or <tok> with id="c7"'),
        ("\n" + sentence("<tok>a</tok>"), 2, 'this <tok> has no id="…"'),
        (sentence('<tok id="t0">a</tok>'), 1, '<tok id="t0"> has no pred="…"'),
        (sentence('<cons id="c0">', tok("t0", "a", "noun_arg0"), "</cons>"), 1, 'has no head="…"'),
        (sentence(cons("c0", "c0", tok("t0", "a", "noun_arg0"))), 1, '"c0"> is its own head'),
        (sentence(cons("c0", "c5", tok("t0", "a", "noun_arg0"))), 1, 'with id="c5"'),
        (sentence(cons("c0", "t0"), cons("c0", "t0")), 1, 'a second id="c0" in one sentence'),
        (sentence("\n<cons id='c0'>", "\n"), 3, "not well-formed (mismatched tag)"),
        (sentence("a & b"), 1, "(not well-formed (invalid token)); write & as &amp; and < as &lt;"),
        (sentence("a &b; c"), 1, "(undefined entity); write & as &amp;"),
        (FIGURE_1 + FIGURE_1[:-20], 2, "this <sentence> never ends; was the file cut short?"),
        ("<sentence>\n" + FIGURE_1 + "</sentence>", 2, "a <sentence> inside a <sentence>"),
        (tok("t0", "a", "noun_arg0"), 1, "expected <sentence …> around this <tok>"),
        (sentence(tok("t0", "", "noun_arg0")), 1, "expected one word in this <tok>"),
        ("", 1, "no sentences found; is this a file of enju?"),
        ("plain words\n", 1, "no sentences found; is this a file of enju?"),
    ],
)
def test_bad_files_are_named_with_their_line(
    tmp_path: Path, text: str, line: int, message: str
) -> None:
    path = write(tmp_path, text)
    with pytest.raises(FormatError) as caught:
        list(read_dependencies(path))
    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert message in str(caught.value)


def test_unknown_heads_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match='no heads "lth" for enju; expected syn, sem'):
        list(read_dependencies(write(tmp_path, FIGURE_1), heads="lth"))
