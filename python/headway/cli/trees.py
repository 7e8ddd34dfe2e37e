"""`headway trees draw | convert | check`; `compressions` has its own file."""

import json
import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from headway.cli.frame import Job, add_group, command
from headway.cli.paths import Role
from headway.errors import ConfigError
from headway.files import write_text
from headway.trees import Census, Found, PennCensus, Repairs, census, convert, penn_census
from headway.trees.drawing.canvas import printable
from headway.trees.select import (
    Choice,
    Drawable,
    is_penn,
    select_pairs,
    select_penn,
    select_trees,
)

group = add_group("trees", "Draw, convert, check and compress trees.")

Input = Annotated[
    Path, typer.Argument(metavar="FILE", help="Trees; `-` is standard input."), Role.READ
]
Format = Annotated[
    str | None,
    typer.Option("--format", help="conllu, conllx, dp or penn; by default from the name."),
]


@command("draw", group)
def draw_command(
    job: Job,  # noqa: ARG001
    file: Input,
    *,
    index: Annotated[int | None, typer.Option(min=1, help="Only the Nth sentence.")] = None,
    id_: Annotated[
        str | None, typer.Option("--id", help="Only the sentence with this sent_id.")
    ] = None,
    svg: Annotated[
        Path | None, typer.Option(help="Write the first tree as an SVG picture."), Role.WRITE
    ] = None,
    pair: Annotated[
        Path | None, typer.Option(help="Trees of the other language, drawn beside."), Role.READ
    ] = None,
    alignment: Annotated[
        Path | None,
        typer.Option(help="With --pair: their word alignment, `0-0 1-2` lines."),
        Role.READ,
    ] = None,
    tags: Annotated[str, typer.Option(help="Tag column: upos or xpos.")] = "upos",
    width: Annotated[
        int | None,
        typer.Option(min=20, help="Width in columns, or in pixels of an SVG.", show_default=False),
    ] = None,
    format_: Format = None,
) -> None:
    """Draw trees in the terminal or as SVG.

    headway trees draw dev.conllu --index 3

    headway trees draw dev.conllu --index 3 --svg tree.svg
    """
    columns = width or shutil.get_terminal_size().columns
    if is_penn(file, format_):
        if svg or pair or id_:
            raise ConfigError("Penn brackets are printed only: no --svg, --pair or --id")
        _print(_safe(tree.pretty(columns)) for tree in select_penn(file, index))
        return
    chosen = _chosen(file, Choice(index, id_), pair, alignment, tags=tags, format_=format_)
    if svg:
        write_picture(svg, next(chosen).svg(width or 1200))
    else:
        colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
        _print(drawable.text(columns, colour) for drawable in chosen)


def _chosen(
    file: Path,
    choice: Choice,
    pair: Path | None,
    alignment: Path | None,
    *,
    tags: str,
    format_: str | None,
) -> Iterator[Drawable]:
    if pair and alignment:
        return select_pairs(file, pair, alignment, choice, tags)
    if pair or alignment:
        raise ConfigError("--pair and --alignment go together: name both or none")
    return select_trees(file, choice, format_, tags)


def _safe(text: str) -> str:
    return "\n".join(map(printable, text.split("\n")))


def _print(drawings: Iterable[str]) -> None:
    for number, drawing in enumerate(drawings):
        typer.echo(f"\n{drawing}" if number else drawing)


def write_picture(path: Path, text: str) -> None:
    """Into a file; `-` is standard output."""
    if path == Path("-"):
        typer.echo(text, nl=False)
    else:
        write_text(path, text)


@command("convert", group)
def convert_command(
    job: Job,
    source: Annotated[
        Path, typer.Argument(metavar="IN", help="Trees; `-` is standard input."), Role.READ
    ],
    target: Annotated[
        Path,
        typer.Argument(metavar="OUT", help="Where to write; `-` is standard output."),
        Role.WRITE,
    ],
    *,
    from_: Annotated[
        str | None,
        typer.Option("--from", metavar="FORMAT", help="Format of IN; by default from its name."),
    ] = None,
    to: Annotated[
        str | None, typer.Option(metavar="FORMAT", help="Format of OUT; by default from its name.")
    ] = None,
    strip: Annotated[
        bool, typer.Option("--strip", help="Penn: remove traces, functions and the outer bracket.")
    ] = False,
    heads: Annotated[
        str | None,
        typer.Option(help="Penn: collins, lth or yamada head rules. Enju: syn or sem heads."),
    ] = None,
    roots: Annotated[
        Path | None,
        typer.Option(help="C&C, CCGbank: trees with the root words that arcs leave open."),
        Role.READ,
    ] = None,
    text: Annotated[
        Path | None,
        typer.Option(help="The tokenised text that was parsed; its words must be the trees'."),
        Role.READ,
    ] = None,
) -> None:
    """Convert between formats of trees; repair other parsers' trees.

    headway trees convert a.conllu.gz a.conllx

    headway trees convert wsj.mrg wsj.conllu --heads lth

    headway trees convert enju.xml en.conllu --heads sem --text en.txt
    """
    repairs = Repairs()
    count = convert(
        source, target, from_, to, strip, heads=heads, roots=roots, text=text, repairs=repairs
    )
    job.say(f"{count:,} tree{'' if count == 1 else 's'}")
    for line in repairs.lines():
        job.say(line)


@command("check", group)
def check_command(
    job: Job,
    file: Input,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    lines: Annotated[
        int, typer.Option(min=0, help="How many line numbers to print of each kind.")
    ] = 5,
    format_: Format = None,
) -> None:
    """Check a treebank: count trees, words and irregular trees.

    headway trees check dev.conllu
    """
    if is_penn(file, format_):
        _report(penn := penn_census(file), _penn_rows(penn), as_json)
        return
    with job.progress("reading") as progress:
        found = census(file, format_, lines, progress)
    _report(found, _rows(found), as_json)


def _report(found: Census | PennCensus, rows: Iterable[str], as_json: bool) -> None:
    typer.echo(json.dumps(found.table(), ensure_ascii=False) if as_json else "\n".join(rows))


def _penn_rows(found: PennCensus) -> Iterator[str]:
    yield f"trees           {found.trees:>9,}"
    yield f"words           {found.words:>9,}   the longest sentence has {found.longest:,}"
    yield f"traces          {found.traces:>9,}"
    yield f"without words   {found.empty:>9,}"


def _rows(found: Census) -> Iterator[str]:
    yield f"sentences       {found.sentences:>9,}"
    yield f"words           {found.words:>9,}   the longest sentence has {found.longest:,}"
    yield f"ranges          {found.ranges:>9,}"
    yield f"empty nodes     {found.empty_nodes:>9,}"
    share = 100 * found.trees / found.sentences if found.sentences else 100.0
    yield f"trees           {found.trees:>9,}   {share:.1f} %: one root, no cycle"
    projective = found.parsed - found.nonprojective.count
    yield f"projective      {projective:>9,}   {100 * found.projective_share:.1f} %"
    yield _row("non-projective", found.nonprojective)
    yield _row("cyclic", found.cyclic)
    yield _row("several roots", found.multi_root)
    yield _row("without heads", found.unparsed)
    yield _row("without words", found.empty)
    yield _row("other # text", found.other_text)


def _row(name: str, found: Found) -> str:
    row = f"{name:<16}{found.count:>9,}"
    if not found.lines:
        return row
    more = " …" if found.count > len(found.lines) else ""
    return f"{row}   line{'s' if found.count > 1 else ''} {', '.join(map(str, found.lines))}{more}"
