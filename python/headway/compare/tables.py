"""A comparison as tables for the terminal and as CSV files."""

import csv
import io
from collections.abc import Iterable
from pathlib import Path

from rich.table import Table

from headway.compare.result import Compared, columns
from headway.compare.seeds import PARTS
from headway.files import write_text

CSV_FILES = ("agreement.csv", "table.csv", "differences.csv")


def agreement_table(found: Compared) -> Table:
    """Table 2: per cent of the same roots, and of the same heads in brackets."""
    names = [line.name for line in found.sources]
    cells = {(it.one, it.other): f"{it.roots:.1f} ({it.heads:.1f})" for it in found.agreements}
    table = Table(box=None, pad_edge=False)
    table.add_column("same roots (heads), %")
    for name in names[1:]:
        table.add_column(name, justify="right")
    for name in names[:-1]:
        table.add_row(name, *(cells.get((name, other), "") for other in names[1:]))
    return table


def figures_table(found: Compared) -> Table:
    """Table 3: a row for each system without trees, then one for each source."""
    shown = columns(found)
    first = found.lines[0].name
    table = Table(box=None, pad_edge=False)
    table.add_column("trees")
    for column in shown:
        table.add_column(column.title, justify="right")
    if found.system:
        table.add_column(f"vs {first}")
    for line in found.lines:
        cells = [column.text(line) for column in shown]
        table.add_row(line.name, *cells, *([line.signs(first)] if found.system else []))
    return table


def verdicts(found: Compared) -> list[str]:
    """Differences between systems that are more than chance with every seed."""
    return [
        f"{it.other} is {'better' if it.bleu > 0 else 'worse'} than {it.one} with every seed "
        f"({it.bleu:+.2f} BLEU)"
        for it in found.differences
        if set(it.signs) in ({"+"}, {"-"})
    ]


def write_csv(found: Compared, directory: Path) -> None:
    """Writes `CSV_FILES`, of which those without rows have their names of columns only."""
    tables = (_agreement_rows(found), _figure_rows(found), _difference_rows(found))
    for name, rows in zip(CSV_FILES, tables, strict=True):
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(rows)
        write_text(directory / name, text.getvalue())


Rows = Iterable[Iterable[object]]


def _agreement_rows(found: Compared) -> Rows:
    yield ("source", "other", "roots", "heads", "sentences", "words")
    for it in found.agreements:
        yield (it.one, it.other, f"{it.roots:.4f}", f"{it.heads:.4f}", it.sentences, it.words)


def _figure_rows(found: Compared) -> Rows:
    shown = columns(found)
    seeds = [(part, place) for part in PARTS for place in range(len(found.seeds))]
    names = [f"{part} seed {found.seeds[place]}" for part, place in seeds]
    yield ("name", "source", *(it.key for it in shown), *(names if found.system else ()))
    for line in found.lines:
        values = (_cell(it.value(line), it.digits) for it in shown)
        scores = (f"{line.bleu(part)[place]:.4f}" for part, place in seeds)
        yield (line.name, line.source, *values, *(scores if found.system else ()))


def _cell(value: float | None, digits: int) -> object:
    if value is None:
        return ""
    return f"{value:.4f}" if digits else value


def _difference_rows(found: Compared) -> Rows:
    yield ("system", "other", "bleu", "signs")
    for it in found.differences:
        yield (it.one, it.other, f"{it.bleu:+.4f}", it.signs)
