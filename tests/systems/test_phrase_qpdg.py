"""`phrase-qpdg`: trained, tuned in two passes, and used."""

import json
import shutil
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from conftest import Headway, made_once
from headway import (
    Bundle,
    ConfigError,
    ModelError,
    Settings,
    Source,
    Translator,
    fragment,
    train,
    tune_system,
)
from headway.corpus import read_lines
from headway.systems import Trained
from headway.systems.dev import DevSet
from headway.systems.dev_sources import dev_sources
from headway.systems.rescoring import DevLists
from headway.systems.tuning import tune_bundle
from headway.trees import Sentence, read_sentences
from headway.tune import Report

FAST = [
    "align.samples=1", "align.fertility_iterations=2", "lm.classes.count=0",
    "phrasedep.clusters=20", "tune.iterations=1", "tune.n_best=20", "search.lattice_edges=150",
]  # fmt: skip
SET = [word for setting in FAST for word in ("--set", setting)]
TREE_TO_TREE = "tree-to-tree."


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """300 pairs with gold trees of both sides."""

    def make(place: Path) -> None:
        fragment.write(place, pairs=300, dev=20, test=6, seed=3)

    return made_once(tmp_path_factory, "qpdg-corpus", make)


def trained(corpus: Path, place: Path, **changes: Any) -> Trained:
    arguments: dict[str, Any] = {
        "target_trees": corpus / "train.en.conllu",
        "settings": Settings.load(None, FAST),
        **changes,
    }
    return train("phrase-qpdg", corpus / "train.de", corpus / "train.en", place, **arguments)


def dev(corpus: Path) -> dict[str, Path]:
    return {"dev_source": corpus / "dev.de", "dev_target": corpus / "dev.en"}


def with_source_trees(corpus: Path) -> dict[str, Path]:
    return {
        "source_trees": corpus / "train.de.conllu",
        "dev_source_trees": corpus / "dev.de.conllu",
    }


