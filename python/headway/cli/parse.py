"""`headway parse train | run | eval`."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from headway import parse
from headway.cli.frame import Job, app, command
from headway.cli.options import STDIO, Input, Language, Output
from headway.errors import ConfigError, FormatError
from headway.parse.chart import bars_svg
from headway.trees import guess_format, read_sentences, read_trees, write_sentences

group = typer.Typer(no_args_is_help=True, help="Train, use and evaluate dependency parsers.")
app.add_typer(group, name="parse")

Directory = Annotated[
    Path,
    typer.Argument(
        metavar="DIR", help="A trained parser; or spacy:MODEL, stanza:LANGUAGE, a .conllu file."
    ),
]
BeamOption = Annotated[
    int | None, typer.Option(help="Transition-based: states side by side; 1 is greedy.")
]
SearchOption = Annotated[str | None, typer.Option(help="eisner, mst or local.")]


@command("train", group)
def train_command(
    job: Job,
    *,
    treebank: Annotated[
        list[str],
        typer.Option(
            metavar="F[:WEIGHT]", help="CoNLL-U, CoNLL-X or dp; a.conllu:10 counts ten times."
        ),
    ],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the parser goes.")],
    kind: Annotated[str | None, typer.Option(help="graph, transition or dmv.")] = None,
    search: SearchOption = None,
    features: Annotated[str | None, typer.Option(help="paper or rich.")] = None,
    between: Annotated[str | None, typer.Option(help="all, window or plain-window.")] = None,
    tags: Annotated[str | None, typer.Option(help="Column of tags: upos or xpos.")] = None,
    tagger: Annotated[str | None, typer.Option(help="full or streaming.")] = None,
    system: Annotated[str | None, typer.Option(help="Transition-based: eager or swap.")] = None,
    beam: BeamOption = None,
    lowercase: Annotated[
        bool, typer.Option("--lowercase", help="Fold case, as translation systems do.")
    ] = False,
) -> None:
    """Train a parser: headway parse train --treebank en_ewt-train.conllu.gz --out parser."""
    changes: dict[str, Any] = _given(
        kind=kind, search=search, features=features, between=between, tags=tags, tagger=tagger
    )
    changes |= {"lowercase": True} if lowercase else {}
    steps = _given(system=system, beam=beam)
    changes["transition"] = msgspec.structs.replace(job.settings.parse.transition, **steps)
    with job.progress("training") as progress:
        found = parse.train(
            treebank,
            out,
            settings=msgspec.structs.replace(job.settings.parse, **changes),
            seed=job.seed,
            threads=job.threads,
            progress=progress,
        )
    left = found.left_out
    told = f" ({left.cyclic} cyclic, {left.unparsed} without heads, {left.empty} without words)"
    job.say(f"{found.sentences:,} sentences, {left.total:,} left out{told if left.total else ''}")


def _given(**options: Any) -> dict[str, Any]:
    return {key: value for key, value in options.items() if value is not None}


@command("run", group)
def run_command(
    job: Job,
    directory: Directory,
    source: Input = STDIO,
    *,
    output: Output = STDIO,
    tokenised: Annotated[
        bool, typer.Option("--tokenised", help="Words are parted by spaces already.")
    ] = False,
    language: Language = None,
    search: SearchOption = None,
    beam: BeamOption = None,
) -> None:
    """Parse text into CoNLL-U: headway parse run parser -l en < text > trees.conllu.

    A file whose name ends in .conllu (.conllx, .dp) is tagged and parsed anew, all else in it kept.
    """
    parser = _loaded(directory, search, beam)
    with job.progress("parsing") as progress:
        if guess_format(source, "text") != "text":
            count = write_sentences(output, _reparsed(parser, source, job.threads))
        else:
            count = parser.parse_file(
                source,
                output,
                language=language,
                tokenised=tokenised,
                split_hyphens=job.settings.tokenise.split_hyphens,
                threads=job.threads,
                progress=progress,
            )
    job.say(f"{count:,} sentences")


def _reparsed(parser: parse.Parser, source: Path, threads: int) -> Iterator[Any]:
    batch, first = [], 1
    for number, sentence in enumerate(read_sentences(source), 1):
        batch.append(sentence)
        if len(batch) == 1024:
            yield from _set_trees(parser, batch, first, threads)
            batch, first = [], number + 1
    yield from _set_trees(parser, batch, first, threads)


def _set_trees(parser: parse.Parser, batch: list[Any], first: int, threads: int) -> list[Any]:
    forms = [sentence.forms for sentence in batch]
    trees = parser.parse(forms, threads=threads, first=first)
    for sentence, tree in zip(batch, trees, strict=True):
        sentence.set_tree(tree, parser.tags)
    return batch


def _loaded(directory: Path, search: str | None, beam: int | None) -> parse.Parser:
    parser = parse.load(directory)
    parser = parser if search is None else parser.with_search(search)
    return parser if beam is None else parser.with_beam(beam)


@command("eval", group)
def eval_command(
    job: Job,
    directory: Directory,
    gold: Annotated[Path, typer.Argument(metavar="GOLD", help="Gold trees.")],
    other: Annotated[
        Path | None, typer.Argument(metavar="DIR2", help="A second parser, compared with it.")
    ] = None,
    *,
    search: SearchOption = None,
    beam: BeamOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="For machines.")] = False,
    svg: Annotated[Path | None, typer.Option(help="Draw accuracy by length here.")] = None,
) -> None:
    """Compare a parser's trees with gold ones: UAS, LAS, root and tagging accuracy."""
    directories = [directory] if other is None else [directory, other]
    results = [_evaluated(_loaded(each, search, beam), gold, job) for each in directories]
    table: dict[str, Any] = results[0].table()
    if len(results) > 1:
        test = parse.compare(results[0], results[1], seed=job.seed)
        table["other"] = results[1].table()
        table["p"] = {"uas": test.uas, "las": test.las}
    if svg is not None:
        _write_svg(svg, dict(zip(map(str, directories), results, strict=True)))
    typer.echo(json.dumps(table, ensure_ascii=False) if as_json else "\n".join(_rows(table)))


def _evaluated(parser: parse.Parser, gold: Path, job: Job) -> parse.Evaluation:
    trees = list(read_trees(gold, tags=parser.tags))
    if not any(map(len, trees)):
        raise FormatError(f"{gold}: no words, so nothing to compare with", gold)
    with job.progress("parsing") as progress:
        found = parser.parse([tree.forms for tree in trees], threads=job.threads, progress=progress)
    return parse.evaluate(found, trees)


def _write_svg(path: Path, results: dict[str, parse.Evaluation]) -> None:
    if path == STDIO:
        raise ConfigError("--svg: name a file; standard output has the figures")
    bars_svg(path, results)


def _rows(table: dict[str, Any]) -> Iterator[str]:
    columns = [table] + ([table["other"]] if "other" in table else [])
    for name in ("uas", "las", "root", "tags"):
        row = f"{name:<6}" + "".join(f"{one[name]:>8.2f}" for one in columns)
        p = table.get("p", {}).get(name)
        yield row if p is None else f"{row}   p = {p:.4f}"
    for key, title in (("by_sentence_length", "words"), ("by_arc_length", "arc")):
        yield ""
        yield f"{title:<8}{'count':>8}" + f"{'uas':>8}{'las':>8}" * len(columns)
        for name, counts in table[key].items():
            each = "".join(
                f"{one[key][name]['uas']:>8.2f}{one[key][name]['las']:>8.2f}" for one in columns
            )
            yield f"{name:<8}{counts['words']:>8,}{each}"
