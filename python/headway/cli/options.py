"""Options that several commands on text share."""

from pathlib import Path
from typing import Annotated

import typer

from headway.cli.paths import Role
from headway.errors import ConfigError
from headway.languages import doubt_languages

Input = Annotated[
    Path, typer.Argument(metavar="FILE", help="Text file; `-` is standard input."), Role.READ
]
Output = Annotated[
    Path, typer.Option("--output", "-o", help="Where to write; `-` is standard output."), Role.WRITE
]
Language = Annotated[
    str | None,
    typer.Option("--language", "-l", metavar="CODE", help="Language code, such as de or en-GB."),
]
CorpusInput = Annotated[
    list[Path],
    typer.Argument(
        metavar="FILE",
        help="Two line-aligned files, or one TSV or TMX file.",
    ),
    Role.READ,
]
CorpusOutput = Annotated[
    list[Path],
    typer.Option(
        "--output",
        "-o",
        help="Where to write: -o FILE -o FILE for line-aligned files, once for TSV or TMX.",
    ),
    Role.WRITE,
]
Languages = Annotated[
    str | None,
    typer.Option(
        metavar="SOURCE,TARGET", help="Language codes such as de,en; default: from the file names."
    ),
]
CorpusLanguages = Annotated[
    str | None,
    typer.Option(metavar="SOURCE,TARGET", help="Language codes such as de,en; TMX needs them."),
]
From = Annotated[
    str | None,
    typer.Option("--from", metavar="FORMAT", help="Input format: lines, tsv or tmx; else by name."),
]
To = Annotated[
    str | None,
    typer.Option("--to", metavar="FORMAT", help="Output format: lines, tsv or tmx; else by name."),
]

FeaturesOption = Annotated[
    list[str] | None,
    typer.Option(
        "--features",
        metavar="[NAME=]MODULE:FUNCTION",
        help="A feature of your own: a Python function of a rule; repeatable.",
    ),
    Role.MODULE,
]

VerifyOption = Annotated[
    bool,
    typer.Option(
        "--verify/--no-verify",
        help="Compare the checksums of the model's files first; --no-verify starts sooner.",
    ),
]

STDIO = Path("-")


def language_pair(codes: str | None) -> tuple[str, str] | None:
    """`de,en` as two codes."""
    if codes is None:
        return None
    source, comma, target = codes.partition(",")
    if not comma or not source.strip() or not target.strip() or "," in target:
        raise ConfigError(f"--languages {codes}: expected two codes such as de,en")
    return source.strip(), target.strip()


def doubted_pair(codes: str | None) -> tuple[str, str] | None:
    """The same, with a warning of each code that no language has."""
    pair = language_pair(codes)
    doubt_languages(*(pair or ()))
    return pair
