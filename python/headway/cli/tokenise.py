"""`headway tokenise` and `headway detokenise`."""

from pathlib import Path
from typing import Annotated

import typer

from headway import corpus
from headway.cli.frame import Job, command
from headway.cli.options import STDIO, Input, Language, Output
from headway.cli.paths import Role
from headway.languages import doubt_languages


@command("tokenise")
def tokenise(
    job: Job,
    *,
    file: Input = STDIO,
    output: Output = STDIO,
    language: Language = None,
    lowercase: Annotated[bool, typer.Option("--lowercase", help="Convert to lower case.")] = False,
    spacing: Annotated[
        Path | None,
        typer.Option(help="Also write the spacing, so that `detokenise` can restore it exactly."),
        Role.WRITE,
    ] = None,
) -> None:
    """Split text into words and punctuation.

    headway tokenise -l de < text.de > text.tok.de
    """
    doubt_languages(language)
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
        typer.Option(help="Spacing from `tokenise --spacing`: restores the text exactly."),
        Role.READ,
    ] = None,
) -> None:
    """Join words and punctuation into normal text.

    headway detokenise -l de < text.tok.de > text.de
    """
    doubt_languages(language)
    with job.progress("detokenising") as progress:
        corpus.detokenise_file(
            file,
            output,
            corpus.Tokeniser(language),
            spacing=spacing,
            threads=job.threads,
            progress=progress,
        )
