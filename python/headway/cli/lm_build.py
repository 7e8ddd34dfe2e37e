"""`headway lm build`."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from headway import lm
from headway.cli.frame import Job, command
from headway.cli.lm import group
from headway.cli.paths import Role
from headway.lm.files import is_arpa_name


class Layout(StrEnum):
    """How a binary model is laid out."""

    hashed = "hashed"
    trie = "trie"


@command("build", group)
def build(
    job: Job,
    source: Annotated[
        Path,
        typer.Argument(metavar="IN", help="ARPA file or binary model; `-` is standard input."),
        Role.READ,
    ],
    output: Annotated[
        Path,
        typer.Argument(metavar="OUT", help="Binary model, or ARPA file for .arpa[.gz|.zst]."),
        Role.WRITE,
    ],
    layout: Annotated[
        Layout, typer.Option(help="hashed is faster, trie is smaller; the scores are equal.")
    ] = Layout.hashed,
    quantise: Annotated[
        int | None,
        typer.Option(
            min=2, max=24, metavar="BITS", help="Round the values of a trie to this many bits."
        ),
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
    """Convert an ARPA file into a binary model, or back.

    headway lm build lm.arpa.gz lm.bin
    """
    with job.progress("building") as progress:
        if is_arpa_name(output):
            model = lm.LanguageModel.load(source, threads=job.threads, progress=progress)
            model.write_arpa(output, progress=progress)
            return
        loss = lm.build(
            source,
            output,
            layout="trie" if layout is Layout.trie else "hashed",
            quantise=quantise,
            memory=job.settings.lm.memory if memory is None else memory,
            temp=temp,
            threads=job.threads,
            progress=progress,
        )
    if quantise is not None:
        probs = ", ".join(f"{change:.4f}" for change in loss.probs)
        backoffs = ", ".join(f"{change:.4f}" for change in loss.backoffs) or "none"
        job.say(f"largest change of log10 by length, probabilities: {probs}; back-offs: {backoffs}")
