"""Evaluation: scores, comparisons and pages."""

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import pytest
from conftest import Headway
from headway import ConfigError, FormatError
from headway.evaluate import (
    Parse,
    compare,
    comparison_page,
    edpm_statistics,
    evaluate,
    length_warning,
    verdicts,
)
from headway.evaluate.edpm import edpm_scores
from headway.evaluate.groups import by_frequency, by_length
from headway.evaluate.meteor import meteor_statistics
from headway.evaluate.words import lower_words
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER

WORDS = ["the", "a", "cat", "dog", "sees", "runs", "house", "Tree,", "very", "small"]
WORDS += ["(old)", ".", "!"]


def text(size: int, seed: int) -> list[str]:
    chance = random.Random(seed)
    return [" ".join(chance.choices(WORDS, k=chance.randint(1, 14))) for _ in range(size)]


def worsened(lines: Sequence[str], share: float, seed: int) -> list[str]:
    chance = random.Random(seed)
    return [" ".join(w for w in line.split() if chance.random() > share) for line in lines]


REFERENCE = text(80, 1)
GOOD, BAD = worsened(REFERENCE, 0.1, 2), worsened(REFERENCE, 0.5, 3)


def test_the_length_ratio_is_that_of_bleu_whatever_the_metrics() -> None:
    references = [REFERENCE, worsened(REFERENCE, 0.05, 9)]
    whole = BLEU().corpus_score(BAD, references)
    assert whole.sys_len < 0.7 * whole.ref_len
    for metrics in (["bleu", "ter"], ["chrf"]):
        system = evaluate([BAD], references, metrics=metrics).systems[0]
        assert system.length_ratio == whole.sys_len / whole.ref_len
    empty = evaluate([["a", "b"]], [["", ""]])
    assert empty.systems[0].length_ratio == 1.0


def test_lengths_that_are_far_off_are_doubted() -> None:
    assert length_warning(0.971) is length_warning(1.029) is None
    short = "translations are 4.0 % too short (length ratio 0.960)"
    assert length_warning(0.96) == short
    assert "5.0 % too long" in str(length_warning(1.05))


def test_the_command_shows_the_length_ratio_and_warns(headway: Headway, tmp_path: Path) -> None:
    (tmp_path / "ref").write_text("a b c d e\n" * 10, encoding="utf-8")
    (tmp_path / "same").write_text("a b c d e\n" * 10, encoding="utf-8")
    (tmp_path / "short").write_text("a b c d\n" * 10, encoding="utf-8")
    files = [str(tmp_path / "same"), str(tmp_path / "short"), "-r", str(tmp_path / "ref")]
    done = headway("evaluate", *files)
    assert done.returncode == 0
    rows = [line.split() for line in done.stdout.splitlines()[:3]]
    assert [row[-1] for row in rows] == ["length", "1.000", "0.800"]
    assert "short: translations are 20.0 % too short (length ratio 0.800)" in done.stderr
    assert "same: translations" not in done.stderr
    found = json.loads(headway("evaluate", *files, "--json").stdout)
    assert [system["length_ratio"] for system in found["systems"]] == [1.0, 0.8]


def test_scores_are_sacrebleus_with_its_signatures() -> None:
    second = worsened(REFERENCE, 0.05, 9)
    found = evaluate([GOOD], [REFERENCE, second])
    scores = found.systems[0].scores
    references = [REFERENCE, second]
    assert scores["bleu"] == BLEU().corpus_score(GOOD, references).score
    assert scores["chrf"] == CHRF().corpus_score(GOOD, references).score
    assert scores["ter"] == TER(case_sensitive=True).corpus_score(GOOD, references).score
    assert found.signatures["bleu"].startswith("nrefs:2|case:mixed|eff:no|tok:13a|smooth:exp")
    lower = evaluate([GOOD], [REFERENCE], lowercase=True, metrics=["bleu", "ter"])
    assert "case:lc" in lower.signatures["bleu"]
    assert lower.systems[0].scores["ter"] == TER().corpus_score(GOOD, [REFERENCE]).score
    assert "tok:zh" in evaluate([GOOD], [REFERENCE], language="zh").signatures["bleu"]
    assert "tok:none" in evaluate([GOOD], [REFERENCE], tokenise="none").signatures["bleu"]


