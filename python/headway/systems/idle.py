"""Settings that a system has no use for: a line for each, as nobody sets what is to do nothing."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from headway.settings import Settings, default_table
from headway.systems import tree_steps
from headway.systems.pipeline import Corpus
from headway.systems.registry import System

# What only one kind of search has a use for.
_OF_STACKS = frozenset({"distortion_limit", "max_phrase", "orientation", "max_words"})
_OF_PARSERS = frozenset({"dependency_loops", "dependency_states"})
_OF_CHARTS = frozenset({"span_limit"})
# Features of one kind of search.
_STACK_FEATURES = ("distortion", "reordering")
_TREE_FEATURES = ("special-rules", "dependency-lm", "ill-formed", "unmatched-labels")
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


def idle_training(system: System, settings: Settings, corpus: Corpus) -> Iterator[str]:
    """Of settings that a system is to be trained with."""
    shipped = default_table()
    search = msgspec.to_builtins(settings.search)
    changed = {name: search[name] for name in search if search[name] != shipped["search"][name]}
    yield from idle_search(system, changed, dependency=_has_dependency_model(system, settings))
    model = shipped["str2dep"]["model"]
    builds = tree_steps.tree_rules in system.steps
    if not builds and settings.str2dep.model != model:
        yield f"str2dep.model has no effect: this is {system.name}; train str2dep"
    if 0 < settings.rescore.order <= settings.lm.order:
        orders = f"rescore.order is {settings.rescore.order}, lm.order {settings.lm.order}"
        yield f"{orders}: a second pass is of use with a longer model than search has"
    if builds and settings.str2dep.model == "baseline" and corpus.has_trees:
        yield "trees have no effect: str2dep.model is baseline, which has none"
    foreign = _foreign_sections(system, settings, corpus)
    for name in sorted(settings.named):
        for prefix, why in foreign.items():
            if name == prefix or name.startswith(f"{prefix}."):
                yield f"{name} has no effect: {why}"


def _foreign_sections(system: System, settings: Settings, corpus: Corpus) -> dict[str, str]:
    """Sections and settings of training that a system has no use for, and why."""
    found = {"extract.kind": f"{system.name} knows what it extracts"}
    rules = _rule_section(system)
    for section in ("extract.phrase", "extract.reordering", "extract.hiero", "extract.str2dep"):
        if section not in rules:
            found[section] = f"{system.name} has its rules from {rules[0]}"
    if not _has_dependency_model(system, settings):
        found["lm.dependency_order"] = f"{system.name} has no dependency model here"
    if not corpus.treebanks:
        found["parse"] = "no treebank is given, so no parser is trained"
    if corpus.dev_source is None:
        found["tune"] = "no dev set is given, so nothing is tuned"
    for name, why in foreign_weights(system, settings).items():
        found[f"weights.{name}"] = why
    return found


def _rule_section(system: System) -> tuple[str, ...]:
    if system.decoder == "stack":
        return ("extract.phrase", "extract.reordering")
    builds = tree_steps.tree_rules in system.steps
    return ("extract.str2dep",) if builds else ("extract.hiero",)


def foreign_weights(system: System, settings: Settings) -> dict[str, str]:
    """Features that other systems have, by the name of their family, and why this one has not."""
    charts, dependency = system.decoder == "chart", _has_dependency_model(system, settings)
    found = dict.fromkeys(_STACK_FEATURES, "charts") if charts else {}
    if not charts or dependency:
        found["glue"] = "no glue"
    if not dependency:
        found |= dict.fromkeys(_TREE_FEATURES, "no dependency model here")
    elif settings.str2dep.model != "labeled":
        found["unmatched-labels"] = f"no labels with str2dep.model={settings.str2dep.model}"
    if not system.parses:
        found["dependency"] = "no parser inside search"
    if not settings.lm.classes.count:
        found["class-lm"] = "no classes, as lm.classes.count is 0"
    return {name: f"{system.name} has {what}" for name, what in found.items()}


def _has_dependency_model(system: System, settings: Settings) -> bool:
    built = tree_steps.dependency_model in system.steps
    return built and tree_steps.has_dependency_model(settings)
