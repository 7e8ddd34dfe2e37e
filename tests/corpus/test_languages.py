"""Language codes: which are doubted, which never are."""

import logging
from pathlib import Path

import pytest
from conftest import Headway
from headway import Settings, train
from headway.cli import run
from headway.evaluate import evaluate, tokeniser_for
from headway.languages import NAMES, doubt
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("code", "meant"),
    [
        ("jp", "ja (Japanese)"), ("cz", "cs (Czech)"), ("dk-DK", "da (Danish)"),
        ("german", "de (German)"), ("Englisch", "en (English)"), ("ed", "de (German)"),
    ],
)  # fmt: skip
def test_a_code_that_cannot_be_meant_is_answered_with_the_nearest(code: str, meant: str) -> None:
    message = doubt(code)
    assert message is not None
    assert message.startswith(f"language {code}: no known code; did you mean {meant}?")
    assert "\n" not in message


@given(st.from_regex(r"[a-z]{3}", fullmatch=True))
def test_codes_of_small_languages_are_never_doubted(code: str) -> None:
    assert doubt(code) is None


@pytest.mark.parametrize("command", ["clean", "convert"])
def test_commands_on_pairs_doubt_codes(headway: Headway, tmp_path: Path, command: str) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_text("x y\n")
    outputs = ["-o", tmp_path / "c", "-o", tmp_path / "d"]
    done = headway(command, tmp_path / "a", tmp_path / "b", *outputs, "--languages", "german,en")
    assert done.returncode == 0, done.stderr
    assert "warning: language german: no known code; did you mean de (German)?" in done.stderr


def test_known_codes_are_not_doubted() -> None:
    assert len(NAMES) > 180
    assert all(len(code) == 2 and doubt(code) is None for code in NAMES)
    assert not any(map(doubt, ["", "de-AT", "zh_Hans", "EN", "wol", "quz"]))
    assert all("no known code; ISO 639 has" in str(doubt(code)) for code in ("xx", "1", "klingon"))


def test_commands_and_functions_warn_and_go_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    for name, text in (("t.cz", "ein Haus\n"), ("t.en", "a house\n")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert run(["tokenise", str(tmp_path / "t.en"), "-o", str(tmp_path / "o"), "-l", "uk-XX"]) == 0
    assert capsys.readouterr().err == ""
    assert run(["tokenise", str(tmp_path / "t.en"), "-o", str(tmp_path / "o"), "-l", "jp"]) == 0
    err = capsys.readouterr().err
    assert err.startswith("warning: language jp: no known code; did you mean ja")
    assert err.count("\n") == 1
    logging.getLogger("headway").propagate = True
    settings = Settings.load(None, ["align.samples=1", "lm.classes.count=0", "lm.order=2"])
    train("phrase", tmp_path / "t.cz", tmp_path / "t.en", tmp_path / "m", settings=settings)
    assert "language cz: no known code; did you mean cs (Czech)?" in caplog.text
    evaluate([["a house"]], [["a house"]], language="sp", metrics=["bleu"], samples=0)
    assert "language sp: no known code; did you mean es (Spanish)?" in caplog.text


def test_scores_know_codes_of_three_letters() -> None:
    assert tokeniser_for("zho") == tokeniser_for("zh") != tokeniser_for("deu")
    assert tokeniser_for("jpn") == tokeniser_for("ja_JP")
