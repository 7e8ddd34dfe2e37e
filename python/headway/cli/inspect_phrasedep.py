"""What `headway inspect --phrase-dependencies` shows: Tables 2 and 3 of Gimpel & Smith (2011)."""

import json
from dataclasses import asdict
from pathlib import Path

import typer

from headway.cli.frame import Job
from headway.errors import ConfigError
from headway.phrasedep import Dependency, PhraseDependencies
from headway.systems import Bundle
from headway.trees.drawing.canvas import printable

_KIND = "phrase-dependencies"
_TOP = 20


def show_phrase_dependencies(
    job: Job, path: Path, phrase: str, top: int | None, *, verify: bool, as_json: bool
) -> None:
    """The most frequent dependencies, then the most probable children of a phrase."""
    table = PhraseDependencies.open(_file(path, verify=verify), verify=verify)
    many, parent = top or _TOP, " ".join(phrase.split())
    with job.progress("dependencies") as progress:
        frequent = table.most_frequent(many, progress=progress)
    root = None if parent == "$" else parent
    sides = [table.children(root, left=left, many=many) for left in (True, False)]
    if as_json:
        for found in (frequent, *sides):
            typer.echo(json.dumps([asdict(one) for one in found], ensure_ascii=False))
        return
    typer.echo("most frequent")
    _show([(one, f"{one.count:>9,}") for one in frequent])
    for side, found in zip(("left", "right"), sides, strict=True):
        typer.echo(
            f"\n{printable(parent)}: children on the {side}" if found else "", nl=bool(found)
        )
        _show([(one, f"{one.probability:9.3f}  lexical {one.lexical:.3f}") for one in found])
    if not any(sides):
        job.say(f"no phrase depends on {parent!r}")


def _show(rows: list[tuple[Dependency, str]]) -> None:
    for one, figures in rows:
        typer.echo(f"{figures}  {printable(str(one))}")


def _file(path: Path, *, verify: bool) -> Path:
    """The table itself, or that of a bundle."""
    if not path.is_dir():
        return path
    bundle = Bundle.open(path, verify=verify)
    for name, component in bundle.manifest.components.items():
        if component.kind == _KIND:
            return bundle.path(name)
    raise ConfigError(f"{path}: this system has no phrase dependencies; name a table of them")
