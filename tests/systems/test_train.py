"""Training a system: from text to a bundle, whole or not at all, the same every time."""

import gzip
import os
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest
from conftest import PATIENCE, Headway
from headway import (
    ConfigError,
    FormatError,
    InputError,
    Settings,
    Translator,
    align,
    fragment,
    train,
)
from headway.corpus import read_alignments
from headway.evaluate import evaluate
from headway.systems import Bundle, steps
from processes import PROGRAM, snapshot, wait_for

SMALL = [
    "align.fertility_iterations=2", "lm.order=3", "run.threads=2",
    "tune.iterations=2", "tune.n_best=20", "tune.random_starts=2",
]  # fmt: skip
COMPONENTS = {"rules", "lm", "classes", "class-lm", "source-case", "target-case"}


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small corpus with a dev set."""
    place = tmp_path_factory.mktemp("text")
    fragment.write(place, pairs=400, dev=20, test=20, seed=5)
    return place


def small(*overrides: str) -> Settings:
    return Settings.load(None, [*SMALL, *overrides])


def files(directory: Path) -> dict[str, bytes]:
    """A bundle's files by name."""
    return {path.name: path.read_bytes() for path in sorted(directory.iterdir())}


def test_two_text_files_become_a_bundle(text: Path, tmp_path: Path) -> None:
    trained = train(
        "phrase",
        text / "train.de",
        text / "train.en",
        tmp_path / "model",
        dev_source=text / "dev.de",
        dev_target=text / "dev.en",
        settings=small(),
    )
    manifest = Bundle.open(tmp_path / "model", verify=True).manifest
    assert trained.bundle.manifest == manifest
    assert (trained.pairs_read, trained.pairs) == (400, 400)
    assert (manifest.languages.source, manifest.languages.target) == ("de", "en")
    assert manifest.preprocessing.casing == "truecase"
    assert set(manifest.components) == COMPONENTS
    assert all(manifest.weights[name] for name in ("lm", "p(e|f)", "reordering.backward.swap"))
    assert trained.rules == manifest.facts["rules"] > 1000
    assert trained.dev is not None
    assert 5 < trained.dev.score < 100
    translated = Translator.load(trained.bundle.directory).translate(
        (text / "dev.de").read_text(encoding="utf-8").splitlines()
    )
    references = (text / "dev.en").read_text(encoding="utf-8").splitlines()
    found = evaluate([[it.text for it in translated]], [references], metrics=["bleu"]).systems[0]
    assert trained.dev.length_ratio == pytest.approx(found.length_ratio)
    assert f"length ratio {found.length_ratio:.3f}" in str(trained.dev)
    assert "tok:13a" in trained.dev.signature
    assert [step.name for step in trained.steps] == [
        "clean", "prepare-source", "prepare-target", "align", "align.2", "align.3", "lm", "classes",
        "class-lm", "extract", "tune", "consensus", "dev",
    ]  # fmt: skip


