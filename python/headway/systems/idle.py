"""Settings that a system has no use for: a line for each, as nobody sets what is to do nothing."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from headway.settings import Settings, default_table
from headway.systems import tree_steps
from headway.systems.registry import System


def idle_search(system: System, search: Mapping[str, Any], *, dependency: bool) -> Iterator[str]:
    """Of search settings that were changed; `dependency` is whether heads' children are scored."""
    if system.decoder == "chart" and search.get("algorithm", "cube") != "cube":
        yield f"search.algorithm has no effect: {system.name} has charts, and cube pruning only"
    if search.get("stop") and not dependency:
        yield f"search.stop has no effect: {system.name} has no dependency model here"


def idle_training(system: System, settings: Settings) -> Iterator[str]:
    """Of settings that a system is to be trained with."""
    dependency = tree_steps.dependency_model in system.steps
    dependency = dependency and tree_steps.has_dependency_model(settings)
    search = msgspec.to_builtins(settings.search)
    yield from idle_search(system, search, dependency=dependency)
    shipped = default_table()["str2dep"]["model"]
    if tree_steps.tree_rules not in system.steps and settings.str2dep.model != shipped:
        yield f"str2dep.model has no effect: this is {system.name}; train str2dep"
    if 0 < settings.rescore.order <= settings.lm.order:
        orders = f"rescore.order is {settings.rescore.order}, lm.order {settings.lm.order}"
        yield f"{orders}: a second pass is of use with a longer model than search has"
