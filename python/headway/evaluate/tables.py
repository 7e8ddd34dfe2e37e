"""An evaluation as tables and sentences for people."""

from rich.table import Table

from headway.evaluate.evaluation import Evaluation, SystemScores
from headway.evaluate.significance import Comparison


def scores_table(found: Evaluation) -> Table:
    """A row for each system; a star where it differs from the first beyond chance."""
    table = Table(box=None, pad_edge=False)
    table.add_column("system")
    for name in found.metrics:
        arrow = "↓" if name in found.lower_is_better else ""
        table.add_column(f"{found.labels[name]}{arrow}", justify="right")
    for system in found.systems:
        cells = [f"{system.scores[name]:.2f}{_star(system, name)}" for name in found.metrics]
        table.add_row(system.name, *cells)
    return table


def _star(system: SystemScores, name: str) -> str:
    comparison = system.against_first.get(name)
    return "" if comparison is None else "*" if comparison.significant else " "


def groups_table(found: Evaluation) -> Table:
    """The first metric by groups of sentences, a column for each system."""
    name = found.metrics[0]
    table = Table(box=None, pad_edge=False)
    table.add_column("sentences with")
    table.add_column("number", justify="right")
    for system in found.systems:
        table.add_column(f"{found.labels[name]} {system.name}", justify="right")
    for group in found.groups:
        cells = [f"{system.groups[group.name][name]:.2f}" for system in found.systems]
        table.add_row(group.name, f"{len(group.places):,}", *cells)
    return table


def verdicts(found: Evaluation) -> list[str]:
    """What the comparisons say, in plain words: a line for each system after the first."""
    first = found.systems[0].name
    return [
        f"{system.name}: {_verdict(found, system, first)}"
        for system in found.systems[1:]
        if system.against_first
    ]


def _verdict(found: Evaluation, system: SystemScores, first: str) -> str:
    sure = [name for name, it in system.against_first.items() if it.significant]
    better = [name for name in sure if _is_better(found, system.against_first[name], name)]
    worse = [name for name in sure if name not in better]
    rest = [name for name in found.metrics if name not in sure]
    parts = []
    if better:
        parts.append(f"better than {first} by {_listed(found, system, better)}")
    if worse:
        parts.append(f"worse than {first} by {_listed(found, system, worse)}")
    if rest:
        differ = (
            f"differs from {first} by no more than chance" if not sure else "no more than chance"
        )
        parts.append(f"{differ} in {_listed(found, system, rest)}")
    return "; ".join(parts)


def _is_better(found: Evaluation, comparison: Comparison, name: str) -> bool:
    return (comparison.difference > 0) != (name in found.lower_is_better)


def _listed(found: Evaluation, system: SystemScores, names: list[str]) -> str:
    texts = []
    for name in names:
        it = system.against_first[name]
        p = max(it.p_bootstrap, it.p_randomisation)
        texts.append(f"{found.labels[name]} ({it.difference:+.2f}, p = {p:.3f})")
    return ", ".join(texts)
