"""`headway lm classes`."""

from pathlib import Path
from typing import Annotated

import typer

from headway import lm
from headway.cli.frame import Job, command
from headway.cli.lm import group
from headway.cli.paths import Role
from headway.errors import ConfigError


@command("classes", group)
def classes(
    job: Job,
    *,
    inputs: Annotated[
        list[Path],
        typer.Option(
            "-i",
            "--input",
            metavar="FILE…",
            help="Tokenised text; repeatable; `-` is standard input.",
        ),
        Role.READ,
    ],
    output: Annotated[
        Path,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Where to write lines of word and class, or of bits, word and count (brown).",
        ),
        Role.WRITE,
    ],
    count: Annotated[
        int | None, typer.Option(min=1, help="Number of classes; setting lm.classes.count.")
    ] = None,
    method: Annotated[
        str | None,
        typer.Option(metavar="METHOD", help="exchange or brown; setting lm.classes.method."),
    ] = None,
    min_count: Annotated[
        int | None,
        typer.Option(
            min=1, help="brown: leave out words seen less often; setting lm.classes.min_count."
        ),
    ] = None,
) -> None:
    """Group words that occur in similar contexts into classes.

    headway lm classes -i text.en -o text.classes --count 100

    headway lm classes -i text.en -o text.paths --method brown
    """
    how = job.settings.lm.classes
    with job.progress("finding word classes") as progress:
        found = lm.WordClasses.learn(
            inputs,
            count=count or how.count or None,
            method=method or how.method,
            rounds=how.rounds,
            min_count=how.min_count if min_count is None else min_count,
            progress=progress,
        )
    if not len(found):
        message = "no word of the text occurs as often as --min-count asks"
        raise ConfigError(f"{message}; give more text, or --min-count 1")
    found.save(output)
    job.say(f"{len(found):,} words in {found.count:,} classes")
