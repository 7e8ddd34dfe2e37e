"""Settings and weights that a training has no use for, by system: a line for each."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from headway.settings import Settings, default_table
from headway.systems import tree_steps
from headway.systems.idle import idle_search
from headway.systems.pipeline import Corpus
from headway.systems.registry import System

_RULE_SECTIONS = ("extract.phrase", "extract.reordering", "extract.hiero", "extract.str2dep")
_TREE_FEATURES = ("special-rules", "dependency-lm", "ill-formed", "unmatched-labels")


def idle_training(
    system: System, settings: Settings, corpus: Corpus, *, tune: bool
) -> Iterator[str]:
    """Of settings that a system is to be trained with; `tune` is whether it is tuned."""
    shipped = default_table()
    search = msgspec.to_builtins(settings.search)
    changed = {name: search[name] for name in search if search[name] != shipped["search"][name]}
    yield from idle_search(system, changed, dependency=_has_dependency_model(system, settings))
    if 0 < settings.rescore.order <= settings.lm.order:
        orders = f"rescore.order is {settings.rescore.order}, lm.order {settings.lm.order}"
        yield f"{orders}: a second pass is of use with a longer model than search has"
    if _builds_trees(system) and settings.str2dep.model == "baseline" and corpus.has_trees:
        options = "--treebank, --parser and --target-trees"
        yield f"{options} have no effect: str2dep.model is baseline, which has no trees"
    foreign = _foreign(system, settings, corpus, tune=tune)
    for name in _chosen(settings, shipped):
        for prefix, why in foreign.items():
            if name == prefix or name.startswith(f"{prefix}."):
                yield f"{name} has no effect: {why}"
                break


def _chosen(settings: Settings, shipped: Mapping[str, Any]) -> list[str]:
    """Settings that somebody chose, by name: given one by one, or other than they come."""
    theirs = dict(_flat(shipped))
    changed = {name for name, value in _flat(settings.table()) if theirs.get(name) != value}
    return sorted(settings.named | changed)


def _flat(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def _foreign(system: System, settings: Settings, corpus: Corpus, *, tune: bool) -> dict[str, str]:
    """Sections and settings that a training has no use for, and why."""
    found = {"extract.kind": f"it is of `headway extract`, and this is {system.name}"}
    if not settings.lm.classes.count:
        found |= dict.fromkeys(("lm.classes.order", "lm.classes.rounds"), "lm.classes.count is 0")
    if not settings.rescore.order:
        found["rescore.n_best"] = "rescore.order is 0, so there is no second pass"
    if corpus.dev_source is None:
        found["tune"] = "no dev set is given, so nothing is tuned"
    elif not tune:
        found["tune"] = "--no-tune"
    found |= _foreign_extraction(system, settings, corpus) | _foreign_parsing(
        system, settings, corpus
    )
    weights = foreign_weights(system, settings)
    return found | {f"weights.{name}": why for name, why in weights.items()}


def _foreign_extraction(system: System, settings: Settings, corpus: Corpus) -> dict[str, str]:
    used = _rule_sections(system)
    advice = f"{system.name} has the limits of {used[0]}"
    found = {section: advice for section in _RULE_SECTIONS if section not in used}
    model = settings.str2dep.model
    if not _builds_trees(system):
        found["str2dep"] = f"this is {system.name}; train str2dep"
    elif model in ("baseline", "filtered"):
        names = ("labels", "structures", "phrasal", "phrasal_length")
        of_trees = (f"extract.str2dep.{name}" for name in names)
        found |= dict.fromkeys(of_trees, f"rules have no trees with str2dep.model={model}")
    elif model == "str-dep":
        found["extract.str2dep.labels"] = f"rules have no labels with str2dep.model={model}"
    if not (_builds_trees(system) and model == "labeled"):
        found["extract.tags"] = "rules have no labels here"
    elif corpus.target_trees is None:
        found["extract.tags"] = "labels are the tags that the parser gives; see parse.tags"
    return found


def _foreign_parsing(system: System, settings: Settings, corpus: Corpus) -> dict[str, str]:
    found: dict[str, str] = {}
    if not _has_dependency_model(system, settings):
        found["lm.dependency_order"] = _of_trees(settings)
    idle = _builds_trees(system) and settings.str2dep.model == "baseline"
    if not corpus.treebanks or idle:
        why = "no treebank is given, so no parser is trained"
        found |= dict.fromkeys(("parse", "text.treebank_rules"), why)
    for kind in ("dmv", "transition"):
        if settings.parse.kind != kind:
            found[f"parse.{kind}"] = f"parse.kind is {settings.parse.kind}"
    return found


def _rule_sections(system: System) -> tuple[str, ...]:
    if system.decoder == "stack":
        return ("extract.phrase", "extract.reordering")
    return ("extract.str2dep",) if _builds_trees(system) else ("extract.hiero",)


def foreign_weights(system: System, settings: Settings) -> dict[str, str]:
    """Features that other systems have, by the name of their family, and why this one has not."""
    charts, dependency = system.decoder == "chart", _has_dependency_model(system, settings)
    found: dict[str, str] = {}
    if charts:
        found |= dict.fromkeys(("distortion", "reordering"), "a chart has no jumps")
    elif settings.extract.reordering.model == "none":
        found["reordering"] = "extract.reordering.model is none"
    if not charts or dependency:
        found["glue"] = "it is one of hiero"
    if not dependency:
        found |= dict.fromkeys(_TREE_FEATURES, _of_trees(settings))
    elif settings.str2dep.model != "labeled" or not settings.extract.str2dep.labels:
        found["unmatched-labels"] = "rules have no labels with these settings"
    if not system.parses:
        found["dependency"] = "it is one of phrase-deplm"
    if not settings.lm.classes.count:
        found["class-lm"] = "lm.classes.count is 0"
    return found


def _of_trees(settings: Settings) -> str:
    model = settings.str2dep.model
    chosen = model if tree_steps.has_dependency_model(settings) else "str-dep or labeled"
    return f"it is of str2dep with str2dep.model={chosen}"


def _builds_trees(system: System) -> bool:
    return tree_steps.tree_rules in system.steps


def _has_dependency_model(system: System, settings: Settings) -> bool:
    return _builds_trees(system) and tree_steps.has_dependency_model(settings)
