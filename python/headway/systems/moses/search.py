"""Search settings of Moses in headway's words."""

from collections.abc import Callable
from math import log
from typing import Any

from headway.systems.moses.ini import Ini, Line

# Sections that say nothing about the model or the search.
_HARMLESS = {
    "feature", "weight", "input-factors", "output-factors", "mapping", "threads", "verbose", "v",
    "n-best-list", "report-segmentation", "print-alignment-info", "labeled-n-best-list",
    "inputtype", "include-segmentation-in-n-best", "alignment-output-file", "input-file",
    "print-alignment-info-in-n-best", "cube-pruning-diversity", "cube-pruning-lazy-scoring",
    "config", "non-terminals",
}  # fmt: skip

# Of moses.ini before 2013, and what stands there now.
_OLD = {
    "ttable-file": "PhraseDictionaryMemory",
    "lmodel-file": "KENLM",
    "distortion-file": "LexicalReordering",
    "weight-t": "[weight]",
    "weight-l": "[weight]",
    "weight-d": "[weight]",
    "weight-w": "[weight]",
}

_MOST = 60_000
_LONGEST = 10_000

HIERARCHICAL = "3"
"""The number of search with hierarchical rules."""


def is_hierarchical(ini: Ini) -> bool:
    """Whether a model has rules with slots."""
    found = ini.value("search-algorithm")
    return found is not None and found[1] == HIERARCHICAL


def search_settings(ini: Ini, defaults: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Settings for the bundle, and a note on each section that has no counterpart."""
    settings = {**defaults, "alike": 0.0}  # Moses copies every unknown word
    notes = []
    for name, (heading, _) in ini.sections.items():
        if name in _OLD:
            message = f"[{name}] is of a moses.ini before 2013; convert it to {_OLD[name]}"
            raise heading.wrong(f"{message}, as Moses' own documentation shows")
        if name in _KNOWN:
            found = ini.value(name)
            assert found is not None  # noqa: S101  the section is there
            settings.update(_KNOWN[name](*found))
        elif name not in _HARMLESS:
            notes.append(f"{heading.where}: [{name}] is not supported and was left out")
    return settings, notes


def _number(line: Line, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise line.wrong(f"expected a whole number, found {text[:40]!r}") from None


def _count(key: str) -> Callable[[Line, str], dict[str, Any]]:
    """A limit of 1 or more; 0 is none in Moses, and so the most that is possible here."""

    def convert(line: Line, text: str) -> dict[str, Any]:
        value = _number(line, text)
        if value < 0:
            raise line.wrong(f"expected 0 or more, found {value}")
        return {key: value or _MOST}

    return convert


def _distortion_limit(line: Line, text: str) -> dict[str, Any]:
    return {"distortion_limit": max(_number(line, text), -1)}


def _span_limit(line: Line, text: str) -> dict[str, Any]:
    """The first of the section: that of the rule table; glue has no limit here."""
    value = _number(line, text)
    if value < 1:
        raise line.wrong(f"expected 1 or more, found {value}")
    return {"span_limit": min(value, _LONGEST)}


def _algorithm(line: Line, text: str) -> dict[str, Any]:
    if text == HIERARCHICAL:
        return {"algorithm": "cube"}
    if text not in ("0", "1", "4"):
        expected = "expected search-algorithm 0 (stacks), 1 (cube pruning) or 3 (chart)"
        raise line.wrong(f"{expected}, found {text}; models of other kinds cannot be imported")
    return {"algorithm": "stack" if text == "0" else "cube"}


def _threshold(line: Line, text: str) -> dict[str, Any]:
    """Moses has the smallest ratio to the best score; ours is the difference of logarithms."""
    try:
        ratio = float(text)
    except ValueError:
        ratio = -1.0
    if not 0 <= ratio <= 1:
        raise line.wrong(f"expected a ratio from 0 to 1, found {text[:40]!r}")
    return {"threshold": 0.0 if ratio == 0 else -log(ratio)}


def _flag(setting: dict[str, Any]) -> Callable[[Line, str], dict[str, Any]]:
    return lambda _, text: setting if text.lower() in ("1", "true", "yes") else {}


_KNOWN: dict[str, Callable[[Line, str], dict[str, Any]]] = {
    "distortion-limit": _distortion_limit,
    "dl": _distortion_limit,
    "stack": _count("stack"),
    "s": _count("stack"),
    "cube-pruning-pop-limit": _count("pop_limit"),
    "cbp": _count("pop_limit"),
    "search-algorithm": _algorithm,
    "ttable-limit": _count("options"),
    "max-phrase-length": _count("max_phrase"),
    "max-chart-span": _span_limit,
    "beam-threshold": _threshold,
    "b": _threshold,
    "drop-unknown": _flag({"unknown": "drop"}),
    "mark-unknown": _flag({"unknown": "mark"}),
}
