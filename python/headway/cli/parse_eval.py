"""`headway parse eval`."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from headway import parse
from headway.cli.frame import Job, command
from headway.cli.options import STDIO
from headway.cli.parse import BeamOption, Directory, SearchOption, group, loaded
from headway.cli.paths import Role
from headway.errors import ConfigError, FormatError
from headway.parse.chart import bars_svg, range_name
from headway.parse.doubts import doubt_tags, doubt_words
from headway.trees import guess_format, read_penn, read_trees


@command("eval", group)
def eval_command(
    job: Job,
    directory: Directory,
    gold: Annotated[Path, typer.Argument(metavar="GOLD", help="Gold trees."), Role.READ],
    other: Annotated[
        Path | None,
        typer.Argument(metavar="PARSER2", help="A second parser to compare with."),
        Role.READ,
    ] = None,
    *,
    search: SearchOption = None,
    beam: BeamOption = None,
    other_search: Annotated[str | None, typer.Option(help="--search of the second parser.")] = None,
    other_beam: Annotated[int | None, typer.Option(help="--beam of the second parser.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    svg: Annotated[
        Path | None, typer.Option(help="Draw accuracy by sentence length."), Role.WRITE
    ] = None,
) -> None:
    """Score a parser against gold trees or brackets.

    Gold trees in Penn brackets (.mrg) are compared with the parser's brackets, or with those of
    another .mrg file, as EVALB does it.

    headway parse eval parser gold.conllu

    headway parse eval parser gold.mrg

    headway parse eval parser gold.conllu parser --search local --other-search mst
    """
    if other is None and (other_search is not None or other_beam is not None):
        raise ConfigError("--other-search, --other-beam: there is no second parser; name PARSER2")
    if svg == STDIO:
        raise ConfigError("--svg: name a file; standard output has the figures")
    asked = [(directory, search, beam)]
    asked += [] if other is None else [(other, other_search, other_beam)]
    if guess_format(gold) == "penn":
        if svg is not None:
            raise ConfigError("--svg: figures of brackets have no drawing; leave it out")
        found = [_bracketed(*each, gold, job).table() for each in asked]
        echo_brackets(found, as_json)
        return
    results = [_evaluated(loaded(*each), gold, job) for each in asked]
    table: dict[str, Any] = results[0].table()
    if len(results) > 1:
        test = parse.compare(results[0], results[1], seed=job.seed)
        table["other"] = results[1].table()
        table["p"] = {"uas": test.uas, "las": test.las}
    if svg is not None:
        names = _told_apart([_name(*each) for each in asked])
        bars_svg(svg, list(zip(names, results, strict=True)))
    typer.echo(json.dumps(table, ensure_ascii=False) if as_json else "\n".join(_rows(table)))


def _name(directory: Path, search: str | None, beam: int | None) -> str:
    """A parser and how it is used, for a legend."""
    how = [*([] if search is None else [search]), *([] if beam is None else [f"beam {beam}"])]
    return ", ".join([str(directory), *how])


def _told_apart(names: list[str]) -> list[str]:
    """The same names, numbered if they are all one."""
    if len(set(names)) == len(names):
        return names
    return [f"{name} ({number})" for number, name in enumerate(names, 1)]


def _bracketed(
    directory: Path, search: str | None, beam: int | None, gold: Path, job: Job
) -> parse.BracketEvaluation:
    trees = list(read_penn(gold))
    if not any(map(len, trees)):
        raise FormatError(f"{gold}: no words, so nothing to compare with", gold)
    if guess_format(directory, "") == "penn" and not directory.is_dir():
        return parse.evaluate_brackets(read_penn(directory), trees)
    parser = loaded(directory, search, beam)
    words = [tree.strip().words for tree in trees]
    doubt_words(gold, *parser.count_unknown(words))
    with job.progress("parsing") as progress:
        found = parser.brackets(words, threads=job.threads, progress=progress)
    return parse.evaluate_brackets(found, trees)


def echo_brackets(tables: list[dict[str, Any]], as_json: bool) -> None:
    """Prints the figures of one or two parsers' brackets, those of short sentences beside."""
    if as_json:
        table = tables[0] | ({"other": tables[1]} if len(tables) > 1 else {})
        typer.echo(json.dumps(table, ensure_ascii=False))
        return
    groups = [group for table in tables for group in (table, table["up_to_40_words"])]
    typer.echo(f"{'':<10}" + f"{'all':>8}{'<= 40':>8}" * len(tables))
    for name in ("f1", "precision", "recall", "exact", "tags"):
        typer.echo(f"{name:<10}" + "".join(_figure(group[name]) for group in groups))
    typer.echo(f"{'sentences':<10}" + "".join(f"{group['sentences']:>8,}" for group in groups))
    for table in tables:
        if table["skipped"]:
            typer.echo(f"{table['skipped']:,} sentences left out: their words differ, or are none")


def _evaluated(parser: parse.Parser, gold: Path, job: Job) -> parse.Evaluation:
    trees = list(read_trees(gold, tags=parser.tags))
    if not any(map(len, trees)):
        raise FormatError(f"{gold}: no words, so nothing to compare with", gold)
    words = [tree.forms for tree in trees]
    doubt_tags(gold, trees, parser.known_tags)
    doubt_words(gold, *parser.count_unknown(words))
    with job.progress("parsing") as progress:
        found = parser.parse(words, threads=job.threads, progress=progress)
    return parse.evaluate(found, trees)


def _rows(table: dict[str, Any]) -> Iterator[str]:
    columns = [table] + ([table["other"]] if "other" in table else [])
    for name in ("uas", "las", "root", "tags"):
        row = f"{name:<6}" + "".join(_figure(one[name]) for one in columns)
        p = table.get("p", {}).get(name)
        yield row if p is None else f"{row}   p = {p:.4f}"
    for key, title in (("by_sentence_length", "words"), ("by_arc_length", "arc")):
        yield ""
        yield f"{title:<8}{'count':>8}" + f"{'uas':>8}{'las':>8}" * len(columns)
        for name, counts in table[key].items():
            groups = [one[key][name] for one in columns]
            each = "".join(_figure(one["uas"]) + _figure(one["las"]) for one in groups)
            yield f"{range_name(name):<8}{counts['words']:>8,}{each}"


def _figure(percent: float | None) -> str:
    """A column of the table; a dash for what gold trees do not say."""
    return f"{'–' if percent is None else f'{percent:.2f}':>8}"
