"""`headway settings`."""

from importlib import resources
from typing import Annotated

import typer

from headway.cli.frame import Job, command


@command("settings")
def settings(
    job: Job,
    default: Annotated[
        bool, typer.Option("--default", help="The shipped defaults, with their comments.")
    ] = False,
) -> None:
    """Print the settings as --config and --set leave them, as TOML."""
    if default:
        text = resources.files("headway").joinpath("default.toml").read_text(encoding="utf-8")
        typer.echo(text, nl=False)
    else:
        typer.echo(job.settings.to_toml(), nl=False)
