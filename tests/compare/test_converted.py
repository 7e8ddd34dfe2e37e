"""Trees of Enju and C&C, from their own files to a comparison and to rules."""

import json
from pathlib import Path

import pytest
from comparisons import QUICK
from conftest import Headway
from headway.table import RuleTable
from headway.trees import read_sentences

TEXT = "He will see old films .\nold films run\n"
GERMAN = "er wird alte Filme sehen .\nalte Filme laufen\n"

# What `enju -xml` writes: phrases with their heads, words with the phrases that are arguments.
ENJU = """\
<sentence id="s0" parse_status="success" fom="2.5">\
<cons id="c0" cat="S" xcat="" head="c2" sem_head="c2" schema="subj_head">\
<cons id="c1" cat="NP" xcat="" head="t0" sem_head="t0">\
<tok id="t0" cat="N" pos="PRP" base="he" pred="noun_arg0">He</tok></cons> \
<cons id="c2" cat="VP" xcat="" head="t1" sem_head="c3" schema="head_comp">\
<tok id="t1" cat="V" pos="MD" base="will" pred="aux_arg12" arg1="c1" arg2="c3">will</tok> \
<cons id="c3" cat="VP" xcat="" head="t2" sem_head="t2" schema="head_comp">\
<tok id="t2" cat="V" pos="VB" base="see" pred="verb_arg12" arg1="c1" arg2="c4">see</tok> \
<cons id="c4" cat="NP" xcat="" head="t4" sem_head="t4" schema="mod_head">\
<tok id="t3" cat="ADJ" pos="JJ" base="old" pred="adj_arg1" arg1="t4">old</tok> \
<tok id="t4" cat="N" pos="NNS" base="film" pred="noun_arg0">films</tok></cons></cons></cons> \
<tok id="t5" cat="PN" pos="." base="." pred="punct_arg1" arg1="c0">.</tok></cons></sentence>
<sentence id="s1" parse_status="success" fom="1.5">\
<cons id="c0" cat="S" xcat="" head="t2" sem_head="t2" schema="subj_head">\
<cons id="c1" cat="NP" xcat="" head="t1" sem_head="t1" schema="mod_head">\
<tok id="t0" cat="ADJ" pos="JJ" base="old" pred="adj_arg1" arg1="t1">old</tok> \
<tok id="t1" cat="N" pos="NNS" base="film" pred="noun_arg0">films</tok></cons> \
<tok id="t2" cat="V" pos="VBP" base="run" pred="verb_arg1" arg1="c1">run</tok></cons></sentence>
"""

# What the C&C parser writes with `--printer grs`.
GRS = """\
# this file was written by hand

(aux see_2 will_1)
(ncsubj see_2 He_0 _)
(dobj see_2 films_4)
(ncmod _ films_4 old_3)
<c> He|he|PRP|I-NP|O|NP will|will|MD|I-VP|O|(S[dcl]\\NP)/(S[b]\\NP) \
see|see|VB|I-VP|O|(S[b]\\NP)/NP old|old|JJ|I-NP|O|N/N films|film|NNS|I-NP|O|N .|.|.|O|O|.

(ncsubj run_2 films_1 _)
(ncmod _ films_1 old_0)
<c> old|old|JJ|I-NP|O|N/N films|film|NNS|I-NP|O|N run|run|VBP|I-VP|O|S[dcl]\\NP
"""
CCG_HEADS = [[3, 3, 0, 5, 3, 3], [2, 3, 0]]
DEV = {"dev.de": "er wird Filme sehen .\n", "dev.en": "He will see films .\n"}
FILES = {"train.en": TEXT, "train.de": GERMAN, "en.xml": ENJU, "en.grs": GRS, **DEV}


