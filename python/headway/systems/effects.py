"""What has no effect on a training or on the use of a bundle, and why.

A system declares what it has a use for; here is the complement, with a reason for each name.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from headway.settings import Settings, default_table, flat_values
from headway.systems.registry import SYSTEMS
from headway.systems.searches import SEARCHES, StatefulFeature, features_of
from headway.systems.system import Choice, Part, Reason, System, Uses, uses

Declared = Sequence[Sequence[Uses]]
"""What the parts of a system declare, one after the other."""

# Sections that count when a bundle is used.
_OF_USE = frozenset({"run", "search"})


def idle_training(system: System, choice: Choice) -> Iterator[str]:
    """Settings that a training was given and has no use for, a line for each."""
    settings = choice.settings
    yield from _fixed(system, settings.search)
    if 0 < settings.rescore.order <= settings.lm.order:
        orders = f"rescore.order is {settings.rescore.order}, lm.order {settings.lm.order}"
        yield f"{orders}: a second pass is of use with a longer model than search has"
    for side, need in system.needs:
        spare = need.spare(choice)
        if spare and side.given(choice.corpus).ways:
            options = f"--{side.prefix}treebank, --{side.prefix}parser and --{side.name}-trees"
            yield f"{options} have no effect: {spare}"
    declared, weights = _settings(system), idle_weights(system, choice)
    for name in _chosen(settings):
        section, _, family = name.partition(".")
        reason = _reason(name, declared, choice)
        if section == "weights":
            reason = weights.get(family, "")
        elif reason is None:
            reason = _elsewhere([it.name for it in SYSTEMS.values() if _covers(it, name)])
        if reason:
            yield f"{name} has no effect: {reason}"


def idle_weights(system: System, choice: Choice) -> dict[str, str]:
    """Families of weights that a system does not have, and why."""
    found: dict[str, str] = {}
    for family in choice.settings.weights:
        reason = _reason(family, _weights(system), choice)
        if reason is None:
            names = [it.name for it in SYSTEMS.values() if _has_weight(it, family)]
            reason = _elsewhere(names, "has")
        if reason:
            found[family] = reason
    return found


def idle_search(system: System, kinds: Collection[str]) -> dict[str, str]:
    """Search settings that a bundle with these kinds of components does not read, and why."""
    read = set(SEARCHES[system.decoder].settings)
    for feature in features_of(system.decoder, system.model_kinds & set(kinds)):
        read |= feature.settings
    names = default_table()["search"]
    return {name: _elsewhere(_readers(name)) for name in names if name not in read}


def idle_changes(
    system: System, kinds: Collection[str], changes: Mapping[str, Any]
) -> Iterator[str]:
    """Of search settings that were changed for the use of a bundle, a line for each."""
    idle = idle_search(system, kinds)
    shipped = default_table()["search"]
    for name, value in changes.items():
        if name in idle and value != shipped[name]:
            yield f"search.{name} has no effect: {idle[name]}"
    yield from _fixed(system, changes)


def idle_use(named: Iterable[str]) -> Iterator[str]:
    """Of settings that were given one by one to use a bundle: most are of training."""
    for name in sorted(named):
        section, _, key = name.partition(".")
        if section == "weights":
            yield f"{name} has no effect: it is where tuning begins; give --weight {key}=VALUE"
        elif section == "serve":
            yield f"{name} has no effect: only `headway serve` uses it"
        elif section not in _OF_USE:
            yield f"{name} has no effect: a bundle has what it was trained with; train it anew"


def _fixed(system: System, search: Mapping[str, Any]) -> Iterator[str]:
    for name, value, reason in SEARCHES[system.decoder].fixed:
        if search.get(name, value) != value:
            yield f"search.{name} has no effect: {reason}"


def _reason(name: str, declared: Declared, choice: Choice) -> str | None:
    """Why a name has no effect; empty if some part uses it, None if none says anything of it."""
    found = None
    for part in declared:
        covering = [use for use in part if use.covers(name)]
        reasons = [reason for use in covering if (reason := use.unless(choice))]
        if covering and not reasons:
            return ""
        found = found or next(iter(reasons), None)
    return found


def _settings(system: System) -> Declared:
    """The settings that a system reads."""

    def part_settings(part: Part) -> Iterator[Uses]:
        yield from part.settings
        for feature, unless in _features(system, part):
            yield uses(*(f"search.{name}" for name in feature.settings), unless=unless)

    search = [f"search.{name}" for name in SEARCHES[system.decoder].settings]
    parts = [list(part_settings(part)) for part in system.parts]
    return [*parts, [uses("run", *search)], _tuning(system)]


def _weights(system: System) -> Declared:
    """The families of weights that a system has."""

    def part_weights(part: Part) -> Iterator[Uses]:
        yield from part.weights
        for feature, unless in _features(system, part):
            joining = [feature.joining] if feature.joining else []
            yield uses(*feature.families, *joining, unless=unless)

    kind = SEARCHES[system.decoder]
    parts = [list(part_weights(part)) for part in system.parts]
    return [*parts, [uses(*kind.families), uses(kind.joining, unless=_replaced(system))]]


def _features(system: System, part: Part) -> Iterator[tuple[StatefulFeature, Reason]]:
    """The features with a state that are computed with what a part makes, unless it does not."""
    for made in part.components:
        for feature in features_of(system.decoder, system.model_kinds & set(made.names)):
            yield feature, made.unless


def _replaced(system: System) -> Reason:
    """Why the search's own count of joined parts is not there: a feature replaces it."""

    def reason(choice: Choice) -> str:
        for part in system.parts:
            for feature, unless in _features(system, part):
                if feature.joining and not unless(choice):
                    return f"{system.name} has {feature.joining} instead"
        return ""

    return reason


