"""Tables and lines of what `headway inspect` shows."""

from collections.abc import Sequence

import typer
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from headway.trees.drawing.canvas import printable


def grid(headings: str, rows: Sequence[tuple[str, ...]], *, right: set[int]) -> Grid:
    """A table without lines; `right` are the columns of numbers."""
    grid = Grid(box=None, pad_edge=False)
    for number, heading in enumerate(headings.split()):
        grid.add_column(heading, justify="right" if number in right else "left", overflow="fold")
    for row in rows:
        grid.add_row(*(Text(printable(cell)) for cell in row))
    return grid


def print_grid(table: Grid) -> None:
    """Prints it below an empty line."""
    console = Console()
    if not console.is_terminal:  # a pipe has no width: nothing is folded
        console = Console(width=10_000)
    typer.echo("")
    with console.capture() as capture:
        console.print(table)
    typer.echo("\n".join(line.rstrip() for line in capture.get().splitlines()))


def say(line: str) -> None:
    """Prints a line, without what terminals would obey."""
    typer.echo(printable(line))
