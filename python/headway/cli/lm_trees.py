"""What `headway lm query` does with a dependency model: scores trees."""

import json
import math
from pathlib import Path

import typer

from headway import lm
from headway.cli.frame import Job

_LN10 = math.log(10)


def score_trees(job: Job, model: Path, source: Path, *, stop: bool, as_json: bool) -> None:
    """Prints log10 and words of each tree of a CoNLL-U file, then the total."""
    loaded = lm.DependencyModel.load(model, stop=stop)
    with job.progress("scoring") as progress:
        scores = loaded.score_file(source, threads=job.threads, progress=progress)
    for log_prob, words in scores:
        row = {"log10": log_prob / _LN10, "words": words}
        typer.echo(json.dumps(row) if as_json else f"{log_prob / _LN10:.6f}\t{words}")
    total, words = math.fsum(score for score, _ in scores), sum(count for _, count in scores)
    perplexity = math.exp(-total / words) if words else math.nan
    if as_json:
        facts = {"total": True, "log10": total / _LN10, "trees": len(scores), "words": words}
        typer.echo(json.dumps({**facts, "perplexity": perplexity if words else None}))
    else:
        typer.echo(
            f"total\tlog10 {total / _LN10:.4f}\ttrees {len(scores)}\twords {words}"
            f"\tperplexity {perplexity:.4f}"
        )