def _tuning(system: System) -> list[Uses]:
    def untuned(choice: Choice) -> str:
        if choice.corpus.dev_source is None:
            return "no dev set is given, so nothing is tuned"
        return "" if choice.tuned else "--no-tune"

    def no_jumps(_: Choice) -> str:
        jumps = "distortion_limit" in SEARCHES[system.decoder].settings
        return "" if jumps else f"{system.name} has no distortion limit to choose"

    def other_method(method: str) -> Reason:
        def reason(choice: Choice) -> str:
            chosen = choice.settings.tune.method
            return "" if chosen == method else f"tune.method is {chosen}"

        return reason

    mert = ("random_starts", "directions", "rounds", "forests", "forest_edges")
    return [
        uses("tune", unless=untuned),
        uses("consensus", unless=untuned),
        uses("tune.search", unless=no_jumps),
        uses("tune.mira", unless=other_method("mira")),
        uses("tune.pro", unless=other_method("pro")),
        uses(*(f"tune.{name}" for name in mert), unless=other_method("mert")),
    ]


def _covers(system: System, name: str) -> bool:
    return any(use.covers(name) for part in _settings(system) for use in part)


def _has_weight(system: System, family: str) -> bool:
    return any(use.covers(family) for part in _weights(system) for use in part)


def _readers(name: str) -> list[str]:
    """The systems whose search reads a setting."""
    return [
        system.name
        for system in SYSTEMS.values()
        if name in SEARCHES[system.decoder].settings
        or any(name in it.settings for it in features_of(system.decoder, system.model_kinds))
    ]


def _elsewhere(systems: Sequence[str], verb: str = "uses") -> str:
    """`only hiero uses it`."""
    if not systems:
        return f"no system {verb} it"
    plural = {"uses": "use", "has": "have"}[verb]
    listed = " and ".join([", ".join(systems[:-1]), systems[-1]] if len(systems) > 1 else systems)
    return f"only {listed} {verb if len(systems) == 1 else plural} it"


def _chosen(settings: Settings) -> list[str]:
    """Settings that somebody chose, by name: given one by one, or other than they come."""
    theirs = dict(flat_values(default_table()))
    changed = {name for name, value in flat_values(settings.table()) if theirs.get(name) != value}
    return sorted(name for name in settings.named | changed)
