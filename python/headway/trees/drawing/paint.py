"""Colours of the terminal, or none."""

from collections.abc import Callable
from dataclasses import dataclass


def _as_is(text: str) -> str:
    return text


def _ansi(code: str) -> Callable[[str], str]:
    return lambda text: f"\x1b[{code}m{text}\x1b[0m" if text.strip() else text


@dataclass(frozen=True)
class Paint:
    """How each part of a drawing is made to stand out."""

    arc: Callable[[str], str] = _as_is
    word: Callable[[str], str] = _as_is
    tag: Callable[[str], str] = _as_is
    label: Callable[[str], str] = _as_is
    number: Callable[[str], str] = _as_is
    link: Callable[[str], str] = _as_is


PLAIN = Paint()
TERMINAL = Paint(
    arc=_ansi("38;5;67"),
    word=_ansi("1"),
    tag=_ansi("36"),
    label=_ansi("33"),
    number=_ansi("2"),
    link=_ansi("35"),
)
