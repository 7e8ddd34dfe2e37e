"""`headway lm classes`."""

from pathlib import Path
from typing import Annotated

import typer

from headway import lm
from headway.cli.frame import Job, command
from headway.cli.lm import group


@command("classes", group)
def classes(
    job: Job,
    *,
    inputs: Annotated[
        list[Path],
        typer.Option("-i", "--input", metavar="F…", help="Tokenised text; - is stdin."),
    ],
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="F", help="A word, a tab, its class a line.")
    ],
    count: Annotated[int | None, typer.Option(min=1, help="How many classes.")] = None,
) -> None:
    """Put words into classes by what stands around them: headway lm classes -i text -o classes."""
    how = job.settings.lm.classes
    with job.progress("finding word classes") as progress:
        found = lm.WordClasses.learn(
            inputs, count=count or how.count or None, rounds=how.rounds, progress=progress
        )
    found.save(output)
    job.say(f"{len(found):,} words in {found.count:,} classes")
