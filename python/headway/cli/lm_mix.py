"""`headway lm mix`."""

from pathlib import Path
from typing import Annotated

import typer

from headway import lm
from headway.cli.frame import Job, command
from headway.cli.lm import group
from headway.cli.paths import Role
from headway.corpus import read_lines
from headway.errors import ConfigError


@command("mix", group)
def mix(
    job: Job,
    models: Annotated[
        list[Path], typer.Argument(metavar="MODEL", help="ARPA files or binary models."), Role.READ
    ],
    tune: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Find the weights on this held-out text."),
        Role.READ,
    ] = None,
    weights: Annotated[
        list[float] | None,
        typer.Option(
            "--weights", "-w", metavar="NUMBER", help="Weight of a model, in order; repeat."
        ),
    ] = None,
    query: Annotated[
        Path | None, typer.Option("-i", "--input", metavar="FILE", help="Text to score."), Role.READ
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="Write the mixture as one ARPA file."),
        Role.WRITE,
    ] = None,
) -> None:
    """Interpolate several models into one.

    headway lm mix a.bin b.bin --tune dev.en -o mixed.arpa
    """
    if (tune is None) == (weights is None):
        raise ConfigError("give either --tune with a text or --weights")
    loaded = [lm.LanguageModel.load(path, threads=job.threads) for path in models]
    if tune is None:
        mixture = lm.Mixture(loaded, weights)
    else:
        with job.progress("tuning") as progress:
            mixture, tuning = lm.Mixture.tune(loaded, list(read_lines(tune)), progress=progress)
        job.say(
            f"{tuning.words:,} known words; perplexity {tuning.perplexity_before:.4f} with equal "
            f"weights, {tuning.perplexity:.4f} with these"
        )
    for path, weight in zip(models, mixture.weights, strict=True):
        typer.echo(f"{weight:.6f}\t{path}")
    if query is not None:
        score = mixture.evaluate(list(read_lines(query)), threads=job.threads)
        typer.echo(
            f"words {score.words}\tunknown {score.unknown}\tperplexity {score.perplexity:.4f}"
            f"\twithout unknown {score.perplexity_known:.4f}"
        )
    if output is not None:
        with job.progress("writing") as progress:
            mixture.write_arpa(output, progress=progress)