def test_sums_of_sentences_give_the_scores_of_the_whole() -> None:
    found = evaluate({"x": GOOD}, [REFERENCE], source=REFERENCE)
    for metric in ("bleu", "chrf", "ter"):
        # One group with everything in it has the score of everything.
        short = [line for line in REFERENCE if len(lower_words(line)) < 10]
        part = [GOOD[n] for n, line in enumerate(REFERENCE) if len(lower_words(line)) < 10]
        whole = evaluate([part], [short], metrics=[metric]).systems[0].scores[metric]
        assert found.systems[0].groups["0–9 source words"][metric] == pytest.approx(whole)
    assert len(found.systems[0].sentences["bleu"]) == len(REFERENCE)


def test_a_clear_difference_is_significant_and_none_is_not() -> None:
    found = evaluate({"good": GOOD, "bad": BAD, "same": list(GOOD)}, [REFERENCE], samples=500)
    bad, same = found.systems[1:]
    for name in ("bleu", "chrf", "ter", "meteor"):
        assert bad.against_first[name].significant, name
        assert bad.against_first[name].p_bootstrap < 0.01
        assert not same.against_first[name].significant
        assert same.against_first[name].difference == 0
        assert same.against_first[name].p_randomisation == 1
    worse, equal = verdicts(found)
    assert worse.startswith("bad: worse than good by BLEU (-")
    assert "TER (+" in worse
    assert equal.startswith("same: differs from good by no more than chance in BLEU (+0.00")


def test_chance_alone_is_seldom_significant() -> None:
    """Under no difference, p-values below 5 % come up about once in twenty."""
    chance = random.Random(3)
    wrong = 0
    for trial in range(40):
        rows = [[[chance.random(), 1.0] for _ in range(50)] for _ in range(2)]
        found = compare(
            "mean",
            rows[0],
            rows[1],
            lambda sums: [row[0] / row[1] for row in sums],
            samples=200,
            seed=trial,
        )
        wrong += found.significant
    assert wrong <= 6


def test_the_same_seed_gives_the_same_p_values() -> None:
    one, two = (evaluate([GOOD, BAD], [REFERENCE], samples=100, seed=4) for _ in range(2))
    assert one.systems[1].against_first == two.systems[1].against_first


def test_meteor_aligns_stems_and_counts_chunks() -> None:
    rows = meteor_statistics(["the cats sat on mats"], [["the cat sat on the mat"]], language="en")
    assert rows == [[5, 5, 6, 2]]
    assert meteor_statistics(["the cats"], [["the cat"]], language="xx") == [[1, 2, 2, 1]]
    found = evaluate([["a b c d"], [""]], [["a b c d"]], metrics=["meteor"], samples=0)
    # One chunk of four words costs half of a quarter cubed.
    assert found.systems[0].scores["meteor"] == pytest.approx(100 * (1 - 0.5 / 64))
    assert found.systems[1].scores["meteor"] == 0


class HandParser:
    """Parses that were made by hand, by line."""

    PARSES: ClassVar = {
        "dogs bark": [Parse(["dogs", "bark"], [2, 0], ["subj", "root"])],
        "dogs barked": [
            Parse(["dogs", "barked"], [2, 0], ["subj", "root"], 0.75),
            Parse(["dogs", "barked"], [0, 1], ["root", "mod"], 0.25),
        ],
        "": [],
    }

    def k_best(self, lines: Sequence[str]) -> Sequence[Sequence[Parse]]:
        return [self.PARSES[line] for line in lines]


