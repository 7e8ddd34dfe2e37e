"""`headway truecase train | apply | recase`."""

from pathlib import Path
from typing import Annotated

import typer

from headway import corpus
from headway.cli.frame import Job, app, command
from headway.cli.options import STDIO, Input, Language, Output

group = typer.Typer(
    help="Give sentence beginnings the case their words usually have.", no_args_is_help=True
)
app.add_typer(group, name="truecase")


@command("train", group)
def train(
    job: Job,
    model: Annotated[Path, typer.Option("--output", "-o", help="The model to write.")],
    file: Input = STDIO,
    language: Language = None,
) -> None:
    """Learn from tokenised text: `headway truecase train -o de.case < tokens`."""
    with job.progress("learning") as progress:
        truecaser = corpus.Truecaser.learn(file, language, progress=progress)
    truecaser.save(model)
    job.say(f"{model}: {len(truecaser):,} words")


@command("apply", group)
def apply(
    job: Job,
    model: Annotated[Path, typer.Argument(help="What `headway truecase train` wrote.")],
    file: Input = STDIO,
    output: Output = STDIO,
    headlines: Annotated[
        bool, typer.Option("--headlines", help="Recase lines that are all in capitals.")
    ] = False,
) -> None:
    """Truecase tokenised text: `headway truecase apply de.case < tokens`."""
    truecaser = corpus.Truecaser.load(model)
    with job.progress("truecasing") as progress:
        corpus.truecase_file(
            file, output, truecaser, headlines=headlines, threads=job.threads, progress=progress
        )


@command("recase", group)
def recase(
    job: Job, file: Input = STDIO, output: Output = STDIO, language: Language = None
) -> None:
    """Give sentence beginnings in tokenised text their capitals again."""
    with job.progress("recasing") as progress:
        corpus.recase_file(file, output, language, threads=job.threads, progress=progress)
