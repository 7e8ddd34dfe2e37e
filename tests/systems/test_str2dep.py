"""The string-to-dependency system: trained, tuned, used."""

import json
import shutil
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from conftest import Headway
from headway import (
    Bundle,
    ConfigError,
    FormatError,
    HeadwayError,
    Settings,
    Translator,
    train,
)
from headway.corpus import read_lines
from headway.lm import DependencyModel, LanguageModel
from headway.systems import Candidate, Trained, bleu, explain
from headway.systems.explain import rule_of
from headway.table import Rule, RuleTable, draw_structure
from headway.trees import DependencyTree, Sentence, read_sentences, write_sentences
from processes import interrupted_at_work

SMALL = [
    "tune.iterations=2", "tune.n_best=20", "tune.random_starts=2", "run.threads=2",
    "align.fertility_iterations=2", "align.samples=1", "lm.classes.count=0", "search.pop_limit=40",
]  # fmt: skip

# Without a prior, which would keep the second pass at the weights of the first.
SECOND = ["lm.order=3", "rescore.order=4", "rescore.n_best=50", "tune.mira.prior=0"]

# A parser that is trained in no time.
FAST = [
    "parse.kind=transition", "parse.transition.beam=1", "parse.transition.rounds=1",
    "parse.tagger_rounds=1", "parse.jackknife=0", "parse.label_rounds=1", "parse.feature_bits=18",
]  # fmt: skip


def trained(corpus: Path, place: Path, *overrides: str, work: Path | None = None) -> Trained:
    return train(
        "str2dep",
        corpus / "train.de",
        corpus / "train.en",
        place,
        dev_source=corpus / "dev.de",
        dev_target=corpus / "dev.en",
        target_trees=corpus / "train.en.conllu",
        settings=Settings.load(None, [*SMALL, *overrides]),
        work=work,
    )


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("str2dep")


@pytest.fixture(scope="module")
def bundle(corpus: Path, place: Path) -> Path:
    """With a second pass: decoding with a 3-gram, rescoring with a 4-gram."""
    found = trained(corpus, place / "bundle", *SECOND, work=place / "work")
    assert found.dev is not None
    assert found.dev.score > 30
    return place / "bundle"


@pytest.fixture(scope="module")
def translator(bundle: Path) -> Translator:
    return Translator.load(bundle, rescore=False)


def test_arcs_that_cross_are_lifted_so_that_every_structure_can_be_built(
    bundle: Path, corpus: Path
) -> None:
    given = [sentence.tree() for sentence in read_sentences(corpus / "train.en.conllu")]
    crossed = sum(not tree.is_projective for tree in given)
    facts = Bundle.open(bundle).manifest.facts
    assert 0 < facts["trees_lifted"] <= crossed
    structures = (rule.structure for rule in RuleTable.open(bundle / "rules.table"))
    shapes = {tuple(one.heads) for one in structures if one is not None}
    assert len(shapes) > 100
    for heads in shapes:
        assert DependencyTree([str(head) for head in heads], list(heads)).is_projective, heads


def test_a_feature_in_python_is_asked_about_rules_with_structures(
    bundle: Path, translator: Translator, corpus: Path
) -> None:
    seen: list[Rule] = []

    def floating(rule: Rule) -> float:
        seen.append(rule)
        return float(rule.structure is not None and rule.structure.kind != "fixed")

    lines = list(read_lines(corpus / "test.de"))[:20]
    free = Translator.load(bundle, features={"floating": floating}, rescore=False)
    usual = free.translate(lines)
    assert any(rule.structure is not None and "[X" in rule.source_text for rule in seen)
    # Of no weight, it changes nothing; its values are those of the rules in use.
    assert [one.words for one in usual] == [one.words for one in translator.translate(lines)]
    table = RuleTable.open(bundle / "rules.table")
    for one in usual:
        rules = [rule_of(table, segment) for segment in one.segments]
        assert one.features["floating"] == sum(floating(rule) for rule in rules if rule)
    assert sum(one.features["floating"] for one in usual) > 0
    against = Translator.load(
        bundle, features={"floating": floating}, weights={"floating": -50.0}, rescore=False
    )
    assert all(one.features["floating"] == 0 for one in against.translate(lines))


