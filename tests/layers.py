"""Checks that modules use only modules below them: part of `make lint`.

The order is declared here, once, for the core and for the package; docs/architecture.md shows it,
and a test compares the two. Code under `#[cfg(test)]` may use anything.
"""

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
CORE, PACKAGE = "crates/headway-core/src", "python/headway"

# Lowest first. Modules of one line may use each other, but not in a cycle; those on different
# sides of a bar may not.
CORE_ORDER = """
error monitor random large checksum exchange scratch container vocab weight
text
tree
parse | classes lm
deplm | align
deporder | table
extract
phrasedep | osm
forest
consensus
decode | metric tune
"""
PACKAGE_ORDER = """
startup _core version declared errors printing progress memory arguments languages
partial files checksums directories documents settings run
corpus trees | fragment
show
parse | lm | align | deporder
table | extract | forest | phrasedep | osm
evaluate
tune
systems
markup
compare report cluster serve notebook
demo demo_trees
cli
"""


@dataclass(frozen=True)
class Use:
    """A line of one module that names another."""

    path: Path
    line: int
    module: str
    used: str


def places(order: str) -> dict[str, tuple[int, int]]:
    """How high each module stands, and on which side of the bars."""
    return {
        name: (level, side)
        for level, line in enumerate(order.strip().splitlines())
        for side, names in enumerate(line.split("|"))
        for name in names.split()
    }


def faults(uses: Iterable[Use], order: str) -> Iterator[str]:
    """What is wrong, as `file:line: reason`."""
    known, all_uses = places(order), list(uses)
    graph: dict[str, set[str]] = {}
    for use in all_uses:
        graph.setdefault(use.module, set()).add(use.used)
    for use in all_uses:
        if reason := _reason(use, known, graph):
            yield f"{use.path}:{use.line}: {reason}"


def _reason(use: Use, known: dict[str, tuple[int, int]], graph: dict[str, set[str]]) -> str | None:
    for name in (use.module, use.used):
        if name not in known:
            return f"{name} is not in the order of modules; add it to tests/layers.py"
    (level, side), (used_level, used_side) = known[use.module], known[use.used]
    if used_level > level:
        return f"{use.module} uses {use.used}, which is above it"
    if used_level == level and used_side != side:
        return f"{use.module} uses {use.used}, which is beside it"
    if used_level == level and reaches(graph, use.used, use.module):
        return f"{use.module} uses {use.used}, which uses it in turn"
    return None


def reaches(graph: dict[str, set[str]], start: str, goal: str) -> bool:
    """Whether `goal` is used by `start`, directly or not."""
    seen, left = {start}, [start]
    while left:
        for name in graph.get(left.pop(), set()) - seen:
            if name == goal:
                return True
            seen.add(name)
            left.append(name)
    return False


def package_uses(root: Path) -> Iterator[Use]:
    """Imports of one module of the package by another."""
    for path in sorted((root / PACKAGE).rglob("*.py")):
        inside = path.relative_to(root / PACKAGE)
        module = inside.parts[0].removesuffix(".py")
        if module.startswith("__"):  # the package itself, and `python -m headway`: above all
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            for used in _imported(node, inside):
                if used != module:
                    yield Use(path.relative_to(root), node.lineno, module, used)  # type: ignore[attr-defined]


def _imported(node: ast.AST, inside: Path) -> list[str]:
    """Names of the modules below `headway` that an import statement names."""
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom):
        start = ["headway", *inside.parent.parts]
        base = ".".join(start[: len(start) - node.level + 1]) if node.level else ""
        module = ".".join(filter(None, (base, node.module or "")))
        names = [f"{module}.{alias.name}" for alias in node.names]
    else:
        return []
    parts = [name.split(".") for name in names]
    return [part[-1] if len(part) == 1 else part[1] for part in parts if part[0] == "headway"]


def core_uses(root: Path) -> Iterator[Use]:
    """Paths in one module of the core that lead into another."""
    source = root / CORE
    exported = dict(_exports((source / "lib.rs").read_text(encoding="utf-8")))
    for path in sorted(source.rglob("*.rs")):
        inside = path.relative_to(source)
        module = inside.parts[0].removesuffix(".rs")
        if module == "lib" or _is_test(path):
            continue
        depth = len(inside.parts) - (inside.name == "mod.rs")
        code = _without_tests(_plain(path.read_text(encoding="utf-8")))
        for match in re.finditer(r"\b(?:crate|super(?:::super)*)::(?:(\w+)|\{)", code):
            steps = 0 if match[0].startswith("crate") else match[0].count("super")
            if steps and steps != depth:  # stays within the module
                continue
            line = code.count("\n", 0, match.start()) + 1
            for name in [match[1]] if match[1] else _first_names(code[match.end() :]):
                used = exported.get(name, name)
                if used != module:
                    yield Use(path.relative_to(root), line, module, used)


def _exports(lib: str) -> Iterator[tuple[str, str]]:
    """What `lib.rs` offers by a short name, and the module it comes from."""
    for module, names in re.findall(r"pub use (\w+)::\{?([\w, ]+)\}?;", lib):
        for name in re.findall(r"\w+", names):
            yield name, module


def _first_names(code: str) -> Iterator[str]:
    """The first names of the paths in braces, after the opening one."""
    depth, start = 1, True
    for piece in re.findall(r"\w+|::|[{},]", code):
        if piece == "}":
            depth -= 1
            if depth == 0:
                return
        elif piece == "{":
            depth += 1
        elif piece == "," and depth == 1:
            start = True
        elif start and depth == 1:
            yield piece
            start = False


def _is_test(path: Path) -> bool:
    """Files that their parent includes only for tests."""
    if "tests" in {part.removesuffix(".rs") for part in path.parts}:
        return True
    parents = [path.parent / "mod.rs", path.parent.with_suffix(".rs")]
    declared = re.compile(rf"#\[cfg\(test\)\]\s*(?:pub(?:\([^)]*\))? )?mod {path.stem};")
    return any(parent.exists() and declared.search(parent.read_text()) for parent in parents)


_TEXT = re.compile(
    r'r(#*)".*?"\1|"(?:\\.|[^"\\])*"|'  # raw strings and strings
    r"'(?:\\[^']+|[^'\\])'|//[^\n]*|/\*.*?\*/",  # characters and comments
    re.DOTALL,
)


def _plain(code: str) -> str:
    """The code without the content of strings and comments."""
    return _TEXT.sub(lambda match: _blank(match[0]), code)


def _blank(code: str) -> str:
    return re.sub(r"[^\n]", " ", code)


def _without_tests(code: str) -> str:
    """Blanks out what follows `#[cfg(test)]`, up to the end of that item."""
    for match in re.finditer(r"#\[cfg\(test\)\]", code):
        end = _end_of_item(code, match.end())
        code = code[: match.start()] + _blank(code[match.start() : end]) + code[end:]
    return code


def _end_of_item(code: str, start: int) -> int:
    depth = 0
    for place in range(start, len(code)):
        if code[place] == ";" and depth == 0:
            return place + 1
        depth += {"{": 1, "}": -1}.get(code[place], 0)
        if code[place] == "}" and depth == 0:
            return place + 1
    return len(code)


def check(root: Path) -> list[str]:
    """All faults of a tree of sources."""
    return [
        *faults(core_uses(root), CORE_ORDER),
        *faults(package_uses(root), PACKAGE_ORDER),
    ]


if __name__ == "__main__":
    found = check(ROOT)
    print(*found, sep="\n", end="\n" if found else "")  # noqa: T201
    sys.exit(1 if found else 0)