@pytest.fixture
def folder(tmp_path: Path, headway: Headway) -> Path:
    """With trees of both parsers, converted as docs/compare.md says."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    for given, made, heads in (
        ("en.xml", "syn.conllu", ["--heads", "syn"]),
        ("en.xml", "sem.conllu", ["--heads", "sem"]),
        ("en.grs", "ccg.conllu", []),
    ):
        words = ["trees", "convert", given, made, "--text", "train.en", *heads]
        done = headway(*words, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    return tmp_path


def heads(path: Path) -> list[list[int | None]]:
    return [sentence.heads for sentence in read_sentences(path)]


def test_trees_of_both_parsers_are_compared(headway: Headway, folder: Path) -> None:
    trees = {name: heads(folder / f"{name}.conllu") for name in ("syn", "sem", "ccg")}
    assert trees["ccg"] == CCG_HEADS
    sources = [word for name in trees for word in ("--trees", f"{name}={name}.conllu")]
    done = headway(
        "compare", "--target", "train.en", "--pretokenised", "--out", "out", "--json",
        "--gold", "ccg.conllu", *sources, "--set", "text.casing=none",
        cwd=folder,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    table = {line["name"]: line for line in found["table"]}
    for name, given in trees.items():
        pairs = [
            pair for two in zip(given, CCG_HEADS, strict=True) for pair in zip(*two, strict=True)
        ]
        right = sum(one == other for one, other in pairs)
        assert table[name]["accuracy"]["right"] == right
        assert table[name]["shapes"]["missing"] == 0
    assert table["ccg"]["accuracy"]["precision"] == 100
    assert [one["sentences"] for one in found["agreement"]] == [2, 2, 2]
    # Enju's auxiliary is the syntactic head of the sentence, its verb the semantic one.
    assert [one[0].index(0) for one in trees.values()] == [1, 2, 2]
    roots = {(one["one"], one["other"]): one["same_roots"] for one in found["agreement"]}
    assert roots == {("syn", "sem"): 1, ("syn", "ccg"): 1, ("sem", "ccg"): 2}


def test_rules_are_learnt_from_converted_trees(headway: Headway, folder: Path) -> None:
    settings = [one for one in QUICK if one.startswith(("align.", "lm."))]
    done = headway(
        "train", "str2dep", "--source", "train.de", "--target", "train.en", "--pretokenised",
        "--target-trees", "sem.conllu", "--out", "model",
        *(word for one in settings for word in ("--set", one)),
        cwd=folder,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    rules = [rule for rule in RuleTable.open(folder / "model" / "rules.table") if rule.structure]
    assert rules
    assert {rule.structure.label for rule in rules if rule.structure is not None} >= {"NNS"}


def test_files_of_both_parsers_give_the_same_without_conversion(
    headway: Headway, folder: Path
) -> None:
    sources = {"syn": "en.xml:syn", "sem": "en.xml:sem", "default": "en.xml", "ccg": "en.grs"}
    done = headway(
        "compare", "--target", "train.en", "--pretokenised", "--out", "out",
        *(word for name, file in sources.items() for word in ("--trees", f"{name}={file}")),
        "--set", "text.casing=none",
        cwd=folder,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "en.grs: words without a head, which hang from the root word: 1" in done.stderr
    for name in sources:
        made = "syn" if name == "default" else name
        found = heads(folder / "out" / "trees" / f"{name}-trees.conllu")
        assert found == heads(folder / f"{made}.conllu")


def test_rules_are_learnt_from_files_of_other_parsers(headway: Headway, folder: Path) -> None:
    settings = [one for one in QUICK if one.startswith(("align.", "lm."))]
    for trees, out in (("en.xml", "direct"), ("syn.conllu", "converted")):
        done = headway(
            "train", "str2dep", "--source", "train.de", "--target", "train.en", "--pretokenised",
            "--target-trees", trees, "--out", out,
            *(word for one in settings for word in ("--set", one)),
            cwd=folder,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
    direct, converted = (
        (folder / out / "rules.table").read_bytes() for out in ("direct", "converted")
    )
    assert direct == converted


def test_trees_of_pairs_that_cleaning_drops_are_named_by_their_option(
    headway: Headway, folder: Path
) -> None:
    (folder / "long.en").write_text(f"{TEXT}films run\n", encoding="utf-8")
    (folder / "long.de").write_text(f"{GERMAN}\n", encoding="utf-8")
    (folder / "one.dp").write_text("films\tNNS\t2\nrun\tVBP\t0\n\n", encoding="utf-8")
    settings = [one for one in QUICK if one.startswith(("align.", "lm."))]
    done = headway(
        "compare", "--target", "long.en", "--pretokenised", "--out", "out",
        "--trees", "a=one.dp", "--system", "str2dep", "--baselines", "none", "--seeds", "1",
        "--source", "long.de", "--dev-source", "dev.de", "--dev-target", "dev.en",
        "--test-source", "dev.de", "--test-target", "dev.en",
        *(word for one in settings for word in ("--set", one)),
        cwd=folder,
    )  # fmt: skip
    assert done.returncode == 2
    last = done.stderr.splitlines()[-1]
    assert "--trees a: has no tree of any target sentence that cleaning kept" in last
    assert "whole.conllu" not in last


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("en.parg", "en.parg: files of CCGbank name only words with arcs; make trees of it first"),
        ("en.xml:lth", "a=en.xml:lth: no rules 'lth' for such a file; expected syn, sem"),
        ("no.xml:sem", "no.xml: "),
        ("cut.xml", "cut.xml:1: "),
    ],
)
def test_files_of_which_no_trees_can_be_made(
    headway: Headway, folder: Path, source: str, message: str
) -> None:
    (folder / "en.parg").write_text("<s id='1'> 2\n1 0 N/N 1 films old\n<\\s>\n")
    (folder / "cut.xml").write_text("<sentence id='s0'><cons>\n")
    done = headway(
        "compare", "--target", "train.en", "--out", "out", "--trees", f"a={source}", cwd=folder
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