def test_the_bundle_has_the_features_of_the_paper(bundle: Path) -> None:
    manifest = Bundle.open(bundle, verify=True).manifest
    names = ["p(f|e)", "lex(f|e)", "p(e|f)", "lex(e|f)", "phrase-penalty", "word-penalty"]
    names += ["unknown-word", "special-rules", "lm"]
    assert list(manifest.weights) == [*names, "dependency-lm", "ill-formed", "unmatched-labels"]
    assert manifest.facts["trees"] == 1500


def test_translations_have_trees_over_their_words(bundle: Path, corpus: Path) -> None:
    lines = list(read_lines(corpus / "test.de"))
    # A weight under which most translations are whole trees, whatever tuning found.
    translator = Translator.load(bundle, weights={"ill-formed": -3.0}, rescore=False)
    found = translator.translate(lines, n_best=3, forests=True)
    dependency = DependencyModel.load(bundle)
    whole = 0
    for one in found:
        assert one.n_best[0].words == one.words
        for entry in (one, *one.n_best):
            assert entry.heads is not None
            assert len(entry.heads) == len(entry.words)
            null = sum(head is None for head in entry.heads)
            assert null == entry.features["ill-formed"]
            if null == 0:
                whole += 1
                tree = DependencyTree(list(entry.words), [head or 0 for head in entry.heads])
                assert tree.is_projective
                assert dependency.score(tree) == pytest.approx(
                    entry.features["dependency-lm"], abs=1e-2
                )
    assert whole > len(found)
    score = bleu([one.text for one in found], [list(read_lines(corpus / "test.en"))])
    assert score.score > 30


def test_the_second_pass_scores_lists_again(bundle: Path, corpus: Path) -> None:
    lines = list(read_lines(corpus / "test.de"))[:20]
    rescoring = Bundle.open(bundle).manifest.rescoring
    assert rescoring is not None
    found = Translator.load(bundle).translate(lines, n_best=30)
    plain = Translator.load(bundle, rescore=False).translate(lines, n_best=50, distinct=True)
    for one, other in zip(found, plain, strict=True):
        scores = [entry.score for entry in one.n_best]
        assert scores == sorted(scores, reverse=True)
        assert one.words == one.n_best[0].words
        assert one.score == one.n_best[0].score
        assert {entry.words for entry in one.n_best} <= {entry.words for entry in other.n_best}
        total = sum(rescoring.weights[name] * value for name, value in one.features.items())
        assert total == pytest.approx(one.score, abs=1e-6)


def test_the_value_of_the_language_model_is_that_of_the_longer_one(
    bundle: Path, corpus: Path
) -> None:
    lines = list(read_lines(corpus / "test.de"))[:20]
    manifest = Bundle.open(bundle).manifest
    assert manifest.rescoring is not None
    assert manifest.rescoring.weights != manifest.weights
    short, long = (LanguageModel.load(bundle / name) for name in ("lm.bin", "rescoring.bin"))
    assert (short.order, long.order) == (3, 4)
    differs = 0
    for rescore, model, other in ((True, long, short), (False, short, long)):
        translator = Translator.load(bundle, rescore=rescore)
        for entry in (e for one in translator.translate(lines, n_best=10) for e in one.n_best):
            found = entry.features["lm"]
            assert found == pytest.approx(model.score(" ".join(entry.words)), abs=1e-3)
            differs += abs(found - other.score(" ".join(entry.words))) > 1e-2
    assert differs > 100


def test_weights_and_features_count_in_both_passes(bundle: Path, corpus: Path) -> None:
    lines = list(read_lines(corpus / "test.de"))[:10]
    plain = Translator.load(bundle)
    short = Translator.load(bundle, weights={"word-penalty": 20.0})
    assert (short.weights["word-penalty"], short.search_weights["word-penalty"]) == (20, 20)
    assert {**short.weights, "word-penalty": plain.weights["word-penalty"]} == plain.weights
    lengths = [[len(one.words) for one in it.translate(lines)] for it in (plain, short)]
    assert all(few <= many for many, few in zip(*lengths, strict=True))
    assert sum(lengths[1]) < sum(lengths[0])

    def capitals(rule: Rule) -> float:
        return float(sum(word[:1].isupper() for word in rule.target_text.split()))

    against = Translator.load(bundle, features={"caps": capitals}, weights={"caps": -5.0})
    for one in against.translate(lines, n_best=10):
        total = sum(against.weights[name] * value for name, value in one.features.items())
        assert total == pytest.approx(one.score, abs=1e-6)
        assert one.features["caps"] == min(entry.features["caps"] for entry in one.n_best)


