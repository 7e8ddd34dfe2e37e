"""`headway evaluate`."""

import json
import logging
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from headway import parse
from headway.cli.frame import Job, command
from headway.cli.paths import Role
from headway.errors import ConfigError
from headway.evaluate import (
    Evaluation,
    ParsedLines,
    Reliability,
    comparison_page,
    evaluate,
    evaluate_confidence,
    groups_table,
    length_warning,
    reliability_svg,
    scores_table,
    verdicts,
)
from headway.files import write_text

_log = logging.getLogger(__name__)


@command("evaluate")
def evaluate_command(
    job: Job,
    hypotheses: Annotated[
        list[Path],
        typer.Argument(metavar="HYP", help="Translations, one file per system."),
        Role.READ,
    ],
    *,
    reference: Annotated[
        list[Path],
        typer.Option("--reference", "-r", help="Reference translation; repeatable."),
        Role.READ,
    ],
    language: Annotated[
        str,
        typer.Option(
            "--language", "-l", metavar="CODE", help="Target language: sets the tokeniser."
        ),
    ] = "en",
    tokenise: Annotated[
        str | None, typer.Option(help="sacrebleu tokeniser for BLEU; none for tokenised text.")
    ] = None,
    lowercase: Annotated[bool, typer.Option("--lowercase", help="Ignore case.")] = False,
    metric: Annotated[
        list[str] | None,
        typer.Option(help="bleu, chrf, ter, meteor or edpm; repeatable; default all."),
    ] = None,
    source: Annotated[
        Path | None, typer.Option(help="Source text, for --groups."), Role.READ
    ] = None,
    train_source: Annotated[
        Path | None,
        typer.Option(help="Training source text: adds scores by word frequency."),
        Role.READ,
    ] = None,
    parser: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="A parser of the target language: adds EDPM."),
        Role.READ,
    ] = None,
    samples: Annotated[
        int,
        typer.Option(min=0, max=1_000_000, help="Samples of the significance tests; 0 skips them."),
    ] = 1000,
    groups: Annotated[
        bool, typer.Option("--groups", help="Add scores by sentence length.")
    ] = False,
    sentences: Annotated[
        bool, typer.Option("--sentences", help="Add scores of each line.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    confidence: Annotated[
        Path | None,
        typer.Option(
            metavar="F", help="Confidences of words, as `translate --confidence` wrote them."
        ),
        Role.READ,
    ] = None,
    reliability: Annotated[
        Path | None,
        typer.Option(metavar="SVG", help="Draw how often words of each --confidence are right."),
        Role.WRITE,
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option(help="Write a page with the sentences that differ most."),
        Role.WRITE,
    ] = None,
) -> None:
    """Score translations against references and compare systems.

    headway evaluate out.en --reference ref.en

    headway evaluate old.en new.en --reference ref.en --html differences.html
    """
    if html is not None and str(html) == "-":
        raise ConfigError("--html -: name a file; standard output holds the scores")
    sure = _reliability(confidence, reliability, reference, language, tokenise)
    with job.progress("evaluating") as progress:
        found = evaluate(
            hypotheses,
            reference,
            language=language,
            tokenise=tokenise,
            lowercase=lowercase,
            metrics=metric,
            source=source,
            train_source=train_source,
            parser=_parsed_lines(parser, language, tokenise, job.threads),
            samples=samples,
            seed=job.seed,
            threads=job.threads,
            progress=progress,
        )
    _doubt_lengths(found)
    if html is not None:
        write_text(html, comparison_page(found))
    if as_json:
        typer.echo(
            json.dumps(
                {**found.table(sentences=sentences), **_table(sure)}, indent=1, ensure_ascii=False
            )
        )
        return
    console = Console(highlight=False, soft_wrap=True, markup=False)
    console.print(scores_table(found))
    for line in verdicts(found):
        console.print(line)
    if groups or train_source is not None:
        console.print(groups_table(found))
    if sentences:
        for system in found.systems:
            names = "\t".join(found.labels[name] for name in found.metrics)
            typer.echo(f"{system.name}\t{names}")
            columns = [system.sentences[name] for name in found.metrics]
            for number, row in enumerate(zip(*columns, strict=True), 1):
                typer.echo("\t".join([str(number), *(f"{score:.2f}" for score in row)]))
    _print_signatures(console, found, sure)


def _reliability(
    confidence: Path | None,
    drawing: Path | None,
    references: list[Path],
    language: str,
    tokenise: str | None,
) -> Reliability | None:
    """How far confidences are from the truth, drawn if a drawing is wanted."""
    if confidence is None:
        if drawing is not None:
            raise ConfigError("--reliability: confidences of which words? Give --confidence F too")
        return None
    found = evaluate_confidence(
        confidence, references, language=language, tokenised=tokenise == "none"
    )
    if drawing is not None:
        write_text(drawing, reliability_svg(found))
    return found


def _table(sure: Reliability | None) -> dict[str, Any]:
    """For JSON."""
    if sure is None:
        return {}
    return {"confidence": {**asdict(sure), "words": sure.words, "error": sure.error}}


def _print_signatures(console: Console, found: Evaluation, sure: Reliability | None) -> None:
    """How scores were computed, and how far confidences are from the truth."""
    for name, signature in found.signatures.items():
        console.print(f"{found.labels[name]}  {signature}")
    if sure is not None:
        right = f"{sure.words:,} words, {sure.right:.1%} of them right"
        console.print(f"confidence: {right}, expected calibration error {sure.error:.3f}")


def _doubt_lengths(found: Evaluation) -> None:
    for system in found.systems:
        if doubt := length_warning(system.length_ratio):
            _log.warning("%s: %s", system.name, doubt)


def _parsed_lines(
    parser: str | None, language: str, tokenise: str | None, threads: int
) -> ParsedLines | None:
    if parser is None:
        return None
    tokenised = tokenise == "none"
    return ParsedLines(parse.load(parser), language=language, tokenised=tokenised, threads=threads)
