"""Settings: one truth about defaults, overrides, and mistakes in them."""

import re
import tomllib
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec
import pytest
from conftest import Headway
from headway import ConfigError, FormatError, InputError, Settings
from headway.settings import default_table, dump_toml
from hypothesis import given
from hypothesis import strategies as st


def test_defaults_load() -> None:
    assert Settings.load().table() == default_table()


def test_every_default_has_a_comment() -> None:
    text = resources.files("headway").joinpath("default.toml").read_text(encoding="utf-8")
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if re.match(r"\w+ *=", line):
            above = lines[number - 1]
            assert " # " in line or above.startswith("#"), line


def test_a_file_changes_defaults_and_set_changes_the_file(tmp_path: Path) -> None:
    config = tmp_path / "c.toml"
    config.write_text("[run]\nthreads = 3\nseed = 5\n")
    settings = Settings.load(config, ["run.seed=7"])
    assert (settings.run.threads, settings.run.seed) == (3, 7)


def test_what_is_saved_loads_the_same(tmp_path: Path) -> None:
    settings = Settings.load(None, ["run.seed=99"])
    config = tmp_path / "saved.toml"
    config.write_text(settings.to_toml())
    assert Settings.load(config).table() == settings.table()


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("run.thread=2", "--set run.thread: unknown setting; did you mean run.threads?"),
        ("seed=2", "--set seed: unknown setting; did you mean run.seed?"),
        ("serch.stack=2", "--set serch.stack: unknown setting; did you mean search.stack?"),
        ("lm.order=7", "lm.order: expected int <= 6"),
        ("parse.search=foo", "parse.search: 'foo': expected one of eisner, mst, local"),
        ("qqq=2", "--set qqq: unknown setting; `headway settings` lists them all"),
        ("run=2", "--set run: is a section, not a value"),
        ("run.seed.x=2", "--set run.seed: is a single value"),
        ("run.seed=abc", "run.seed: expected int, got str"),
        ("align.ibm1_iterations=-1", "align.ibm1_iterations: expected int >= 0"),
        ("align.jump_words=-3", "align.jump_words: expected int >= 0"),
        ("lm.vocab_limit=-1", "lm.vocab_limit: expected int >= 0"),
        ("run.seed", "--set run.seed: expected section.key=value"),
        ("=1", "--set =1: expected section.key=value"),
    ],
)
def test_a_wrong_override_is_explained(override: str, message: str) -> None:
    with pytest.raises(ConfigError) as raised:
        Settings.load(None, [override])
    assert str(raised.value) == message


def _numbers(table: dict[str, Any], prefix: str = "") -> list[str]:
    """Names of settings that are whole numbers or lists of them."""
    names = []
    for key, value in table.items():
        if isinstance(value, dict):
            names += _numbers(value, f"{prefix}{key}.")
        elif type(value) is int or (isinstance(value, list) and type(value[0]) is int):
            names.append(f"{prefix}{key}")
    return names


@pytest.mark.parametrize("name", _numbers(default_table()))
@pytest.mark.parametrize("value", ["-2", "99999999999999999999", "-99999999999999999999"])
def test_numbers_that_the_core_has_no_room_for_are_refused(name: str, value: str) -> None:
    value = f"[{value}]" if isinstance(Settings.load().table()["lm"].get(name[3:]), list) else value
    with pytest.raises(ConfigError, match=name):
        Settings.load(None, [f"{name}={value}"])


def test_a_wrong_file_is_explained(tmp_path: Path) -> None:
    config = tmp_path / "c.toml"
    config.write_text("[run]\nsead = 3\n")
    with pytest.raises(ConfigError, match=r"c\.toml: run\.sead: unknown .* run\.seed\?"):
        Settings.load(config)
    config.write_text("[run\n")
    with pytest.raises(FormatError, match=r"c\.toml: not TOML: .*line 1"):
        Settings.load(config)
    config.write_bytes(b"# \xff\n")
    with pytest.raises(FormatError, match="not UTF-8"):
        Settings.load(config)
    with pytest.raises(InputError, match="no such file"):
        Settings.load(tmp_path / "absent.toml")
    with pytest.raises(InputError, match="is a directory"):
        Settings.load(tmp_path)


_VALUES: st.SearchStrategy[Any] = st.recursive(
    st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=5,
)
_KEYS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)


@given(
    st.dictionaries(_KEYS, _VALUES | st.dictionaries(_KEYS, _VALUES, max_size=3), max_size=4),
)
def test_any_table_survives_toml(table: dict[str, Any]) -> None:
    assert tomllib.loads(dump_toml(table)) == table


def test_settings_are_immutable() -> None:
    with pytest.raises(AttributeError):
        Settings.load().run = msgspec.UNSET  # type: ignore[misc, assignment]


def test_what_was_named_stays_even_if_it_is_the_default(tmp_path: Path) -> None:
    shipped = Settings.load().search["pop_limit"]
    values = {"search.pop_limit": 1000, "lm.classes.count": 0}
    assert Settings.load().suited(values).search["pop_limit"] == 1000
    named = Settings.load(None, [f"search.pop_limit={shipped}"]).suited(values)
    assert (named.search["pop_limit"], named.lm.classes.count) == (shipped, 0)
    again = named.suited({"search.pop_limit": 7, "lm.classes.count": 8})
    assert (again.search["pop_limit"], again.lm.classes.count) == (shipped, 0)
    copy = tmp_path / "all.toml"
    copy.write_text(Settings.load().to_toml())
    assert Settings.load(copy).suited(values) == Settings.load().suited(values)
    assert msgspec.structs.replace(Settings.load(), search=named.search).suited(values) == (
        Settings.load().suited(values)
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"a = {'[' * 3000}{']' * 3000}", "tables and lists nested more than 100 deep"),
        (f"a{'.a' * 3000} = 1", "tables and lists nested more than 100 deep"),
        (f"a = {'{b=' * 3000}1{'}' * 3000}", "tables and lists nested more than 100 deep"),
        (f"a = {'9' * 5000}", "a number has thousands of digits"),
    ],
)
def test_hostile_toml_is_one_line(
    headway: Headway, tmp_path: Path, text: str, message: str
) -> None:
    (tmp_path / "model").mkdir()
    for name in ("hostile.toml", "model/model.toml"):
        (tmp_path / name).write_text(text, encoding="utf-8")
    done = headway("settings", "--config", "hostile.toml", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (2, f"headway: hostile.toml: not TOML: {message}\n")
    done = headway("inspect", "model", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith(f"headway: model/model.toml: damaged, not TOML: {message}; ")
    assert len(done.stderr.splitlines()) == 1
