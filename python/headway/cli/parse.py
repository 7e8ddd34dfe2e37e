"""`headway parse train | run`, and what they share with `headway parse eval`."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from headway import parse
from headway.cli.frame import Job, add_group, command
from headway.cli.options import STDIO, Input, Language, Output
from headway.cli.paths import Role
from headway.errors import ConfigError
from headway.parse.doubts import agreed_language, doubt_words, is_settled
from headway.progress import Progress
from headway.trees import (
    ConstituentTree,
    Sentence,
    guess_format,
    read_penn,
    read_sentences,
    write_penn,
    write_sentences,
)

group = add_group("parse", "Train, run and evaluate taggers and parsers.")

Directory = Annotated[
    Path,
    typer.Argument(
        metavar="PARSER", help="Directory, spacy:MODEL, stanza:LANGUAGE or .conllu file."
    ),
    Role.READ,
]
BeamOption = Annotated[int | None, typer.Option(help="Transition-based: beam size; 1 is greedy.")]
SearchOption = Annotated[str | None, typer.Option(help="Graph-based: eisner, mst or local.")]
_BATCH = 1024


@command("train", group)
def train_command(
    job: Job,
    *,
    treebank: Annotated[
        list[str],
        typer.Option(
            metavar="FILE[:WEIGHT]", help="Treebank; a.conllu:10 counts ten times; repeatable."
        ),
        Role.READ,
    ],
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Directory to create for the parser."), Role.FILL
    ],
    kind: Annotated[
        str | None, typer.Option(help="graph (default), transition, dmv or pcfg.")
    ] = None,
    search: SearchOption = None,
    features: Annotated[str | None, typer.Option(help="Graph-based: rich or paper.")] = None,
    between: Annotated[
        str | None, typer.Option(help="Graph-based: window, all or plain-window.")
    ] = None,
    tags: Annotated[str | None, typer.Option(help="Tag column: xpos or upos.")] = None,
    tagger: Annotated[str | None, typer.Option(help="full, or streaming for phrase-deplm.")] = None,
    system: Annotated[str | None, typer.Option(help="Transition-based: eager or swap.")] = None,
    beam: BeamOption = None,
    language: Annotated[
        str | None,
        typer.Option("--language", "-l", metavar="CODE", help="Language code, such as en."),
    ] = None,
    lowercase: Annotated[bool, typer.Option("--lowercase", help="Ignore case.")] = False,
) -> None:
    """Train a tagger and a parser from a treebank.

    headway parse train --treebank en_ewt-train.conllu.gz --out parser -l en

    headway parse train --kind pcfg --treebank wsj.mrg.gz --out parser -l en
    """
    arcs = _given(search=search, features=features, between=between)
    steps = _given(system=system, beam=beam)
    _check_kind(kind or job.settings.parse.kind, graph=arcs, transition=steps)
    changes: dict[str, Any] = _given(kind=kind, tags=tags, tagger=tagger) | arcs
    changes |= {"lowercase": True} if lowercase else {}
    changes["transition"] = msgspec.structs.replace(job.settings.parse.transition, **steps)
    with job.progress("training") as progress:
        found = parse.train(
            treebank,
            out,
            settings=msgspec.structs.replace(job.settings.parse, **changes),
            language=language,
            seed=job.seed,
            threads=job.threads,
            progress=progress,
        )
    left = found.left_out
    told = f" ({left.cyclic} cyclic, {left.unparsed} without heads, {left.empty} without words)"
    job.say(f"{found.sentences:,} sentences, {left.total:,} left out{told if left.total else ''}")
    if found.learnt_from < found.sentences:
        job.say(f"{found.learnt_from:,} of them short enough for the parser, all for its tagger")


def _check_kind(kind: str, **options: dict[str, Any]) -> None:
    """Refuses options of other kinds of parsers, which would do nothing."""
    for own, given in options.items():
        for name in given if own != kind else ():
            raise ConfigError(
                f"--{name} is an option of --kind {own}; the parser is of kind {kind}"
            )


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
        bool, typer.Option("--tokenised", help="The text is tokenised: words between spaces.")
    ] = False,
    language: Language = None,
    search: SearchOption = None,
    beam: BeamOption = None,
    brackets: Annotated[
        bool, typer.Option("--brackets", help="Write Penn brackets (parsers of kind pcfg).")
    ] = False,
) -> None:
    """Parse text into CoNLL-U, or into Penn brackets.

    In .conllu, .conllx and .dp files, the tags, heads and labels are replaced.

    headway parse run parser -l en < text.en > trees.conllu

    headway parse run parser -l en --brackets < text.en > trees.mrg
    """
    parser = loaded(directory, search, beam)
    agreed_language(parser.language, language)
    with job.progress("parsing") as progress:
        if brackets and guess_format(source, "text") != "text":
            count = write_penn(output, _brackets_anew(parser, source, job.threads, progress))
        elif guess_format(source, "text") != "text":
            settled = is_settled(parser.language, language)
            trees = _parsed_anew(parser, source, settled, job.threads, progress)
            count = write_sentences(output, trees)
        else:
            write = parser.bracket_file if brackets else parser.parse_file
            count = write(
                source,
                output,
                language=language,
                tokenised=tokenised,
                split_hyphens=job.settings.tokenise.split_hyphens,
                threads=job.threads,
                progress=progress,
            )
    job.say(f"{count:,} sentences")


def _parsed_anew(
    parser: parse.Parser, source: Path, settled: bool, threads: int, progress: Progress | None
) -> Iterator[Sentence]:
    """The sentences of a file with new trees, a batch at a time; warns of a foreign language."""
    done = words = unknown = 0
    rest = iter(read_sentences(source))
    while batch := list(islice(rest, _BATCH)):
        advance = None if progress is None else _behind(done, progress)
        parser.parse_anew(batch, threads=threads, progress=advance, first=done + 1)
        found = parser.count_unknown([sentence.forms for sentence in batch])
        words, unknown, done = words + found[0], unknown + found[1], done + len(batch)
        yield from batch
    if not settled:
        doubt_words(source, words, unknown)


def _brackets_anew(
    parser: parse.Parser, source: Path, threads: int, progress: Progress | None
) -> Iterator[ConstituentTree]:
    """New brackets of the words of a file of trees, a batch at a time."""
    if guess_format(source) == "penn":
        rest = (tree.strip().words for tree in read_penn(source))
    else:
        rest = (sentence.forms for sentence in read_sentences(source))
    done = 0
    while batch := list(islice(rest, _BATCH)):
        advance = None if progress is None else _behind(done, progress)
        yield from parser.brackets(batch, threads=threads, progress=advance, first=done + 1)
        done += len(batch)


def _behind(done: int, progress: Progress) -> Progress:
    """Progress within a batch as progress in a file, of whose length nothing is known."""
    return lambda more, _: progress(done + more, 0)


def loaded(directory: Path, search: str | None, beam: int | None) -> parse.Parser:
    """A parser with the search and the beam that are asked for."""
    parser = parse.load(directory)
    parser = parser if search is None else parser.with_search(search)
    return parser if beam is None else parser.with_beam(beam)
