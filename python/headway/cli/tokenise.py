"""`headway tokenise` and `headway detokenise`."""

from pathlib import Path
from typing import Annotated

import typer

from headway import corpus
from headway.cli.frame import Job, command
from headway.cli.options import STDIO, Input, Language, Output


@command("tokenise")
def tokenise(
    job: Job,
    *,
    file: Input = STDIO,
    output: Output = STDIO,
    language: Language = None,
    lowercase: Annotated[bool, typer.Option("--lowercase", help="In lower case.")] = False,
    spacing: Annotated[
        Path | None,
        typer.Option(help="Also write what stood between the tokens, for an exact way back."),
    ] = None,
) -> None:
    """Cut text into tokens: `headway tokenise -l de < text > tokens`."""
    tokeniser = corpus.Tokeniser(language, split_hyphens=job.settings.tokenise.split_hyphens)
    with job.progress("tokenising") as progress:
        corpus.tokenise_file(
            file,
            output,
            tokeniser,
            spacing=spacing,
            lowercase=lowercase,
            threads=job.threads,
            progress=progress,
        )


@command("detokenise")
def detokenise(
    job: Job,
    *,
    file: Input = STDIO,
    output: Output = STDIO,
    language: Language = None,
    spacing: Annotated[
        Path | None,
        typer.Option(help="What `headway tokenise --spacing` wrote: restores the text exactly."),
    ] = None,
) -> None:
    """Put tokens together: `headway detokenise -l de < tokens > text`."""
    with job.progress("detokenising") as progress:
        corpus.detokenise_file(
            file,
            output,
            corpus.Tokeniser(language),
            spacing=spacing,
            threads=job.threads,
            progress=progress,
        )