def test_edpm_is_what_the_counts_by_hand_say() -> None:
    rows = edpm_statistics(["dogs barked", ""], [["dogs bark", "dogs bark"]], HandParser())
    # dogs; (dogs, subj) three times in four; (root, <root>) always. Items: 2 + 1 + 2 + 2 a side.
    assert rows[0] == [pytest.approx(1 + 0.75 + 1), pytest.approx(7), 7]
    assert rows[1] == [0, 0, 7]
    assert edpm_scores(rows) == [pytest.approx(100 * 2 * 2.75 / 14), 0]
    lines = ["dogs bark", "dogs bark"]
    found = evaluate([lines], [lines], parser=HandParser(), samples=0)
    assert found.systems[0].scores["edpm"] == 100
    assert "parser:own" in found.signatures["edpm"]
    few = evaluate([lines], [lines], metrics=["bleu"], parser=HandParser(), samples=0)
    assert list(few.metrics) == ["bleu", "edpm"]
    with pytest.raises(ConfigError, match="edpm needs a parser"):
        evaluate([lines], [lines], metrics=["edpm"])
    bad = Parse(["a"], [7], ["root"])

    class Bad:
        def k_best(self, lines: Sequence[str]) -> Sequence[Sequence[Parse]]:
            return [[bad] for _ in lines]

    with pytest.raises(ConfigError, match="head outside"):
        edpm_statistics(["a"], [["a"]], Bad())


def test_case_does_not_count_in_any_metric_when_told() -> None:
    class Plain:
        def k_best(self, lines: Sequence[str]) -> Sequence[Sequence[Parse]]:
            words = [line.split() for line in lines]
            return [[Parse(own, [0] * len(own), ["root"] * len(own))] for own in words]

    upper, lower = ["The Dog Barks At Night"], ["the dog barks at night"]
    for lowercase in (True, False):
        found = evaluate([upper], [lower], lowercase=lowercase, parser=Plain(), samples=0)
        scores = found.systems[0].scores
        assert (scores["ter"] == 0) == (scores["edpm"] == 100) == (scores["bleu"] > 99) == lowercase
        assert ("case:lc" in found.signatures["edpm"]) == lowercase


def test_a_perfect_sentence_scores_100_however_short() -> None:
    lines = ["yes", "of course", "that is a longer sentence ."]
    found = evaluate([lines], [lines], metrics=["bleu"], samples=0)
    assert found.systems[0].sentences["bleu"] == pytest.approx([100.0] * 3)
    wrong = evaluate([["no", "of house", "that"]], [lines], metrics=["bleu"], samples=0)
    assert all(score < 80 for score in wrong.systems[0].sentences["bleu"])


@pytest.mark.parametrize(
    ("language", "ours", "reference"),
    [
        ("zh", "我们喜欢大猫。", "我们喜欢小猫。"),
        ("th", "ฉันชอบแมวดำ", "ฉันชอบแมวขาว"),
        ("yue", "佢鍾意大貓", "佢鍾意細貓"),
    ],
)
def test_scripts_without_spaces_are_compared_by_character(
    language: str, ours: str, reference: str
) -> None:
    found = evaluate([[ours]], [[reference]], language=language, samples=0)
    scores = found.systems[0].scores
    assert 0 < scores["ter"] < 50
    assert scores["bleu"] > 20
    assert scores["meteor"] > 50
    assert "words:characters" in found.signatures["ter"]
    tokenised = evaluate([[ours]], [[reference]], language=language, tokenise="none", samples=0)
    assert tokenised.systems[0].scores["ter"] == 100


def test_words_are_words_in_every_script() -> None:
    assert lower_words("It's  A 3-day test_run.") == [
        "it",
        "'",
        "s",
        "a",
        "3",
        "-",
        "day",
        "test_run",
        ".",
    ]
    assert lower_words("हिन्दी में, नमस्ते!") == ["हिन्दी", "में", ",", "नमस्ते", "!"]
    assert lower_words("我们在2024年 Zürich。") == ["我", "们", "在", "2024", "年", "zürich", "。"]
    assert lower_words("ÄÖ") == ["äö"]
    assert lower_words("") == []