@pytest.mark.parametrize(
    ("model", "trees", "features"),
    [
        ("baseline", False, {"glue"}),
        ("filtered", False, {"glue"}),
        ("str-dep", True, {"special-rules", "dependency-lm", "ill-formed"}),
    ],
)
def test_configurations_are_settings_of_one_system(
    corpus: Path, place: Path, bundle: Path, model: str, trees: bool, features: set[str]
) -> None:
    found = trained(
        corpus, place / model, f"str2dep.model={model}", "tune.iterations=1", work=place / "work"
    )
    assert features <= set(found.bundle.manifest.weights)
    assert "unmatched-labels" not in found.bundle.manifest.weights
    translator = Translator(found.bundle)
    assert translator.has_trees == trees
    (one,) = translator.translate(["Der Hund schläft."])
    assert (one.heads is not None) == trees
    table, labelled = (
        RuleTable.open(found.bundle.path("rules")),
        RuleTable.open(bundle / "rules.table"),
    )
    if model == "baseline":
        assert len(table) > len(labelled)
        assert table.facts.with_structure == 0
    if model == "str-dep":
        assert table.facts.labels == 1
        assert len(table) <= len(labelled)


def test_labels_come_from_the_column_that_is_asked_for(corpus: Path, tmp_path: Path) -> None:
    trees = corpus / "dev.en.conllu"
    sentences = list(read_sentences(trees))
    tags = {name: {tag for one in sentences for tag in one.column(name)} for name in COLUMNS}
    assert not tags["upos"] & tags["xpos"] - {"PUNCT"}
    # Where a column is empty, the other one is taken.
    for one in sentences:
        one.set_column("xpos", ["_"] * len(one))
    bare = tmp_path / "u.conllu"
    bare.write_text("".join(map(str, sentences)), encoding="utf-8")
    for given, wanted, taken in (
        (trees, "upos", "upos"), (trees, "xpos", "xpos"), (bare, "xpos", "upos"),
    ):  # fmt: skip
        found = train(
            "str2dep", corpus / "dev.de", corpus / "dev.en", tmp_path / "model",
            target_trees=given, settings=Settings.load(None, [*SMALL, f"extract.tags={wanted}"]),
        )  # fmt: skip
        assert labels(found.bundle) <= tags[taken]


COLUMNS = ("upos", "xpos")


