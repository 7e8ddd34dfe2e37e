"""Treebanks brought to the words of a corpus."""

import random
from pathlib import Path

import pytest
from headway import FormatError
from headway.corpus import Tokeniser
from headway.systems.treebank import (
    ByTokeniser,
    LikeCorpus,
    adapt,
    has_capitals,
    runs,
)
from headway.systems.treebank_rules import ByRules, read_rules
from headway.trees import Sentence
from headway.trees.retokenise import regraft, spaced, spans_of

CANNOT = Sentence("""# text = They can't sleep.
1\tThey\t_\tPRON\tPRP\t_\t4\tnsubj\t_\t_
2-3\tcan't\t_\t_\t_\t_\t_\t_\t_\t_
2\tca\t_\tAUX\tMD\t_\t4\taux\t_\t_
3\tn't\t_\tPART\tRB\t_\t4\tadvmod\t_\t_
4\tsleep\t_\tVERB\tVB\t_\t0\troot\t_\tSpaceAfter=No
5\t.\t_\tPUNCT\t.\t_\t4\tpunct\t_\t_
""")


def test_spaces_stand_where_the_text_has_them() -> None:
    assert spaced(CANNOT) == [True, False, True, False, True]
    assert list(runs(CANNOT.forms, spaced(CANNOT))) == [("They",), ("ca", "n't"), ("sleep", ".")]


def test_words_cut_elsewhere_keep_their_heads() -> None:
    new = ["They", "can", "'t", "sleep", "."]
    found = regraft(CANNOT, spans_of(new), new, {})
    assert found.forms == new
    assert found.heads == [4, 4, 4, 0, 4]
    assert found.column("xpos") == ["PRP", "MD", "RB", "VB", "."]


def test_joined_words_take_the_place_of_the_one_nearest_to_the_root() -> None:
    new = ["They", "can't", "sleep."]
    found = regraft(CANNOT, spans_of(new), new, {})
    assert found.heads == [3, 3, 0]
    assert found.column("xpos") == ["PRP", "MD", "VB"]


def test_parts_of_a_word_hang_from_its_last_one() -> None:
    whole = Sentence.from_columns(
        ["well-known", "man"], xpos=["JJ", "NN"], head=[2, 0], deprel=["amod", "root"]
    )
    new = ["well", "-", "known", "man"]
    found = regraft(whole, spans_of(new), new, {"xpos": {"-": "HYPH"}})
    assert found.heads == [3, 3, 4, 0]
    assert found.column("xpos") == ["JJ", "HYPH", "JJ", "NN"]
    assert found.column("deprel") == ["compound", "punct", "amod", "root"]


def test_trees_stay_trees_however_words_are_cut() -> None:
    chance = random.Random(4)
    for _ in range(300):
        words = ["".join(chance.choices("ab-", k=chance.randint(1, 4))) for _ in range(7)]
        root = chance.randrange(7) + 1
        heads: list[int | None] = [0] * 7
        done = [root]
        for word in chance.sample([n for n in range(1, 8) if n != root], 6):
            heads[word - 1] = chance.choice(done)
            done.append(word)
        length = sum(map(len, words))
        cuts = sorted(chance.sample(range(1, length), chance.randint(0, length - 1)))
        text, spans = "".join(words), list(zip([0, *cuts], [*cuts, length], strict=True))
        forms = [text[start:end] for start, end in spans]
        found = regraft(Sentence.from_columns(words, head=heads), spans, forms, {})
        assert found.forms == forms
        assert found.tree().is_tree


def test_a_corpus_teaches_how_it_is_cut_and_written() -> None:
    lines = ["i can &apos;t see", "you can &apos;t go .", "a well-known dog .", "a big dog ."] * 3
    assert not has_capitals(lines)
    found = list(runs(CANNOT.forms, spaced(CANNOT)))
    like = LikeCorpus(lines, found, lowercase=True)
    (new,), changes = adapt([CANNOT], like, lowercase=True)
    assert new.forms == ["they", "can", "&apos;t", "sleep", "."]
    assert new.heads == [4, 4, 4, 0, 4]
    assert (changes.sentences, changes.changed) == (1, 1)


