"""`headway lm train`."""

from pathlib import Path
from typing import Annotated

import typer

from headway import lm
from headway.cli.frame import Job, command
from headway.cli.lm import group
from headway.cli.paths import Role
from headway.errors import ConfigError


@command("train", group)
def train(
    job: Job,
    *,
    inputs: Annotated[
        list[Path],
        typer.Option(
            "-i", "--input", metavar="FILE…", help="Text, one sentence per line; repeatable."
        ),
        Role.READ,
    ],
    output: Annotated[
        Path,
        typer.Option(
            "-o", "--output", metavar="FILE", help="Model: lm.arpa, lm.arpa.gz or lm.bin."
        ),
        Role.WRITE_ANY,
    ],
    order: Annotated[
        int | None,
        typer.Option(min=1, max=6, help="Length of the longest n-grams; setting lm.order."),
    ] = None,
    memory: Annotated[
        str | None, typer.Option(metavar="SIZE", help="Memory limit, e.g. 512M or 2G.")
    ] = None,
    prune: Annotated[
        list[int] | None,
        typer.Option(
            min=0,
            metavar="N…",
            help="Drop n-grams seen N times or less, by length: 0 0 1 drops trigrams (and longer "
            "ones) seen once.",
        ),
    ] = None,
    vocab_limit: Annotated[
        int | None,
        typer.Option(min=0, metavar="N", help="Keep the N most frequent words; 0 keeps all."),
    ] = None,
    skip_symbols: Annotated[
        bool, typer.Option("--skip-symbols", help="Ignore <s>, </s> and <unk> in the text.")
    ] = False,
    classes: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Train over these word classes (`headway lm classes`)."),
        Role.READ,
    ] = None,
    temp: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Directory for temporary files."),
        Role.SCRATCH,
    ] = None,
    dependency: Annotated[
        bool,
        typer.Option(
            "--dependency", help="Train a dependency model from CoNLL-U, into a directory."
        ),
    ] = False,
    lowercase: Annotated[
        bool, typer.Option("--lowercase", help="With --dependency: ignore case.")
    ] = False,
    arpa: Annotated[
        bool, typer.Option("--arpa", help="With --dependency: write ARPA files.")
    ] = False,
) -> None:
    """Train a language model.

    headway lm train -i text.en -o lm.arpa --order 5

    headway lm train --dependency -i trees.conllu -o deplm
    """
    defaults = job.settings.lm
    if dependency:
        if prune or vocab_limit or skip_symbols or temp or classes:
            raise ConfigError("--dependency takes --order, --memory, --lowercase and --arpa only")
        with job.progress("estimating") as progress:
            found = lm.train_dependency(
                inputs,
                output,
                order=defaults.dependency_order if order is None else order,
                memory=defaults.memory if memory is None else memory,
                lowercase=lowercase,
                arpa=arpa,
                threads=job.threads,
                progress=progress,
            )
        job.say(f"{found.trees:,} trees, {found.words:,} words")
        return
    if lowercase or arpa:
        raise ConfigError("--lowercase and --arpa go with --dependency")
    limit = defaults.vocab_limit if vocab_limit is None else vocab_limit
    with job.progress("estimating") as progress:
        training = lm.train(
            inputs,
            output,
            order=defaults.order if order is None else order,
            memory=defaults.memory if memory is None else memory,
            prune=prune or defaults.prune,
            vocab_limit=limit or None,
            skip_symbols=skip_symbols,
            classes=None if classes is None else lm.WordClasses.load(classes),
            temp=temp,
            threads=job.threads,
            progress=progress,
        )
    job.say(_summary(training))


def _summary(training: lm.Training) -> str:
    ngrams = " ".join(f"{kept:,}" for kept in training.kept)
    return f"sentences: {training.sentences:,}, words: {training.words:,}, n-grams: {ngrams}"
