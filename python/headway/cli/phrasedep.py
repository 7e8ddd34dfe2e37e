"""`headway phrase-dependencies`."""

from pathlib import Path
from typing import Annotated

import typer

from headway.cli.frame import Job, command
from headway.cli.paths import Role
from headway.phrasedep import extract


@command("phrase-dependencies")
def phrase_dependencies(
    job: Job,
    source: Annotated[
        Path,
        typer.Option(help="Tokenised source text, one sentence per line."),
        Role.READ,
    ],
    target: Annotated[Path, typer.Option(help="Its translation, line by line."), Role.READ],
    alignment: Annotated[
        list[Path],
        typer.Option(metavar="FILE…", help="Their word alignment, `0-0 1-2` lines; repeatable."),
        Role.READ,
    ],
    target_trees: Annotated[
        Path, typer.Option(help="Trees of the target sentences (CoNLL-U)."), Role.READ
    ],
    classes: Annotated[
        Path,
        typer.Option(help="Word classes of the target language, such as Brown clusters."),
        Role.READ,
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="Where to write."), Role.WRITE],
    memory: Annotated[
        str | None, typer.Option(metavar="SIZE", help="Memory limit, e.g. 512M or 2G.")
    ] = None,
    temp: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Directory for temporary files."),
        Role.SCRATCH,
    ] = None,
) -> None:
    """Extract which target phrases depend on which, with probabilities.

    headway phrase-dependencies --source train.de --target train.en --alignment train.align
    --target-trees train.en.conllu --classes train.en.paths -o train.phrasedep
    """
    with job.progress("pairs") as progress:
        found = extract(
            source,
            target,
            alignment,
            target_trees,
            classes,
            output,
            settings=job.settings.phrasedep,
            memory=memory,
            temp=temp,
            threads=job.threads,
            progress=progress,
        )
    job.say(
        f"{found.pairs:,} pairs, {found.dependencies:,} dependencies of {found.phrases:,} phrases,"
        f" {found.cluster_dependencies:,} of clusters"
    )
