"""Whole comparisons on a small corpus: figures, files, and going on after an interruption."""

import csv
import json
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from comparisons import QUICK, Labels, run, sources, system
from headway import Settings, parse
from headway.compare import FIGURES, Compared, agreement_table, compare, figures_table, verdicts
from headway.compare import sources as compare_sources
from headway.compare.result import columns
from headway.corpus import read_lines, write_lines
from headway.evaluate import evaluate
from headway.parse import TreebankPart
from headway.settings import ParseSettings
from headway.systems import Bundle, bleu
from headway.table import RuleTable
from headway.trees import read_sentences, write_sentences
from processes import interrupted_at_work, snapshot
from rich.console import Console

Whole = tuple[Compared, Path]


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def heads(out: Path, name: str) -> list[list[int | None]]:
    found = read_sentences(out / "trees" / f"{name}-trees.conllu")
    return [sentence.heads for sentence in found]


def test_sources_are_compared_as_their_files_say(compared: Whole) -> None:
    found, out = compared
    names = ["gold", "chains", "parsed"]
    assert [(one.one, one.other) for one in found.agreements] == list(combinations(names, 2))
    for one in found.agreements:
        pairs = list(zip(heads(out, one.one), heads(out, one.other), strict=True))
        words = [two for a, b in pairs for two in zip(a, b, strict=True)]
        assert one.words == len(words)
        assert one.same_heads == sum(a == b for a, b in words)
        assert one.same_roots == sum(a.index(0) == b.index(0) for a, b in pairs)
    chains = heads(out, "chains")
    assert chains == [list(range(len(one))) for one in chains]


def test_gold_trees_are_right_and_others_less(compared: Whole) -> None:
    lines = {line.name: line for line in compared[0].sources}
    accuracies = {name: line.accuracy for name, line in lines.items()}
    assert accuracies["gold"] is not None
    assert accuracies["gold"].precision == accuracies["gold"].recall == 100
    assert accuracies["parsed"] is not None
    assert accuracies["chains"] is not None
    assert 100 > accuracies["parsed"].precision > accuracies["chains"].precision
    assert all(line.shapes is not None and not line.shapes.illegal for line in lines.values())


def test_systems_without_trees_come_first(compared: Whole) -> None:
    found, out = compared
    assert [line.name for line in found.lines] == ["phrase", "hiero", "gold", "chains", "parsed"]
    for line in found.lines:
        table = RuleTable.open(out / "systems" / f"{line.name}.model" / "rules.table")
        slots = sum(any(isinstance(it, int) for it in rule.source) for rule in table)
        assert line.rules is not None
        assert (line.rules.phrases, line.rules.hierarchical) == (len(table) - slots, slots)
    assert found.lines[0].rules is not None
    assert found.lines[0].rules.hierarchical == 0
    assert all(line.shapes is None and line.accuracy is None for line in found.lines[:2])


def test_scores_are_those_of_the_files(compared: Whole, bitext: Path) -> None:
    found, out = compared
    for place, seed in enumerate(found.seeds):
        for part in ("dev", "test"):
            reference = list(read_lines(bitext / f"{part}.en"))
            files = {
                line.name: list(read_lines(out / "systems" / f"{line.name}.{seed}.{part}"))
                for line in found.lines
            }
            for line in found.lines:
                expected = bleu(files[line.name], [reference], language="en")
                assert line.bleu(part)[place] == pytest.approx(expected.score)
                assert line.scores[part][place].length == pytest.approx(expected.length_ratio)
            if part == "test":
                first = evaluate(files, [reference], metrics=["bleu"]).systems
                for line, expected_line in zip(found.lines[1:], first[1:], strict=True):
                    tested = line.scores[part][place].against["phrase"]
                    assert tested == expected_line.against_first["bleu"]


def test_differences_are_means_over_seeds(compared: Whole) -> None:
    found, _ = compared
    names = [line.name for line in found.lines]
    assert {(one.one, one.other) for one in found.differences} == set(combinations(names, 2))
    for one in found.differences:
        lines = [found.lines[names.index(name)] for name in (one.one, one.other)]
        first, second = (sum(line.bleu("test")) / 2 for line in lines)
        assert one.bleu == pytest.approx(second - first)
        assert len(one.signs) == 2


