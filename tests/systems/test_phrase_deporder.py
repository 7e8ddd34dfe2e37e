"""`phrase-deporder`: trained, tuned and used. Its search is tested in tests/decode."""

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import Headway, made_once
from headway import Bundle, ConfigError, Settings, Source, Translator, deporder, fragment, train
from headway.corpus import read_lines
from headway.systems import Trained, explain
from headway.table import Rule
from headway.trees import read_sentences

FAST = [
    "parse.kind=transition", "parse.transition.beam=1", "parse.transition.rounds=1",
    "parse.tagger_rounds=1", "parse.jackknife=0", "parse.label_rounds=1", "parse.feature_bits=18",
    "align.samples=1", "align.fertility_iterations=2", "lm.classes.count=0",
    "tune.iterations=1", "tune.n_best=10",
]  # fmt: skip

# The rows of Table II, but for random phrases.
ROWS: dict[str, dict[str, Any]] = {
    "all phrases": {"spans": "all", "contiguous": False, "dependency_order": "none"},
    "linear": {"dependency_order": "none"},
    "dependency": {"dependency_order": "plain", "linear_distortion": False},
    "both": {"dependency_order": "plain"},
    "both, lexicalised": {},
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus, and `phrase` and `phrase-deporder` trained on it with gold trees, not tuned."""

    def make(place: Path) -> None:
        corpus = place / "corpus"
        fragment.write(corpus, pairs=400, dev=20, test=10, seed=9)
        quick = Settings.load(None, FAST)
        sides = (corpus / "train.de", corpus / "train.en")
        train("phrase", *sides, place / "phrase", settings=quick, warn_idle=False)
        trained(place, place / "gold", **gold(corpus), dev_source=None, dev_target=())

    return made_once(tmp_path_factory, "deporder", make)


def gold(corpus: Path) -> dict[str, Path]:
    return {
        "source_trees": corpus / "train.de.conllu",
        "target_trees": corpus / "train.en.conllu",
    }


def trained(place: Path, out: Path, **changes: Any) -> Trained:
    corpus = place / "corpus"
    arguments: dict[str, Any] = {
        "dev_source": corpus / "dev.de",
        "dev_target": corpus / "dev.en",
        "settings": Settings.load(None, FAST),
        "warn_idle": False,
        **changes,
    }
    return train("phrase-deporder", corpus / "train.de", corpus / "train.en", out, **arguments)


def test_it_trains_from_treebanks_of_both_sides_and_parses_what_it_translates(
    place: Path, tmp_path: Path, headway: Headway
) -> None:
    corpus, out = place / "corpus", tmp_path / "m"
    done = headway(
        "train", "phrase-deporder", "--source", corpus / "train.de", "--target",
        corpus / "train.en", "--dev-source", corpus / "dev.de", "--dev-target", corpus / "dev.en",
        "--source-treebank", corpus / "train.de.conllu", "--treebank", corpus / "train.en.conllu",
        "--out", out, *(word for setting in FAST for word in ("--set", setting)),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "has no effect" not in done.stderr
    manifest = Bundle.open(out).manifest
    assert {"order", "source-parser"} <= manifest.components.keys()
    assert "parser" not in manifest.components  # the target is parsed in training alone
    assert {"dependency-order", "unlicensed", "cohesion"} <= manifest.weights.keys()
    assert manifest.facts["order"]["linked"] > 1000
    # Contiguous orders have no distortion limit, so that none is chosen.
    assert "distortion_limits" not in manifest.facts["tuning"]
    model = deporder.OrderModel.open(out / "order.bin")
    assert (model.lexical, model.sizes, model.punctuation_apart) == (True, False, False)
    derivations = tmp_path / "d"
    done = headway("translate", out, "-i", corpus / "test.de", "--derivations", derivations)
    assert done.returncode == 0, done.stderr
    for line in read_lines(derivations):
        found = json.loads(line)
        assert (found["flags"], len(found["source_trees"])) == ([], 1)
        assert found["features"]["dependency-order"] < 0
        assert found["features"]["unlicensed"] == 0
    done = headway("inspect", out, "Ein Mann braucht einen Teller.")
    assert "source tree" in done.stdout
    assert "dependency-order" in done.stdout


def test_gold_trees_tune_it_with_those_of_the_dev_set(place: Path, tmp_path: Path) -> None:
    corpus = place / "corpus"
    dev = {"dev_source_trees": corpus / "dev.de.conllu"}
    found = trained(place, tmp_path / "m", **gold(corpus), **dev)
    assert found.dev is not None
    assert found.dev.score > 20
    with pytest.raises(ConfigError, match="the dev set has no source trees"):
        trained(place, tmp_path / "n", **gold(corpus))


@pytest.mark.parametrize("row", ROWS)
def test_the_rows_of_the_table_are_settings(place: Path, row: str) -> None:
    translator = Translator.load(place / "gold", search=ROWS[row])
    path = place / "corpus" / "test.de.conllu"
    found = translator.translate([Source.of(sentence) for sentence in read_sentences(path)])
    # The first row is `phrase`, which makes no use of trees.
    flags = {"ignored-trees"} if row == "all phrases" else set()
    assert all(one.words and one.flags == flags for one in found)
    distances = [one.features["distortion"] for one in found]
    assert any(distances) == (row != "dependency")
    assert any(one.features["dependency-order"] for one in found) == ("dep" in row or "both" in row)


def test_without_trees_it_translates_as_phrase_does(place: Path) -> None:
    lines = list(read_lines(place / "corpus" / "test.de"))
    plain = Translator.load(place / "phrase").translate(lines)
    found = Translator.load(place / "gold").translate(lines)
    assert [one.text for one in found] == [one.text for one in plain]
    assert [one.score for one in found] == pytest.approx([one.score for one in plain])
    assert all(one.flags == {"no-source-tree"} for one in found)


def test_inspect_shows_which_spans_are_licensed(place: Path, headway: Headway) -> None:
    trees, model = place / "corpus" / "test.de.conllu", place / "gold"
    sentence = next(iter(read_sentences(trees)))
    tree = sentence.tree()
    licensed = {(first - 1, last) for first, last, _ in tree.licensed_spans(4) or []}
    translator = Translator.load(model)
    assert set(translator.licensed(Source.of(tree)) or []) == licensed
    assert translator.licensed(Source(tuple(tree.forms))) is None
    (place / "one.conllu").write_text(str(sentence))
    line, given = " ".join(tree.forms), ("--source-trees", place / "one.conllu")
    found = json.loads(headway("inspect", model, line, *given, "--json").stdout)
    assert {one["licensed"] for one in found["options"]} == {True, False}
    for one in found["options"]:
        assert one["licensed"] == (tuple(one["span"]) in licensed)
    assert all(tuple(one["source"]) in licensed for one in found["segments"])
    shown = headway("inspect", model, line, *given).stdout
    assert "licensed" in next(row for row in shown.splitlines() if row.startswith("span"))
    # `phrase` knows nothing of it.
    plain = json.loads(headway("inspect", place / "phrase", line, "--json").stdout)
    assert {one["licensed"] for one in plain["options"]} == {None}


def test_one_of_two_settings_that_go_together_can_be_given(place: Path, headway: Headway) -> None:
    # The bundle has the other one, which the defaults of all systems have not.
    chosen = ("--set", "search.contiguous=true")
    trees = ("--source-trees", place / "corpus" / "test.de.conllu")
    line = place / "corpus" / "test.de"
    done = headway("translate", place / "gold", "-i", line, *trees, *chosen)
    assert (done.returncode, len(done.stdout.splitlines())) == (0, 10), done.stderr
    done = headway("translate", place / "phrase", "-i", line, *chosen)
    assert done.returncode == 2
    assert "search.contiguous is true; it needs search.spans=licensed" in done.stderr


def long_words(rule: Rule) -> float:
    return float(sum(len(word) > 6 for word in rule.target if isinstance(word, str)))


def test_lists_forests_and_features_in_python(place: Path) -> None:
    path = place / "corpus" / "test.de.conllu"
    sources = [Source.of(sentence) for sentence in read_sentences(path)][:4]
    weights = {"long_words": -0.5, "dependency-order": 0.4}
    translator = Translator.load(place / "gold", features=[long_words], weights=weights)
    for found in translator.translate(sources, n_best=20, forests=True):
        assert len({entry.score for entry in found.n_best}) > 5
        for entry in found.n_best:
            summed = sum(translator.weights[name] * it for name, it in entry.features.items())
            assert summed == pytest.approx(entry.score, abs=1e-3)
            assert entry.features["dependency-order"] < 0
            known = [segment for segment in entry.segments if segment.unknown is None]
            words = [word for it in known for word in entry.words[slice(*it.target)]]
            assert entry.features["long_words"] == sum(len(word) > 6 for word in words)
        assert found.forest is not None
        assert found.forest.k_best(1)[0].score == pytest.approx(found.score, abs=1e-3)


def test_several_trees_are_used(place: Path) -> None:
    sentence = next(iter(read_sentences(place / "corpus" / "test.de.conllu")))
    source = Source.of(sentence)
    ((tree, _),) = source.trees
    flat = type(tree)(tree.forms, [0, *[1] * (len(tree) - 1)], tree.tags, tree.labels)
    both = Source(source.words, ((tree, 0.6), (flat, 0.4)))
    alone = Translator.load(place / "gold")
    several = Translator.load(place / "gold", search={"source_trees": 2})
    assert explain(several, both).translation.source_trees == both.trees
    (one,), (two,) = alone.translate([both]), several.translate([both])
    assert one.text == alone.translate([source])[0].text
    assert two.score >= one.score - 0.6  # a second tree costs its prior at most


@pytest.mark.parametrize(
    ("setting", "attribute"),
    [("sizes=true", "sizes"), ("punctuation=apart", "punctuation_apart")],
)
def test_settings_of_the_order_model(
    place: Path, tmp_path: Path, setting: str, attribute: str
) -> None:
    chosen = Settings.load(None, [*FAST, f"deporder.{setting}", "deporder.lexical=false"])
    given = {**gold(place / "corpus"), "dev_source": None, "dev_target": ()}
    found = trained(place, tmp_path / "m", **given, settings=chosen)
    model = deporder.OrderModel.open(found.bundle.path("order"))
    assert (getattr(model, attribute), model.lexical) == (True, False)
    path = place / "corpus" / "test.de.conllu"
    sources = [Source.of(sentence) for sentence in read_sentences(path)]
    assert all(one.words for one in Translator.load(tmp_path / "m").translate(sources))


def test_both_sides_need_trees(place: Path, tmp_path: Path) -> None:
    corpus = place / "corpus"
    for missing, told in (("source_trees", "source"), ("target_trees", "target")):
        given = {name: path for name, path in gold(corpus).items() if name != missing}
        with pytest.raises(ConfigError, match=f"phrase-deporder needs trees of the {told} lang"):
            trained(place, tmp_path / "m", **given, dev_source_trees=None)
