"""Dev sets that overlap training text, and tuned bundles that would be lost."""

import os
import shutil
from pathlib import Path

import msgspec
import pytest
from conftest import Headway
from headway import Bundle, ConfigError, Settings, train, tune_system
from headway.cli import run
from headway.corpus import read_lines
from headway.systems import Overlap
from headway.systems.bundle import rewrite_manifest
from headway.systems.dev import DevSet
from headway.systems.overlap import checked_overlap
from hypothesis import given
from hypothesis import strategies as st

FAST = ["align.samples=1", "lm.classes.count=0", "lm.order=2", "tune.iterations=1"]

words = st.sampled_from(["a", "b", " a", "a  b", "a b", ""])


@given(
    st.lists(st.tuples(words, words), max_size=6),
    st.lists(st.tuples(words, words, words), min_size=1, max_size=5),
)
def test_shared_pairs_are_counted(
    training: list[tuple[str, str]], dev: list[tuple[str, str, str]]
) -> None:
    from tempfile import TemporaryDirectory

    plain = {tuple(" ".join(side.split()) for side in pair) for pair in training}
    shared = 0
    for source, *targets in [tuple(" ".join(side.split()) for side in pair) for pair in dev]:
        shared += any(source and target and (source, target) in plain for target in targets)
    pairs = sum(bool(source.strip()) for source, *_ in dev)
    found = DevSet([s for s, _, _ in dev], [[a for _, a, _ in dev], [b for *_, b in dev]])
    with TemporaryDirectory() as place:
        sides = Path(place, "s"), Path(place, "t")
        for path, column in zip(sides, (0, 1), strict=True):
            path.write_text("".join(f"{pair[column]}\n" for pair in training), encoding="utf-8")
        if pairs and shared == pairs:
            with pytest.raises(ConfigError, match="of the dev set are training pairs too"):
                checked_overlap(found, [sides], Path("dev.de"))
        else:
            assert checked_overlap(found, [sides], Path("dev.de")) == Overlap(shared, pairs)


def test_training_refuses_its_own_text_as_dev_set(corpus: Path, tmp_path: Path) -> None:
    for side in ("de", "en"):
        some = list(read_lines(corpus / f"train.{side}"))[5:9]
        (tmp_path / f"dev.{side}").write_text("\n".join(some) + "\n", encoding="utf-8")
    sides = corpus / "train.de", corpus / "train.en"
    for dev in (sides, (tmp_path / "dev.de", tmp_path / "dev.en")):
        with pytest.raises(ConfigError, match=r"dev set are training pairs too; take pairs out"):
            train("phrase", *sides, tmp_path / "m", dev_source=dev[0], dev_target=dev[1])
    assert not (tmp_path / "m.work").exists()


def test_tuning_knows_the_training_text_beside_a_bundle(
    model: Path, corpus: Path, tmp_path: Path
) -> None:
    bundle, work = tmp_path / "m", tmp_path / "m.work"
    shutil.copytree(model, bundle)
    shutil.copytree(bundle, work, copy_function=os.link)
    for side, clean in (("de", "clean.source"), ("en", "clean.target")):
        shutil.copy(corpus / f"train.{side}", work / clean)
        lines = [*read_lines(corpus / f"dev.{side}")][:3] + [*read_lines(work / clean)][:1]
        (tmp_path / f"dev.{side}").write_text("\n".join(lines) + "\n", encoding="utf-8")
    settings = Settings.load(None, [*FAST, "tune.search.distortion_limits=[]"])
    with pytest.raises(ConfigError, match="all 1,500 pairs of the dev set are training pairs"):
        tune_system(bundle, corpus / "train.de", corpus / "train.en", settings=settings)
    report = tune_system(bundle, tmp_path / "dev.de", tmp_path / "dev.en", settings=settings)
    assert report.overlap == Overlap(1, 4)
    (work / "rules.table").unlink()  # another training's
    report = tune_system(bundle, tmp_path / "dev.de", tmp_path / "dev.en", settings=settings)
    assert report.overlap is None


def test_tuning_says_that_it_did_not_see_the_training_text(
    headway: Headway, model: Path, corpus: Path, tmp_path: Path
) -> None:
    shutil.copytree(model, tmp_path / "m")
    words = ["tune", tmp_path / "m", "--dev-source", corpus / "dev.de"]
    options = [part for one in FAST for part in ("--set", one)]
    done = headway(*words, "--dev-target", corpus / "dev.en", *options)
    assert done.returncode == 0, done.stderr
    assert "dev set: not compared with the training text, which is not beside" in done.stderr


def test_a_tuned_bundle_is_replaced_only_by_force(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, lines in (("t.de", "ein Haus\nein Hund\n"), ("t.en", "a house\na dog\n")):
        (tmp_path / name).write_text(lines, encoding="utf-8")
    settings = Settings.load(None, FAST)
    files = tmp_path / "t.de", tmp_path / "t.en", tmp_path / "m"
    for name, text in (("d.de", "ein Hund\nein Kind\n"), ("d.en", "a dog\na child\n")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    options = ["--source", files[0], "--target", files[1], "--out", files[2]]
    dev = ["--dev-source", tmp_path / "d.de", "--dev-target", tmp_path / "d.en"]
    more = [part for setting in FAST for part in ("--set", setting)]
    assert run(["train", "phrase", *map(str, [*options, *dev, *more])]) == 0
    assert "dev set: 1 of 2 pairs (50.0%) are training pairs too" in capsys.readouterr().err
    bundle = Bundle.open(files[2])
    facts = {**bundle.manifest.facts, "tuning": {"method": "mira"}}
    rewrite_manifest(bundle, msgspec.structs.replace(bundle.manifest, facts=facts))
    message = "m: is tuned, and would be replaced by a system that is not; give a dev set"
    with pytest.raises(ConfigError, match=message):
        train("phrase", *files, settings=settings)
    with pytest.raises(ConfigError, match=message):
        train(
            "phrase", *files, settings=settings, tune=False,
            dev_source=tmp_path / "d.de", dev_target=tmp_path / "d.en",
        )  # fmt: skip
    with pytest.raises(ConfigError, match="is a bundle of phrase already; remove it"):
        train("hiero", *files, settings=settings)
    assert run(["train", "phrase", *map(str, [*options, *more[:6]]), "--force"]) == 0
    assert "tuning" not in Bundle.open(files[2]).manifest.facts
    found = train("hiero", *files, settings=settings, force=True, work=tmp_path / "w")
    assert found.bundle.manifest.system == "hiero"