def test_the_files_say_the_same(compared: Whole) -> None:
    found, out = compared
    assert json.loads((out / FIGURES).read_text()) == found.table()
    agreements = rows(out / "agreement.csv")
    for row, one in zip(agreements, found.agreements, strict=True):
        assert (row["source"], row["other"]) == (one.one, one.other)
        assert float(row["roots"]) == pytest.approx(one.roots, abs=1e-4)
        assert float(row["heads"]) == pytest.approx(one.heads, abs=1e-4)
    for row, line in zip(rows(out / "table.csv"), found.lines, strict=True):
        assert row["name"] == line.name
        for column in columns(found):
            value = column.value(line)
            given = row[column.key]
            assert given == "" if value is None else float(given) == pytest.approx(value, abs=1e-4)
        assert float(row["test seed 2"]) == pytest.approx(line.bleu("test")[1], abs=1e-4)
    for row, difference in zip(rows(out / "differences.csv"), found.differences, strict=True):
        assert row["signs"] == difference.signs


def shown(found: Compared) -> str:
    console = Console(width=400)
    with console.capture() as capture:
        console.print(agreement_table(found), figures_table(found))
    return capture.get()


def test_tables_for_the_terminal(compared: Whole) -> None:
    found, _ = compared
    text = shown(found)
    for one in found.agreements:
        assert f"{one.roots:.1f} ({one.heads:.1f})" in text
    for line in found.lines:
        assert f"{sum(line.bleu('test')) / 2:.1f}" in text
        assert line.rules is not None
        assert f"{line.rules.phrases:,}" in text
    sure = [one for one in found.differences if one.signs in ("++", "--")]
    assert len(verdicts(found)) == len(sure)


def test_the_second_time_nothing_is_done(compared: Whole, bitext: Path) -> None:
    _, out = compared
    before = {path: path.stat().st_mtime_ns for path in out.rglob("*") if path.is_file()}
    contents = snapshot(out)
    labels = Labels()
    run(
        bitext,
        out,
        gold=bitext / "train.en.conllu",
        seeds=[1, 2],
        watch=labels,
        **system(bitext),
    )
    assert labels.seen == []
    assert snapshot(out) == contents
    results = {out / name for name in ("compare.html", FIGURES)} | set(out.glob("*.csv"))
    changed = {path for path, at in before.items() if path.stat().st_mtime_ns != at}
    assert changed == results


def test_interrupted_anywhere_it_goes_on(compared: Whole, bitext: Path, tmp_path: Path) -> None:
    whole, finished = compared
    asked: dict[str, Any] = {"gold": bitext / "train.en.conllu", **system(bitext)}
    done: list[str] = []
    stops = [
        "training the parsed",
        "hiero: extracting",
        "chains, seed 1: decoding 2",
        "scoring seed 1",
    ]
    for stop in stops:
        labels = Labels(stop)
        with pytest.raises(KeyboardInterrupt):
            run(bitext, tmp_path / "out", seeds=[1], watch=labels, **asked)
        done += [label for label in labels.seen if stop not in label]
    labels = Labels()
    run(bitext, tmp_path / "out", seeds=[1, 2], watch=labels, **asked)
    done += labels.seen
    assert len([label for label in done if label.endswith("aligning words")]) == 1
    assert len([label for label in done if "estimating the language model" in label]) == 1
    assert len([label for label in done if label == "training the parsed parser"]) == 1
    # Tuning goes on as well: its first round is not decoded again.
    assert len([label for label in done if label == "chains, seed 1: decoding 1"]) == 1
    trained = [label for label in done if label.endswith("extracting rules")]
    assert sorted(trained) == sorted(f"{line.name}: extracting rules" for line in whole.lines)
    for name in (FIGURES, "compare.html", "table.csv"):
        assert (tmp_path / "out" / name).read_bytes() == (finished / name).read_bytes()
    assert not list((tmp_path / "out").rglob("*.tuned*"))


def test_an_interrupted_command_says_that_it_goes_on(bitext: Path, tmp_path: Path) -> None:
    texts = {name: value for name, value in system(bitext).items() if name != "system"}
    endless = [one for one in QUICK if "fertility" not in one]
    settings = [*endless, "align.fertility_iterations=1000000000"]
    code, last = interrupted_at_work(
        "compare",
        *("--target", str(bitext / "train.en"), "--out", "out", "--system", "str2dep"),
        *("--trees", "chains=right-branching"),
        *(
            word
            for name, path in texts.items()
            for word in (f"--{name.replace('_', '-')}", str(path))
        ),
        *(word for setting in settings for word in ("--set", setting)),
        cwd=tmp_path,
        sign=lambda shown: "aligning words" in shown,
    )
    assert code == 130
    assert last == "headway: interrupted; the same command keeps the steps that are done"
    assert (tmp_path / "out" / "trees" / "chains-trees.conllu").exists()


