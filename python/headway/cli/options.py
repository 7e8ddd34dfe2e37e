"""Options that several commands on text share."""

from pathlib import Path
from typing import Annotated

import typer

Input = Annotated[
    Path,
    typer.Argument(metavar="FILE", help="Text, plain, .gz or .zst; `-` is standard input."),
]
Output = Annotated[
    Path, typer.Option("--output", "-o", help="Where to; `-` is standard output. .gz and .zst too.")
]
Language = Annotated[
    str | None,
    typer.Option("--language", "-l", help="Code such as de or en-GB; none means neutral rules."),
]
CorpusInput = Annotated[
    list[Path],
    typer.Argument(
        metavar="FILE",
        help="Two line-aligned files, or one TSV or TMX file; plain, .gz, .zst or `-`.",
    ),
]
CorpusOutput = Annotated[
    list[Path],
    typer.Option("--output", "-o", help="Twice for line-aligned files, once for TSV or TMX."),
]
Languages = Annotated[
    str | None,
    typer.Option(metavar="SOURCE,TARGET", help="Language codes such as de,en; TMX needs them."),
]
From = Annotated[
    str | None, typer.Option("--from", help="lines, tsv or tmx, where the name does not tell.")
]
To = Annotated[str | None, typer.Option("--to", help="The same for the output.")]

STDIO = Path("-")


def language_pair(codes: str | None) -> tuple[str, str] | None:
    """`de,en` as two codes."""
    if codes is None:
        return None
    source, comma, target = codes.partition(",")
    if not comma or not source.strip() or not target.strip() or "," in target:
        raise typer.BadParameter(f"expected two codes such as de,en, found {codes}")
    return source.strip(), target.strip()
