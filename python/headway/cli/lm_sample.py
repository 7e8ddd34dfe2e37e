"""`headway lm sample`."""

from pathlib import Path
from typing import Annotated

import typer

from headway import lm
from headway.cli.frame import Job, command
from headway.cli.lm import group
from headway.cli.options import STDIO
from headway.cli.paths import Role


@command("sample", group)
def sample(
    job: Job,
    model: Annotated[
        Path, typer.Argument(metavar="MODEL", help="ARPA file or binary model."), Role.READ
    ],
    sentences: Annotated[
        int | None,
        typer.Option("-n", "--sentences", min=0, help="Number of sentences; 10 by default."),
    ] = None,
    words: Annotated[
        int | None, typer.Option("--words", min=1, help="Stop after this many words.")
    ] = None,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FILE", help="Where to write."), Role.WRITE
    ] = STDIO,
    longest: Annotated[
        int, typer.Option(min=1, help="Cut sentences after this many words.")
    ] = 1000,
    unknown: Annotated[bool, typer.Option("--unknown", help="Draw <unk> too.")] = False,
) -> None:
    """Generate random text from a model.

    headway lm sample lm.bin -n 10 --seed 7
    """
    with job.progress("loading") as progress:
        sampler = lm.Sampler(
            model,
            seed=job.seed,
            longest=longest,
            unknown=unknown,
            threads=job.threads,
            progress=progress,
        )
    many = 10 if sentences is None and words is None else sentences
    with job.progress("drawing") as progress:
        sampler.write(output, sentences=many, words=words or 0, progress=progress)
