"""`headway fragment`."""

from pathlib import Path
from typing import Annotated

import typer

from headway import fragment as corpus
from headway.cli.frame import Job, command
from headway.cli.paths import Role
from headway.errors import ConfigError
from headway.trees import draw_pair


@command("fragment")
def fragment(
    job: Job,
    *,
    pairs: Annotated[
        int, typer.Option(min=1, help="Number of training pairs, or of pairs to --show.")
    ],
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Directory for the files."), Role.FILL
    ] = None,
    dev: Annotated[int | None, typer.Option(min=0, help="Number of pairs in the dev set.")] = None,
    test: Annotated[
        int | None, typer.Option(min=0, help="Number of pairs in the test set.")
    ] = None,
    difficulty: Annotated[
        float | None,
        typer.Option(min=0, max=1, help="From 0 to 1: more long-distance dependencies."),
    ] = None,
    show: Annotated[
        bool, typer.Option("--show", help="Print the pairs instead of writing files.")
    ] = False,
    trees: Annotated[
        bool, typer.Option("--trees", help="With --show: draw the trees too.")
    ] = False,
) -> None:
    """Generate German-English example text with trees and alignments.

    The training, dev and test sets have no sentence in common.

    headway fragment --pairs 5000 --out corpus

    headway fragment --pairs 3 --show --trees
    """
    hard = job.settings.fragment.difficulty if difficulty is None else difficulty
    if trees and not show:
        raise ConfigError("--trees goes with --show")
    if show and out is not None:
        raise ConfigError("--show prints and writes nothing; leave out --out")
    if show:
        _show(job, pairs, hard, trees)
        return
    if out is None:
        raise ConfigError("--out: name a directory for the files, or print pairs with --show")
    sizes = job.settings.fragment
    with job.progress("generating") as progress:
        corpus.write(
            out,
            pairs=pairs,
            dev=sizes.dev if dev is None else dev,
            test=sizes.test if test is None else test,
            seed=job.seed,
            difficulty=hard,
            threads=job.threads,
            progress=progress,
        )
    job.say(f"{out}: {pairs} training pairs, see {out / 'fragment.toml'}")


def _show(job: Job, pairs: int, difficulty: float, trees: bool) -> None:
    for pair in corpus.generate(pairs, seed=job.seed, difficulty=difficulty):
        typer.echo(pair.source.text)
        typer.echo(pair.target.text)
        if trees:
            typer.echo(draw_pair(pair.source.tree(), pair.target.tree(), pair.alignment))
        typer.echo("")
