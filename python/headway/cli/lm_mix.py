"""`headway lm mix`."""

from pathlib import Path
from typing import Annotated

import typer

from headway import lm
from headway.cli.frame import Job, command
from headway.cli.lm import group
from headway.corpus import read_lines


@command("mix", group)
def mix(
    job: Job,
    models: Annotated[list[Path], typer.Argument(metavar="MODEL…", help="ARPA files or binaries.")],
    tune: Annotated[
        Path | None, typer.Option(metavar="F", help="Held-out text to find weights on.")
    ] = None,
    weights: Annotated[
        list[float] | None, typer.Option("--weights", "-w", metavar="W…", help="One per model.")
    ] = None,
    query: Annotated[
        Path | None, typer.Option("-i", "--input", metavar="F", help="Text to score.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="F", help="One ARPA model of all.")
    ] = None,
) -> None:
    """Interpolate models, with weights tuned on text: headway lm mix a.bin b.bin --tune dev.en."""
    if (tune is None) == (weights is None):
        raise typer.BadParameter("give either --tune with a text or --weights")
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
