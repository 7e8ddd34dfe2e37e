"""`headway extract`."""

from pathlib import Path
from typing import Annotated

import typer

from headway.cli.frame import Job, command
from headway.cli.paths import Role
from headway.extract import extract


@command("extract")
def extract_command(
    job: Job,
    source: Annotated[
        list[Path],
        typer.Option(
            metavar="FILE…", help="Tokenised source text, one sentence per line; repeatable."
        ),
        Role.READ,
    ],
    target: Annotated[
        list[Path],
        typer.Option(metavar="FILE…", help="Its translation, line by line; one for each --source."),
        Role.READ,
    ],
    alignment: Annotated[
        list[Path],
        typer.Option(metavar="FILE…", help="Their word alignment, `0-0 1-2` lines; repeatable."),
        Role.READ,
    ],
    output: Annotated[
        Path,
        typer.Option("--output", "-o", help="Rule table; Moses text for .gz, .zst, .txt and `-`."),
        Role.WRITE,
    ],
    target_trees: Annotated[
        Path | None, typer.Option(help="Trees of the target sentences (CoNLL-U)."), Role.READ
    ] = None,
    reordering_table: Annotated[
        Path | None, typer.Option(help="With Moses text: the reordering table."), Role.WRITE
    ] = None,
    kind: Annotated[
        str | None,
        typer.Option(metavar="KIND", help="phrase (default), hiero, str2dep or filtered."),
    ] = None,
    memory: Annotated[
        str | None, typer.Option(metavar="SIZE", help="Memory limit, e.g. 512M or 2G.")
    ] = None,
    temp: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Directory for temporary files."),
        Role.SCRATCH,
    ] = None,
) -> None:
    """Extract translation rules from aligned text and score them.

    headway extract --source train.de --target train.en --alignment train.align -o phrases.table
    """
    with job.progress("pairs") as progress:
        found = extract(
            source,
            target,
            alignment,
            output,
            target_trees=target_trees,
            reordering_table=reordering_table,
            kind=kind,
            settings=job.settings.extract,
            memory=memory,
            temp=temp,
            threads=job.threads,
            progress=progress,
        )
    left_out = f", {found.left_out:,} not significant" if found.left_out else ""
    job.say(f"{found.pairs:,} pairs, {found.rules:,} rules{left_out}")
