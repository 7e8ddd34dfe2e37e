"""Which files a command reads and which it writes, checked before it begins.

Each option or argument that names a file carries its role:

    output: Annotated[Path, typer.Option("-o", help="Where to write."), Role.WRITE]

A command cannot be registered without them, and so none can write over what it reads.
"""

import inspect
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum, auto
from pathlib import Path
from typing import Any, get_args

from headway.files import check_files, check_outside_bundles, check_place


class Role(Enum):
    """What a command does with a path."""

    READ = auto()
    """A file, or a directory whose files are read; also as `FILE:WEIGHT` or `NAME=FILE`."""
    WRITE = auto()
    """A file; `-` is standard output."""
    WRITE_ANY = auto()
    """A file or a directory, as other options say."""
    FILL = auto()
    """A directory that gets files beside those that it has."""
    WORK = auto()
    """A directory of intermediate files, which are written over."""
    BUNDLE = auto()
    """A directory that becomes a bundle; the one that was there makes way."""
    SCRATCH = auto()
    """A directory for temporary files."""
    MODULE = auto()
    """Functions of Python modules, as `module:function`; their files are read."""


def roles(parameters: Iterable[inspect.Parameter]) -> dict[str, Role]:
    """The roles of the parameters that have one; raises if a path has none."""
    found = {}
    for parameter in parameters:
        role = next((one for one in _inside(parameter.annotation) if isinstance(one, Role)), None)
        if role is not None:
            found[parameter.name] = role
        elif Path in _inside(parameter.annotation):
            raise TypeError(f"{parameter.name}: is it read or written? Give it a `Role`")
    return found


def check_paths(roles: Mapping[str, Role], values: Mapping[str, Any]) -> None:
    """Refuses outputs that are inputs, or that lie inside a bundle."""

    def named(*wanted: Role) -> list[Path]:
        chosen = [values[name] for name, role in roles.items() if role in wanted and name in values]
        return [path for value in chosen for path in _paths(value)]

    read = [*named(Role.READ), *map(_module_file, named(Role.MODULE))]
    check_files(read, named(Role.WRITE))
    # Whether these are files or directories is known only later, and then they are checked.
    check_files(read, [path for path in named(Role.WRITE_ANY) if not path.is_dir()])
    for path in named(Role.WRITE_ANY):
        check_outside_bundles(path, inside=path.is_dir())
    for path in named(Role.SCRATCH):
        check_place(path, [])
    for path in named(Role.FILL, Role.WORK):
        check_place(path, read)
    for path in named(Role.BUNDLE):
        check_place(path, read, bundle=True)


def _inside(annotation: Any) -> Iterator[Any]:
    """An annotation and all that it is made of."""
    yield annotation
    for part in get_args(annotation):
        yield from _inside(part)


def _module_file(named: Path) -> Path:
    """The file of `NAME=package.module:function`, as seen from the working directory."""
    module = str(named).rpartition("=")[2].partition(":")[0]
    return Path(*module.split(".")).with_suffix(".py")


def _paths(value: Any) -> Iterator[Path]:
    """The paths in what an option was given."""
    if isinstance(value, Path):
        yield value
    elif isinstance(value, str):
        yield Path(value)
        path, colon, _ = value.rpartition(":")
        if colon and path:  # as in `treebank.conllu:10`
            yield Path(path)
        _, equals, path = value.partition("=")
        if equals and path:  # as in `mst=trees.conllu`
            yield Path(path)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _paths(one)
