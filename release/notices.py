"""Writes the licences of everything that is compiled into the core: `THIRD-PARTY.txt`.

    python release/notices.py THIRD-PARTY.txt

The list of crates is cargo's own, for the platform that cargo builds for; the texts are the files
that the crates ship, those of C libraries inside them too. For a crate that ships none the file
names its licence, authors and repository. A licence that is not in `ALLOWED` stops the release, so
that nobody ships what a user of headway could not.
"""

import json
import re
import subprocess
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
OURS = "headway-"
# What users of MIT OR Apache-2.0 software can live with; one of the choices of `A OR B` suffices.
ALLOWED = {
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
}
TEXTS = re.compile(r"^(licen[cs]e|copying|notice|unlicense)", re.IGNORECASE)
SOURCES = {".rs", ".c", ".h", ".py"}


@dataclass(frozen=True)
class Crate:
    """A crate that is linked in."""

    name: str
    version: str
    licence: str
    texts: tuple[str, ...]


def linked() -> list[Crate]:
    """All crates that the bindings depend on when they run; not what builds or tests them."""
    platform = _cargo_host()
    command = [
        "cargo", "metadata", "--format-version=1", "--locked", f"--filter-platform={platform}",
    ]  # fmt: skip
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    packages = {it["id"]: it for it in found["packages"]}
    nodes = {it["id"]: it for it in found["resolve"]["nodes"]}
    (start,) = (it["id"] for it in found["packages"] if it["name"] == "headway-py")
    seen, waiting = {start}, [start]
    while waiting:
        for needed in nodes[waiting.pop()]["deps"]:
            runs = any(kind["kind"] is None for kind in needed["dep_kinds"])
            if runs and needed["pkg"] not in seen and not _is_macro(packages[needed["pkg"]]):
                seen.add(needed["pkg"])
                waiting.append(needed["pkg"])
    crates = [_crate(packages[one]) for one in seen if not packages[one]["name"].startswith(OURS)]
    return sorted(crates, key=lambda crate: (crate.name, crate.version))


def _cargo_host() -> str:
    done = subprocess.run(["rustc", "-vV"], capture_output=True, text=True, check=True)
    (host,) = re.findall(r"^host: (.+)$", done.stdout, re.MULTILINE)
    return str(host)


def _is_macro(package: dict[str, Any]) -> bool:
    """Whether a package only writes code while others are compiled."""
    return any("proc-macro" in target["kind"] for target in package["targets"])


def _crate(package: dict[str, Any]) -> Crate:
    place = Path(package["manifest_path"]).parent
    folders = [place, *(it for it in place.iterdir() if it.is_dir())]
    files = sorted(
        it
        for folder in folders
        for it in folder.iterdir()
        if it.is_file() and TEXTS.match(it.name) and it.suffix not in SOURCES
    )
    texts = [it.read_text(encoding="utf-8", errors="replace").strip() for it in files]
    licence = package["license"] or ""
    if not texts:
        authors = ", ".join(package["authors"]) or "its authors"
        texts = [f"Licence: {licence}. Copyright of {authors}. {package['repository'] or ''}"]
    return Crate(package["name"], package["version"], licence, tuple(dict.fromkeys(texts)))


def refused(crate: Crate) -> str:
    """Why a crate cannot be shipped; empty where it can."""
    bare = crate.licence.replace(" WITH LLVM-exception", "").replace("(", "").replace(")", "")
    # Splitting at AND first is right with parentheses, and stricter than need be without.
    for part in re.split(r"\s+AND\s+", bare):
        if not ALLOWED & set(re.split(r"\s+OR\s+|/", part)):
            named = crate.licence or "unknown"
            return f"{crate.name} {crate.version}: licence {named} is not allowed"
    return ""


def notices(crates: list[Crate]) -> str:
    """The whole file: each text once, below the crates that have it."""
    owners: dict[str, list[Crate]] = defaultdict(list)
    for crate in crates:
        for text in crate.texts:
            owners[text].append(crate)
    table = "\n".join(f"{it.name} {it.version}: {it.licence}" for it in crates)
    parts = [f"headway contains these libraries.\n\n{table}"]
    for text, having in owners.items():
        names = ", ".join(f"{it.name} {it.version}" for it in having)
        parts.append(f"{'=' * 80}\n{names}\n{'=' * 80}\n\n{text}")
    return "\n\n".join(parts) + "\n"


def main() -> int:
    """Exits with 1 if a licence is not allowed."""
    crates = linked()
    problems = [problem for crate in crates if (problem := refused(crate))]
    sys.stderr.writelines(f"{problem}\n" for problem in problems)
    if problems:
        return 1
    Path(sys.argv[1]).write_text(notices(crates), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