@given(st.text())
def test_words_lose_nothing_but_spaces(line: str) -> None:
    assert "".join(lower_words(line)) == "".join(line.lower().split())


def test_groups_cover_every_sentence_once() -> None:
    lines = ["a " * n for n in range(0, 80, 3)]
    places = [place for group in by_length(lines, "source") for place in group.places]
    assert sorted(places) == list(range(len(lines)))
    groups = by_frequency(["x", "a", "a b", ""], ["a a a", "b a"])
    assert [(group.name, group.places) for group in groups] == [
        ("0 × rarest word", (0, 3)),
        ("1 × rarest word", (2,)),
        ("2–5 × rarest word", (1,)),
    ]


def test_the_page_shows_the_largest_difference_first_and_escapes() -> None:
    reference = ["a b c d e", "<b>x</b> & y z w"]
    found = evaluate(
        {"<one>": reference, "two": ["a b c d e", "nothing at all"]}, [reference], samples=10
    )
    page = comparison_page(found)
    assert "Sentence 2" in page
    assert "Sentence 1" not in page
    assert "&lt;one&gt;" in page
    assert "<b>x" not in page
    same = evaluate({"one": reference, "two": reference}, [reference], samples=10)
    assert "the same on every sentence" in comparison_page(same)


def test_what_does_not_fit_is_refused_in_one_line() -> None:
    with pytest.raises(FormatError, match="expected 80 lines as in the reference, found 1"):
        evaluate({"x": ["a"]}, [REFERENCE])
    with pytest.raises(FormatError, match="reference 2: expected 80 lines"):
        evaluate([GOOD], [REFERENCE, ["a"]])
    with pytest.raises(FormatError, match="reference is empty"):
        evaluate([[]], [[]])
    with pytest.raises(ConfigError, match="metric blue: expected one of"):
        evaluate([GOOD], [REFERENCE], metrics=["blue"])
    with pytest.raises(ConfigError, match="tokeniser magic: expected one of"):
        evaluate([GOOD], [REFERENCE], tokenise="magic")
    with pytest.raises(ConfigError, match="needs --source"):
        evaluate([GOOD], [REFERENCE], train_source=REFERENCE)


def test_the_command_prints_a_table_json_and_a_page(headway: Headway, tmp_path: Path) -> None:
    for name, lines in (("ref", REFERENCE), ("good", GOOD), ("bad", BAD)):
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    files = [str(tmp_path / "good"), str(tmp_path / "bad"), "--reference", str(tmp_path / "ref")]
    plain = headway("evaluate", *files, "--samples", "100", "--groups")
    assert plain.returncode == 0, plain.stderr
    assert "worse than" in plain.stdout
    assert "tok:13a" in plain.stdout
    page = tmp_path / "page.html"
    found = headway(
        "evaluate", *files, "--samples", "100", "--json", "--sentences", "--html", str(page)
    )
    table = json.loads(found.stdout)
    assert table["lower_is_better"] == ["ter"]
    assert table["systems"][1]["verdict"].startswith("worse than")
    assert table["systems"][0]["scores"]["bleu"] == BLEU().corpus_score(GOOD, [REFERENCE]).score
    assert len(table["systems"][1]["sentences"]["ter"]) == len(REFERENCE)
    assert "differ most" in page.read_text(encoding="utf-8")
    missing = headway("evaluate", str(tmp_path / "none"), "--reference", str(tmp_path / "ref"))
    assert missing.returncode == 2
    assert "no such file" in missing.stderr
    assert missing.stderr.count("\n") == 1
    kept = headway("evaluate", *files, "--html", str(tmp_path / "ref"))
    assert kept.returncode == 2
    assert "would be written over" in kept.stderr
    assert (tmp_path / "ref").read_text(encoding="utf-8").splitlines() == list(REFERENCE)
