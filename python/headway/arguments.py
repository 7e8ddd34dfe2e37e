"""Wrong arguments of public functions are named, with the right one that is nearest.

Functions that people call by hand are wrapped with `named_arguments`: a keyword that they do not
have, or a value of another type than their signature says, is a `TypeError` of one line.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from functools import cache, wraps
from os import PathLike
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, ParamSpec, TypeVar, Union, get_args, get_origin, get_type_hints

P = ParamSpec("P")
R = TypeVar("R")

_NAMES: dict[object, str] = {
    str: "a string", Path: "a path", bool: "True or False", int: "a whole number",
    float: "a number", NoneType: "None", Mapping: "a dictionary", Sequence: "a list",
    dict: "a dictionary", list: "a list", PathLike: "a path",
}  # fmt: skip


def named_arguments(function: Callable[P, R]) -> Callable[P, R]:
    """Tells of arguments that the function does not take, before it is called."""
    signature = inspect.signature(function)
    name = function.__qualname__

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        for key in kwargs:
            if key not in signature.parameters:
                raise TypeError(_unknown(name, key, list(signature.parameters)))
        try:
            given = signature.bind(*args, **kwargs).arguments
        except TypeError as error:
            raise TypeError(f"{name}(): {error}") from None
        hints = _hints(function)
        for key, value in given.items():
            # `*names` is a tuple of values of its type.
            several = signature.parameters[key].kind is inspect.Parameter.VAR_POSITIONAL
            for one in value if several else (value,):
                if key in hints and not _fits(one, hints[key]):
                    expected = _expected(hints[key], one)
                    raise TypeError(f"{name}(): {key}: expected {expected}, found {_found(one)}")
            if key == "threads" and isinstance(value, int) and value < 0:
                raise ValueError(f"{name}(): threads: expected 0 or more, found {value}")
        return function(*args, **kwargs)

    return call


@cache
def _hints(function: Callable[..., object]) -> dict[str, Any]:
    return get_type_hints(function)


def _unknown(name: str, key: str, known: Sequence[str]) -> str:
    names = [one for one in known if one not in ("self", "cls")]
    close = get_close_matches(key, names, n=1, cutoff=0.5)
    advice = f"did you mean {close[0]}?" if close else f"it has {', '.join(names)}"
    return f"{name}(): no argument {key}; {advice}"


def _fits(value: object, hint: Any) -> bool:
    """Whether a value may be meant by a type, as far as that is quickly told."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return any(_fits(value, one) for one in inner)
    if origin in (Sequence, tuple):
        return _fits_list(value, origin, inner)
    if origin is Mapping:
        return isinstance(value, Mapping) and all(
            _fits(key, inner[0]) and _fits(one, inner[1]) for key, one in value.items()
        )
    if hint in _QUICK:
        return _QUICK[hint](value)
    plain = origin or hint
    if not isinstance(plain, type) or getattr(plain, "_is_protocol", False):
        return True
    return isinstance(value, plain)


def _fits_list(value: object, origin: object, inner: tuple[Any, ...]) -> bool:
    """A string is a sequence of strings too, but never meant as one."""
    if not isinstance(value, Sequence) or isinstance(value, str | bytes):
        return False
    if origin is tuple and inner[-1] is not Ellipsis:
        return len(value) == len(inner) and all(map(_fits, value, inner))
    return all(_fits(one, inner[0]) for one in value)


def _is_text(value: object) -> bool:
    return isinstance(value, str | bytes)


# What stands for these types beside their own values: paths of other libraries, NumPy's numbers.
_QUICK: dict[object, Callable[[object], bool]] = {
    Any: lambda _: True,
    Path: lambda value: isinstance(value, PathLike),
    bool: lambda value: not _is_text(value) and not isinstance(value, Sequence | Mapping),
    int: lambda value: hasattr(value, "__index__"),
    float: lambda value: hasattr(value, "__float__"),
}


def _expected(hint: Any, value: object) -> str:
    """`a string or a path`; for a dictionary with wrong entries, what belongs into it."""
    kinds = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    if isinstance(value, Mapping):
        kinds = tuple(kind for kind in kinds if get_origin(kind) is Mapping) or kinds
    names = [_name(kind, value) for kind in kinds if kind is not NoneType]
    return " or ".join(dict.fromkeys(names))


def _name(hint: Any, value: object) -> str:
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Sequence:
        return f"a list of {_plural(inner[0])}"
    if origin is tuple and inner[-1] is not Ellipsis:
        kinds = {_plural(one) for one in inner}
        return f"{len(inner)} {kinds.pop() if len(kinds) == 1 else 'values'}"
    if origin is Mapping and isinstance(value, Mapping):
        return f"a dictionary of {_plural(inner[0])} to {_plural(inner[1])}"
    plain = origin or hint
    return _NAMES.get(plain, getattr(plain, "__name__", str(plain)))


def _plural(hint: Any) -> str:
    kinds = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    many: dict[object, str] = {
        str: "strings", Path: "paths", PathLike: "paths", Callable: "functions", Sequence: "lists",
        float: "numbers", int: "whole numbers", Any: "values",
    }  # fmt: skip
    names = [many.get(get_origin(one) or one, getattr(one, "__name__", str(one))) for one in kinds]
    return " or ".join(dict.fromkeys(names))


def _found(value: object) -> str:
    shown = repr(value)
    short = shown if len(shown) <= 40 and "\n" not in shown else ""
    return f"{type(value).__name__} {short}".rstrip()
