"""What a tuning found, as tables for people."""

from rich.table import Table

from headway.tune.report import Report


def iterations_table(report: Report) -> Table:
    """Dev score per iteration, the best one marked."""
    table = Table(box=None, pad_edge=False)
    for name in ("iteration", report.metric, "length", "promised", "new", "known", "seconds", ""):
        table.add_column(name, justify="left" if not name else "right")
    for iteration in report.iterations:
        mark = "best" if iteration is report.best else ""
        expected = "" if iteration.expected is None else f"{iteration.expected:.2f}"
        table.add_row(
            str(iteration.number),
            f"{iteration.score:.2f}",
            f"{iteration.length:.3f}",
            expected,
            f"{iteration.new:,}" if iteration.known else "",
            f"{iteration.known:,}" if iteration.known else "",
            f"{iteration.seconds:.1f}",
            ", ".join(filter(None, (mark, iteration.note))),
        )
    return table


def weights_table(report: Report) -> Table:
    """Weights before and after."""
    table = Table(box=None, pad_edge=False)
    table.add_column("feature")
    table.add_column("before", justify="right")
    table.add_column("after", justify="right")
    for name, before in report.start.weights.items():
        table.add_row(name, f"{before:.4f}", f"{report.best.weights[name]:.4f}")
    return table


def trials_table(report: Report) -> Table:
    """Distortion limits that were tried, and the one that goes with the best weights."""
    chosen = report.best.search.get("distortion_limit", report.trials[0].limit)
    table = Table(box=None, pad_edge=False)
    for name in ("distortion limit", report.metric, "seconds", ""):
        table.add_column(name, justify="left" if not name else "right")
    for trial in report.trials:
        table.add_row(
            "none" if trial.limit < 0 else str(trial.limit),
            f"{trial.score:.2f}",
            f"{trial.seconds:.1f}",
            "chosen" if trial.limit == chosen else "",
        )
    return table
