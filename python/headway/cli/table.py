"""`headway table build | export | filter | info`."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from headway.cli.frame import Job, add_group, command
from headway.cli.paths import Role
from headway.errors import ConfigError
from headway.table import ImportReport, RuleTable, Weights, import_moses

group = add_group("table", "Build, filter and export tables of translation rules.")

Table = Annotated[Path, typer.Argument(metavar="TABLE", help="A rule table."), Role.READ]
WeightOption = Annotated[
    list[str] | None,
    typer.Option("--weight", "-w", metavar="NAME=VALUE", help="Weight of a feature; repeatable."),
]
Top = Annotated[int | None, typer.Option(min=1, help="At most this many rules per source side.")]


@command("build", group)
def build_command(
    job: Job,
    tables: Annotated[
        list[Path],
        typer.Argument(metavar="MOSES", help="Moses phrase tables or rule tables."),
        Role.READ,
    ],
    *,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Where to write the rule table."), Role.WRITE
    ],
    reordering: Annotated[
        Path | None, typer.Option(help="Their lexicalised reordering table."), Role.READ
    ] = None,
    reordering_model: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Moses name of its model, e.g. wbe-mslr-bidirectional-fe; "
            "by default guessed from the number of columns.",
        ),
    ] = None,
    name: Annotated[
        list[str] | None,
        typer.Option(help="Name of a score, in order; repeatable. Default: Moses' four."),
    ] = None,
    memory: Annotated[
        str | None,
        typer.Option(metavar="SIZE", help="Memory for sorting, e.g. 512M or 2G."),
    ] = None,
) -> None:
    """Build a rule table from Moses phrase or rule tables.

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
        Path,
        typer.Option("--output", "-o", help="Moses table; `-` is standard output."),
        Role.WRITE,
    ],
    reordering: Annotated[
        Path | None, typer.Option(help="Where to write the reordering table."), Role.WRITE
    ] = None,
    condition: Annotated[
        str,
        typer.Option(
            metavar="f|fe",
            help="Reordering lines per source side (f) or per rule (fe).",
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
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Where to write the filtered table."), Role.WRITE
    ],
    text: Annotated[
        list[Path] | None,
        typer.Option("--input", "-i", help="Keep the rules for this tokenised text; repeatable."),
        Role.READ,
    ] = None,
    top: Top = None,
    weight: WeightOption = None,
) -> None:
    """Keep only the rules that a text needs, or the best ones.

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
    verify: Annotated[bool, typer.Option("--verify", help="Compare checksums.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Print the size and the features of a rule table.

    headway table info model.rules
    """
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
    return weights
