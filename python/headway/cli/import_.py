"""`headway import moses`."""

from pathlib import Path
from typing import Annotated

import typer

from headway.cli.frame import Job, add_group, command
from headway.cli.options import language_pair
from headway.cli.paths import Role
from headway.cli.table import tell_import
from headway.systems.moses import import_model

group = add_group("import", "Import Moses models.")


@command("moses", group)
def moses(
    job: Job,
    ini: Annotated[
        Path,
        typer.Argument(metavar="MOSES.INI", help="Configuration file of the model."),
        Role.READ,
    ],
    *,
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Directory to create for the model."), Role.BUNDLE
    ],
    language_models: Annotated[
        list[Path] | None,
        typer.Option("--lm", help="ARPA file to use instead of the one in MOSES.INI; repeatable."),
        Role.READ,
    ] = None,
    languages: Annotated[
        str | None, typer.Option(metavar="SOURCE,TARGET", help="Language codes such as de,en.")
    ] = None,
) -> None:
    """Import a phrase-based or hierarchical Moses model.

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