def test_another_source_leaves_the_others_alone(bitext: Path, tmp_path: Path) -> None:
    given = sources(bitext)
    labels = Labels()
    run(bitext, tmp_path / "out", watch=labels)
    assert "training the parsed parser" in labels.seen
    again = Labels()
    found = run(bitext, tmp_path / "out", trees={**given, "left": "left-branching"}, watch=again)
    assert again.seen == ["making chains"]
    assert len(found.agreements) == 6
    changed = Labels()
    run(bitext, tmp_path / "out", "parse.transition.rounds=2", watch=changed)
    assert changed.seen == ["training the parsed parser", "parsing the target side"]


def test_trees_that_are_none_are_counted_and_used_as_far_as_they_go(
    bitext: Path, tmp_path: Path
) -> None:
    odd = tmp_path / "odd.conllu"
    sentences = list(read_sentences(bitext / "train.en.conllu"))
    lengths = [len(sentence) for sentence in sentences]
    first, second, third = (
        next(at for at in range(n, 150) if lengths[at] > 3) for n in (0, 20, 40)
    )
    changes: dict[int, list[int | None]] = {
        first: [None, *range(lengths[first] - 1)],  # a word without head
        second: [2, 1, *[0] * (lengths[second] - 2)],  # a cycle
        third: [0] * lengths[third],  # nothing but roots
    }
    for number, heads_of_line in changes.items():
        for row, head in enumerate(heads_of_line):
            sentences[number].set(row, "head", "_" if head is None else str(head))
    write_sentences(odd, sentences)
    found = run(
        bitext,
        tmp_path / "out",
        trees={"odd": odd},
        treebanks=(),
        gold=bitext / "train.en.conllu",
        baselines=[],
        seeds=[1],
        **system(bitext),
    )
    (line,) = found.lines
    assert line.shapes is not None
    assert (line.shapes.illegal, line.shapes.cyclic, line.shapes.cycles) == (3, 1, 1)
    assert line.accuracy is not None
    assert line.accuracy.found == line.accuracy.gold - 1
    assert line.accuracy.recall < line.accuracy.precision < 100
    assert line.bleu("test")[0] > 0
    whole = list(read_sentences(tmp_path / "out" / "trees" / "odd-whole.conllu"))
    assert len(whole) == len(sentences) - 1
    # Of the trees that have one word without head there is no use; a cycle takes its words only.
    facts = Bundle.open(tmp_path / "out" / "systems" / "odd.model").manifest.facts
    assert facts["trees_missing"] == 1


def test_kinds_that_learn_from_brackets_get_them_as_they_are(
    bitext: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Whichever kinds this build has, `pcfg` stands for one that learns from brackets.
    asked: list[tuple[list[str], str, bool]] = []

    def train(parts: list[TreebankPart], out: Path, *, settings: ParseSettings, **how: Any) -> None:
        asked.append(([part.path.name for part in parts], settings.kind, settings.lowercase))
        quick = Settings.load(None, [*QUICK, "parse.kind=transition"]).parse
        learn([bitext / "dev.en.conllu"], out, settings=quick, **how)

    learn = parse.train
    monkeypatch.setattr(parse, "train", train)
    monkeypatch.setattr(compare_sources, "kinds", lambda: ["pcfg", "transition"])
    (tmp_path / "wsj.mrg").write_text("(S (NP (DT a) (NN dog)))\n", encoding="utf-8")
    lower = tmp_path / "train.en"
    write_lines(lower, (line.lower() for line in read_lines(bitext / "train.en")))
    for number, text in enumerate((bitext / "train.en", lower)):
        found = bracketed(text, tmp_path / f"out{number}", tmp_path / "wsj.mrg")
        assert found.lines[0].shapes is not None
        assert found.lines[0].shapes.sentences == 150
    assert asked == [(["wsj.mrg"], "pcfg", False), (["wsj.mrg"], "pcfg", True)]


def bracketed(text: Path, out: Path, treebank: Path) -> Compared:
    settings = Settings.load(None, [*QUICK, "text.casing=none"])
    return compare(text, {"pcfg": "pcfg"}, out, treebanks=treebank, settings=settings)
