"""How objects print themselves: in one short line, however much they hold."""

import reprlib
from dataclasses import fields
from typing import Any, TypeVar

T = TypeVar("T")

# Characters of a whole line, and of a value within it.
_MOST, _VALUE = 200, 60


class _Short(reprlib.Repr):
    """Few entries of long collections, and few characters of long texts."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel = 2
        self.maxtuple = self.maxlist = self.maxdict = self.maxset = self.maxfrozenset = 3
        self.maxstring = self.maxother = _VALUE
        self.fillvalue = "…"

    def repr_float(self, value: float, level: int) -> str:  # noqa: ARG002
        """Six digits: enough for people."""
        return f"{value:.6g}"


_short = _Short()


def short(value: object) -> str:
    """A value in a few words, on one line."""
    return " ".join(_short.repr(value).split())


def described(name: str, /, **values: object) -> str:
    """`Name(key=value, …)`, in one line of at most some 200 characters."""
    parts = [f"{key}={short(value)}" for key, value in values.items()]
    line = f"{name}({', '.join(parts)})"
    return line if len(line) <= _MOST else f"{line[: _MOST - 2]}…)"


def prints_briefly(cls: type[T]) -> type[T]:
    """A dataclass whose `repr` is short, however long its fields are."""

    def show(self: Any) -> str:
        shown = [field.name for field in fields(self) if field.repr]
        return described(type(self).__name__, **{name: getattr(self, name) for name in shown})

    cls.__repr__ = show  # type: ignore[method-assign]
    return cls
