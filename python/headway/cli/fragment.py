"""`headway fragment`."""

from pathlib import Path
from typing import Annotated

import typer

from headway import fragment as corpus
from headway.cli.frame import Job, command
from headway.errors import ConfigError
from headway.trees import draw_pair


@command("fragment")
def fragment(
    job: Job,
    *,
    pairs: Annotated[int, typer.Option(min=1, help="Training pairs; with --show, pairs.")],
    out: Annotated[
        Path | None, typer.Option(help="Directory for the files; made if need be.")
    ] = None,
    dev: Annotated[int | None, typer.Option(min=0, help="Pairs of the dev set.")] = None,
    test: Annotated[int | None, typer.Option(min=0, help="Pairs of the test set.")] = None,
    difficulty: Annotated[
        float | None,
        typer.Option(min=0, max=1, help="From 0 to 1: more that stands far from its head."),
    ] = None,
    show: Annotated[bool, typer.Option("--show", help="Print pairs and write nothing.")] = False,
    trees: Annotated[bool, typer.Option("--trees", help="With --show: draw the trees.")] = False,
) -> None:
    """Generate the built-in corpus: `headway fragment --pairs 100000 --seed 7 --out DIR`.

    German and English sentences with gold trees and word alignments, split into train, dev and
    test without a sentence in common.
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
