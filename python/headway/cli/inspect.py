"""`headway inspect`."""

import json
import os
import sys
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from shutil import get_terminal_size
from typing import Annotated

import typer
from rich.console import Console, Group
from rich.measure import Measurement
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from headway.cli.frame import Job, command
from headway.cli.inspect_bundle import show_bundle, show_translation
from headway.cli.inspect_phrasedep import show_phrase_dependencies
from headway.cli.inspect_picture import Drawn
from headway.cli.options import FeaturesOption, VerifyOption
from headway.cli.paths import Role
from headway.cli.table import Top, WeightOption, chosen_weights
from headway.errors import ConfigError, InputError
from headway.systems import parse_features, parse_weights
from headway.table import Rule, RuleTable, draw_structure
from headway.table.show import counts_text, links_text, structure_text, titled_structure
from headway.trees.drawing.canvas import printable

_INDENT = " " * 4


@command("inspect")
def inspect_command(
    job: Job,
    path: Annotated[
        Path,
        typer.Argument(
            metavar="MODEL",
            help="A model directory, a rule table or a table of phrase dependencies.",
        ),
        Role.READ,
    ],
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="SOURCE",
            help="Model: a sentence. Table: the source side of rules; [X] is a slot.",
        ),
    ] = None,
    *,
    all_spans: Annotated[
        bool, typer.Option("--all-spans", help="Table: show every part of SOURCE that has rules.")
    ] = False,
    top: Top = None,
    weight: WeightOption = None,
    features: FeaturesOption = None,
    rescore: Annotated[
        bool, typer.Option(help="Model: use the second pass, if it has one.")
    ] = True,
    source_trees: Annotated[
        Path | None,
        typer.Option(help="Model: CoNLL-U file with the tree of SOURCE; otherwise it is parsed."),
        Role.READ,
    ] = None,
    phrase_dependencies: Annotated[
        str | None,
        typer.Option(
            metavar="PHRASE",
            help="Show the most frequent phrase dependencies and the likeliest children of PHRASE"
            " (`$`: of the root); MODEL is a model or a table of `headway phrase-dependencies`.",
        ),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option(help="Model: also draw the translation as an HTML page."),
        Role.WRITE,
    ] = None,
    svg: Annotated[
        Path | None, typer.Option(help="Model: also draw the translation as SVG."), Role.WRITE
    ] = None,
    verify: VerifyOption = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Show what is in a model and why it translates as it does.

    headway inspect model

    headway inspect model 'Ein kleines Haus steht dort.'

    headway inspect model 'Ein kleines Haus steht dort.' --html picture.html

    headway inspect model/rules.table 'ein kleines Haus' --all-spans --top 3

    headway inspect train.phrasedep --phrase-dependencies 'made up'
    """
    if source_trees is not None and (source is None or not path.is_dir()):
        raise ConfigError("--source-trees: the tree of which sentence? Give a model and SOURCE")
    drawn = Drawn(html, svg)
    drawn.check()
    if drawn and (source is None or not path.is_dir()):
        raise ConfigError(
            "--html, --svg: draw the translation of a sentence; give a model and SOURCE"
        )
    if phrase_dependencies is not None:
        if source is not None:
            raise ConfigError("--phrase-dependencies: takes the place of SOURCE; give one of them")
        if not phrase_dependencies.strip():
            raise ConfigError("--phrase-dependencies: the phrase is empty; give words, or $")
        show_phrase_dependencies(
            job, path, phrase_dependencies, top, verify=verify, as_json=as_json
        )
    elif path.is_dir() and source is None:
        show_bundle(path, verify=verify, as_json=as_json)
    elif path.is_dir():
        use = {"weights": parse_weights(weight or ()), "features": parse_features(features or ())}
        show_translation(
            job,
            path,
            source or "",
            use,
            top,
            source_trees=source_trees,
            rescore=rescore,
            as_json=as_json,
            verify=verify,
            drawn=drawn,
        )
    elif source is None and not path.exists():
        raise InputError(f"{path}: no such file; check the path", path)
    elif source is None:
        message = "for a table, give SOURCE or --phrase-dependencies PHRASE"
        raise ConfigError(f"{path}: is not a model directory; {message}")
    else:
        _show_table(job, path, source, weight, top, all_spans=all_spans, as_json=as_json)


def _show_table(
    job: Job,
    path: Path,
    source: str,
    weight: list[str] | None,
    top: int | None,
    *,
    all_spans: bool,
    as_json: bool,
) -> None:
    opened = RuleTable.open(path)
    weights = chosen_weights(opened, weight)
    words = source.split()
    sides = [" ".join(words)]
    if all_spans:
        sides = [" ".join(words[start:end]) for start, end, _ in opened.spans(source)]
    shown = 0
    for side in dict.fromkeys(sides):
        rules = opened.options(side, weights=weights, top=top)
        shown += len(rules)
        _show(rules, as_json)
    if not shown:
        job.say(f"no rules for {' '.join(words)!r}; --all-spans shows its parts")


def _show(rules: list[Rule], as_json: bool) -> None:
    if as_json:
        _print(json.dumps(asdict(rule), ensure_ascii=False) for rule in rules)
    elif sys.stdout.isatty():
        _draw(rules)
    else:
        _print(line for rule in rules for line in (printable_line(rule), *_tree_below(rule)))


def printable_line(rule: Rule) -> str:
    """Score, sides, features, links, counts and structure between tabs."""
    features = " ".join(f"{name}={value:.6g}" for name, value in rule.scores.items())
    fields = (
        f"{rule.score:.4f}",
        rule.source_text,
        rule.target_text,
        features,
        links_text(rule),
        counts_text(rule),
        structure_text(rule),
    )
    return "\t".join(map(printable, fields))


def _tree_below(rule: Rule) -> list[str]:
    """Its little tree, set in, so that no line of it begins as a rule does."""
    drawn = draw_structure(rule, get_terminal_size().columns - len(_INDENT))
    return [f"{_INDENT}{line}" for line in drawn.splitlines()]


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        typer.echo(line)


def _draw(rules: list[Rule]) -> None:
    """A grid of the rules, or two lines each where that is too wide; then their trees."""
    if not rules:
        return
    console = Console()
    grid = _grid(rules)
    unlimited = console.options.update(max_width=10_000)
    if Measurement.get(console, unlimited, grid).maximum <= console.width:
        console.print(grid)
    else:
        console.print(Text(printable(rules[0].source_text), style="italic"))
        for rule in rules:
            console.print(_two_lines(rule))
    colour = not os.environ.get("NO_COLOR")
    for rule in rules:
        if rule.structure is not None:
            typer.echo(f"\n{titled_structure(rule, console.width, colour)}")


def _grid(rules: list[Rule]) -> Grid:
    grid = Grid(title=Text(printable(rules[0].source_text)), title_justify="left", box=None)
    grid.add_column("score", justify="right", no_wrap=True)
    grid.add_column("target", no_wrap=True)
    groups = _groups(rules[0].scores)
    for heading in groups:
        grid.add_column(heading, justify="right", no_wrap=True)
    for heading in ("links", "counts"):
        grid.add_column(heading, no_wrap=True)
    for rule in rules:
        values = (_values(rule, names) for names in groups.values())
        cells = (
            f"{rule.score:.2f}",
            rule.target_text,
            *values,
            links_text(rule),
            counts_text(rule),
        )
        grid.add_row(*(Text(printable(cell)) for cell in cells))
    return grid


def _two_lines(rule: Rule) -> Group:
    first = Text(f"{rule.score:8.2f}  ").append(printable(rule.target_text), style="bold")
    first.append(f"  {links_text(rule)}  {counts_text(rule)}", style="dim")
    features = (f"{name} {_values(rule, names)}" for name, names in _groups(rule.scores).items())
    return Group(first, Padding(Text(printable("  ".join(features)), style="dim"), (0, 0, 0, 10)))


def _values(rule: Rule, names: list[str]) -> str:
    return " ".join(f"{rule.scores[name]:.2g}" for name in names)


def _groups(names: Iterable[str]) -> dict[str, list[str]]:
    """Features by column: those of `reordering.backward.…` share one, named `backward`."""
    groups: dict[str, list[str]] = {}
    for name in names:
        kind, dot, rest = name.partition(".")
        heading = rest.partition(".")[0] if dot and kind == "reordering" else name
        groups.setdefault(heading, []).append(name)
    return groups
