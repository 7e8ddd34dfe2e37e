"""What cannot be compared is said in one line, before any work."""

import json
from pathlib import Path

import pytest
from comparisons import QUICK
from conftest import Headway

TREE = "1\ta\t_\tX\tX\t_\t2\tdep\t_\t_\n2\tdog\t_\tX\tX\t_\t0\troot\t_\t_\n\n"
OTHER = TREE.replace("dog", "cat")
BRACKETS = "(S (NP (DT a) (NN dog)))\n"
FILES = {
    "t.en": "a dog\n",
    "s.de": "ein Hund\n",
    "dev.en": "a cat\n",
    "dev.de": "eine Katze\n",
    "short.en": "a\nb\n",
    "empty.en": "",
    "blank.en": "\n\n",
    "a.conllu": TREE,
    "b.conllu": OTHER,
    "headless.conllu": TREE.replace("\t2\tdep", "\t_\tdep").replace("\t0\troot", "\t_\troot"),
    "broken.conllu": TREE.replace("\t2\tdep", "\t9\tdep"),
    "partial.conllu": TREE.replace("\t2\tdep", "\t_\tdep"),
    "circle.conllu": TREE.replace("\t0\troot", "\t1\troot"),
    "beside.conllu": TREE.replace("\t2\tdep", "\t1\tdep"),
    "others.conllu": TREE.replace("\t2\tdep", "\t_\tdep") + OTHER,
    "empty.conllu": "",
    "a.mrg": BRACKETS,
    "cut.mrg": BRACKETS.rstrip()[:-1],
    "latin.conllu": "1\té\n",
}

COMPARE = ["compare", "--target", "t.en", "--out", "out"]
A = ["--trees", "a=a.conllu"]
SYSTEM = [
    *A, "--system", "str2dep", "--source", "s.de", "--dev-source", "dev.de", "--dev-target",
    "dev.en", "--test-source", "dev.de", "--test-target", "dev.en",
]  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        encoding = "latin-1" if name.startswith("latin") else "utf-8"
        (tmp_path / name).write_text(text, encoding=encoding)
    (tmp_path / "parser").mkdir()
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--trees", "a"], "--trees a: expected NAME=SOURCE"),
        (["--trees", "a=b=c"], "--trees a=b=c: no such file, and no kind of trees"),
        (["--trees", "a=nothing.conllu"], "nothing.conllu: no such file"),
        (["--trees", "a=cut.mrg"], "cut.mrg:"),
        (["--trees", "a=parser"], "parser: no parser.bin in it; train one"),
        (["--trees", "a=spacy:nothing"], "spaCy is not installed"),
        (["--trees", "a=b.conllu"], "b.conllu: has no tree of any line of t.en"),
        (["--trees", "a=headless.conllu"], "headless.conllu: no sentence with a tree in it"),
        (["--trees", "a=empty.conllu"], "empty.conllu: "),
        (["--trees", "a=broken.conllu"], "broken.conllu:1: column 7 (HEAD): word 1: head 9 is out"),
        (["--trees", "a=latin.conllu"], "latin.conllu:1: "),
        (["--trees", "a=mst"], "a=mst: give --treebank, a file of dependency trees"),
        (
            ["--trees", "a=mst", "--treebank", "a.mrg"],
            "give --treebank, a file of dependency trees",
        ),
        (["--trees", "a=mst", "--treebank", "no.conllu"], "no.conllu: no such file"),
        (
            ["--trees", "a=mst", "--treebank", "headless.conllu"],
            "headless.conllu: no sentence with",
        ),
        ([*A, "--treebank", "a.conllu"], "--treebank a.conllu: no source of trees learns from it"),
        ([*A, "--gold", "b.conllu"], "b.conllu: has no tree of any line of t.en"),
        ([*A, "--gold", "no.conllu"], "no.conllu: no such file"),
        ([*A, "--source", "s.de"], "--source is for a system"),
        ([*A, "--lm", "t.en"], "--lm is for a system"),
        ([*A, "--system", "str2dep"], "also needs --source, --dev-source, --dev-target, --test-"),
        ([*SYSTEM, "--system", "phrase"], "--system is given 2 times"),
        ([*SYSTEM, "--seeds", "1,x"], "--seeds 1,x: expected whole numbers"),
        ([*SYSTEM, "--seeds", "1,1"], "--seeds 1,1: expected different whole numbers"),
        ([*SYSTEM, "--seeds=-1"], "--seeds -1: expected different whole numbers"),
        ([*SYSTEM, "--baselines", "str2dep"], "a system that needs trees is no baseline"),
        ([*SYSTEM, "--baselines", "phrase,phrase"], "phrase is the name of two rows"),
        ([*SYSTEM, "--baselines", "phrses"], "phrses: no such system; did you mean"),
        ([*SYSTEM, "--trees", "hiero=right-branching"], "hiero is the name of two rows"),
        ([*SYSTEM, "--test-target", "short.en"], "short.en: expected 1 lines as in dev.de"),
        (["--trees", "a=right-branching", "--languages", "de"], "expected two codes such as de,en"),
        ([*A, "--sentences=-1"], "--sentences"),
    ],
)
def test_it_is_refused(headway: Headway, folder: Path, arguments: list[str], message: str) -> None:
    done = headway(*COMPARE, *arguments, cwd=folder)
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert message in done.stderr
    assert not list(folder.glob("out/**/*.conllu"))
    if "Usage" not in done.stderr:
        assert len(done.stderr.splitlines()) == 1, done.stderr


