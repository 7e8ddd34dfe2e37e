"""TOML and JSON files, read whole; whatever is wrong with them fits into an error of one line."""

import tomllib
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from headway.errors import FormatError
from headway.files import reading

Kind = TypeVar("Kind")

# Far more than any of them has; a device or the wrong file may have no end.
_LARGEST = 16 << 20
# Far deeper than any of them is, and what recursive functions can go through.
_DEEPEST = 100
# More parts than this in a line before `=` are no key of ours.
_MOST_PARTS = 1000


def read_toml(path: Path) -> dict[str, Any]:
    """The tables of a TOML file."""
    try:
        return parse_toml(read_document(path).decode("utf-8"))
    except UnicodeDecodeError:
        raise FormatError(f"{path}: not UTF-8; save it as UTF-8 text", path) from None
    except tomllib.TOMLDecodeError as error:
        raise FormatError(f"{path}: not TOML: {error}", path) from None


def parse_toml(text: str) -> dict[str, Any]:
    """The tables of TOML text; raises nothing but `tomllib.TOMLDecodeError`."""
    # The parser takes a time that grows with the square of a key's parts.
    if any(line.partition("=")[0].count(".") > _MOST_PARTS for line in text.splitlines()):
        raise tomllib.TOMLDecodeError(_too_deep())
    try:
        found = tomllib.loads(text)
    except RecursionError:
        raise tomllib.TOMLDecodeError(_too_deep()) from None
    except tomllib.TOMLDecodeError:
        raise
    except ValueError:  # Python's own limit, 4,300 digits
        raise tomllib.TOMLDecodeError("a number has thousands of digits") from None
    check_depth(found)
    return found


def check_depth(value: Any) -> None:
    """Raises `tomllib.TOMLDecodeError` for tables and lists too deep to go through."""
    level = [value]
    for _ in range(_DEEPEST):
        level = [inner for outer in level for inner in _inside(outer)]
        if not level:
            return
    raise tomllib.TOMLDecodeError(_too_deep())


def read_json(path: Path, kind: type[Kind]) -> Kind:
    """A JSON file as a value of that type; raises `InputError` or `ValueError`."""
    try:
        return msgspec.json.decode(read_document(path), type=kind)
    except RecursionError:
        raise ValueError(_too_deep()) from None


def read_document(path: Path) -> bytes:
    """The bytes of a file that cannot be large."""
    with reading(path), path.open("rb") as file:
        content = file.read(_LARGEST + 1)
    if len(content) > _LARGEST:
        raise FormatError(f"{path}: larger than {_LARGEST >> 20} MiB; is this the file?", path)
    return content


def _inside(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


def _too_deep() -> str:
    return f"tables and lists nested more than {_DEEPEST} deep"
