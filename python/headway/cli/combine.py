"""`headway combine`."""

from pathlib import Path
from typing import Annotated

import typer

from headway.cli.frame import Job, command
from headway.cli.options import VerifyOption
from headway.cli.paths import Role
from headway.systems import Combined
from headway.systems import combine as combine_bundles
from headway.tune import Iteration


@command("combine")
def combine(
    job: Job,
    directories: Annotated[
        list[Path],
        typer.Argument(metavar="MODEL…", help="Model directories that are to vote."),
        Role.READ,
    ],
    *,
    dev_source: Annotated[Path, typer.Option(help="Source text for tuning the vote."), Role.READ],
    dev_target: Annotated[
        list[Path], typer.Option(help="Its reference translation; repeatable."), Role.READ
    ],
    out: Annotated[
        Path,
        typer.Option(metavar="DIR", help="Directory to create for the combination."),
        Role.BUNDLE,
    ],
    source_trees: Annotated[
        Path | None, typer.Option(help="CoNLL-U trees of the dev source text."), Role.READ
    ] = None,
    state: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Where to keep what tuning found, to go on later."),
        Role.WORK,
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the bundle OUT.")] = False,
    verify: VerifyOption = True,
) -> None:
    """Combine translation systems that vote on every sentence.

    Their candidates are put together, and weights of what the systems agree on are tuned. `headway
    translate` takes the result like any other model.

    headway combine phrase hiero --dev-source dev.de --dev-target dev.en --out both
    """
    combined = combine_bundles(
        *directories,
        dev_source=dev_source,
        dev_target=dev_target,
        out=out,
        source_trees=source_trees,
        settings=job.settings,
        state=state,
        force=force,
        verify=verify,
        watch=job.progress,
        tell=lambda iteration: job.say(_line(iteration)),
    )
    tell_combined(job, combined)


def _line(iteration: Iteration) -> str:
    note = f", {iteration.note}" if iteration.note else ""
    return f"{iteration.number:>3}  {iteration.score:7.2f}  {iteration.length:.3f}{note}"


def tell_combined(job: Job, combined: Combined) -> None:
    """A line for each member, and what came of the vote."""
    rows = {**combined.members, "equal say": combined.uniform, "tuned": combined.tuned}
    width = max(map(len, rows)) + 2
    job.say(f"{combined.metric} on the dev set, on words:")
    for name, score in rows.items():
        job.say(f"  {name:<{width}}{score:7.2f}")
    for name, count in (combined.left_out or {}).items():
        job.say(f"{name} had no say on {count:,} sentences of the dev set")
    if combined.alone:
        job.say(f"no vote is better than {combined.alone}, so it answers alone")
    size = combined.bundle.size
    job.say(f"{combined.bundle.directory}: {len(combined.members)} systems, {size:,} bytes")
