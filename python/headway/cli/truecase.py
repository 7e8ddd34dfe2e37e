"""`headway truecase train | apply | recase`."""

from pathlib import Path
from typing import Annotated

import typer

from headway import corpus
from headway.cli.frame import Job, add_group, command
from headway.cli.options import STDIO, Input, Language, Output
from headway.cli.paths import Role
from headway.languages import doubt_languages

group = add_group("truecase", "Normalise capitals at the beginning of sentences.")


@command("train", group)
def train(
    job: Job,
    model: Annotated[
        Path, typer.Option("--output", "-o", help="Where to write the model."), Role.WRITE
    ],
    file: Input = STDIO,
    language: Language = None,
) -> None:
    """Learn from tokenised text how words are usually written.

    headway truecase train -o de.case < text.tok.de
    """
    doubt_languages(language)
    with job.progress("learning") as progress:
        truecaser = corpus.Truecaser.learn(file, language, progress=progress)
    truecaser.save(model)
    job.say(f"{model}: {len(truecaser):,} words")


@command("apply", group)
def apply(
    job: Job,
    model: Annotated[Path, typer.Argument(help="Model of `headway truecase train`."), Role.READ],
    file: Input = STDIO,
    output: Output = STDIO,
    headlines: Annotated[
        bool, typer.Option("--headlines", help="Also change lines written in capitals only.")
    ] = False,
) -> None:
    """Give the first words of sentences their usual case.

    headway truecase apply de.case < text.tok.de
    """
    truecaser = corpus.Truecaser.load(model)
    with job.progress("truecasing") as progress:
        corpus.truecase_file(
            file, output, truecaser, headlines=headlines, threads=job.threads, progress=progress
        )


@command("recase", group)
def recase(
    job: Job, file: Input = STDIO, output: Output = STDIO, language: Language = None
) -> None:
    """Capitalise the first words of sentences again.

    headway truecase recase -l de < text.tok.de
    """
    doubt_languages(language)
    with job.progress("recasing") as progress:
        corpus.recase_file(file, output, language, threads=job.threads, progress=progress)
