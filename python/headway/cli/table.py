"""`headway table build | export | filter | info`."""

import json
import math
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from headway.cli.frame import Job, app, command
from headway.errors import ConfigError
from headway.table import ImportReport, RuleTable, Weights, import_moses

group = typer.Typer(
    help="Rule tables: build from Moses tables, export, filter, describe.",
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(group, name="table")

Table = Annotated[Path, typer.Argument(metavar="TABLE", help="A rule table of headway.")]
WeightOption = Annotated[
    list[str] | None,
    typer.Option("--weight", "-w", metavar="NAME=VALUE", help="Weight of a feature; repeat."),
]
Top = Annotated[int | None, typer.Option(min=1, help="At most so many rules per source side.")]


@command("build", group)
def build_command(
    job: Job,
    tables: Annotated[
        list[Path],
        typer.Argument(metavar="MOSES...", help="Phrase or rule tables, plain or gz; `-` too."),
    ],
    *,
    output: Annotated[Path, typer.Option("--output", "-o", help="The rule table.")],
    reordering: Annotated[
        Path | None, typer.Option(help="The lexicalised reordering table that goes with them.")
    ] = None,
    reordering_model: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="What its columns are, as Moses names it: wbe-mslr-bidirectional-fe. "
            "Without: by their number.",
        ),
    ] = None,
    name: Annotated[
        list[str] | None,
        typer.Option(help="Name of a score, in order; repeat. Without: the four of Moses."),
    ] = None,
    memory: Annotated[
        str | None,
        typer.Option(metavar="SIZE", help="For sorting, as 512M or 2G; a plain number is MiB."),
    ] = None,
) -> None:
    """Build a rule table from Moses phrase tables or hierarchical rule tables.

    headway table build phrase-table.gz --reordering reordering-table.gz -o model.rules
    """
    with job.progress("reading lines") as progress:
        report = import_moses(
            tables,
            output,
            reordering=reordering,
            reordering_model=reordering_model,
            names=name or (),
            memory=job.settings.rules.memory if memory is None else memory,
            threads=job.threads,
            progress=progress,
        )
    tell_import(job, report, output)


def tell_import(job: Job, report: ImportReport, output: Path) -> None:
    """Says what was read, and what was left out of it."""
    job.say(f"{report.rules:,} rules, {output.stat().st_size:,} bytes")
    for count, what in [
        (report.glue, "glue rules left out: the decoder has its own"),
        (report.zeros, "scores of 0: their logarithm is -100"),
        (report.sparse, "lines with sparse features, which were left out"),
        (report.properties, "lines with properties, which were left out"),
        (report.without_reordering, "rules without a line in the reordering table"),
        (report.unused_reordering, "lines of the reordering table without a rule"),
    ]:
        if count:
            job.say(f"{count:,} {what}")


@command("export", group)
def export_command(
    job: Job,
    table: Table,
    *,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Moses table, .gz too; `-` is standard output.")
    ],
    reordering: Annotated[
        Path | None, typer.Option(help="Where the reordering features go.")
    ] = None,
    condition: Annotated[
        str,
        typer.Option(
            metavar="f|fe",
            help="Reordering: a line for each source side (f) or for each rule (fe).",
        ),
    ] = "fe",
) -> None:
    """Write a rule table as Moses text.

    headway table export model.rules -o phrase-table.gz --reordering reordering-table.gz
    """
    opened = RuleTable.open(table)
    with job.progress("writing rules") as progress:
        count = opened.export_moses(
            output, reordering=reordering, condition=condition, progress=progress
        )
    job.say(f"{count:,} rules")
    left_out = [name for name in opened.features if name.startswith("reordering.")]
    if left_out and reordering is None:
        job.say(f"{len(left_out)} reordering features left out; name a file with --reordering")


@command("filter", group)
def filter_command(
    job: Job,
    table: Table,
    *,
    output: Annotated[Path, typer.Option("--output", "-o", help="The smaller table.")],
    text: Annotated[
        list[Path] | None,
        typer.Option("--input", "-i", help="Tokenised text to keep rules for; repeat; `-` too."),
    ] = None,
    top: Top = None,
    weight: WeightOption = None,
) -> None:
    """Keep what a text can use, or the best rules of each source side.

    headway table filter model.rules --input test.de -o test.rules
    """
    if not text and top is None:
        raise ConfigError("nothing to filter by; name a text with --input or a number with --top")
    opened = RuleTable.open(table)
    with job.progress("copying rules") as progress:
        kept = opened.filter(
            output,
            inputs=text or None,
            weights=None if top is None else chosen_weights(opened, weight),
            top=top,
            threads=job.threads,
            progress=progress,
        )
    job.say(f"{kept:,} of {len(opened):,} rules, {output.stat().st_size:,} bytes")


@command("info", group)
def info_command(
    job: Job,
    table: Table,
    *,
    verify: Annotated[
        bool, typer.Option("--verify", help="Read all and compare checksums.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="For machines.")] = False,
) -> None:
    """Print what a rule table holds."""
    opened = RuleTable.open(table)
    if verify:
        opened.verify()
        job.say(f"{table}: undamaged, all checksums agree")
    facts = asdict(opened.facts)
    if as_json:
        typer.echo(json.dumps({**facts, "features": opened.features}))
        return
    for name, value in facts.items():
        typer.echo(f"{name.replace('_', ' '):16}{value:>16,}")
    for name in opened.features:
        kind = "probability" if name in opened.probabilities else "value"
        typer.echo(f"feature         {kind:>16}  {name}")


def chosen_weights(table: RuleTable, options: list[str] | None) -> Weights:
    """Weights as given, or 1 for every translation feature: those that are not of reordering."""
    if not options:
        return {n: 1.0 for n in table.features if not n.startswith("reordering.")}
    return parse_weights(options)


def parse_weights(options: list[str]) -> dict[str, float]:
    """What `--weight` was given."""
    weights = {}
    for option in options:
        name, equals, value = option.rpartition("=")
        try:
            weights[name] = float(value)
        except ValueError:
            equals = ""
        if not equals:
            raise ConfigError(f"--weight {option}: expected NAME=VALUE, such as 'p(e|f)=0.2'")
        if not math.isfinite(weights[name]):
            raise ConfigError(f"--weight {option}: expected a finite number")
    return weights
