"""`headway demo`."""

from pathlib import Path
from shutil import get_terminal_size
from typing import Annotated

import typer

from headway.cli.frame import Job, command
from headway.cli.paths import Role
from headway.demo import PAIRS, Example, Report, run_demo
from headway.demo_trees import TreeExample, TreeReport
from headway.evaluate import verdicts


@command("demo")
def demo(
    job: Job,
    out: Annotated[
        Path, typer.Option(help="Where to put all files.", metavar="DIR"), Role.FILL
    ] = Path("out/demo"),
    pairs: Annotated[
        int, typer.Option(min=1000, help="Sentence pairs to train on.", metavar="N")
    ] = PAIRS,
) -> None:
    """Try headway: train two systems on example text and compare them.

    headway demo
    """
    report = run_demo(out, pairs=pairs, settings=job.settings, watch=job.progress)
    typer.echo(_summary(report))


def _summary(report: Report) -> str:
    example, trained = report.example, report.trained
    rows = [
        ("trained on", f"{trained.pairs:,} pairs, {trained.rules:,} phrase pairs"),
        ("BLEU", f"{report.test.score:.1f} on {report.sentences} sentences never seen"),
        ("a picture", str(report.picture)),
        ("a translator", f"headway translate {trained.bundle.directory}"),
        ("look inside", f"headway inspect {trained.bundle.directory} {_quoted(example)}"),
    ]
    return "\n".join(
        [
            example.source.text or "",
            example.translation.text,
            "",
            *_derivation(example),
            "",
            example.text(get_terminal_size().columns),
            "",
            *(f"{name:<14}{value}" for name, value in rows),
            "",
            *_trees(report.trees),
            f"{'a report':<14}{report.page}",
        ]
    )


def _trees(found: TreeReport) -> list[str]:
    """What target trees change, and a sentence where they do."""
    evaluation = found.evaluation
    lines = [f"With target trees: {found.trained.rules:,} rules of str2dep"]
    for system in evaluation.systems:
        scores = (f"{evaluation.labels[it]} {system.scores[it]:5.1f}" for it in evaluation.metrics)
        lines.append(f"  {system.name:<10}{'  '.join(scores)}")
    lines += [f"  {verdict}" for verdict in verdicts(evaluation)]
    if found.example is not None:
        lines += ["", *_tree_example(found.example)]
    return [*lines, "", f"{'with trees':<14}headway translate {found.trained.bundle.directory}"]


def _tree_example(example: TreeExample) -> list[str]:
    """A sentence by both systems; where its tree made it right, also with trees of no weight."""
    lines = [
        " ".join(example.translation.source),
        f"  phrase:  {example.plain.text}",
        f"  str2dep: {example.translation.text}",
    ]
    if example.by_trees and example.blind is not None:
        lines.insert(0, "The tree made the difference in")
        lines.append(f"    where trees weigh 0: {example.blind.text}")
    else:
        lines.insert(0, "Right in str2dep alone, which has slots and trees:")
    return [*lines, "", example.text(get_terminal_size().columns)]


def _derivation(example: Example) -> list[str]:
    """The phrases in the order of the translation: what they say, and where they stood."""
    best = example.translation
    rows = [
        (
            " ".join(best.words[slice(*part.target)]),
            " ".join(best.source[slice(*part.source)]),
            part,
        )
        for part in best.segments
    ]
    wide = max((len(target) for target, _, _ in rows), default=0)
    far = max((len(source) for _, source, _ in rows), default=0)
    return [
        f"  {target:<{wide}}  ←  {source:<{far}}  {_place(*part.source)}"
        for target, source, part in rows
    ]


def _place(start: int, end: int) -> str:
    """Where words stand, counted from 1 as in the drawing."""
    return f"word {end}" if end - start == 1 else f"words {start + 1}–{end}"


def _quoted(example: Example) -> str:
    return f"'{example.source.text}'"
