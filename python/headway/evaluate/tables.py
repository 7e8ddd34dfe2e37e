"""An evaluation as tables and sentences for people."""

from rich.table import Table

from headway.evaluate.evaluation import Evaluation, SystemScores


def scores_table(found: Evaluation) -> Table:
    """A row for each system; a star where it differs from the first beyond chance."""
    table = Table(box=None, pad_edge=False)
    table.add_column("system")
    for name in found.metrics:
        arrow = "↓" if name in found.lower_is_better else ""
        table.add_column(f"{found.labels[name]}{arrow}", justify="right")
    table.add_column("length", justify="right")
    for system in found.systems:
        cells = [f"{system.scores[name]:.2f}{_star(system, name)}" for name in found.metrics]
        table.add_row(system.name, *cells, f"{system.length_ratio:.3f}")
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
