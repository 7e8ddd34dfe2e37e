"""The hierarchical system: trained, tuned, used."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from conftest import Headway
from headway import Bundle, ConfigError, ModelError, Settings, Translator, train, tune_system
from headway.corpus import read_lines
from headway.lm import LanguageModel, WordClasses
from headway.systems import bleu, explain, write_unknown_report
from headway.systems.registry import SYSTEMS
from headway.table import Rule

SMALL = [
    "tune.iterations=2", "tune.n_best=20", "tune.random_starts=2", "run.threads=2",
    "align.samples=1",
]  # fmt: skip


@pytest.fixture(scope="module")
def hiero(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("hiero") / "bundle"
    settings = Settings.load(None, [*SMALL, "align.fertility_iterations=2", "search.pop_limit=60"])
    trained = train(
        "hiero",
        corpus / "train.de",
        corpus / "train.en",
        place,
        dev_source=corpus / "dev.de",
        dev_target=corpus / "dev.en",
        settings=settings,
    )
    assert trained.dev is not None
    assert trained.dev.score > 30
    return place


def test_the_bundle_has_the_features_of_chart_search(hiero: Path) -> None:
    manifest = Bundle.open(hiero, verify=True).manifest
    assert manifest.system == "hiero"
    names = ["p(f|e)", "lex(f|e)", "p(e|f)", "lex(e|f)", "phrase-penalty", "word-penalty"]
    assert list(manifest.weights) == [*names, "unknown-word", "glue", "lm", "class-lm"]


def test_the_model_of_word_classes_scores_the_classes_of_a_translation(
    hiero: Path, corpus: Path
) -> None:
    classes, model = (
        WordClasses.load(hiero / "target.classes"),
        LanguageModel.load(hiero / "class-lm.bin"),
    )
    found = Translator.load(hiero).translate(list(read_lines(corpus / "test.de"))[:20], n_best=3)
    for entry in (entry for one in found for entry in one.n_best):
        numbers = [classes.get(word) for word in entry.words]
        line = " ".join("<unk>" if number is None else str(number) for number in numbers)
        assert entry.features["class-lm"] == pytest.approx(model.score(line), abs=1e-3)


def test_derivations_show_rules_with_slots(hiero: Path, corpus: Path) -> None:
    translator = Translator.load(hiero)
    lines = list(read_lines(corpus / "test.de"))
    # Without consensus, the answer is the first of its list.
    found = translator.translate(lines, n_best=3, forests=True, mbr=False)
    rules = [segment.rule for one in found for segment in one.segments]
    assert any(rule is not None and "[X1]" in rule[0] and "[X1]" in rule[1] for rule in rules)
    for one in found:
        assert one.forest is not None
        assert one.n_best[0].words == one.words
        weights = translator.weights
        total = sum(value * weights[name] for name, value in one.features.items())
        assert total == pytest.approx(one.score, abs=1e-3)
        placed = {place for segment in one.segments for place in range(*segment.source)}
        assert placed == set(range(len(one.source)))
    score = bleu([one.text for one in found], [list(read_lines(corpus / "test.en"))])
    assert score.score > 30


def test_an_unknown_word_is_read_as_a_known_one_in_charts_too(hiero: Path, tmp_path: Path) -> None:
    odd = "Der kleinne Hund schläft ."
    alike, marking, strict = (
        Translator.load(hiero, search={"alike": share, "unknown": how})
        for share, how in ((0.75, "copy"), (0.75, "mark"), (0.0, "copy"))
    )
    usual, found = alike.translate(["Der kleine Hund schläft .", odd], n_best=3)
    assert (found.text, found.read[1]) == (usual.text, "kleine")
    for candidate in (found, *found.n_best):
        (one,) = candidate.unknown
        assert (one.word, one.kind, one.known) == ("kleinne", "look-alike", "kleine")
        assert one.said
    assert "UNK:kleinne=small" in marking.translate([odd])[0].text
    assert [(one.word, one.kind) for one in strict.translate([odd])[0].unknown] == [
        ("kleinne", "copy")
    ]
    write_unknown_report(tmp_path / "report.tsv", [found])
    (row,) = list(read_lines(tmp_path / "report.tsv"))[1:]
    assert row.split("\t")[:5] == ["1", "kleinne", "look-alike", "kleine", "small"]


def test_case_makes_no_unknown_word(hiero: Path) -> None:
    translator = Translator.load(hiero)
    usual, small, large = translator.translate(
        ["Der kleine Hund schläft .", "Der kleine hund schläft .", "DER KLEINE HUND SCHLÄFT ."]
    )
    assert small.words == usual.words
    assert (small.read[2], large.read[1:3]) == ("Hund", ("kleine", "Hund"))


def test_a_feature_in_python_is_asked_about_rules_with_slots(hiero: Path, corpus: Path) -> None:
    seen: list[Rule] = []

    def slots(rule: Rule) -> float:
        seen.append(rule)
        return float(sum(not isinstance(symbol, str) for symbol in rule.source))

    lines = list(read_lines(corpus / "test.de"))[:5]
    against = Translator.load(hiero, features={"slots": slots}, weights={"slots": -50.0})
    found = against.translate(lines)
    assert any("[X" in rule.source_text for rule in seen)
    assert all(one.features["slots"] == 0 for one in found)
    assert all("[X1]" not in (s.rule or ("",))[0] for one in found for s in one.segments)


@pytest.mark.parametrize("forests", ["false", "true"])
def test_it_can_be_tuned_again(hiero: Path, corpus: Path, tmp_path: Path, forests: str) -> None:
    place = tmp_path / "model"
    shutil.copytree(hiero, place)
    text = (place / "model.toml").read_text(encoding="utf-8")
    lines = ["lm = 0.01" if line.startswith("lm = ") else line for line in text.splitlines()]
    (place / "model.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    how = ["tune.method=mira"]
    if forests == "true":
        how = ["tune.method=mert", "tune.random_starts=0", "tune.directions=0"]
    settings = Settings.load(None, [*SMALL, *how, f"tune.forests={forests}"])
    report = tune_system(place, corpus / "dev.de", corpus / "dev.en", settings=settings)
    assert report.improved
    assert "distortion_limit" not in report.search


def check_nesting(shown: str, rules: int) -> None:
    """Rows of a derivation: what is indented lies within the row above it and fills its slots."""
    lines = shown.splitlines()
    first = next(place for place, line in enumerate(lines) if " derivation " in line)
    column = lines[first].index("source")
    rows = lines[first + 1 : lines.index("", first)]
    assert len(rows) == rules + 1
    assert sum(row[column:].startswith("glue") for row in rows) == 1
    depths = [len(row[column:]) - len(row[column:].lstrip()) for row in rows]
    spans = [[int(end) for end in row[:column].strip().split("–")] for row in rows]
    for place, row in enumerate(rows):
        after = range(place + 1, len(rows))
        end = next((it for it in after if depths[it] <= depths[place]), len(rows))
        inside, low, high = range(place + 1, end), spans[place][0], spans[place][-1]
        assert all(low <= spans[it][0] <= spans[it][-1] <= high for it in inside)
        if "glue" not in row:
            filling = [it for it in inside if depths[it] == depths[place] + 2]
            assert 2 * len(filling) == row.count("[X")  # on both sides


def test_inspect_tells_rules_and_glue(hiero: Path, headway: Headway, corpus: Path) -> None:
    line = next(iter(read_lines(corpus / "test.de")))
    found = explain(Translator.load(hiero), line)
    assert found.edges > 10
    done = headway("inspect", hiero, line)
    assert done.returncode == 0, done.stderr
    rules = [segment.rule for segment in found.translation.segments]
    assert all(rule is not None and rule[1] in done.stdout for rule in rules)
    check_nesting(done.stdout, len(rules))
    table = json.loads(headway("inspect", hiero, line, "--json").stdout)
    assert [tuple(segment["rule"]) for segment in table["segments"]] == rules


def test_the_command_line_writes_lists_and_derivations(
    hiero: Path, headway: Headway, corpus: Path, tmp_path: Path
) -> None:
    lists, derivations = tmp_path / "n.txt", tmp_path / "d.jsonl"
    done = headway(
        "translate", hiero, "-i", corpus / "test.de",
        "--n-best", "5", lists, "--derivations", derivations,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    texts = list(read_lines(corpus / "test.de"))
    assert len(done.stdout.splitlines()) == len(texts)
    first = lists.read_text(encoding="utf-8").splitlines()[0]
    assert "glue= " in first
    assert first.startswith("0 ||| ")
    rows = [json.loads(line) for line in derivations.read_text(encoding="utf-8").splitlines()]
    assert all("rule" in segment for row in rows for segment in row["segments"])
    assert all(said(row["steps"], row["segments"]) == row["target"] for row in rows)
    glue = [sum(step.get("operation") == "glue" for step in row["steps"]) for row in rows]
    assert glue == [row["features"]["glue"] for row in rows]


def said(steps: list[dict[str, Any]], segments: list[dict[str, Any]]) -> list[str]:
    """The words of a derivation, from its rules and what fills their slots alone."""
    found: list[list[str]] = []
    for step in steps:
        parts = [found[part] for part in step["parts"]]
        if "segment" not in step:
            found.append([word for part in parts for word in part])
            continue
        slots = {f"[X{number}]": part for number, part in enumerate(parts, 1)}
        words = segments[step["segment"]]["rule"][1].split()
        found.append([word for one in words for word in slots.get(one, [one])])
    return found[-1]


def test_steps_cover_what_their_parts_cover(hiero: Path, corpus: Path) -> None:
    lines = list(read_lines(corpus / "test.de"))
    found = Translator.load(hiero).translate(lines, n_best=3)
    for one in (entry for each in found for entry in each.n_best):
        assert [step.segment for step in one.steps if step.segment is not None] == [
            *range(len(one.segments))
        ]
        used = sorted(part for step in one.steps for part in step.parts)
        assert used == [*range(len(one.steps) - 1)]
        for step in one.steps:
            spans = sorted(one.steps[part].source for part in step.parts)
            if step.segment is None:
                assert (spans[0][0], spans[-1][1]) == step.source
            else:
                own = one.segments[step.segment].source
                spans = sorted([*spans, *([own] if own[0] < own[1] else [])])
                assert (spans[0][0], max(end for _, end in spans)) == step.source


@pytest.mark.parametrize(
    ("options", "warning"),
    [
        (["--set", "search.algorithm=stack"], "search.algorithm has no effect: chart"),
        (["--set", "search.stop=true"], "search.stop has no effect: only str2dep"),
        (
            ["--set", "search.distortion_limit=3"],
            "search.distortion_limit has no effect: only phrase, phrase-deplm, phrase-deporder and",
        ),
        (["--set", "search.dependency_loops=true"], "has no effect: only phrase-deplm uses"),
        (["--no-rescore"], "--no-rescore has no effect: the bundle has no second pass"),
        (["--set", "str2dep.model=baseline"], "str2dep.model has no effect: a bundle has what"),
        (["--set", "tune.mira.prior=1"], "tune.mira.prior has no effect: a bundle has what"),
        (["--set", "weights.lm=0.3"], "weights.lm has no effect: it is where tuning begins; give"),
        (["--set", "search.algorithm=cube", "--set", "search.stop=false", "--threads", "1"], ""),
    ],
)
def test_settings_without_effect_are_told(
    hiero: Path, headway: Headway, options: list[str], warning: str
) -> None:
    for command in (["translate", hiero], ["inspect", hiero, "Der Hund schläft ."]):
        done = headway(*command, *options, stdin="Der Hund schläft .\n")
        assert done.returncode == 0, done.stderr
        assert len(done.stderr.splitlines()) == bool(warning)
        assert warning in done.stderr


def test_a_lattice_is_refused_before_anything_is_translated(
    hiero: Path, headway: Headway, tmp_path: Path
) -> None:
    done = headway("translate", hiero, "--lattice", tmp_path / "l", stdin="Der Hund schläft.\n")
    assert (done.returncode, done.stdout) == (2, "")
    assert "are trees, which make no word lattice; give --forests" in done.stderr
    assert not (tmp_path / "l").exists()


def test_odd_lines_are_translated(hiero: Path) -> None:
    long = "Der Hund schläft . " * 80
    odd = ["", "   ", "Xyzzy", "[X1] [X][X]", "a ||| b", long]
    found = Translator.load(hiero).translate(odd)
    assert [one.text for one in found[:2]] == ["", ""]
    assert all(one.text for one in found[2:])


def test_a_bundle_of_an_unknown_system_is_refused(hiero: Path, tmp_path: Path) -> None:
    place = tmp_path / "model"
    shutil.copytree(hiero, place)
    manifest = (place / "model.toml").read_text(encoding="utf-8")
    changed = manifest.replace('system = "hiero"', 'system = "heiro"')
    (place / "model.toml").write_text(changed, encoding="utf-8")
    with pytest.raises(ModelError, match="this headway has no such one; did you mean hiero"):
        Translator.load(place)


def test_a_bundle_of_another_system_is_not_replaced(corpus: Path, tmp_path: Path) -> None:
    sides, place = (corpus / "dev.de", corpus / "dev.en"), tmp_path / "model"
    train("hiero", *sides, place, settings=Settings.load(None, SMALL))
    before = (place / "model.toml").read_bytes()
    with pytest.raises(ConfigError, match=r"model: is a bundle of hiero already; remove it"):
        train("phrase", *sides, place, settings=Settings.load(None, SMALL))
    assert (place / "model.toml").read_bytes() == before
    (place / "model.toml").write_text("damaged")
    assert train("hiero", *sides, place, settings=Settings.load(None, SMALL)).rules


def test_sentences_that_training_keeps_are_searched_whole() -> None:
    settings = Settings.load()
    for system in SYSTEMS.values():
        assert int(system.search_settings(settings)["max_words"]) >= settings.clean.max_words
