"""Reports of trainings: what is in them is true, and they need nothing else."""

import re
import shutil
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from conftest import Headway, made_once
from headway import ConfigError, Settings, Translator, train
from headway.corpus import read_lines
from headway.report import TestSet, material_of, write_report
from headway.systems.journal import read_journal

EVIL = "<script>alert(1)</script>"


class Sections(HTMLParser):
    """The text of each section by the name of its heading, and how often each tag is used."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.texts: dict[str, str] = {}
        self.tags: list[str] = []
        self._name = ""
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag == "section":
            self._name = dict(attrs)["aria-labelledby"] or ""
            self.texts[self._name] = ""

    def handle_data(self, data: str) -> None:
        if self._name:
            self.texts[self._name] += f" {data}"


@pytest.fixture(scope="session")
def trained(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tuned system with its work directory; tests leave it as it is."""

    def make(place: Path) -> None:
        place.mkdir()
        lines = list(read_lines(corpus / "dev.de"))[:20]
        (place / "dev.de").write_text("\n".join([*lines, f"{EVIL} ."]) + "\n", encoding="utf-8")
        texts = list(read_lines(corpus / "dev.en"))[:20]
        (place / "dev.en").write_text("\n".join([*texts, "nothing ."]) + "\n", encoding="utf-8")
        train(
            "phrase",
            corpus / "train.de",
            corpus / "train.en",
            place / "system",
            dev_source=place / "dev.de",
            dev_target=place / "dev.en",
            settings=Settings.load(None, ["align.samples=1", "tune.iterations=1"]),
        )

    return made_once(tmp_path_factory, "reported", make) / "system"


@pytest.fixture(scope="module")
def report(
    trained: Path, corpus: Path, model: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """A report with a test set and another system."""
    return write_report(
        trained,
        tmp_path_factory.mktemp("report") / "report.html",
        dev_source=trained.parent / "dev.de",
        dev_target=[trained.parent / "dev.en"],
        tests=[(corpus / "test.de", corpus / "test.en")],
        against=[model],
    )


def test_a_report_tells_how_the_training_went(report: Path, trained: Path) -> None:
    found = Sections(report).texts
    assert "1,500 of 1,500 sentence pairs" in found["data"]
    work = trained.with_name("system.work")
    for side in ("source", "target"):
        words = [line.split() for line in read_lines(work / f"clean.{side}")]
        assert f"{sum(map(len, words)):,}" in found["data"]
        assert f"{len({word for line in words for word in line}):,}" in found["data"]
    journal = read_journal(work)
    assert {"align", "extract", "lm", "tune", "dev"} <= journal.steps.keys()
    assert all(step.memory is None or step.memory > 1 << 20 for step in journal.steps.values())
    for name in journal.steps:
        assert f" {name} " in found["steps"]
    weights = material_of(trained).bundle.manifest.weights
    assert all(name in found["weights"] for name in weights)
    assert f"{abs(journal.start_weights['lm']):.4f}" in found["weights"]
    assert "mira" in found["tuning"] or "did not improve" in found["tuning"]
    assert "Consensus among candidates is" in found["tuning"]
    assert "scales" not in found["data"]


def test_a_report_scores_and_compares(report: Path) -> None:
    found = Sections(report).texts["scores"]
    assert "test.de" in found
    assert "60 sentences" in found
    assert re.search(r"bundle: .*(than|by no more than chance)", found)
    assert "21 sentences" in found  # of the dev set


def test_a_report_shows_sentences_and_unknown_words(report: Path, trained: Path) -> None:
    whole = Sections(report)
    (evil,) = (line for line in read_lines(trained.parent / "dev.de") if EVIL in line)
    translation = Translator.load(trained).translate([evil])[0]
    assert whole.tags.count("article") == 10
    assert whole.tags.count("script") == 1
    for one in translation.unknown:
        assert one.word in whole.texts["unknown"]
    assert "alert" in whole.texts["unknown"]


def test_a_report_opens_as_a_file(report: Path, opened: Any) -> None:
    page = opened(report)
    article = page.locator("article").first
    article.locator(".word[data-target]").first.hover()
    assert article.locator(".pointed").count() > 0
    assert page.locator("article").nth(1).locator(".pointed").count() == 0
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": 380, "height": 700})
    assert page.evaluate("document.documentElement.scrollWidth") <= 380


def test_a_work_directory_is_as_good_as_its_model(
    headway: Headway, trained: Path, tmp_path: Path
) -> None:
    for suffix in ("", ".work"):
        shutil.copytree(trained.with_name(f"system{suffix}"), tmp_path / f"moved{suffix}")
    assert material_of(tmp_path / "moved.work").name in ("moved", "system")
    done = headway("report", tmp_path / "moved")
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{tmp_path / 'moved.report.html'}\n"
    assert "1,500 of 1,500" in Sections(tmp_path / "moved.report.html").texts["data"]
    shutil.rmtree(tmp_path / "moved.work")
    path = write_report(tmp_path / "moved", tmp_path / "again.html")
    found = Sections(path).texts
    assert "work directory of the training is gone" in found["data"]
    assert "No dev set is known" in found["sentences"]


def test_outputs_that_are_there_are_scored(trained: Path, tmp_path: Path) -> None:
    test = TestSet("mine", ["a b c d e"] * 4, {"one": ["a b c d e"] * 4, "two": ["x"] * 4})
    path = write_report(trained, tmp_path / "r.html", tests=[test])
    assert "100.00" in Sections(path).texts["scores"]


def test_other_directories_are_refused(headway: Headway, trained: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no such directory"):
        material_of(tmp_path / "x")
    with pytest.raises(ConfigError, match="neither a model nor"):
        material_of(tmp_path)
    with pytest.raises(ConfigError, match="name one: system"):
        material_of(trained.parent)
    one = headway("report", trained, "--test-source", trained.parent / "dev.de")
    assert (one.returncode, "one of each" in one.stderr) == (2, True)
    pdf = headway("report", trained, "--out", tmp_path / "r.pdf")
    assert (pdf.returncode, "print it as PDF" in pdf.stderr) == (2, True)
    alone = headway("report", trained, "--against", trained)
    assert (alone.returncode, "compares on test sets" in alone.stderr) == (2, True)
