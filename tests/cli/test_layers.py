"""The check of the order of modules, on toy sources and on the real ones."""

from pathlib import Path

import layers
import pytest

LIB = "pub mod error;\npub mod text;\npub mod tree;\npub use error::{Error, Result};\n"


def written(root: Path, files: dict[str, str]) -> Path:
    """A tree of sources with these files."""
    core = {f"{layers.CORE}/lib.rs": LIB}
    for name, content in (core | files).items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return root


@pytest.mark.parametrize(
    ("file", "code", "expected"),
    [
        ("text/input.rs", "use crate::{Result, tree::Tree};\n", ":1: text uses tree"),
        ("text/input.rs", "\nfn f() {\n    crate::tree::f()\n}\n", ":3: text uses tree"),
        ("text/input.rs", "use super::super::tree::Tree;\n", ":1: text uses tree"),
        ("text/pairs/mod.rs", "use super::super::tree::Tree;\n", ":1: text uses tree"),
        ("text/a.rs", "#[cfg(test)]\nmod t { }\nuse crate::tree::T;\n", ":3: text uses tree"),
        ("error.rs", "use super::text::Lines;\n", ":1: error uses text"),
        ("parse/run.rs", "use crate::lm::Model;\n", ":1: parse uses lm, which is beside it"),
        ("text/input.rs", "use crate::attic::Old;\n", ":1: attic is not in the order"),
    ],
)
def test_a_use_of_a_higher_module_of_the_core_is_named(
    tmp_path: Path, file: str, code: str, expected: str
) -> None:
    path = f"{layers.CORE}/{file}"
    (fault,) = layers.check(written(tmp_path, {path: code}))
    assert fault.startswith(f"{path}{expected}")


@pytest.mark.parametrize(
    ("file", "code"),
    [
        ("tree/spans.rs", "use crate::{Error, Result, text::Lines};\nuse super::heads::Heads;\n"),
        ("text/input.rs", "#[cfg(test)]\nmod tests {\n    use crate::tree::Tree;\n}\n"),
        ("text/input.rs", '// crate::tree\nconst A: &str = "crate::tree::\\"{";\n'),
        ("text/pairs/tests.rs", "use crate::tree::Tree;\n"),
        ("text/pairs/mod.rs", "use super::lines::Lines;\n"),
        ("lm/mod.rs", "use crate::classes::Classes;\n"),
    ],
)
def test_other_uses_in_the_core_pass(tmp_path: Path, file: str, code: str) -> None:
    assert layers.check(written(tmp_path, {f"{layers.CORE}/{file}": code})) == []


def test_files_that_exist_for_tests_alone_may_use_anything(tmp_path: Path) -> None:
    files = {
        f"{layers.CORE}/text/mod.rs": "mod input;\n#[cfg(test)]\nmod oracle;\n",
        f"{layers.CORE}/text/oracle.rs": "use crate::tree::Tree;\n",
    }
    assert layers.check(written(tmp_path, files)) == []


@pytest.mark.parametrize(
    ("file", "code", "expected"),
    [
        ("tune/loop.py", "from headway.systems import train\n", ":1: tune uses systems"),
        ("tune/loop.py", "\nimport headway.systems.bundle\n", ":2: tune uses systems"),
        ("tune/loop.py", "from headway import cli\n", ":1: tune uses cli"),
        ("tune/loop.py", "from ..systems import train\n", ":1: tune uses systems"),
        ("tune/loop.py", "from .. import systems\n", ":1: tune uses systems"),
        ("evaluate/a.py", "def f():\n    from headway import tune\n", ":2: evaluate uses tune"),
        ("files.py", "from headway.corpus import read_lines\n", ":1: files uses corpus"),
        ("lm/train.py", "from headway.align import Bitext\n", ":1: lm uses align, which is beside"),
        ("lm/train.py", "from headway import Translator\n", ":1: Translator is not in the order"),
        ("lm/train.py", "import headway\n", ":1: headway is not in the order"),
    ],
)
def test_an_import_of_a_higher_module_of_the_package_is_named(
    tmp_path: Path, file: str, code: str, expected: str
) -> None:
    path = f"{layers.PACKAGE}/{file}"
    (fault,) = layers.check(written(tmp_path, {path: code}))
    assert fault.startswith(f"{path}{expected}")


def test_other_imports_pass(tmp_path: Path) -> None:
    files = {
        "__init__.py": "from headway.cli import main\n",
        "tune/loop.py": "import os\nfrom headway.files import sync\nfrom .state import State\n",
        "run.py": "from headway import errors, files\n",
    }
    made = written(tmp_path, {f"{layers.PACKAGE}/{name}": code for name, code in files.items()})
    assert layers.check(made) == []


def test_modules_of_one_line_use_each_other_in_no_cycle(tmp_path: Path) -> None:
    files = {
        "run.py": "from headway.files import sync\n",
        "files.py": "from headway.settings import S\n",
        "settings.py": "from headway.run import Run\n",
    }
    made = written(tmp_path, {f"{layers.PACKAGE}/{name}": code for name, code in files.items()})
    assert [fault.partition(": ")[2] for fault in layers.check(made)] == [
        "files uses settings, which uses it in turn",
        "run uses files, which uses it in turn",
        "settings uses run, which uses it in turn",
    ]


def test_headway_keeps_its_order() -> None:
    assert layers.check(layers.ROOT) == []


def test_the_documentation_shows_the_order() -> None:
    shown = (layers.ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    lines = [line.strip() for line in shown.splitlines()]
    for order in (layers.CORE_ORDER, layers.PACKAGE_ORDER):
        declared = order.strip().splitlines()
        start = lines.index(declared[0])
        assert lines[start : start + len(declared)] == declared