def test_what_a_corpus_never_shows_stays() -> None:
    like = LikeCorpus(["x y"], runs(CANNOT.forms, spaced(CANNOT)), lowercase=False)
    (new,), changes = adapt([CANNOT], like)
    assert new.forms == CANNOT.forms
    assert changes.changed == 0


def test_our_tokeniser_cuts_the_text_of_the_treebank() -> None:
    one = Sentence.from_columns(
        ["Al-Ani", "left."], head=[2, 0], xpos=["NNP", "VBD"], deprel=["nsubj", "root"]
    )
    (new,), _ = adapt([one], ByTokeniser(Tokeniser("en", split_hyphens=True)))
    assert new.forms == ["Al", "-", "Ani", "left", "."]
    assert new.tree().is_tree


def test_rules_come_first(tmp_path: Path) -> None:
    (tmp_path / "rules").write_text("# comment\n\ncan't ||| can't\n")
    rules = read_rules(tmp_path / "rules")
    cutter = ByRules(rules, ByTokeniser(Tokeniser("en")))
    (new,), _ = adapt([CANNOT], cutter)
    assert new.forms == ["They", "can't", "sleep", "."]


def sentence(text: str, *glued: int) -> Sentence:
    """Words, of which the given ones have no space behind them; the last one is the root."""
    words = text.split()
    heads: list[int | None] = [*[len(words)] * (len(words) - 1), 0]
    misc = ["SpaceAfter=No" if at in glued else "_" for at in range(len(words))]
    return Sentence.from_columns(words, head=heads, misc=misc)


@pytest.mark.parametrize(
    ("rule", "given", "expected"),
    [
        # Beside punctuation, in the signs of the corpus.
        ("can't ||| can 't", sentence("I ca n't .", 1, 2), "i can &apos;t ."),
        ("can't ||| can 't", sentence("I ca n\u2019t go", 1), "i can &apos;t go"),
        # Not within another word.
        ("can't ||| can 't", sentence("a pecan't x"), "a pecan&apos;t x"),
        ("'s ||| ' s", sentence("a dog 's x", 1), "a dog &apos; s x"),
        # Two in a row of characters, and a rule that says how to write.
        ("can't ||| can 't", sentence("can't/can't x"), "can &apos;t / can &apos;t x"),
        ("a-b ||| a @-@ b", sentence("x a-b , y", 1), "x a @-@ b , y"),
    ],
)
def test_rules_apply_wherever_their_text_stands(
    tmp_path: Path, rule: str, given: Sentence, expected: str
) -> None:
    (tmp_path / "rules").write_text(f"{rule}\n")
    corpus = ["i ca n&apos;t go .", "a dog&apos;s x", "well-known ,"] * 3
    like = LikeCorpus(corpus, runs(given.forms, spaced(given)), lowercase=True)
    (new,), _ = adapt([given], ByRules(read_rules(tmp_path / "rules"), like), lowercase=True)
    assert " ".join(new.forms) == expected
    assert new.tree().is_tree


def test_rules_may_write_signs_in_another_way(tmp_path: Path) -> None:
    (tmp_path / "rules").write_text("can't ||| can &apos;t\n")
    cutter = ByRules(read_rules(tmp_path / "rules"), ByTokeniser(Tokeniser("en")))
    (new,), _ = adapt([CANNOT], cutter)
    assert new.forms == ["They", "can", "&apos;t", "sleep", "."]


@pytest.mark.parametrize("line", ["can't can 't", "can't ||| cannot", "||| x", "x |||"])
def test_rules_that_say_nothing_are_refused(tmp_path: Path, line: str) -> None:
    (tmp_path / "rules").write_text(f"# rules\n{line}\n")
    with pytest.raises(FormatError, match=r"rules:2: expected TEXT \|\|\| WORDS"):
        read_rules(tmp_path / "rules")
