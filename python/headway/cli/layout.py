"""How help pages look: examples to copy, each command's options before the common ones.

Typer prints examples as wrapped paragraphs, types in place of names (`<path>`), and all options in
one list. These classes print what a reader looks for first.
"""

import re
import types
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin

from typer.core import TyperGroup
from typer.models import OptionInfo

from headway.cli.many import ManyValues
from headway.cli.once import Once

# What `headway --help` lists, in the order in which people need it.
SECTIONS = {
    "Translate": (
        "demo",
        "train",
        "translate",
        "serve",
        "inspect",
        "tune",
        "combine",
        "evaluate",
        "report",
        "import",
    ),
    "Prepare text": ("clean", "convert", "tokenise", "detokenise", "truecase", "fragment"),
    "Work with syntax": ("parse", "trees", "compare"),
    "Run single steps of training": (
        "align",
        "alignments",
        "lm",
        "extract",
        "phrase-dependencies",
        "table",
        "forest",
    ),
    "Settings": ("settings",),
}

_EXAMPLE = "headway "
_COMMON = "Options of every command"
_VALUES = {Path: "FILE", int: "N", float: "NUMBER", str: "NAME"}
_TYPE = re.compile(r" <[^>]*>$")
_OBVIOUS = ("x>=0", "x>=1")
_RANGE = re.compile(r"([0-9.]+)<=x<=([0-9.]+)")


def name_values(annotation: Any) -> None:
    """Says `--out FILE`, not `--out <path>`, where an option does not name its value."""
    if get_origin(annotation) is not Annotated:
        return
    kind, *extras = get_args(annotation)
    for option in extras:
        if isinstance(option, OptionInfo) and option.metavar is None:
            option.metavar = _value(kind)


def _value(kind: Any) -> str | None:
    if get_origin(kind) in (types.UnionType, list):
        return next((name for part in get_args(kind) if (name := _value(part))), None)
    return _VALUES.get(kind)


class _Page:
    """Help in paragraphs, then examples as they are typed."""

    help: str | None

    def format_help_text(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        """Writes the text, then the examples."""
        parts = (self.help or "").split("\n\n")
        text = [part for part in parts if not part.startswith(_EXAMPLE)]
        examples = [part for part in parts if part.startswith(_EXAMPLE)]
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text("\n\n".join(text))
        if examples:
            with formatter.section("Example" if len(examples) == 1 else "Examples"):
                for example in examples:
                    formatter.write(f"{'':{formatter.current_indent}}{' '.join(example.split())}\n")


class CommandPage(_Page, Once, ManyValues):
    """The help page of a command."""

    common: frozenset[str] = frozenset()
    """Names of the options that every command has."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Names arguments in capitals, without the braces of Typer."""
        pieces = super().collect_usage_pieces(ctx)
        return [re.sub("[{}]", "", piece).upper() for piece in pieces]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Writes arguments, options of this command, then those of all."""
        rows: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": [], _COMMON: []}
        for param in self.get_params(ctx):
            record = _record(param, ctx)
            if record is None:
                continue
            if param.param_type_name == "argument":
                rows["Arguments"].append((_TYPE.sub("", record[0]).upper(), record[1]))
            elif param.name in self.common or param.name == "help":
                rows[_COMMON].append(record)
            else:
                rows["Options"].append(record)
        for title, records in rows.items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)


class GroupPage(_Page, Once, TyperGroup):
    """The help page of a group of commands."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Lists every command with the whole first sentence of its help."""
        _list_commands(self, ctx, formatter, {"Commands": self.list_commands(ctx)})


class FrontPage(GroupPage):
    """`headway --help`: the commands by what they are for, then the options."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Lists the commands section by section."""
        _list_commands(self, ctx, formatter, SECTIONS)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Puts the commands first: the options matter less."""
        self.format_commands(ctx, formatter)
        records = [_record(param, ctx) for param in self.get_params(ctx)]
        with formatter.section("Options"):
            formatter.write_dl([record for record in records if record is not None])


def _record(param: Any, ctx: Any) -> tuple[str, str] | None:
    """A parameter and its help, with ranges as people write them."""
    record = param.get_help_record(ctx)
    if record is None:
        return None
    text, bracket, notes = record[1].rpartition("  [")
    if not bracket:
        return record[0], record[1]
    kept = [note for note in notes.removesuffix("]").split("; ") if note not in _OBVIOUS]
    kept = [_RANGE.sub(r"\1 to \2", note).replace("x>=", "at least ") for note in kept]
    return record[0], f"{text}  [{'; '.join(kept)}]" if kept else text


def _list_commands(
    group: TyperGroup, ctx: Any, formatter: Any, sections: Mapping[str, Iterable[str]]
) -> None:
    for title, names in sections.items():
        commands = [(name, group.get_command(ctx, name)) for name in names]
        with formatter.section(title):
            formatter.write_dl(
                [(f"{name:<10}", first_sentence(command)) for name, command in commands]
            )


def first_sentence(command: Any) -> str:
    """What a command does, in one line."""
    return " ".join((command.help or "").split("\n\n")[0].split())
