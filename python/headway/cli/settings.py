"""`headway settings`."""

from importlib import resources
from typing import Annotated

import typer

from headway.cli.frame import Job, command


@command("settings")
def settings(
    job: Job,
    default: Annotated[
        bool, typer.Option("--default", help="Print the defaults with their explanations.")
    ] = False,
) -> None:
    """Print all settings as TOML.

    headway settings --default
    """
    if default:
        text = resources.files("headway").joinpath("default.toml").read_text(encoding="utf-8")
        typer.echo(text, nl=False)
    else:
        typer.echo(job.settings.to_toml(), nl=False)
