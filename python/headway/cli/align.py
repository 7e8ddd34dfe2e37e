"""`headway align`."""

from pathlib import Path
from typing import Annotated

import typer

from headway import align
from headway.cli.frame import Job, command
from headway.cli.paths import Role
from headway.corpus import joined, paired, write_alignments
from headway.errors import ConfigError

DASH = Path("-")


@command("align")
def align_command(
    job: Job,
    source: Annotated[
        Path, typer.Argument(help="Tokenised source text, one sentence per line."), Role.READ
    ],
    target: Annotated[Path, typer.Argument(help="Its translation, line by line."), Role.READ],
    more_source: Annotated[
        list[Path] | None,
        typer.Option("--source", help="More source text, to follow SOURCE; repeatable."),
        Role.READ,
    ] = None,
    more_target: Annotated[
        list[Path] | None,
        typer.Option("--target", help="Its translation; one for each --source."),
        Role.READ,
    ] = None,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Where to write `0-0 1-2` lines."), Role.WRITE
    ] = DASH,
    load: Annotated[
        Path | None, typer.Option(help="Use a saved aligner instead of training one."), Role.READ
    ] = None,
    save: Annotated[
        Path | None, typer.Option(help="Save the aligner, for --load."), Role.WRITE
    ] = None,
    symmetrise: Annotated[
        str | None,
        typer.Option(
            metavar="HOW",
            help="How to join both directions: intersection, union, grow-diag[-final[-and]]; "
            "or keep one: forward, backward.",
        ),
    ] = None,
    lexicon: Annotated[
        Path | None,
        typer.Option(help="Write lexical probabilities, target given source."),
        Role.WRITE,
    ] = None,
    inverse_lexicon: Annotated[
        Path | None,
        typer.Option(help="Write lexical probabilities, source given target."),
        Role.WRITE,
    ] = None,
) -> None:
    """Align the words of two line-aligned text files.

    headway align train.de train.en -o train.align

    headway align a.de a.en --source b.de --target b.en -o ab.align
    """
    how = symmetrise or job.settings.align.symmetrisation
    align.check_symmetrisation(how)
    if save == DASH:
        raise ConfigError("--save: an aligner is binary: name a file, not standard output")
    sides = paired([source, *(more_source or ())], [target, *(more_target or ())])
    with joined(sides) as whole:
        bitext = align.Bitext.read(*whole)
    if load is not None:
        aligner = align.load(load)
    else:
        with job.progress("training") as progress:
            aligner = align.train(
                bitext,
                settings=job.settings.align,
                seed=job.seed,
                threads=job.threads,
                progress=progress,
            )
    with job.progress("aligning") as progress:
        alignments = aligner.align(
            bitext,
            symmetrisation=how,
            max_sentence_length=job.settings.align.max_sentence_length,
            threads=job.threads,
            progress=progress,
        )
    write_alignments(output, alignments)
    if save is not None:
        aligner.save(save)
    if lexicon is not None:
        align.write_lexicon(lexicon, aligner, forward=True)
    if inverse_lexicon is not None:
        align.write_lexicon(inverse_lexicon, aligner, forward=False)
    links = sum(map(len, alignments))
    job.say(f"{len(alignments):,} pairs, {links:,} links")
