"""`headway alignments score`, `join` and `draw`."""

import json
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from headway import align
from headway.cli.frame import Job, add_group, command
from headway.cli.paths import Role
from headway.corpus import read_alignments, read_lines, write_alignments
from headway.errors import ConfigError, FormatError
from headway.files import write_text

group = add_group("alignments", "Score, join and draw word alignments.")

Links = Annotated[Path, typer.Argument(help="Alignment in Pharaoh format (`0-0 1-2`)."), Role.READ]


@command("score", group)
def score(
    job: Job,  # noqa: ARG001
    found: Links,
    gold: Annotated[
        Path,
        typer.Argument(
            help="Gold alignment: Pharaoh with `2p3` for possible links, or NAACL 2003 format."
        ),
        Role.READ,
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Score an alignment against a gold alignment.

    Prints the alignment error rate, precision and recall.

    headway alignments score dev.found dev.align
    """
    links = list(read_alignments(found))
    wanted = align.read_gold(gold, len(links))
    _check_lengths((found, links), (gold, wanted))
    scores = align.score(links, wanted)
    values = {"aer": scores.aer, "precision": scores.precision, "recall": scores.recall}
    if as_json:
        typer.echo(json.dumps({**values, "links": scores.links, "sure": scores.sure}))
    else:
        named = "  ".join(f"{name} {value:.4f}" for name, value in values.items())
        typer.echo(f"{named}  ({scores.links:,} links, {scores.sure:,} sure in gold)")


@command("join", group)
def join(
    job: Job,
    forward: Links,
    backward: Links,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Where to write the result."), Role.WRITE
    ] = Path("-"),
    how: Annotated[
        str | None,
        typer.Option(
            help="intersection, union, grow-diag[-final[-and]]; setting align.symmetrisation."
        ),
    ] = None,
) -> None:
    """Join the alignments of both directions into one.

    Both files hold source-target links.

    headway alignments join forward.align backward.align --how grow-diag-final-and
    """
    one, other = list(read_alignments(forward)), list(read_alignments(backward))
    _check_lengths((forward, one), (backward, other))
    joined = align.join(one, other, how or job.settings.align.symmetrisation)
    write_alignments(output, joined)


@command("draw", group)
def draw(
    job: Job,  # noqa: ARG001
    source: Annotated[Path, typer.Argument(help="Tokenised source text."), Role.READ],
    target: Annotated[Path, typer.Argument(help="Tokenised target text."), Role.READ],
    links: Links,
    pair: Annotated[
        int, typer.Option("--pair", "-n", min=1, help="Which pair, counted from 1.")
    ] = 1,
    gold: Annotated[
        Path | None, typer.Option(help="Gold alignment: marks wrong and missing links."), Role.READ
    ] = None,
    svg: Annotated[
        Path | None, typer.Option(help="Write an SVG picture instead."), Role.WRITE
    ] = None,
) -> None:
    """Draw the alignment of one pair as a grid.

    headway alignments draw dev.de dev.en dev.align -n 3
    """
    rows, columns = _line(source, pair).split(), _line(target, pair).split()
    size = len(rows), len(columns)
    alignment = _alignment(links, pair, size)
    wanted = None if gold is None else _alignment(gold, pair, size)
    if svg is None:
        typer.echo(align.draw_grid(rows, columns, alignment, wanted))
    else:
        write_text(svg, align.grid_svg(rows, columns, alignment, wanted))


def _line(path: Path, number: int) -> str:
    line = next(islice(read_lines(path), number - 1, None), None)
    if line is None:
        raise ConfigError(f"--pair {number}: {path} has fewer lines")
    return line


def _alignment(path: Path, number: int, size: tuple[int, int]) -> align.Alignment:
    try:
        alignment = align.Alignment.parse(_line(path, number))
    except ValueError as error:
        raise FormatError(f"{path}:{number}: {error}", path, number) from None
    for row, column in alignment.links:
        if row >= size[0] or column >= size[1]:
            what = f"the link {row}-{column} is outside its pair of {size[0]} and {size[1]} words"
            raise FormatError(f"{path}:{number}: {what}", path, number)
    return alignment


def _check_lengths(
    one: tuple[Path, Sequence[object]], other: tuple[Path, Sequence[object]]
) -> None:
    """Refuses files of which one has more pairs."""
    longer, shorter = sorted((one, other), key=lambda file: -len(file[1]))
    if len(longer[1]) != len(shorter[1]):
        path, number = longer[0], len(shorter[1]) + 1
        message = f"a line without partner: {shorter[0]} ends after {number - 1} lines"
        raise FormatError(f"{path}:{number}: {message}", path, number)
