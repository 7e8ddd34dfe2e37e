"""Runs the tests of the modules that changed since the last commit: `make quick`.

A changed file belongs to the module that its folder names (`python/headway/lm/train.py`,
`crates/headway-core/src/lm/query/chart.rs` and `tests/lm/test_lm_mix.py` all to `lm`). What
belongs to none, such as the settings, is tested by `cli`.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
# Folders of the core or the package whose tests have another name.
ELSEWHERE = {
    "text": "corpus",
    "tree": "trees",
    "metric": "evaluate",
    "classes": "lm",
    "deplm": "lm",
    "table": "table",
}
# A crate without modules: all of its tests run.
FRAGMENT = ("crates", "headway-fragment")
CORE = ("crates", "headway-core")


def changed() -> list[Path]:
    """Files that differ from the last commit, new and deleted ones too."""
    listed = ["git", "ls-files", "--modified", "--deleted", "--others", "--exclude-standard"]
    staged = ["git", "diff", "--name-only", "--cached"]
    lines = [line for command in (listed, staged) for line in _lines(command)]
    return sorted({Path(line) for line in lines})


def _lines(command: list[str]) -> list[str]:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def module(path: Path) -> str:
    """The folder of `tests/` that is about a file."""
    if path.parts[:2] == FRAGMENT:
        return "fragment"
    parts = [part for part in path.parts if part not in {"python", "headway", "src", "crates"}]
    parts = [part for part in parts if part not in {"tests", "headway-core", "headway-py"}]
    name = Path(parts[0]).stem if parts else ""
    name = ELSEWHERE.get(name, name)
    return name if (ROOT / "tests" / name).is_dir() else "cli"


def filter_of(path: Path) -> str:
    """The name that Rust tests of a changed file begin with; all of them if it has no module."""
    inside = path.parts[2:]
    if len(inside) < 2 or inside[0] != "src" or inside[1] == "lib.rs":
        return ""
    return f"{inside[1].removesuffix('.rs')}::"


def main() -> int:
    """Rust tests of the modules that changed, then Python tests; 0 if all pass.

    Changed Rust code is compiled by the profile `quick`; `make setup` compiles it for use again.
    """
    files = [path for path in changed() if path.suffix in {".rs", ".py", ".pyi", ".toml"}]
    core = {filter_of(path) for path in files if path.parts[:2] == CORE}
    folders = sorted({f"tests/{module(path)}" for path in files})
    tested = ["cargo", "test", "--profile", "quick", "--quiet", "--lib", "--package"]
    maturin = str(Path(sys.executable).with_name("maturin"))
    built = [maturin, "develop", "--profile", "quick", "--quiet"]
    filters = [""] if "" in core else sorted(core)
    commands = [[*tested, CORE[1], *([name] if name else [])] for name in filters]
    if any(path.parts[:2] == FRAGMENT for path in files):
        commands.append([*tested, FRAGMENT[1]])
    unbuilt = not [*(ROOT / "python" / "headway").glob("_core*.so")]
    if unbuilt or any(path.parts[0] == "crates" for path in files):
        commands.insert(0, built)
    if folders:
        commands.append([sys.executable, "-m", "pytest", "-n", "auto", *folders])
    return max((subprocess.run(c, cwd=ROOT, check=False).returncode for c in commands), default=0)


if __name__ == "__main__":
    sys.exit(main())