def test_alignments_share_a_start_and_equal_single_ones(
    text: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = []

    def counted(*arguments: Any, **named: Any) -> align.AlignerSampler:
        started.append(named)
        return align.AlignerSampler(*arguments, **named)

    monkeypatch.setattr(steps, "AlignerSampler", counted)
    work, settings = tmp_path / "work", small("run.seed=7")
    pairs = (text / "train.de", text / "train.en")
    train("phrase", *pairs, tmp_path / "model", settings=settings, work=work)
    assert len(started) == 1
    bitext = align.Bitext.read(work / "train.source", work / "train.target")
    for seed, name in ((7, "train.align"), (8, "train.align.2"), (9, "train.align.3")):
        alone = align.train(bitext, settings=settings.align, seed=seed)
        assert list(read_alignments(work / name)) == alone.align(bitext)


def test_neither_threads_nor_a_second_time_change_a_byte(text: Path, tmp_path: Path) -> None:
    for name, threads in (("a", 1), ("b", 3)):
        train(
            "phrase",
            text / "train.de",
            text / "train.en",
            tmp_path / name,
            settings=small(f"run.threads={threads}"),
        )
    assert files(tmp_path / "a") == files(tmp_path / "b")
    before = files(tmp_path / "a")
    again = train("phrase", text / "train.de", text / "train.en", tmp_path / "a", settings=small())
    assert all(step.reused for step in again.steps)
    assert files(tmp_path / "a") == before


def test_another_setting_repeats_only_what_depends_on_it(text: Path, tmp_path: Path) -> None:
    sides = text / "train.de", text / "train.en"
    train("phrase", *sides, tmp_path / "model", settings=small())
    again = train("phrase", *sides, tmp_path / "model", settings=small("lm.order=2"))
    assert [step.name for step in again.steps if not step.reused] == ["lm"]
    weighed = train("phrase", *sides, tmp_path / "model", settings=small(), weights={"lm": 0.75})
    assert weighed.bundle.manifest.weights["lm"] == 0.75


def test_lower_case_and_tokenised_text_are_remembered(text: Path, tmp_path: Path) -> None:
    sides = text / "train.de", text / "train.en"
    lower = train("phrase", *sides, tmp_path / "lower", settings=small("text.casing=lowercase"))
    assert lower.bundle.manifest.preprocessing.casing == "lowercase"
    assert (tmp_path / "lower.work" / "train.target").read_text().islower()
    tokens = train(
        "phrase",
        text / "train.tok.de",
        text / "train.tok.en",
        tmp_path / "tokens",
        pretokenised=True,
        settings=small(),
    )
    assert not tokens.bundle.manifest.preprocessing.tokenise
    assert (tmp_path / "tokens.work" / "train.target").read_text() == (
        text / "train.tok.en"
    ).read_text()


def test_search_fits_what_was_extracted(text: Path, tmp_path: Path) -> None:
    settings = small("extract.reordering.model=hierarchical", "extract.phrase.max_length=9")
    sides = text / "train.de", text / "train.en"
    search = train("phrase", *sides, tmp_path / "m", settings=settings).bundle.manifest.search
    assert (search["orientation"], search["max_phrase"]) == ("hierarchical", 9)
    assert Translator.load(tmp_path / "m").translate(["Der Hund schläft."])[0].text


def test_more_text_makes_the_language_model_larger(text: Path, tmp_path: Path) -> None:
    packed = tmp_path / "more.en.gz"
    packed.write_bytes(gzip.compress(b"Words never seen before stand here .\n" * 3))
    sides = text / "train.de", text / "train.en"
    plain = train("phrase", *sides, tmp_path / "plain", settings=small())
    more = train("phrase", *sides, tmp_path / "more", monolingual=[packed], settings=small())
    counts = [t.bundle.manifest.facts["lm_sentences"] for t in (plain, more)]
    assert counts[1] == counts[0] + 3


def test_one_pair_is_enough(tmp_path: Path) -> None:
    (tmp_path / "a.de").write_text("Ein Haus .\n")
    (tmp_path / "a.en").write_text("A house .\n")
    trained = train(
        "phrase", tmp_path / "a.de", tmp_path / "a.en", tmp_path / "model", settings=small()
    )
    assert trained.pairs == 1


def test_lines_that_are_not_utf8_are_dropped_and_counted(tmp_path: Path) -> None:
    (tmp_path / "a.de").write_bytes(b"Ein Haus .\nB\xff\nZwei B\xc3\xa4ume .\n")
    (tmp_path / "a.en").write_bytes(b"A house .\nB\nTwo trees .\n")
    trained = train(
        "phrase", tmp_path / "a.de", tmp_path / "a.en", tmp_path / "model", settings=small()
    )
    assert (trained.pairs_read, trained.pairs) == (3, 2)
    assert list(trained.bundle.manifest.facts["dropped"].values()) == [1]


def write(directory: Path, **contents: str | bytes) -> None:
    for name, content in contents.items():
        path = directory / name.replace("_", ".")
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


def test_bad_corpora_are_one_line_before_anything_is_trained(tmp_path: Path) -> None:
    write(tmp_path, a_de="x\ny\n", a_en="x\n", e_de="", e_en="", n_de="\n\n", n_en="\n\n")
    write(tmp_path, ok_de="x y\n", ok_en="y x\n", bad_en=b"\xff\n")

    def attempt(name: str, **more: Path) -> None:
        sides = tmp_path / f"{name}.de", tmp_path / f"{name}.en"
        train("phrase", *sides, tmp_path / "model", settings=small(), **more)  # type: ignore[arg-type]

    with pytest.raises(FormatError, match=r"a\.(de|en)"):
        attempt("a")
    with pytest.raises(FormatError, match="no pair to learn from among 0"):
        attempt("e")
    with pytest.raises(FormatError, match="no pair to learn from among 2"):
        attempt("n")
    with pytest.raises(InputError, match="no such file"):
        attempt("absent")
    dev = tmp_path / "a.de"
    with pytest.raises(FormatError, match=r"a\.en: expected 2 lines as in .*a\.de, found 1"):
        attempt("ok", dev_source=dev, dev_target=tmp_path / "a.en")
    with pytest.raises(FormatError, match="the dev set is empty"):
        attempt("ok", dev_source=tmp_path / "e.de", dev_target=tmp_path / "e.en")
    with pytest.raises(FormatError, match=r"bad\.en:1.*UTF-8"):
        attempt("ok", dev_source=tmp_path / "ok.de", dev_target=tmp_path / "bad.en")
    with pytest.raises(ConfigError, match="go together"):
        attempt("ok", dev_source=dev)
    assert not (tmp_path / "model").exists()


def test_wrong_names_are_answered_with_the_nearest(text: Path, tmp_path: Path) -> None:
    sides = text / "train.de", text / "train.en"
    with pytest.raises(ConfigError, match=r"phrases: no such system; did you mean phrase\?"):
        train("phrases", *sides, tmp_path / "model", settings=small())
    with pytest.raises(ConfigError, match=r"weight lmm: no such feature; did you mean lm\?"):
        train("phrase", *sides, tmp_path / "model", settings=small(), weights={"lmm": 1.0})
    with pytest.raises(ConfigError, match="expected one of truecase, lowercase, none"):
        train("phrase", *sides, tmp_path / "model", settings=small("text.casing=title"))
    with pytest.raises(ConfigError, match="nan"):
        train("phrase", *sides, tmp_path / "x", settings=small(), weights={"lm": float("nan")})
    with pytest.raises(ConfigError, match="cannot tune from these weights: the weight of lm"):
        train(
            "phrase",
            *sides,
            tmp_path / "x",
            dev_source=sides[0],
            dev_target=sides[1],
            settings=small(),
            weights={"lm": 1e5},
        )
    assert not (tmp_path / "x").exists()


def test_an_occupied_directory_is_refused(text: Path, tmp_path: Path) -> None:
    sides = text / "train.de", text / "train.en"
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letters.txt").write_text("dear")
    with pytest.raises(ConfigError, match=r"not empty, it has letters\.txt"):
        train("phrase", *sides, tmp_path / "mine", settings=small())
    train("phrase", *sides, tmp_path / "model", settings=small())
    (tmp_path / "model.work").rename(tmp_path / "elsewhere")
    with pytest.raises(ConfigError, match="is a bundle already"):
        train("phrase", *sides, tmp_path / "model", settings=small())


def arguments(text: Path, out: Path) -> list[str]:
    sides = ["--source", str(text / "train.de"), "--target", str(text / "train.en")]
    used = [setting for setting in SMALL if not setting.startswith("tune.")]  # no dev set
    settings = [part for setting in used for part in ("--set", setting)]
    return ["train", "phrase", *sides, "--out", str(out), *settings]


# Word alignment that goes on and on.
ENDLESS = ["--set", "align.sweeps=1000000000"]


@pytest.mark.parametrize("blow", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_training_resumes_to_the_same_bytes(
    headway: Headway, text: Path, tmp_path: Path, blow: int
) -> None:
    assert headway(*arguments(text, tmp_path / "whole")).returncode == 0
    process = subprocess.Popen(
        [*PROGRAM, *arguments(text, tmp_path / "broken"), *ENDLESS],
        stderr=subprocess.PIPE,
    )
    prepared = tmp_path / "broken.work" / ".steps" / "prepare-target.json"
    wait_for(prepared.exists, process)
    os.kill(process.pid, blow)
    _, complaint = process.communicate(timeout=PATIENCE)
    assert process.returncode == (130 if blow == signal.SIGINT else -signal.SIGKILL)
    told = b"headway: interrupted; the same command keeps the steps that are done\n"
    assert complaint == (told if blow == signal.SIGINT else b"")
    assert not (tmp_path / "broken").exists()
    finished = prepared.stat().st_mtime_ns
    assert headway(*arguments(text, tmp_path / "broken")).returncode == 0
    assert prepared.stat().st_mtime_ns == finished
    assert files(tmp_path / "broken") == files(tmp_path / "whole")
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]
    assert snapshot(tmp_path / "broken.work").keys() == snapshot(tmp_path / "whole.work").keys()


def test_the_command_says_what_was_done(headway: Headway, text: Path, tmp_path: Path) -> None:
    done = headway(*arguments(text, tmp_path / "model"))
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    assert "phrase de → en: 400 of 400 pairs kept" in done.stderr
    assert "rules.table" in done.stderr
    wrong = headway("train", "phrase", "--source", "-", "--target", "x", "--out", "y", cwd=tmp_path)
    assert wrong.returncode == 2
    assert wrong.stderr.startswith("headway: -: training reads its files more than once")
