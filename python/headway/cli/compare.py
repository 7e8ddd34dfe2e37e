"""`headway compare`."""

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from headway.cli.frame import Job, command
from headway.cli.options import Languages, language_pair
from headway.cli.paths import Role
from headway.compare import (
    BASELINES,
    SEEDS,
    SENTENCES,
    Compared,
    agreement_table,
    figures_table,
    split_sources,
    verdicts,
)
from headway.compare import compare as compare_trees
from headway.errors import ConfigError

_WIDE = 1000
_SEEDS = ",".join(map(str, SEEDS))


@command("compare")
def compare(
    job: Job,
    *,
    target: Annotated[
        Path,
        typer.Option(help="The text whose trees are compared, one sentence per line."),
        Role.READ,
    ],
    trees: Annotated[
        list[str],
        typer.Option(
            metavar="NAME=SOURCE",
            help="File of trees of the text, a parser, or a kind such as mst; repeatable.",
        ),
        Role.READ,
    ],
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Directory for tables, page and models."), Role.FILL
    ],
    treebank: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE[:WEIGHT]", help="Treebank to train kinds on; repeatable."),
        Role.READ,
    ] = None,
    gold: Annotated[
        Path | None, typer.Option(help="Gold trees of lines of the text."), Role.READ
    ] = None,
    system: Annotated[
        str | None, typer.Option(help="Also train this system on each source, e.g. str2dep.")
    ] = None,
    source: Annotated[
        Path | None, typer.Option(help="The source text of --target."), Role.READ
    ] = None,
    dev_source: Annotated[
        Path | None, typer.Option(help="Source text for tuning."), Role.READ
    ] = None,
    dev_target: Annotated[
        list[Path] | None, typer.Option(help="Its reference translation; repeatable."), Role.READ
    ] = None,
    test_source: Annotated[
        Path | None, typer.Option(help="Source text for testing."), Role.READ
    ] = None,
    test_target: Annotated[
        list[Path] | None, typer.Option(help="Its reference translation; repeatable."), Role.READ
    ] = None,
    monolingual: Annotated[
        list[Path] | None,
        typer.Option("--lm", help="More target text, for the language model; repeatable."),
        Role.READ,
    ] = None,
    baselines: Annotated[
        str, typer.Option(metavar="NAMES", help="Systems without trees to compare with, or none.")
    ] = ",".join(BASELINES),
    seeds: Annotated[
        str, typer.Option(metavar="N,N", help="Tune each system with each of these seeds.")
    ] = _SEEDS,
    languages: Languages = None,
    pretokenised: Annotated[
        bool,
        typer.Option(
            "--pretokenised",
            "--pretokenized",
            help="The text is tokenised and cased already: leave it as it is.",
        ),
    ] = False,
    lowercase: Annotated[bool, typer.Option("--lowercase", help="Ignore case in BLEU.")] = False,
    sentences: Annotated[
        int, typer.Option(min=0, help="Sentences on the page for every two sources.")
    ] = SENTENCES,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Compare sources of dependency trees and their translations.

    headway compare --target train.en --trees a=a.conllu --trees b=b.conllu --out out

    headway compare --target train.en --trees mst=mst --trees dmv=dmv --treebank en.conllu --out out
    """
    found = compare_trees(
        target,
        split_sources(trees),
        out,
        treebanks=treebank or (),
        gold=gold,
        system=system,
        source=source,
        dev_source=dev_source,
        dev_target=dev_target or (),
        test_source=test_source,
        test_target=test_target or (),
        monolingual=monolingual or (),
        baselines=_names(baselines),
        seeds=_numbers(seeds),
        languages=language_pair(languages),
        pretokenised=pretokenised,
        lowercase=lowercase,
        sentences=sentences,
        settings=job.settings,
        watch=job.progress,
    )
    if as_json:
        typer.echo(json.dumps(found.table(), indent=1, ensure_ascii=False))
    else:
        _show(found)


def _show(found: Compared) -> None:
    # A table that is wider than the terminal is wrapped by it: no figure is cut off.
    console = Console(highlight=False, soft_wrap=True, markup=False, width=_WIDE)
    if found.agreements:
        console.print(agreement_table(found))
        console.print()
    console.print(figures_table(found))
    for line in verdicts(found):
        console.print(line)
    console.print(f"\n{found.page}: the same, and the sentences where sources differ most")


def _names(text: str) -> list[str]:
    return [] if text == "none" else [name.strip() for name in text.split(",")]


def _numbers(text: str) -> list[int]:
    try:
        return [int(number) for number in text.split(",")]
    except ValueError:
        message = f"--seeds {text}: expected whole numbers such as 1,2,3"
        raise ConfigError(message) from None
