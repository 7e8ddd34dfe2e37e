"""`headway tune`."""

import logging
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.console import Console

from headway.cli.frame import Job, command
from headway.cli.options import FeaturesOption, VerifyOption
from headway.cli.paths import Role
from headway.evaluate import length_warning
from headway.settings import Settings
from headway.systems import SecondPass, SystemReport, parse_features, tune_system
from headway.tune import Iteration, Report, iterations_table, trials_table, weights_table

_log = logging.getLogger(__name__)


@command("tune")
def tune(
    job: Job,
    directory: Annotated[Path, typer.Argument(metavar="MODEL", help="Model directory."), Role.READ],
    *,
    dev_source: Annotated[
        Path, typer.Option(help="Source text that is not in the training text."), Role.READ
    ],
    dev_target: Annotated[
        list[Path], typer.Option(help="Its reference translation; repeatable."), Role.READ
    ],
    source_trees: Annotated[
        Path | None,
        typer.Option(help="CoNLL-U trees of the dev source text, for models that use them."),
        Role.READ,
    ] = None,
    method: Annotated[str | None, typer.Option(help="mira (default), pro or mert.")] = None,
    metric: Annotated[
        str | None, typer.Option(help="bleu (default), ter, chrf or bleu-ter.")
    ] = None,
    iterations: Annotated[
        int | None, typer.Option(help="Maximum number of rounds; setting tune.iterations.")
    ] = None,
    n_best: Annotated[
        int | None, typer.Option(help="Translations per sentence and round; setting tune.n_best.")
    ] = None,
    features: FeaturesOption = None,
    verify: VerifyOption = True,
    state: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Where to keep each round's results; default MODEL.tune."),
        Role.FILL,
    ] = None,
) -> None:
    """Find better feature weights for a model on a dev set.

    headway tune model --dev-source dev.de --dev-target dev.en
    """
    for section in ("search", "weights"):
        if job.given.get(section):
            why = "tuning begins with what the bundle has; change its model.toml, or train anew"
            _log.warning("[%s] of the settings does not count here: %s", section, why)
    given = {"method": method, "metric": metric, "iterations": iterations, "n_best": n_best}
    changes = [f"tune.{name}={value}" for name, value in given.items() if value is not None]
    report = tune_system(
        directory,
        dev_source,
        dev_target,
        source_trees=source_trees,
        features=parse_features(features or ()),
        settings=_changed(job.settings, changes),
        state=state,
        verify=verify,
        watch=job.progress,
        tell=lambda iteration: job.say(_line(iteration)),
    )
    _tell(job, report)


def _changed(settings: Settings, changes: list[str]) -> Settings:
    """With what the options say, checked as settings are."""
    names = [change.removeprefix("tune.").partition("=")[0] for change in changes]
    checked = Settings.load(None, changes).tune
    tune = msgspec.structs.replace(
        settings.tune, **{name: getattr(checked, name) for name in names}
    )
    return msgspec.structs.replace(settings, tune=tune)


def _line(iteration: Iteration) -> str:
    note = f", {iteration.note}" if iteration.note else ""
    new = f"{iteration.new:,} new candidates, " if iteration.known else ""
    took = f"{new}{iteration.seconds:.1f} s{note}"
    return f"{iteration.number:>3}  {iteration.score:7.2f}  {iteration.length:.3f}  {took}"


def _tell(job: Job, report: SystemReport) -> None:
    console: Console = job.console
    console.print()
    if report.coarse is not None:
        job.say(f"coarse search, {report.metric}: {verdict(report.coarse, 'it')}")
    for table in (
        iterations_table(report),
        trials_table(report) if report.trials else None,
        weights_table(report),
    ):
        if table is not None:
            console.print(table, soft_wrap=True)
            console.print()
    if report.overlap is not None:
        job.say(f"dev set: {report.overlap}")
    else:
        job.say("dev set: not compared with the training text, which is not beside the bundle")
    what = "the bundle" if report.second_pass is None else "search"
    before, after = report.before.length, report.best.length
    job.say(f"length ratio on the dev set: {before:.3f} before, {after:.3f} after")
    if doubt := length_warning(after):
        _log.warning("dev set: %s", doubt)
    job.say(f"{report.metric} on the dev set: {verdict(report, what)}")
    if report.second_pass is not None:
        job.say(f"second pass: {second_verdict(report, report.second_pass)}")


def verdict(report: Report, what: str = "the bundle") -> str:
    """What tuning was good for, in words."""
    before, after = report.before.score, report.best.score
    if not report.improved:
        return (
            f"{before:.2f}; tuning did not improve on the weights it began with, so {what} "
            "stays as it is; try another --seed or --method"
        )
    if report.best.search and report.best.weights == report.before.weights:
        found = ", ".join(f"{name} is now {value}" for name, value in report.best.search.items())
        return f"{after:.2f}; no round was better than its start, so only search changed: {found}"
    return f"{before:.2f} before, {after:.2f} after"


def second_verdict(report: SystemReport, second: SecondPass) -> str:
    """What became of the second pass, and of the bundle for its sake."""
    if second.after < second.before:
        return (
            f"{second.before:.2f} before, {second.after:.2f} after search with its new weights, "
            "so the bundle stays as it is"
        )
    scores = f"{second.before:.2f} before, {second.after:.2f} after"
    if second.changed:
        return f"{scores}; its weights are new"
    if report.improved:
        return f"{scores}; the weights it has are still its best"
    return f"{second.before:.2f}; the weights it has are its best, so the bundle stays as it is"
