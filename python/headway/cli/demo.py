"""`headway demo`."""

from pathlib import Path
from shutil import get_terminal_size
from typing import Annotated

import typer

from headway.cli.frame import Job, command
from headway.demo import Report, run_demo


@command("demo")
def demo(
    job: Job,
    out: Annotated[Path, typer.Option(help="Where everything is left.")] = Path("out/demo"),
) -> None:
    """Run everything there is on the built-in corpus, and show the result.

    headway demo
    """
    report = run_demo(out, seed=job.seed, threads=job.threads, watch=job.progress)
    typer.echo(_summary(report))


def _summary(report: Report) -> str:
    scores, example = report.alignment, report.example
    width = get_terminal_size().columns
    rows = [
        ("word alignment", f"error rate {scores.aer:.3f} on pairs never seen"),
        ("3-gram model", f"perplexity {report.perplexity:.1f}"),
        ("dependency model", f"perplexity {report.tree_perplexity:.1f}"),
        ("a picture", str(report.picture)),
        ("everything", f"{report.directory}/"),
    ]
    return "\n".join(
        [
            example.source.text or "",
            example.target.text or "",
            "",
            example.text(width),
            "",
            *(f"{name:<18}{value}" for name, value in rows),
        ]
    )
