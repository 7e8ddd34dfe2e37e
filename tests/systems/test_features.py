"""Features that are Python functions: trained, tuned, kept in bundles, given to commands."""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from headway import Bundle, ConfigError, ModelError, Settings, Translator, train, tune_system
from headway.cli import run
from headway.systems import parse_features
from headway.systems.features import fingerprint, named_features, reference
from headway.table import Rule

FAST = [
    "tune.iterations=2", "tune.n_best=20", "align.samples=1", "lm.classes.count=0", "lm.order=2",
    "tune.search.distortion_limits=[]", "align.fertility_iterations=1",
]  # fmt: skip
MODULE = '''"""Features of a test."""


def long_words(rule):
    """Words of more than four letters."""
    return sum(len(str(word)) > 4 for word in rule.target)


def broken(rule):
    return 1 / 0


def silent(rule):
    return None


def huge(rule):
    return 1e39


words = 7
'''


def short_words(rule: Rule) -> float:
    return float(sum(len(str(word)) < 4 for word in rule.target))


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A module of features in the working directory."""
    path = tmp_path / "my_features.py"
    path.write_text(MODULE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    yield path
    sys.modules.pop("my_features", None)


@pytest.fixture
def bundle(model: Path, tmp_path: Path) -> Path:
    shutil.copytree(model, tmp_path / "model")
    return tmp_path / "model"


def weigh(bundle: Path, line: str, table: str) -> None:
    """Adds a feature to a bundle as tuning would."""
    path = bundle / "model.toml"
    text = path.read_text(encoding="utf-8").replace("[weights]\n", f"[weights]\n{line}\n")
    path.write_text(f"{text}\n[features]\n{table}\n", encoding="utf-8")


def test_features_are_named_by_their_functions(module: Path) -> None:
    assert list(named_features([short_words, "my_features:long_words"])) == [
        "short_words",
        "long_words",
    ]
    assert list(named_features({"long": "my_features:long_words"})) == ["long"]
    assert list(parse_features(["my_features:long_words", "b=my_features:long_words"])) == [
        "long_words",
        "b",
    ]
    assert str(Path.cwd()) not in sys.path
    assert module.exists()


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("my_features", "expected MODULE:FUNCTION"),
        ("my features:long_words", "expected MODULE:FUNCTION"),
        ("my_feature:long_words", "there is no module my_feature"),
        ("my_features:long_word", "my_features.py has no function long_word"),
        ("my_features:words", "has no function words"),
        ("a b=my_features:long_words", "cannot be named so"),
    ],
)
def test_what_is_no_feature_is_one_line(module: Path, option: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_features([option])
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert module.exists()


def test_modules_that_fail_are_one_line(module: Path) -> None:
    module.with_name("worse.py").write_text("import no_such_library\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"ModuleNotFoundError: .*no_such_library.*worse\.py:1"):
        parse_features(["worse:f"])
    with pytest.raises(ConfigError, match="given twice"):
        parse_features(["my_features:long_words", "my_features:long_words"])
    with pytest.raises(ConfigError, match="has no name"):
        named_features([lambda rule: 0.0])
    with pytest.raises(TypeError, match="features: long: expected a function"):
        named_features({"long": 3})  # type: ignore[dict-item]
    with pytest.raises(TypeError, match="features: expected a dictionary or a list"):
        named_features("my_features:long_words")


def test_only_importable_functions_have_a_place(module: Path) -> None:
    (found,) = parse_features(["my_features:long_words"]).values()
    assert reference(found) == "my_features:long_words"
    assert reference(short_words).endswith("test_features:short_words")
    assert reference(lambda rule: 0.0) == ""
    before = fingerprint({"long": found})
    assert before == fingerprint(parse_features(["long=my_features:long_words"]))
    module.write_text(f"{MODULE}\n", encoding="utf-8")
    assert before != fingerprint({"long": found})

    def limit(rule: Rule) -> float:
        return float(len(rule.target) > len(before))

    assert fingerprint({"long": limit}) != fingerprint({"long": limit})


def test_training_tunes_features_and_the_bundle_names_them(corpus: Path, tmp_path: Path) -> None:
    asked: list[tuple[object, ...]] = []

    def asked_once(rule: Rule) -> float:
        asked.append((rule.source, rule.target))
        return short_words(rule)

    settings = Settings.load(None, [*FAST, "rescore.order=3", "rescore.n_best=20"])
    trained = train(
        "phrase", corpus / "train.de", corpus / "train.en", tmp_path / "m",
        dev_source=corpus / "dev.de", dev_target=corpus / "dev.en", settings=settings,
        features={"short": short_words, "asked": asked_once}, weights={"short": -2.0},
    )  # fmt: skip
    manifest = trained.bundle.manifest
    assert trained.start_weights["short"] == -2.0
    assert trained.start_weights["asked"] == 0.0
    # Both count the same words: together they undo the bad weight.
    assert manifest.weights["asked"] != 0.0
    assert manifest.weights["short"] + manifest.weights["asked"] > -2.0
    assert manifest.features == {"short": reference(short_words), "asked": ""}
    # Each tuning asks once about each rule; so do deciding on consensus and scoring the dev set.
    assert 1 < len(asked) <= 4 * len(set(asked))
    with pytest.raises(ModelError, match=r"the feature short is a Python function; give it with"):
        Translator.load(tmp_path / "m")
    given = Translator.load(tmp_path / "m", features={"short": short_words, "asked": short_words})
    (found,) = given.translate(["Der Hund schläft."])
    assert found.features["short"] == found.features["asked"]
    assert given.search_weights == manifest.weights
    assert manifest.rescoring is not None
    assert given.weights == manifest.rescoring.weights  # the second pass has them too


def test_only_weights_that_nobody_chose_are_estimated(bundle: Path, corpus: Path) -> None:
    def note(**weights: float) -> str:
        rows = "\n".join(f"{name} = {value}" for name, value in weights.items())
        names = "\n".join(f'{name} = ""' for name in weights)
        place = bundle.with_name(f"with-{len(list(bundle.parent.iterdir()))}")
        shutil.copytree(bundle, place)
        if weights:
            weigh(place, rows, names)
        settings = Settings.load(None, [*FAST, "tune.iterations=1"])
        report = tune_system(
            place,
            corpus / "dev.de",
            corpus / "dev.en",
            features={"mine": short_words},
            settings=settings,
        )
        return report.start.note

    assert note() == "estimated mine"
    assert note(mine=0.0) == "estimated mine"
    assert note(mine=0.3) == ""


def test_names_of_the_model_are_refused_before_training(corpus: Path, tmp_path: Path) -> None:
    for name in ("lm", "reordering.mine", "glue"):
        with pytest.raises(ConfigError, match="the model has one of that name"):
            train(
                "phrase", corpus / "train.de", corpus / "train.en", tmp_path / "m",
                features={name: short_words},
            )  # fmt: skip
    assert not list(tmp_path.iterdir())


def test_tuning_adds_features_to_a_bundle(
    bundle: Path, corpus: Path, module: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = ["--dev-source", str(corpus / "dev.de"), "--dev-target", str(corpus / "dev.en")]
    settings = [part for setting in FAST for part in ("--set", setting)]
    weigh(bundle, "long_words = -3.0", 'long_words = "elsewhere:long_words"')
    assert run(["tune", str(bundle), *files, *settings]) == 2
    message = "the feature long_words is a Python function; give it with --features elsewhere:"
    assert message in capsys.readouterr().err
    option = ["--features", "my_features:long_words"]
    assert run(["tune", str(bundle), *files, *settings, *option]) == 0
    manifest = Bundle.open(bundle).manifest
    assert manifest.weights["long_words"] != -3.0
    assert manifest.features == {"long_words": "my_features:long_words"}
    capsys.readouterr()
    line = "Der Hund schläft."
    assert run(["inspect", str(bundle), line, "--json", *option]) == 0
    assert "long_words" in capsys.readouterr().out
    assert run(["inspect", str(bundle)]) == 0
    assert "long_words: a Python function, my_features:long_words" in capsys.readouterr().out
    module.with_name("text.de").write_text(f"{line}\n", encoding="utf-8")
    assert run(["translate", str(bundle), "-i", "text.de", "-o", "text.en", *option]) == 0
    assert Path("text.en").read_text(encoding="utf-8").count("\n") == 1
    for name, message in (
        ("broken", "ZeroDivisionError: division by zero"),
        ("silent", "is None"),
        ("huge", "is 1e+39"),
    ):
        option = ["--features", f"long_words=my_features:{name}"]
        assert run(["translate", str(bundle), "-i", "text.de", *option]) == 2
        err = capsys.readouterr().err
        assert err.startswith(f"headway: feature long_words: {message}")
        assert err.count("\n") == 1


def test_features_that_weigh_nothing_need_not_be_given(bundle: Path, corpus: Path) -> None:
    weigh(bundle, "mine = 0.0", 'mine = ""')
    assert "mine" not in Translator.load(bundle).weights
    settings = Settings.load(None, [*FAST, "weights.lm=0.1"])
    report = tune_system(bundle, corpus / "dev.de", corpus / "dev.en", settings=settings)
    assert "mine" not in report.best.weights
    assert ("mine" in Bundle.open(bundle).manifest.features) == (not report.worth_it)
