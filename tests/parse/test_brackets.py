"""Brackets compared with gold brackets, as EVALB with COLLINS.prm counts them."""

import json
from pathlib import Path

import pytest
from conftest import Headway
from headway import parse
from headway.errors import FormatError
from headway.trees import ConstituentTree

GOLD = "( (S (NP (DT the) (NN dog)) (VP (VBZ sees) (NP (DT a) (NN cat))) (. .)))"


def compare(found: str, gold: str = GOLD) -> parse.BracketEvaluation:
    return parse.evaluate_brackets([ConstituentTree(found)], [ConstituentTree(gold)])


@pytest.mark.parametrize(
    ("found", "gold", "right", "in_gold", "in_found", "exact"),
    [
        pytest.param(GOLD, GOLD, 4, 4, 4, 1, id="all is right"),
        pytest.param(
            "( (S (NP (DT the) (NN dog)) (VP (VBZ sees)) (NP (DT a) (NN cat)) (. .)))",
            GOLD, 3, 4, 4, 0, id="one bracket is too short",
        ),
        pytest.param(
            "( (S (NP (DT the) (NN dog)) (VP (VBZ sees) (NP (DT a) (NN cat)) (. .))))",
            GOLD, 4, 4, 4, 1, id="where punctuation hangs does not count",
        ),
        pytest.param(
            "(S (NP (DT the) (NN dog)) (VP (VBZ sees) (NP (DT a) (NN cat))) (PRN (. .)))",
            GOLD, 4, 4, 4, 1, id="brackets of punctuation alone do not count, nor do wrappers",
        ),
        pytest.param(
            "(TOP (S (NP (DT the) (NN dog)) (VP (VBZ sees) (NP (DT a) (NN cat))) (. .)))",
            GOLD, 4, 4, 4, 1, id="TOP does not count",
        ),
        pytest.param(
            "( (X (NP (DT the) (NN dog)) (VP (VBZ sees) (NP (DT a) (NN cat))) (. .)))",
            GOLD, 3, 4, 4, 0, id="labels count",
        ),
        pytest.param(
            "( (VP (VB give) (ADVP (RP up))))",
            "( (VP (VB give) (PRT (RP up))))", 2, 2, 2, 1, id="ADVP and PRT are one",
        ),
        pytest.param(
            "( (NP (NP (NN a))))", "( (NP (NN a)))", 1, 1, 2, 0, id="each bracket counts once",
        ),
        pytest.param(
            "( (S (NP (NN a)) (VP (VB b))))",
            "( (S (NP-SBJ-1 (NN a)) (VP=2 (VB b) (NP (-NONE- *-1)))))", 3, 3, 3, 1,
            id="functions and traces are no part of gold brackets",
        ),
        pytest.param(
            "( (S (`` ``) (NP (NN a)) ('' '') (: -) (, ,) (-LRB- -LRB-)))",
            "( (S (`` ``) (NP (NN a) ('' '')) (: -) (, ,) (-LRB- -LRB-)))", 2, 2, 2, 1,
            id="parentheses are no punctuation",
        ),
    ],
)  # fmt: skip
def test_brackets_are_counted_as_evalb_does(
    found: str, gold: str, right: int, in_gold: int, in_found: int, exact: int
) -> None:
    counts = compare(found, gold).all
    assert (counts.right, counts.gold, counts.found) == (right, in_gold, in_found)
    assert (counts.sentences, counts.exact) == (1, exact)
    assert counts.f1 == pytest.approx(200 * right / (in_gold + in_found))
    assert counts.recall == pytest.approx(100 * right / in_gold)
    assert counts.precision == pytest.approx(100 * right / in_found)


def test_sentences_that_evalb_cannot_compare_are_left_out() -> None:
    for found, gold in [
        ("( (X (, a) (NN b)))", "( (X (NN a) (NN b)))"),
        ("( (X (, a) (NN b)))", "( (X (NN a) (, b)))"),
        ("( (X (. !)))", "( (X (. !)))"),
    ]:
        result = compare(found, gold)
        assert (result.skipped, result.all.sentences, result.per_sentence) == (1, 0, [])


def test_tags_count_without_punctuation() -> None:
    counts = compare(GOLD.replace("(NN cat)", "(VB cat)")).all
    assert (counts.words, counts.tags) == (5, 4)


def test_short_sentences_are_counted_apart_punctuation_included() -> None:
    def tree(words: int, end: str) -> ConstituentTree:
        return ConstituentTree(f"( (NP {'(NN a) ' * words}{end}))")

    gold = [tree(39, "(. .)"), tree(40, "(. .)"), tree(40, "(-NONE- *)")]
    found = [tree(39, "(. .)"), tree(40, "(. .)"), tree(39, "(NN a)")]
    result = parse.evaluate_brackets(found, gold)
    assert (result.all.sentences, result.short.sentences) == (3, 2)
    table = result.table()
    assert (table["f1"], table["exact"], table["up_to_40_words"]["sentences"]) == (100, 100, 2)


def test_other_sentences_are_refused() -> None:
    with pytest.raises(FormatError, match="sentence 1: 1 words but 6 in the gold tree"):
        compare("(NN a)")
    with pytest.raises(FormatError, match="1 trees but 0 gold ones"):
        parse.evaluate_brackets([ConstituentTree(GOLD)], [])


def test_files_of_brackets_are_compared(tmp_path: Path, headway: Headway) -> None:
    gold, found, empty = (tmp_path / f"{name}.mrg" for name in ("gold", "found", "empty"))
    gold.write_text(f"{GOLD}\n( (NP (NN a)))\n")
    found.write_text(f"{GOLD}\n( (X (. a)))\n")
    empty.write_text("")
    done = headway("parse", "eval", found, gold)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "               all   <= 40",
        "f1          100.00  100.00",
        "precision   100.00  100.00",
        "recall      100.00  100.00",
        "exact       100.00  100.00",
        "tags        100.00  100.00",
        "sentences        1       1",
        "1 sentences left out: their words differ, or are none",
    ]
    done = headway("parse", "eval", found, gold, gold, "--json")
    table = json.loads(done.stdout)
    assert (table["skipped"], table["other"]["skipped"]) == (1, 0)
    done = headway("parse", "eval", found, empty)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "no words, so nothing to compare with" in done.stderr
    done = headway("parse", "eval", found, gold, "--svg", tmp_path / "x.svg")
    assert done.returncode == 2
    assert "--svg" in done.stderr
