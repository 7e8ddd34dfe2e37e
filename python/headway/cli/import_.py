"""`headway import moses`."""

from pathlib import Path
from typing import Annotated

import typer

from headway.cli.frame import Job, app, command
from headway.cli.options import Languages, language_pair
from headway.cli.table import tell_import
from headway.systems.moses import import_model

group = typer.Typer(
    help="Take over models of other systems.",
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(group, name="import")


@command("moses", group)
def moses(
    job: Job,
    ini: Annotated[Path, typer.Argument(metavar="MOSES.INI", help="What Moses is started with.")],
    *,
    out: Annotated[Path, typer.Option(help="The bundle: a directory to be made.")],
    language_models: Annotated[
        list[Path] | None,
        typer.Option("--lm", help="ARPA file in place of the one named there; repeat if several."),
    ] = None,
    languages: Languages = None,
) -> None:
    """Make a bundle of a phrase-based Moses model.

    headway import moses moses.ini --lm lm.arpa.gz --out model
    """
    imported = import_model(
        ini,
        out,
        language_models=language_models or (),
        languages=language_pair(languages),
        settings=job.settings,
        watch=job.progress,
    )
    for note in imported.notes:
        job.say(note)
    tell_import(job, imported.table, imported.bundle.path("rules"))
    job.say(f"{out}: {imported.bundle.size:,} bytes; it takes tokenised text, as Moses did")
