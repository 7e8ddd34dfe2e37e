"""`headway lm info`."""

import json
from pathlib import Path
from typing import Annotated

import typer

from headway import lm
from headway.cli.frame import Job, command
from headway.cli.lm import group
from headway.cli.paths import Role


@command("info", group)
def info(
    job: Job,
    path: Annotated[
        Path, typer.Argument(metavar="MODEL", help="ARPA file or binary model."), Role.READ
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Check that a model is undamaged and print its size.

    headway lm info lm.bin
    """
    with job.progress("loading") as progress:
        model = lm.LanguageModel.load(path, threads=job.threads, progress=progress)
    model.verify()
    facts = _facts(model)
    if as_json:
        typer.echo(json.dumps(facts))
        return
    for name, value in facts.items():
        typer.echo(f"{name}\t{_shown(value)}")


def _facts(model: lm.LanguageModel) -> dict[str, object]:
    binary = model.is_binary
    facts: dict[str, object] = {
        "file": str(model.path),
        "format": f"binary, {model.layout}" if binary else "ARPA",
        "order": model.order,
        "ngrams": model.counts,
        "words": len(model),
        "unknown": "<unk> in the model" if model.has_unknown else "not in the model: log10 -100",
        "bytes": model.size if binary or not model.path.is_file() else model.path.stat().st_size,
        "bytes_per_ngram": round(model.size / sum(model.counts), 2),
    }
    if binary and model.layout == "trie":
        facts["bits_of_probabilities"] = [prob for prob, _ in model.value_bits]
        facts["bits_of_backoffs"] = [backoff for _, backoff in model.value_bits[:-1]]
    facts["checks"] = "checksums right" if binary else "read without error"
    return facts


def _shown(value: object) -> str:
    if isinstance(value, list):
        return " ".join(map(_shown, value))
    return f"{value:,}" if isinstance(value, int) else str(value)
