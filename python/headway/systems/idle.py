"""Settings that the use of a bundle has no use for: nobody sets what is to do nothing."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from headway.systems.registry import System

# What only one kind of search has a use for.
_OF_STACKS = frozenset({"distortion_limit", "max_phrase", "orientation"})
_OF_PARSERS = frozenset({"dependency_loops", "dependency_states"})
_OF_CHARTS = frozenset({"span_limit"})
# Sections that count when a bundle is used.
_OF_USE = frozenset({"run", "search"})


def foreign_search(system: System) -> dict[str, str]:
    """Search settings that a system has no use for, whatever their value, and why."""
    charts = system.decoder == "chart"
    names = dict.fromkeys(_OF_STACKS if charts else _OF_CHARTS, "charts" if charts else "no charts")
    if not system.parses:
        names |= dict.fromkeys(_OF_PARSERS, "no parser inside search")
    return {name: f"{system.name} has {what}" for name, what in names.items()}


def idle_search(system: System, search: Mapping[str, Any], *, dependency: bool) -> Iterator[str]:
    """Of search settings that were changed; `dependency` is whether heads' children are scored."""
    foreign = foreign_search(system)
    for name in search:
        if name in foreign:
            yield f"search.{name} has no effect: {foreign[name]}"
    if system.decoder == "chart" and search.get("algorithm", "cube") != "cube":
        yield f"search.algorithm has no effect: {system.name} has charts, and cube pruning only"
    if search.get("stop") and not dependency:
        yield f"search.stop has no effect: {system.name} has no dependency model here"


def idle_use(named: Iterable[str]) -> Iterator[str]:
    """Of settings that were given one by one to use a bundle: most are of training."""
    for name in sorted(named):
        section, _, key = name.partition(".")
        if section == "weights":
            yield f"{name} has no effect: it is where tuning begins; give --weight {key}=VALUE"
        elif section not in _OF_USE:
            yield f"{name} has no effect: a bundle has what it was trained with; train it anew"
