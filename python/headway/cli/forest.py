"""`headway forest info | best | k-best | prune | convert | draw`."""

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from headway.cli.frame import Job, add_group, command
from headway.cli.paths import Role
from headway.cli.table import WeightOption, parse_weights
from headway.errors import ConfigError
from headway.files import write_text
from headway.forest import Derivation, Forest, Weights, load, save

group = add_group("forest", "List, prune, convert and draw the derivations a search kept.")

File = Annotated[
    Path,
    typer.Argument(metavar="FILE", help="Forests, binary or JSON; `-` is standard input."),
    Role.READ,
]
Index = Annotated[int | None, typer.Option(min=1, help="Only the Nth forest.")]


@command("info", group)
def info_command(
    job: Job,  # noqa: ARG001
    file: File,
    index: Index = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON, one object per forest.")
    ] = False,
) -> None:
    """Print the size of each forest.

    headway forest info dev.forest
    """
    for number, forest in _chosen(file, index):
        log10 = forest.log_derivations / math.log(10)
        if as_json:
            facts = {
                "forest": number,
                "nodes": len(forest.nodes),
                "edges": len(forest),
                "log10_derivations": log10 if math.isfinite(log10) else None,
                "features": list(forest.features),
                "source": list(forest.source),
            }
            typer.echo(json.dumps(facts, ensure_ascii=False))
        else:
            many = f"10^{log10:.2f}" if math.isfinite(log10) else "no"
            sizes = f"{len(forest.nodes):,} nodes\t{len(forest):,} edges\t{many} derivations"
            typer.echo(f"{number}\t{sizes}\t{' '.join(forest.source)}")


@command("best", group)
def best_command(
    job: Job,  # noqa: ARG001
    file: File,
    index: Index = None,
    weight: WeightOption = None,
) -> None:
    """Print the best translation of each forest, one per line.

    headway forest best dev.forest
    """
    for _, forest in _chosen(file, index):
        best = forest.best(_weights(weight))
        typer.echo("" if best is None else best.text)


@command("k-best", group)
def k_best_command(
    job: Job,  # noqa: ARG001
    file: File,
    k: Annotated[int, typer.Option("-k", min=1, help="How many for each forest.")] = 100,
    distinct: Annotated[bool, typer.Option(help="List each translation once.")] = False,
    index: Index = None,
    weight: WeightOption = None,
) -> None:
    """List the best derivations in the n-best format of Moses.

    headway forest k-best dev.forest -k 10 --distinct
    """
    for number, forest in _chosen(file, index):
        for derivation in forest.k_best(k, _weights(weight), distinct=distinct):
            typer.echo(_n_best_line(number - 1, derivation))


@command("prune", group)
def prune_command(
    job: Job,
    file: File,
    *,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Where to write the pruned forests."), Role.WRITE
    ],
    threshold: Annotated[
        float | None, typer.Option(help="Keep what scores at most this much below the best.")
    ] = None,
    edges: Annotated[int | None, typer.Option(min=1, help="Keep at most this many edges.")] = None,
    weight: WeightOption = None,
) -> None:
    """Remove the edges that no good derivation uses.

    headway forest prune dev.forest -o small.forest --edges 1000
    """
    if threshold is None and edges is None:
        raise ConfigError("nothing to prune by; give --threshold or --edges")
    forests = load(file)
    weights = _weights(weight)
    pruned = [one.prune(threshold=threshold, edges=edges, weights=weights) for one in forests]
    save(output, pruned)
    job.say(f"{sum(map(len, pruned)):,} of {sum(map(len, forests)):,} edges")


@command("convert", group)
def convert_command(
    job: Job,
    source: Annotated[
        Path, typer.Argument(metavar="IN", help="Forests, binary or JSON."), Role.READ
    ],
    target: Annotated[
        Path,
        typer.Argument(metavar="OUT", help="Written as JSON for .json, .jsonl and `-`."),
        Role.WRITE,
    ],
) -> None:
    """Convert forests between binary and JSON.

    headway forest convert dev.forest dev.jsonl.gz
    """
    count = save(target, load(source))
    job.say(f"{count:,} forest{'' if count == 1 else 's'}")


@command("draw", group)
def draw_command(
    job: Job,  # noqa: ARG001
    file: File,
    *,
    index: Annotated[int, typer.Option(min=1, help="Which forest, counted from 1.")] = 1,
    to: Annotated[
        str, typer.Option(help="dot (Graphviz), plf (word lattice) or moses (search graph).")
    ] = "dot",
    output: Annotated[
        Path, typer.Option("--output", "-o", help="`-` is standard output."), Role.WRITE
    ] = Path("-"),
    weight: WeightOption = None,
) -> None:
    """Write a forest for Graphviz, as a lattice or search graph.

    headway forest draw dev.forest --index 3 | dot -Tsvg > forest.svg
    """
    _, forest = next(_chosen(file, index))
    weights = _weights(weight)
    if to == "dot":
        text = forest.to_dot(weights)
    elif to == "plf":
        text = forest.lattice(weights).to_plf() + "\n"
    elif to == "moses":
        text = forest.to_search_graph(index - 1, weights)
    else:
        raise ConfigError(f"--to {to}: expected dot, plf or moses")
    if output == Path("-"):
        typer.echo(text, nl=False)
    else:
        write_text(output, text)


def _chosen(file: Path, index: int | None) -> Iterator[tuple[int, Forest]]:
    """Forests with their numbers from 1."""
    forests = load(file)
    if index is None:
        return iter(enumerate(forests, 1))
    if index > len(forests):
        raise ConfigError(f"--index {index}: {file} has {len(forests):,} forests")
    return iter([(index, forests[index - 1])])


def _weights(options: list[str] | None) -> Weights | None:
    """As given, or those of the forests."""
    return parse_weights(options) if options else None


def _n_best_line(sentence: int, derivation: Derivation) -> str:
    features = " ".join(f"{name}= {value:.6g}" for name, value in derivation.features.items())
    links = " ".join(f"{source}-{target}" for source, target in derivation.alignment)
    return f"{sentence} ||| {derivation.text} ||| {features} ||| {derivation.score:.6g} ||| {links}"