def test_trees_without_tags_give_rules_without_labels(
    corpus: Path, tmp_path: Path, headway: Headway
) -> None:
    sentences = list(read_sentences(corpus / "dev.en.conllu"))
    for one in sentences:
        for name in COLUMNS:
            one.set_column(name, ["_"] * len(one))
    bare = tmp_path / "bare.conllu"
    bare.write_text("".join(map(str, sentences)), encoding="utf-8")
    told = {}
    for model in ("labeled", "str-dep"):
        used = [one for one in SMALL if not one.startswith("tune.")]  # there is no dev set
        options = [part for one in (*used, f"str2dep.model={model}") for part in ("--set", one)]
        done = headway(
            "train", "str2dep", "--source", corpus / "dev.de", "--target", corpus / "dev.en",
            "--target-trees", bare, "--work", tmp_path / "work", "--out", tmp_path / model,
            *options,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        warnings = [line for line in done.stderr.splitlines() if line.startswith("warning: ")]
        told[model] = [line for line in warnings if "no discounts" not in line]  # little text
    (warning,) = told["labeled"]
    assert warning.startswith(f"warning: {bare}: trees without tags")
    assert not told["str-dep"]
    found = [Bundle.open(tmp_path / model).manifest for model in told]
    assert list(found[0].weights) == list(found[1].weights)
    assert "unmatched-labels" not in found[0].weights
    assert found[0].components["rules"].checksum == found[1].components["rules"].checksum


def labels(bundle: Bundle) -> set[str]:
    """Tags of the heads of rules."""
    rules = RuleTable.open(bundle.path("rules"))
    structures = (rule.structure for rule in rules if rule.structure is not None)
    found = {one.label for one in structures if one.kind == "fixed"}
    assert len(found) > 5
    return found


def test_a_treebank_or_a_parser_give_trees(corpus: Path, place: Path, tmp_path: Path) -> None:
    sides = (corpus / "train.de", corpus / "train.en")
    settings = Settings.load(None, [*SMALL, *FAST])
    treebank = corpus / "dev.en.conllu"
    first = train("str2dep", *sides, tmp_path / "a", treebanks=[treebank], settings=settings)
    assert first.rules > 1000
    parser = tmp_path / "a.work" / "parser.bin"
    second = train("str2dep", *sides, tmp_path / "b", parser=parser, settings=settings)
    # With a parser at hand all is as with one trained on the way.
    same = [one.bundle.manifest.components["rules"].checksum for one in (first, second)]
    assert same[0] == same[1]


def test_an_interrupted_sentence_ends_soon(bundle: Path, corpus: Path, tmp_path: Path) -> None:
    words = (corpus / "test.de").read_text().split()[:600]
    (tmp_path / "long").write_text(" ".join(words) + "\n")
    options = ["--set", "search.pop_limit=100000000", "--set", "search.stack=100000000"]
    code, errors = interrupted_at_work(
        "translate", str(bundle), "-i", "long", "-o", "out", *options, cwd=tmp_path
    )
    assert (code, errors) == (130, "headway: interrupted")
    assert [path.name for path in tmp_path.iterdir()] == ["long"]


def test_inspect_shows_both_weights_and_no_setting_of_other_searches(
    bundle: Path, headway: Headway
) -> None:
    manifest = Translator.load(bundle).bundle.manifest
    assert manifest.rescoring is not None
    lines = headway("inspect", bundle).stdout.splitlines()
    shown = {line.split()[0]: line.split()[1:] for line in lines if line}
    for name, weight in manifest.weights.items():
        assert shown[name] == [f"{weight:g}", f"{manifest.rescoring.weights[name]:g}"]
    assert shown["span_limit"] == ["20"]
    assert not shown.keys() & {"distortion_limit", "dependency_loops", "max_phrase"}


def test_inspect_draws_rules_and_the_tree(bundle: Path, headway: Headway, corpus: Path) -> None:
    line = next(iter(read_lines(corpus / "test.de")))
    done = headway("inspect", bundle, line)
    assert done.returncode == 0, done.stderr
    found = explain(Translator.load(bundle), line)
    structured = [rule for rule in found.rules if rule is not None and rule.structure is not None]
    assert structured
    for rule in structured:
        assert f"{rule.source_text} → {rule.target_text}" in done.stdout
    for segment, made in zip(found.translation.segments, found.rules, strict=True):
        if made is not None and segment.rule is not None:
            assert made.source_text == segment.rule[0].replace("X1", "X").replace("X2", "X")
    assert "dependency-lm" in done.stdout


@pytest.mark.parametrize("columns", [20, 80])
def test_inspect_draws_the_trees_of_a_tables_rules(
    bundle: Path, headway: Headway, columns: int
) -> None:
    table = bundle / "rules.table"
    opened = RuleTable.open(table)
    rules = opened.options("ein [X]", weights=dict.fromkeys(opened.features, 1.0), top=4)
    structured = [rule for rule in rules if rule.structure is not None]
    assert len(structured) > 1
    done = headway("inspect", table, "ein [X]", "--top", 4, env={"COLUMNS": str(columns)})
    assert done.returncode == 0, done.stderr
    rows = done.stdout.split("\n")
    places = [place for place, row in enumerate(rows) if row and not row.startswith(" ")]
    assert [rows[place].split("\t")[2] for place in places] == [one.target_text for one in rules]
    for rule, start, end in zip(rules, places, [*places[1:], len(rows) - 1], strict=True):
        below = rows[start + 1 : end]
        assert [row[4:] for row in below] == draw_structure(rule, columns - 4).splitlines()
        assert all(len(row) <= columns for row in below)
    (machine, *_) = headway("inspect", table, "ein [X]", "--json").stdout.splitlines()
    assert json.loads(machine)["structure"]["heads"]


@pytest.mark.parametrize("rescore", ["--rescore", "--no-rescore"])
def test_what_inspect_shows_adds_up(
    bundle: Path, headway: Headway, corpus: Path, rescore: str
) -> None:
    line = next(iter(read_lines(corpus / "test.de")))
    done = headway("inspect", bundle, line, rescore)
    assert done.returncode == 0, done.stderr
    lines = [row.split() for row in done.stdout.splitlines()]
    start = lines.index(["feature", "value", "weight", "product"]) + 1
    end = next(at for at in range(start, len(lines)) if lines[at][0] == "score")
    rows, weights = lines[start:end], Bundle.open(bundle).manifest.weights
    assert [row[0] for row in rows] == list(weights)
    assert sum(float(row[3]) for row in rows) == pytest.approx(float(lines[end][1]), abs=0.01)
    same = all(row[2] == f"{weights[row[0]]:g}" for row in rows)
    assert same == (rescore == "--no-rescore")


def test_inspect_tells_heads_to_machines(bundle: Path, headway: Headway, corpus: Path) -> None:
    line = next(iter(read_lines(corpus / "test.de")))
    assert json.loads(headway("inspect", bundle, line, "--json").stdout)["heads"]


def test_the_command_line_writes_trees_and_derivations(
    bundle: Path, headway: Headway, corpus: Path, tmp_path: Path
) -> None:
    trees, derivations = tmp_path / "t.conllu", tmp_path / "d.jsonl"
    # A weight that makes search join parts often, whatever tuning found.
    done = headway(
        "translate", bundle, "-i", corpus / "test.de", "--trees", trees,
        "--derivations", derivations, "--no-rescore", "--weight", "special-rules=0.5",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in derivations.read_text(encoding="utf-8").splitlines()]
    sentences = list(read_sentences(trees))
    assert len(sentences) == len(rows) == len(done.stdout.splitlines())
    for sentence, row in zip(sentences, rows, strict=True):
        assert sentence.forms == row["target"]
        assert sentence.heads == [head or 0 for head in row["heads"]]
        null = [label == "null" for label in sentence.column("deprel")]
        assert null == [head is None for head in row["heads"]]
    joined = [[s["operation"] for s in row["steps"] if "operation" in s] for row in rows]
    assert [len(names) for names in joined] == [row["features"]["special-rules"] for row in rows]
    assert {name for names in joined for name in names} >= {"left-adjoin", "right-adjoin"}
    checked = sum(check_adjoined(row, step) for row in rows for step in row["steps"])
    assert checked > 2


def check_adjoined(row: dict[str, Any], step: dict[str, Any]) -> bool:
    """Whether two phrases without slots were adjoined: then one's head is a word of the other."""
    below = [row["steps"][part] for part in step["parts"]]
    if not step.get("operation", "").endswith("adjoin") or any(one["parts"] for one in below):
        return False
    left, right = (range(*row["segments"][one["segment"]]["target"]) for one in below)
    lower, upper = (left, right) if step["operation"] == "left-adjoin" else (right, left)
    heads = [row["heads"][word] for word in lower]
    assert any(head is not None and head - 1 in upper for head in heads)
    return True


def test_every_entry_of_a_list_has_its_tree(
    bundle: Path, headway: Headway, corpus: Path, tmp_path: Path
) -> None:
    lists, trees = tmp_path / "n.txt", tmp_path / "n.conllu"
    done = headway(
        "translate", bundle, "-i", corpus / "test.de", "--n-best", 5, lists,
        "--n-best-trees", trees,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    rows = [line.split(" ||| ") for line in lists.read_text(encoding="utf-8").splitlines()]
    sentences = list(read_sentences(trees))
    assert len(rows) == len(sentences) > 60
    ranks: Counter[str] = Counter()
    for (number, text, values, *_), sentence in zip(rows, sentences, strict=True):
        ranks[number] += 1
        assert sentence.sent_id == f"{number}-{ranks[number]}"
        assert " ".join(sentence.forms) == text
        null = sentence.column("deprel").count("null")
        assert f"ill-formed= {null} " in values
        roots = sentence.heads.count(0) - null
        assert roots == 1 or null
    assert len({tuple(sentence.heads) for sentence in sentences}) > 60


def test_trees_are_refused_where_there_are_none(
    model: Path, bundle: Path, headway: Headway, tmp_path: Path
) -> None:
    for options in (["--trees"], ["--n-best", "2", tmp_path / "n", "--n-best-trees"]):
        done = headway("translate", model, *options, tmp_path / "t", stdin="Der Hund schläft.\n")
        assert (done.returncode, done.stdout) == (2, "")
        assert f"{options[-1]}: phrase makes no trees" in done.stderr
    done = headway("translate", bundle, "--n-best-trees", tmp_path / "t", stdin="Der Hund.\n")
    assert (done.returncode, done.stdout) == (2, "")
    assert "Give --n-best K F too" in done.stderr


def test_trees_that_cannot_be_used_are_named(corpus: Path, tmp_path: Path) -> None:
    sides = (corpus / "train.de", corpus / "train.en")
    trees = corpus / "train.en.conllu"
    with pytest.raises(
        ConfigError, match="str2dep needs trees of the target language; give --treebank"
    ):
        train("str2dep", *sides, tmp_path / "x")
    with pytest.raises(ConfigError, match="phrase uses no trees"):
        train("phrase", *sides, tmp_path / "x", target_trees=trees)
    with pytest.raises(ConfigError, match="more than one place"):
        train("str2dep", *sides, tmp_path / "x", target_trees=trees, treebanks=[trees])
    with pytest.raises(FormatError, match="no tree of any target sentence"):
        train(
            "str2dep", *sides, tmp_path / "x", target_trees=corpus / "dev.de.conllu",
            settings=Settings.load(None, SMALL),
        )  # fmt: skip
    assert not (tmp_path / "x.work" / "train.align").exists()  # found before the long work
    with pytest.raises(ConfigError, match=r"str2dep\.model"):
        Settings.load(None, ["str2dep.model=best"])


UNPARSED = "1\tx\t_\tN\tN\t_\t_\t_\t_\t_\n\n"
CYCLIC = "1\tx\t_\tN\tN\t_\t2\tdep\t_\t_\n2\ty\t_\tN\tN\t_\t1\tdep\t_\t_\n\n"
PARTIAL = CYCLIC.replace("\t1\tdep", "\t_\tdep")


@pytest.mark.parametrize(
    ("option", "name", "text", "message"),
    [
        ("treebanks", "empty.conllu", "", "no sentence with a tree in it"),
        ("treebanks", "bank.conllu", "Is he reading?\n", "bank.conllu:1: expected 10 columns"),
        ("treebanks", "bank.conllu", UNPARSED, "no sentence with a tree in it"),
        ("treebanks", "bank.conllu", CYCLIC * 2, "the heads of all 2 run in circles"),
        ("treebanks", "missing.conllu", None, "no such file"),
        ("target_trees", "empty.conllu", "", "no sentence with a tree in it"),
        ("target_trees", "trees.conllu", UNPARSED, "no sentence with a tree in it"),
        ("target_trees", "trees.conllu", CYCLIC, "the heads of all 1 run in circles"),
        ("target_trees", "trees.conllu", PARTIAL, "in it: words without a head in 1; see headway"),
        (
            "target_trees",
            "trees.conllu",
            CYCLIC + PARTIAL,
            "words without a head in 1, heads that run in circles in 1; see headway trees check",
        ),
        ("target_trees", "missing.conllu", None, "no such file"),
        ("parser", "parser.bin", "Is he reading?\n", "not a headway parser file"),
        ("parser", "empty.conllu", "", "no sentence in it"),
        ("parser", "missing", None, "no such file"),
    ],
)
def test_wrong_trees_are_found_before_anything_is_done(
    corpus: Path, tmp_path: Path, option: str, name: str, text: str | None, message: str
) -> None:
    file = tmp_path / name
    if text is not None:
        file.write_text(text, encoding="utf-8")
    sides = (corpus / "train.de", corpus / "train.en")
    given: dict[str, Any] = {option: [file] if option == "treebanks" else file}
    with pytest.raises(HeadwayError, match=message) as found:
        train("str2dep", *sides, tmp_path / "x", **given, settings=Settings.load(None, SMALL))
    assert str(found.value).startswith(str(file))
    assert not (tmp_path / "x.work").exists()


def test_a_treebank_may_have_sentences_that_teach_nothing(corpus: Path, tmp_path: Path) -> None:
    sentences = [str(one) for one in islice(read_sentences(corpus / "dev.en.conllu"), 20)]
    bank = tmp_path / "bank.conllu"
    bank.write_text("".join([UNPARSED, sentences[0], "\n", *sentences[1:]]), encoding="utf-8")
    found = train(
        "str2dep", corpus / "dev.de", corpus / "dev.en", tmp_path / "x", treebanks=[bank],
        settings=Settings.load(None, [*SMALL, *FAST]),
    )  # fmt: skip
    assert found.rules > 0


def test_sentences_without_a_tree_become_phrasal_rules(corpus: Path, tmp_path: Path) -> None:
    sentences = list(read_sentences(corpus / "train.en.conllu"))
    half = "".join(str(sentence) for sentence in sentences[:700])
    (tmp_path / "half.conllu").write_text(half, encoding="utf-8")
    sides = (corpus / "train.de", corpus / "train.en")
    found = train(
        "str2dep", *sides, tmp_path / "x", target_trees=tmp_path / "half.conllu",
        settings=Settings.load(None, SMALL),
    )  # fmt: skip
    facts = found.bundle.manifest.facts
    assert facts["trees_missing"] > 0
    table = RuleTable.open(found.bundle.path("rules"))
    assert 0 < table.facts.with_structure < len(table)


def test_a_tree_with_a_cycle_gives_the_rules_of_its_intact_parts(tmp_path: Path) -> None:
    # Each word alone, so that alignments are sure, and words on a cycle beside words that are not.
    words, heads = ["ya", "yb", "yc", "yd"], [2, 1, 0, 3]
    texts = [" ".join(words), *words * 5]
    for side, letter in (("de", "x"), ("en", "y")):
        lines = (text.replace("y", letter) for text in texts)
        (tmp_path / f"train.{side}").write_text("".join(f"{line}\n" for line in lines))
    trees = tmp_path / "trees.conllu"
    alone = [Sentence.from_columns([word], head=[0]) for word in words]
    write_sentences(trees, [Sentence.from_columns(words, head=heads), *alone])
    settings = [one for one in SMALL if not one.startswith("tune.")]
    found = train(
        "str2dep", tmp_path / "train.de", tmp_path / "train.en", tmp_path / "model",
        target_trees=trees, pretokenised=True,
        settings=Settings.load(None, [*settings, "str2dep.model=str-dep"]),
    )  # fmt: skip
    assert found.bundle.manifest.facts["trees_missing"] == 0
    rules = [rule for rule in RuleTable.open(found.bundle.path("rules")) if rule.structure]
    shown = {
        (rule.target_text, rule.structure.kind, *rule.structure.heads)
        for rule in rules
        if rule.structure is not None
    }
    single = {(word, "fixed", 0) for word in words}
    beside = {("yc yd", "fixed", 0, 1), ("[X] yd", "fixed", 0, 1), ("yc [X]", "fixed", 0, 1)}
    assert shown == single | beside


def test_odd_lines_are_translated(translator: Translator) -> None:
    long = "Der Hund schläft . " * 60
    odd = ["", "   ", "Xyzzy", "[X1] [X][X]", "a ||| b", long]
    found = translator.translate(odd)
    assert [one.text for one in found[:2]] == ["", ""]
    assert all(one.text for one in found[2:])
    assert str(found[0].sentence()).startswith("# text")


def test_trees_come_where_they_are_asked_for(bundle: Path, translator: Translator) -> None:
    (found,) = translator.translate(["Der Mann schläft ."], trees=True, n_best=2)
    for one in (found, *found.n_best):
        assert one.tree is not None
        assert one.heads is not None
        assert one.tree.heads == [head or 0 for head in one.heads]
    bare = Candidate(("a",), 0.0, {}, (), ())
    with pytest.raises(ConfigError, match="without a tree; ask for it"):
        bare.sentence()
    (empty,) = Translator.load(bundle).translate([""])
    assert empty.score == 0
    assert set(empty.features.values()) == {0}


def test_marked_words_are_marked_in_trees_too(bundle: Path) -> None:
    search = {"alike": 0.75, "unknown": "mark"}
    translator = Translator.load(bundle, search=search, rescore=False)
    (found,) = translator.translate(["Der kleinne Hund schläft ."], trees=True)
    assert [one.kind for one in found.unknown] == ["look-alike"]
    assert found.tree is not None
    assert found.tree.forms == list(found.words)
    assert any(word.startswith("UNK:kleinne=") for word in found.words)


def test_a_dependency_model_that_is_missing_is_named(
    bundle: Path, tmp_path: Path, headway: Headway
) -> None:
    place = tmp_path / "model"
    shutil.copytree(bundle, place)
    (place / "left.bin").unlink()
    done = headway("translate", place, stdin="Der Hund schläft.\n")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert "left.bin: missing from the bundle" in done.stderr