@pytest.fixture(scope="module")
def model(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tuned, with source trees in tuning and none in the bundle."""

    def make(place: Path) -> None:
        trained(corpus, place / "bundle", **dev(corpus), **with_source_trees(corpus))

    return made_once(tmp_path_factory, "qpdg-model", make) / "bundle"


def sources(corpus: Path) -> list[Source]:
    trees = list(read_sentences(corpus / "test.de.conllu"))
    return [Source(tuple(one.forms), ((one.tree(), 1.0),)) for one in trees]


def test_both_passes_are_tuned_and_have_weights_of_their_own(model: Path) -> None:
    manifest = Bundle.open(model).manifest
    assert "coarse_tuning" in manifest.facts
    fine = set(manifest.weights) - set(manifest.coarse)
    kinds = {name.partition(".")[0] for name in fine}
    assert kinds == {"phrase-dependency", "lexical-dependency", "string-to-tree", "tree-to-tree"}
    assert len(fine) == 4 + 4 + 15


def test_the_coarse_weights_make_the_lattice_and_the_others_choose(
    model: Path, corpus: Path, tmp_path: Path
) -> None:
    lines = sources(corpus)
    before = Translator.load(model).translate(lines, forests=True)
    manifest = Bundle.open(model).manifest
    place = shutil.copytree(model, tmp_path / "copy")
    text = (place / "model.toml").read_text(encoding="utf-8")
    head, coarse = text.split("[coarse]")
    changed = coarse.replace(f"lm = {manifest.coarse['lm']}", "lm = 0.0")
    assert changed != coarse
    (place / "model.toml").write_text(f"{head}[coarse]{changed}", encoding="utf-8")
    after = Translator.load(place).translate(lines, forests=True)
    assert [one.forest.edges for one in before if one.forest] != [
        one.forest.edges for one in after if one.forest
    ]
    for one in before:
        score = sum(manifest.weights[name] * value for name, value in one.features.items())
        assert one.score == pytest.approx(score, abs=1e-3)


def test_translations_come_with_trees_over_phrases_and_over_words(
    model: Path, corpus: Path
) -> None:
    translator = Translator.load(model)
    for one in translator.translate(sources(corpus), n_best=5, distinct=True, trees=True):
        for candidate in (one, *one.n_best):
            tree = candidate.phrase_tree()
            assert " ".join(tree.forms).split() == list(candidate.words)
            assert tree.heads.count(0) == 1
            assert tree.is_projective
            assert candidate.tree is not None
            assert candidate.tree.heads.count(0) == 1
            assert not candidate.tree.has_cycle
        scores = [candidate.score for candidate in one.n_best]
        assert scores == sorted(scores, reverse=True)
        assert len({candidate.words for candidate in one.n_best}) == len(scores)


def test_lists_of_different_translations_are_full(model: Path, corpus: Path) -> None:
    for one in Translator.load(model).translate(sources(corpus), n_best=30, distinct=True):
        assert len({candidate.words for candidate in one.n_best}) == 30


def test_source_trees_count_and_lines_without_them_are_translated(
    model: Path, corpus: Path
) -> None:
    translator = Translator.load(model)
    given = translator.translate(sources(corpus))
    plain = translator.translate(list(read_lines(corpus / "test.de")))
    counted = [
        sum(v for n, v in one.features.items() if n.startswith(TREE_TO_TREE)) for one in given
    ]
    assert all(counted)
    assert all("no-source-tree" in one.flags for one in plain)
    assert all(one.words for one in plain)


def test_without_source_trees_their_features_are_left_out(corpus: Path, tmp_path: Path) -> None:
    bundle = trained(corpus, tmp_path / "model").bundle
    assert not any(name.startswith(TREE_TO_TREE) for name in bundle.manifest.weights)
    assert not bundle.manifest.coarse
    (found,) = Translator.load(bundle.directory).translate(["Der alte Mann sieht einen Hund ."])
    assert found.phrase_tree().heads.count(0) == 1
    assert not found.flags


def test_features_that_search_leaves_out_keep_their_weights(model: Path, corpus: Path) -> None:
    out = {"string_to_tree": False, "tree_to_tree": False}
    translator = Translator.load(model, search=out)
    weights = Bundle.open(model).manifest.weights
    assert set(weights) - set(translator.weights) == {n for n in weights if "-to-tree." in n}
    assert all(one.words for one in translator.translate(sources(corpus)))


def test_lists_of_different_translations_are_as_long_as_asked(model: Path, corpus: Path) -> None:
    long = " ".join(list(read_lines(corpus / "test.de"))[:3])
    translator = Translator.load(model, search={"lattice_edges": 1000})
    (found,) = translator.translate([long], n_best=10, distinct=True)
    assert len({one.words for one in found.n_best}) == 10


def test_least_risk_is_taken_over_different_translations(model: Path, corpus: Path) -> None:
    found = Translator.load(model).translate(sources(corpus), mbr=True, n_best=20)
    for one in found:
        words = [candidate.words for candidate in one.n_best]
        assert len(set(words)) == len(words) > 1


def coarse_with(model: Path, place: Path, line: str, features: str = "") -> Path:
    """A copy with one more weight of the coarse search."""
    copy = shutil.copytree(model, place)
    text = (copy / "model.toml").read_text(encoding="utf-8")
    changed = text.replace("[coarse]\n", f"[coarse]\n{line}\n")
    (copy / "model.toml").write_text(f"{changed}\n{features}", encoding="utf-8")
    return copy


def test_the_coarse_weights_are_checked_as_all_others(
    model: Path, corpus: Path, tmp_path: Path
) -> None:
    python = '[features]\nodd = "odds:odd"\n'
    for line, features, told in (
        ("foo = 0.5", "", "weight foo: no such feature"),
        ("odd = 0.5", python, "odd is a Python function; give it with --features odds:odd"),
    ):
        place = coarse_with(model, tmp_path / line[:3], line, features)
        with pytest.raises(ModelError, match=f"model.toml: .*{told}"):
            Translator.load(place)
    idle = coarse_with(model, tmp_path / "idle", "odd = 0.0", python)
    assert all(one.words for one in Translator.load(idle).translate(sources(corpus)))


def test_a_second_pass_is_compared_with_the_bundle_as_it_was(corpus: Path, tmp_path: Path) -> None:
    orders = ["lm.order=2", "rescore.order=3", "rescore.n_best=2"]
    settings = Settings.load(None, [*FAST, *orders])
    bundle = trained(corpus, tmp_path / "model", settings=settings).bundle
    place, pair = bundle.directory, (corpus / "dev.de", corpus / "dev.en")
    ready = dev_sources(bundle, DevSet.read(pair[0], [pair[1]]), 0)
    lists = DevLists(bundle, ready.sources, ready.references, settings, lambda _: nullcontext())
    before = lists.score()
    found = tune_system(place, *pair, settings=settings)
    assert found.coarse is not None
    assert found.second_pass is not None
    assert found.second_pass.before == pytest.approx(before)


def test_two_passes_are_compared_with_the_bundle_as_it_was(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = trained(corpus, tmp_path / "model").bundle.directory
    manifest, pair = (place / "model.toml").read_text(), (corpus / "dev.de", corpus / "dev.en")
    settings = Settings.load(None, FAST)
    ready = dev_sources(Bundle.open(place), DevSet.read(pair[0], [pair[1]]), 0)
    alone = tune_bundle(
        Bundle.open(place),
        ready,
        Settings.load(None, [*FAST, "tune.search.distortion_limits=[]"]),
        state=tmp_path / "alone",
    )
    found = tune_system(place, *pair, settings=settings, state=tmp_path / "state")
    assert found.given is not None
    assert (found.given.score, found.given.length) == pytest.approx(
        (alone.start.score, alone.start.length)
    )
    assert found.worth_it
    # Weights that are worse than those there were are not written, even if coarse tuning gained.
    (place / "model.toml").write_text(manifest)
    monkeypatch.setattr(Report, "worth", lambda self, it: -it.score)
    worse = tune_system(place, *pair, settings=settings, state=tmp_path / "state")
    assert not worse.worth_it
    assert (place / "model.toml").read_text() == manifest


def test_tuning_a_bundle_tunes_both_passes_once(corpus: Path, tmp_path: Path) -> None:
    place = trained(corpus, tmp_path / "model").bundle.directory
    settings = Settings.load(None, FAST)
    first = tune_system(place, corpus / "dev.de", corpus / "dev.en", settings=settings)
    assert first.coarse is not None
    assert first.given is not None
    assert first.given.score < first.best.score
    coarse = Bundle.open(place).manifest.coarse
    assert coarse
    again = tune_system(
        place, corpus / "dev.de", corpus / "dev.en", settings=settings, state=tmp_path / "state"
    )
    assert again.coarse is None
    assert again.given is None
    assert Bundle.open(place).manifest.coarse == coarse
    assert again.start.score == pytest.approx(first.best.score)


def test_an_interrupted_tuning_goes_on_where_it_stopped(corpus: Path, tmp_path: Path) -> None:
    whole = trained(corpus, tmp_path / "whole", **dev(corpus)).bundle.manifest
    place = trained(corpus, tmp_path / "model").bundle.directory
    settings, rounds = Settings.load(None, FAST), 0

    class StopsError(Exception):
        pass

    def stop(_: object) -> None:
        nonlocal rounds
        rounds += 1
        if rounds == 2:
            raise StopsError

    with pytest.raises(StopsError):
        tune_system(place, corpus / "dev.de", corpus / "dev.en", settings=settings, tell=stop)
    tune_system(place, corpus / "dev.de", corpus / "dev.en", settings=settings)
    found = Bundle.open(place).manifest
    assert (found.coarse, found.weights) == (whole.coarse, whole.weights)


def test_the_command_line_shows_the_tree_over_phrases(
    headway: Headway, model: Path, corpus: Path, tmp_path: Path
) -> None:
    line = next(iter(read_lines(corpus / "test.de")))
    shown = headway("inspect", model, line)
    assert shown.returncode == 0, shown.stderr
    assert "tree over phrases" in shown.stdout
    assert "tree over words" in shown.stdout
    assert "coarse" in headway("inspect", model).stdout
    table = json.loads(headway("inspect", model, line, "--json").stdout)
    assert len(table["phrase_heads"]) == len(table["segments"])
    assert 0 in table["phrase_heads"]
    trees = tmp_path / "out.conllu"
    done = headway("translate", model, "-i", corpus / "test.de", "--trees", trees)
    assert done.returncode == 0, done.stderr
    written = list(read_sentences(trees))
    translations = Translator.load(model).translate(list(read_lines(corpus / "test.de")))
    assert len(written) == len(translations) == 6
    for sentence, one in zip(written, translations, strict=True):
        assert phrases_of(sentence) == [
            (head, source + 1, " ".join(one.words[slice(*segment.target)]))
            for head, (segment, source) in zip(
                one.phrase_tree().heads,
                [(it, it.source[0]) for it in one.segments if it.target[0] < it.target[1]],
                strict=True,
            )
        ]


def phrases_of(sentence: Sentence) -> list[tuple[int, int, str]]:
    """Head, first source word and words of each phrase, read from the last column."""
    found: dict[int, tuple[int, int, str]] = {}
    for form, misc in zip(sentence.forms, sentence.column("misc"), strict=True):
        facts = dict(part.split("=") for part in misc.split("|"))
        words = (
            f"{found[int(facts['Phrase'])][2]} {form}" if int(facts["Phrase"]) in found else form
        )
        first = int(facts["Source"].split("-")[0])
        found[int(facts["Phrase"])] = (int(facts["PhraseHead"]), first, words)
    return [found[number] for number in sorted(found)]


def test_inspect_shows_a_given_source_tree_and_licenses_no_spans(
    headway: Headway, model: Path, corpus: Path, tmp_path: Path
) -> None:
    tree = tmp_path / "one.conllu"
    blocks = (corpus / "test.de.conllu").read_text(encoding="utf-8").split("\n\n")
    tree.write_text(f"{blocks[0]}\n\n", encoding="utf-8")
    line = next(iter(read_lines(corpus / "test.de")))
    shown = headway("inspect", model, line, "--source-trees", tree)
    assert shown.returncode == 0, shown.stderr
    assert "source tree" in shown.stdout
    assert "licensed" not in shown.stdout


def test_lines_without_a_tree_keep_their_place_among_trees(
    headway: Headway, model: Path, tmp_path: Path
) -> None:
    text, trees, listed = tmp_path / "text", tmp_path / "trees", tmp_path / "listed"
    text.write_text("Der Hund schläft.\n\nXyzzyq\n", encoding="utf-8")
    n_best = ["--n-best", 1, tmp_path / "list", "--n-best-trees", listed]
    done = headway("translate", model, "-i", text, "--unknown", "drop", "--trees", trees, *n_best)
    assert done.returncode == 0, done.stderr
    whole, *others = read_sentences(trees)
    assert 0 in whole.heads
    assert [list(one.forms) for one in others] == [[], []]
    assert len(list(read_sentences(listed))) == 3


def test_lattices_are_refused_because_translations_are_trees(
    headway: Headway, model: Path, tmp_path: Path
) -> None:
    done = headway("translate", model, "--lattice", tmp_path / "lattice")
    assert done.returncode == 2
    assert "are trees, which make no word lattice; give --forests" in done.stderr


@pytest.mark.parametrize("setting", ["string_to_tree", "tree_to_tree"])
def test_features_can_be_left_out_when_the_model_is_used(
    model: Path, corpus: Path, setting: str
) -> None:
    translator = Translator.load(model, search={setting: False})
    family = setting.replace("_", "-")
    assert not any(name.startswith(f"{family}.") for name in translator.weights)
    assert all(one.words for one in translator.translate(sources(corpus)))


def test_training_reports_missing_trees_and_aligned_steps(
    headway: Headway, corpus: Path, tmp_path: Path
) -> None:
    trees = tmp_path / "trees.conllu"
    _, _, rest = (corpus / "train.en.conllu").read_text(encoding="utf-8").partition("\n\n")
    trees.write_text(rest, encoding="utf-8")
    sides = ["--source", corpus / "train.de", "--target", corpus / "train.en"]
    options = ["--target-trees", trees, "--out", tmp_path / "model", *SET]
    done = headway("train", "phrase-qpdg", *sides, *options)
    assert done.returncode == 0, done.stderr
    assert "sentences, which are used without one; the first is line 1: " in done.stderr
    steps = [line for line in done.stderr.splitlines() if line.endswith(" s") and line[:2] == "  "]
    assert any(line.startswith("  phrase-dependencies ") for line in steps)
    assert len({len(line) for line in steps}) == 1


def test_it_needs_trees_of_the_target(corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="needs trees of the target language"):
        trained(corpus, tmp_path / "model", target_trees=None)


def test_reordering_against_blocks_is_a_feature_of_both_passes(
    corpus: Path, tmp_path: Path
) -> None:
    settings = Settings.load(None, [*FAST, "extract.reordering.model=hierarchical"])
    place = trained(corpus, tmp_path / "model", settings=settings).bundle.directory
    found = Translator.load(place).translate(list(read_lines(corpus / "test.de")))
    values = [v for one in found for n, v in one.features.items() if n.startswith("reordering.")]
    assert any(values)
