"""`headway lm query`."""

import json
import math
from pathlib import Path
from typing import Annotated, Any

import typer

from headway import lm
from headway.cli.frame import Job, command
from headway.cli.lm import group
from headway.cli.lm_trees import score_trees
from headway.cli.options import STDIO
from headway.cli.paths import Role
from headway.corpus import read_batches
from headway.errors import ConfigError
from headway.lm import TextScore, WordScore
from headway.lm.files import words_of

_LN10 = math.log(10)


@command("query", group)
def query(
    job: Job,
    model: Annotated[
        Path,
        typer.Argument(metavar="MODEL", help="ARPA file, binary model or dependency model."),
        Role.READ,
    ],
    source: Annotated[
        Path,
        typer.Option(
            "-i", "--input", metavar="FILE", help="Text, one sentence per line; or CoNLL-U."
        ),
        Role.READ,
    ] = STDIO,
    words: Annotated[
        bool,
        typer.Option("--words", help="Print each word's n-gram length and log10; `?` is unknown."),
    ] = False,
    begin: Annotated[
        bool, typer.Option("--begin/--no-begin", help="Begin each sentence with <s>.")
    ] = True,
    end: Annotated[bool, typer.Option("--end/--no-end", help="Score </s> at the end.")] = True,
    stop: Annotated[
        bool, typer.Option("--stop", help="Dependency model: score STOP after the last child too.")
    ] = False,
    classes: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Word classes, for a model over classes."),
        Role.READ,
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON, one line per sentence.")
    ] = False,
) -> None:
    """Print the log10 probability of each sentence.

    headway lm query lm.bin -i text.en
    """
    if model == source == STDIO:
        raise ConfigError("standard input is named twice; give the model or the text as a file")
    if model.is_dir():
        score_trees(job, model, source, stop=stop, as_json=as_json)
        return
    with job.progress("loading") as progress:
        known = None if classes is None else lm.WordClasses.load(classes)
        loaded = lm.LanguageModel.load(model, classes=known, threads=job.threads, progress=progress)
    total = TextScore(0.0, 0.0, 0, 0)
    sentences = 0
    for block in read_batches(source):
        scores = loaded.score_texts(block, begin=begin, end=end, threads=job.threads)
        for sentence, score in zip(block, scores, strict=True):
            detail = loaded.score_words(sentence, begin=begin, end=end) if words else None
            names = [*words_of(sentence), "</s>"] if words else []
            line = _json_line(score, names, detail) if as_json else _line(score, names, detail)
            typer.echo(line)
        total = TextScore.total([total, *scores])
        sentences += len(block)
    typer.echo(_json_total(total, sentences) if as_json else _total(total, sentences))


def _line(score: TextScore, names: list[str], detail: list[WordScore] | None) -> str:
    head = f"{score.log_prob / _LN10:.6f}\t{score.words}\t{score.unknown}"
    if detail is None:
        return head
    return "\t".join([head, *(_word(*pair) for pair in zip(names, detail, strict=False))])


def _word(name: str, score: WordScore) -> str:
    mark = "?" if score.unknown else ""
    return f"{name}={score.length}{mark} {score.log_prob / _LN10:.6f}"


def _total(total: TextScore, sentences: int) -> str:
    return (
        f"total\tlog10 {total.log_prob / _LN10:.4f}\tsentences {sentences}\twords {total.words}"
        f"\tunknown {total.unknown}\tperplexity {total.perplexity:.4f}"
        f"\twithout unknown {total.perplexity_known:.4f}"
    )


def _json_line(score: TextScore, names: list[str], detail: list[WordScore] | None) -> str:
    row: dict[str, Any] = {
        "log10": score.log_prob / _LN10,
        "words": score.words,
        "unknown": score.unknown,
    }
    if detail is not None:
        row["detail"] = [
            {"word": name, "log10": word.log_prob / _LN10, "length": word.length}
            | ({"unknown": True} if word.unknown else {})
            for name, word in zip(names, detail, strict=False)
        ]
    return json.dumps(row, ensure_ascii=False)


def _json_total(total: TextScore, sentences: int) -> str:
    return json.dumps(
        {
            "total": True,
            "log10": total.log_prob / _LN10,
            "sentences": sentences,
            "words": total.words,
            "unknown": total.unknown,
            "perplexity": _number(total.perplexity),
            "perplexity_without_unknown": _number(total.perplexity_known),
        }
    )


def _number(value: float) -> float | None:
    """JSON has no NaN and no infinity."""
    return value if math.isfinite(value) else None
