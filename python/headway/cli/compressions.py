"""`headway trees compressions`."""

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from headway.cli.frame import Job, command
from headway.cli.paths import Role
from headway.cli.trees import Format, Input, group, write_picture
from headway.systems import Bundle
from headway.table import RuleTable
from headway.trees import (
    Compressions,
    Licensing,
    compressions,
    draw_compressions,
    draw_compressions_svg,
)
from headway.trees.compressions import LONGEST, WIDEST
from headway.trees.drawing.canvas import printable
from headway.trees.select import Choice, Drawable, select_trees


@command("compressions", group)
def compressions_command(
    job: Job,  # noqa: ARG001
    file: Input,
    *,
    longest: Annotated[int, typer.Option(min=1, help="Words of the longest phrase.")] = LONGEST,
    index: Annotated[int | None, typer.Option(min=1, help="Only the Nth sentence.")] = None,
    id_: Annotated[
        str | None, typer.Option("--id", help="Only the sentence with this sent_id.")
    ] = None,
    svg: Annotated[
        Path | None, typer.Option(help="Write the first drawing as an SVG picture."), Role.WRITE
    ] = None,
    table: Annotated[
        Path | None,
        typer.Option(
            metavar="MODEL",
            help="A rule table or a bundle; counts how many of its phrases are licensed.",
        ),
        Role.READ,
    ] = None,
    summary: Annotated[
        bool, typer.Option("--summary", help="Print only the numbers of the whole file.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, one object a line.")] = False,
    format_: Format = None,
) -> None:
    """Show which spans of a sentence its tree licenses as phrases.

    headway trees compressions dev.conllu --index 3

    headway trees compressions dev.conllu --summary --table model
    """
    chosen = select_trees(file, Choice(index, id_), format_)
    if svg:
        write_picture(svg, draw_compressions_svg(next(chosen).tree, longest))
        return
    found = Licensing(longest)
    rules = _table(table)
    for drawable in chosen:
        found.add(drawable.tree, rules)
        if not summary:
            one = _compressions(drawable, longest)
            typer.echo(_json(drawable, one) if as_json else "\n".join(_lines(drawable, one)))
    typer.echo(json.dumps({"summary": found.table()}) if as_json else "\n".join(_rows(found)))


def _table(path: Path | None) -> RuleTable | None:
    if path is None:
        return None
    return RuleTable.open(Bundle.open(path).path("rules") if path.is_dir() else path)


def _compressions(drawable: Drawable, longest: int) -> Compressions | None:
    return None if drawable.tree.has_cycle else compressions(drawable.tree, longest)


def _lines(drawable: Drawable, found: Compressions | None) -> Iterator[str]:
    yield printable(drawable.title)
    if found is None:
        yield "no compressions: the heads run in a cycle\n"
        return
    colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    yield draw_compressions(found.tree, found.longest, colour)
    plural = "" if found.count == 1 else "s"
    yield f"{found.count:,} compression{plural}, {len(found.spans):,} licensed spans\n"


def _json(drawable: Drawable, found: Compressions | None) -> str:
    shown: dict[str, Any] = {
        "title": drawable.title.removeprefix("# "),
        "words": list(drawable.tree.forms),
        "compressions": found.count if found else None,
        "licensed": found.spans if found else None,
    }
    return json.dumps(shown, ensure_ascii=False)


def _rows(found: Licensing) -> Iterator[str]:
    left_out = f"   {found.without_tree:,} without a tree" if found.without_tree else ""
    yield f"sentences       {found.sentences:>9,}{left_out}"
    yield f"licensed spans  {found.licensed:>9,}"
    yield _share(found.licensed, found.spans, f"of all spans of up to {found.longest} words")
    if found.longest != WIDEST:
        yield _share(found.licensed, found.wide_spans, f"of all spans of up to {WIDEST} words")
    if found.phrases:
        yield f"table phrases   {found.phrases:>9,}   spans with rules, of any length"
        yield _share(found.licensed_phrases, found.phrases, "of them licensed")
        yield f"their rules     {found.rules:>9,}"
        yield _share(found.licensed_rules, found.rules, "of them of licensed spans")
    by_length = sorted(found.unlicensed.items())
    if by_length:
        listed = ", ".join(f"{count:,} of {words}" for words, count in by_length)
        yield f"not licensed, by number of words: {listed}"


def _share(part: int, whole: int, of_what: str) -> str:
    share = 100 * part / whole if whole else 0.0
    return f"{f'{share:.1f} %':>25}   {of_what}"
