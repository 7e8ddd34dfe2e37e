"""`headway report`."""

from pathlib import Path
from typing import Annotated

import typer

from headway.cli.frame import Job, command
from headway.cli.paths import Role
from headway.cli.pictures import check_suffix
from headway.errors import ConfigError
from headway.report import write_report


@command("report")
def report_command(
    job: Job,
    directory: Annotated[
        Path,
        typer.Argument(metavar="DIR", help="A model, or the work directory of its training."),
        Role.READ,
    ],
    *,
    out: Annotated[
        Path | None,
        typer.Option(help="The HTML file to write; default DIR.report.html."),
        Role.WRITE,
    ] = None,
    dev_source: Annotated[
        Path | None,
        typer.Option(help="Dev set, source side; default that of the training."),
        Role.READ,
    ] = None,
    dev_target: Annotated[
        list[Path] | None,
        typer.Option(help="Dev set, reference translation; repeatable."),
        Role.READ,
    ] = None,
    test_source: Annotated[
        list[Path] | None,
        typer.Option(help="Test set, source side; repeatable."),
        Role.READ,
    ] = None,
    test_target: Annotated[
        list[Path] | None,
        typer.Option(help="Its reference translation; one for each --test-source."),
        Role.READ,
    ] = None,
    against: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="DIR", help="Another model to compare with on the test sets; repeatable."
        ),
        Role.READ,
    ] = None,
) -> None:
    """Write a page about a training: data, time, tuning and scores.

    headway report model

    headway report model --test-source test.de --test-target test.en --against baseline
    """
    if out is not None:
        check_suffix(out, "html")
    sources, targets = test_source or [], test_target or []
    if len(sources) != len(targets):
        message = f"{len(sources)} times --test-source but {len(targets)} times --test-target"
        raise ConfigError(f"{message}; give one of each for every test set")
    if (dev_source is None) != (not dev_target):
        raise ConfigError("--dev-source and --dev-target go together; give both or none")
    if against and not sources:
        raise ConfigError("--against compares on test sets; give --test-source and --test-target")
    path = write_report(
        directory,
        out,
        dev_source=dev_source,
        dev_target=dev_target or (),
        tests=list(zip(sources, targets, strict=True)),
        against=against or (),
        threads=job.threads,
        watch=job.progress,
    )
    typer.echo(str(path))