@pytest.mark.parametrize(
    ("system", "message"),
    [
        ("phrase", "does not learn from trees of the target text; give one of: phrase-qpdg, str2"),
        ("phrase-deplm", "does not learn from trees of the target text"),
        ("phrase-deporder", "needs trees of the source text too"),
        ("str2deb", "no such system; did you mean str2dep?"),
    ],
)
def test_systems_that_cannot_be_compared(
    headway: Headway, folder: Path, system: str, message: str
) -> None:
    words = [system if word == "str2dep" else word for word in SYSTEM]
    done = headway(*COMPARE, *words, cwd=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr


@pytest.mark.parametrize("target", ["empty.en", "blank.en"])
def test_a_text_without_words(headway: Headway, folder: Path, target: str) -> None:
    words = ["compare", "--target", target, "--out", "out", "--trees", "a=right-branching"]
    done = headway(*words, cwd=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"headway: {target}: no words in it; give it some text\n"


@pytest.mark.parametrize("out", [".", "a.conllu", "t.en"])
def test_the_directory_holds_nothing_that_is_read(headway: Headway, folder: Path, out: str) -> None:
    done = headway("compare", "--target", "t.en", "--out", out, *A, cwd=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert (folder / "a.conllu").read_text() == TREE


@pytest.mark.parametrize(
    ("name", "system", "message"),
    [
        (
            "partial", "str2dep",
            "partial.conllu: no sentence with a tree in it: words without a head in 1; see",
        ),
        (
            "circle", "str2dep",
            "circle.conllu: no sentence with a tree in it: the heads of all 1 run in circles; see",
        ),
        (
            "beside", "phrase-qpdg",
            "beside.conllu: no sentence with a tree in it: the heads of all 1 run in circles; see",
        ),
        (
            "others", "str2dep",
            "--trees b=others.conllu: no line of t.en has a tree that str2dep can learn from, for",
        ),
    ],
)  # fmt: skip
def test_trees_that_a_system_cannot_learn_from_are_named_before_training(
    headway: Headway, folder: Path, name: str, system: str, message: str
) -> None:
    words = [system if word == "str2dep" else word for word in SYSTEM]
    given = ["--trees", f"b={name}.conllu", "--pretokenised", "--set", "text.casing=none"]
    done = headway(*COMPARE, *words, *given, cwd=folder)
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert done.stderr.startswith(f"headway: {message}")
    assert len(done.stderr.splitlines()) == 1
    assert not (folder / "out" / "systems").exists()
    # Without a system the figures of such trees are shown.
    alone = ["--trees", f"b={name}.conllu", "--pretokenised"]
    assert headway(*COMPARE, *alone, cwd=folder).returncode == 0


def test_lines_without_trees_count_as_missing(headway: Headway, folder: Path) -> None:
    (folder / "t.en").write_text("a dog\n\na cat\nA dog\n", encoding="utf-8")
    words = [*COMPARE, *A, "--trees", "b=b.conllu", "--pretokenised", "--gold", "b.conllu"]
    done = headway(*words, "--json", cwd=folder)
    assert done.returncode == 0, done.stderr
    warning = "warning: {}.conllu: no tree with the words of {} as missing; the first is t.en:{}"
    assert done.stderr.splitlines() == [
        warning.format("a", "1 line, which counts", "3, 'a cat'"),
        warning.format("b", "2 lines, which count", "1, 'a dog'"),
    ]
    found = json.loads(done.stdout)
    assert [line["shapes"]["missing"] for line in found["table"]] == [1, 2]
    assert [line["accuracy"]["recall"] for line in found["table"]] == [0, 100]
    assert found["agreement"][0]["sentences"] == 0


def test_the_command_prints_both_tables(headway: Headway, bitext: Path, tmp_path: Path) -> None:
    settings = [word for override in QUICK for word in ("--set", override)]
    done = headway(
        "compare", "--target", bitext / "train.en", "--out", tmp_path / "out",
        "--trees", f"gold={bitext / 'train.en.conllu'}", "--trees", "chains=right-branching",
        *settings,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["same", "roots", "(heads),", "%", "chains"]
    assert lines[3].split() == ["trees", "Illegal", "Cycles"]
    assert f"{tmp_path / 'out' / 'compare.html'}: the same" in lines[-1]
