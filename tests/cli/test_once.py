"""Options that take one value are refused the second time; several corpora are joined."""

import gzip
from pathlib import Path
from typing import Any

import pytest
from commands import COMMANDS, Command
from conftest import Headway
from headway import ConfigError, FormatError, Settings, train
from headway.corpus import joined, paired, read_lines
from headway.extract import extract
from headway.table import RuleTable


def options() -> list[Any]:
    return [
        pytest.param(one, param, id=f"{one.name} {param.opts[0]}")
        for one in COMMANDS
        for param in one.params
        if param.param_type_name == "option" and not param.is_eager
    ]


def twice(one: Command, param: Any, folder: Path) -> list[str]:
    """A command line that is complete but for this option, which it has twice."""
    value = "1" if param.name not in one.roles else str(folder / "value")
    words = [param.opts[0], *([] if param.is_flag else [value] * param.nargs)]
    return [*one.arguments(folder), *(words * (1 if words[0] in one.arguments(folder) else 2))]


@pytest.mark.parametrize(("one", "param"), options())
def test_the_second_time_is_refused_unless_all_count(
    headway: Headway, tmp_path: Path, one: Command, param: Any
) -> None:
    if param.multiple:
        return
    done = headway(*twice(one, param, tmp_path), cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert f"{param.opts[0]}" in done.stderr
    assert "is given 2 times; give it once" in done.stderr


def test_options_before_the_command_are_given_once_too(headway: Headway) -> None:
    done = headway("--threads", 1, "--threads", 2, "settings")
    assert (done.returncode, done.stderr) == (
        2,
        "headway: --threads is given 2 times; give it once\n",
    )
    for name in ("--threads", "--seed", "--config"):
        done = headway(name, 1, "settings", name, 2)
        message = f"headway: {name} is given before the command and after it; give it once\n"
        assert (done.returncode, done.stdout, done.stderr) == (2, "", message)
    assert headway("--set", "lm.order=2", "settings", "--set", "run.seed=2").returncode == 0
    done = headway("--set", "lm.order=2", "settings", "--set", "lm.order=3")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "headway: --set lm.order is given 2 times; give it once\n"


def test_a_setting_has_one_value(headway: Headway) -> None:
    done = headway("settings", "--set", "lm.order=2", "--set", "run.seed=2", "--set", "lm.order=3")
    assert (done.returncode, done.stdout, done.stderr) == (
        2,
        "",
        "headway: --set lm.order is given 2 times; give it once\n",
    )


@pytest.fixture
def halves(corpus: Path, tmp_path: Path) -> Path:
    """The training text in two files, one of them packed, and as a whole."""
    for side in ("de", "en"):
        lines = (corpus / f"train.{side}").read_text("utf-8").splitlines(keepends=True)[:300]
        (tmp_path / f"a.{side}").write_text("".join(lines[:100]), "utf-8")
        (tmp_path / f"b.{side}.gz").write_bytes(gzip.compress("".join(lines[100:]).encode()))
        (tmp_path / f"whole.{side}").write_text("".join(lines), "utf-8")
    return tmp_path


QUICK = Settings.load(None, ["align.samples=1"])


def test_a_system_learns_from_several_corpora(headway: Headway, halves: Path) -> None:
    whole = train(
        "phrase", halves / "whole.de", halves / "whole.en", halves / "one", settings=QUICK
    )
    source, target = [[halves / f"a.{side}", halves / f"b.{side}.gz"] for side in ("de", "en")]
    both = train("phrase", source, target, halves / "two", settings=QUICK)
    assert (both.pairs_read, both.rules) == (whole.pairs_read, whole.rules)
    assert both.bundle.manifest == whole.bundle.manifest
    assert both.bundle.manifest.languages.source == "de"
    again = train("phrase", source[::-1], target[::-1], halves / "two", settings=QUICK)
    assert not next(step for step in again.steps if step.name == "clean").reused
    named = [f"--source={path}" for path in source] + [f"--target={path}" for path in target]
    done = headway("train", "phrase", *named, "--out", "cli", "--set=align.samples=1", cwd=halves)
    assert done.returncode == 0, done.stderr
    files = ("model.toml", "rules.table", "lm.bin")
    for file in files:
        assert (halves / "cli" / file).read_bytes() == (halves / "one" / file).read_bytes()


def test_corpora_that_do_not_fit_are_named(headway: Headway, halves: Path) -> None:
    words = ["train", "phrase", "--out", "model", "--source", "a.de", "--target", "a.en"]
    done = headway(*words, "--source", "whole.de", cwd=halves)
    assert done.returncode == 2
    assert "2 source files, but 1 target files; name as many of each" in done.stderr
    done = headway(*words, "--source", "whole.de", "--target", "b.en.gz", cwd=halves)
    assert done.returncode == 2
    assert "headway: whole.de:201: line counts differ" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_the_words_of_several_corpora_are_aligned(headway: Headway, halves: Path) -> None:
    assert headway("align", "whole.de", "whole.en", "-o", "whole.align", cwd=halves).returncode == 0
    more = ["--source", "b.de.gz", "--target", "b.en.gz"]
    done = headway("align", "a.de", "a.en", *more, "-o", "both.align", cwd=halves)
    assert done.returncode == 0, done.stderr
    assert (halves / "both.align").read_bytes() == (halves / "whole.align").read_bytes()
    done = headway("align", "a.de", "a.en", *more, "--source", "a.de", cwd=halves)
    assert (done.returncode, "3 source files, but 2 target" in done.stderr) == (2, True)
    links = ["--alignment", "both.align", "-o", "both.rules"]
    named = ["--source", "a.de", "b.de.gz", "--target", "a.en", "b.en.gz"]
    assert headway("extract", *named, *links, cwd=halves).returncode == 0
    extract(halves / "whole.de", halves / "whole.en", halves / "whole.align", halves / "rules")
    ours, theirs = RuleTable.open(halves / "both.rules"), RuleTable.open(halves / "rules")
    assert list(ours) == list(theirs)


def wrong_in_joined(sides: list[tuple[Path, Path]], temp: Path) -> None:
    with joined(sides, temp) as (_, target):
        raise FormatError(f"{target}:4: wrong", target, 4)


def test_errors_of_joined_text_name_the_file_it_came_from(tmp_path: Path) -> None:
    for name, text in {"a": "1\n2\n", "b": "x\ny\n", "c": "3\n4\n", "d": "z\nw\n"}.items():
        (tmp_path / name).write_text(text)
    sides = paired([tmp_path / "a", tmp_path / "c"], [tmp_path / "b", tmp_path / "d"])
    with joined(sides, tmp_path) as (source, target):
        assert list(read_lines(source)) == ["1", "2", "3", "4"]
        assert list(read_lines(target)) == ["x", "y", "z", "w"]
    with pytest.raises(FormatError) as caught:
        wrong_in_joined(sides, tmp_path)
    assert str(caught.value) == f"{tmp_path / 'd'}:2: wrong"
    assert (caught.value.path, caught.value.line) == (tmp_path / "d", 2)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b", "c", "d"]
    with pytest.raises(ConfigError, match="no corpus"):
        paired([], [])
