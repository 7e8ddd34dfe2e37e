"""Lattice parsing (Gimpel & Smith 2011): time of a sentence, for the paper's settings and ours.

    make bench-qpdg
    python benches/bench_qpdg.py DIR    # keeps what it trains in DIR, and takes what is there

A `phrase` system is trained on multi30k de-en without tuning. Its test sentences are parsed with
all 23 features, which have weights of about what phrases are worth, so that trees decide. Trees
need not be good to measure time: every word hangs from the one before in the source, and from the
next one in the text of which phrase dependencies are extracted, unless DIR/train.phrasedep is there
already. Times are CPU time of one
thread and count everything: coarse search, lattice, arcs, parsing and the translation. `loss` is
how far below the best score the trees of a search are on average. The peer is the paper's search
with the paper's settings. The curves are drawn in `target/curves`: time and loss against the number
of edges, and the loss of the paper's search against its goals and its parents (μ).
"""

import random
import resource
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from curves import draw
from headway import _core, train
from headway.corpus import read_lines
from headway.phrasedep import extract
from headway.settings import Settings
from headway.systems.bundle import Bundle
from headway.systems.decoder import Decoder
from headway.systems.models import CoreModel
from measure import cpu_seconds, report
from results_phrase_defaults import TASKS
from results_qpdg import PAPER

SENTENCES = 100
DEPENDENCY = 0.05
World = tuple[Decoder, _core.PhraseDependencies]
SIZES = (100, 250, 500, 1000, 2000)
GOALS = (1, 10, 100, 1000, 4000)
PARENTS = (1, 3, 10, 30, 100, 300)


def bundle(place: Path) -> Bundle:
    task = TASKS[0]
    source, target = task.paths(task.train)
    if not (place / "phrase" / "model.toml").exists():
        train("phrase", source, target, place / "phrase", pretokenised=True, work=place / "work")
    return Bundle.open(place / "phrase")


def dependencies(place: Path) -> _core.PhraseDependencies:
    table, work = place / "train.phrasedep", place / "work"
    if not table.exists():
        trees = place / "train.conllu"
        with trees.open("w") as out:
            for line in read_lines(work / "train.target"):
                words = line.split()
                for at, word in enumerate(words, 1):
                    head = at + 1 if at < len(words) else 0
                    out.write(f"{at}\t{word}\t_\t_\t_\t_\t{head}\t_\t_\t_\n")
                out.write("\n")
        classes = place / "phrase" / "target.classes"
        source, target, align = (work / f"train.{it}" for it in ("source", "target", "align"))
        extract(source, target, alignment=align, target_trees=trees, classes=classes, output=table)
    return _core.PhraseDependencies.open(table)


def decoder(
    phrase: Decoder, table_of_trees: _core.PhraseDependencies, changes: Mapping[str, Any]
) -> _core.Decoder:
    """Lattice parsing with the models of a phrase-based decoder."""
    models: dict[str, CoreModel] = {"phrase-dependencies": table_of_trees}
    table = phrase._table._core
    lms = [(name, model._core) for name, model in phrase.models.lms]
    search = Settings.load().search | dict(changes)
    chance = random.Random(1)
    names = _core.feature_names("lattice", table, lms, search, models=models)
    weights = {name: chance.uniform(-1, 1) for name in names}
    weights |= {name: DEPENDENCY for name in names if "dependency." in name}
    return _core.Decoder("lattice", table, lms, weights | phrase.weights, search, models=models)


def changed(name: str, value: int) -> dict[str, Any]:
    """The paper's settings but for one; no edge keeps more parents than the mean on its account."""
    search = PAPER | {name: value}
    return search | {"parents_least": min(PAPER["parents_least"], search["parents_mean"])}


def sources(lines: list[str]) -> list[_core.Source]:
    found = []
    for line in lines:
        words = line.split()
        tree = _core.DependencyTree(words, list(range(len(words))))
        found.append(_core.Source(words, trees=[(tree, 1.0)]))
    return found


def measured(
    world: World, given: list[_core.Source], changes: Mapping[str, Any], **wanted: Any
) -> tuple[float, float]:
    """Seconds and the mean score of a sentence; prints what the lattices were."""
    search = decoder(*world, changes)
    seconds, found = cpu_seconds(lambda: search.translate(given, threads=1, **wanted), 2)
    mean = sum(translation.score for translation in found) / len(found)
    counts = {name: value / len(given) / 2 for name, value in search.counters().items()}
    shown = ", ".join(f"{value:.0f} {name}" for name, value in counts.items())
    print(f"{changes}: {1e3 * seconds / len(given):.1f} ms, score {mean:.3f}; {shown}", flush=True)
    return seconds / len(given), mean


def measure(place: Path) -> None:
    task = TASKS[0]
    lines = list(read_lines(task.paths(task.test)[0]))[:SENTENCES]
    given = sources(lines)
    phrase = Decoder(bundle(place), {}, {}, {})
    world = (phrase, dependencies(place))
    plain, _ = cpu_seconds(
        lambda: phrase.translate(
            [line.split() for line in lines],
            threads=1,
            n_best=0,
            distinct=False,
            forests=True,
            progress=None,
        ),
        2,
    )
    print(f"coarse search with its forest: {1e3 * plain / len(lines):.1f} ms")
    ours, exact = measured(world, given, {})
    measured(world, given, {"lattice_parse": "bound", "goals": 1})
    measured(world, given, {"parents_mean": 300})
    peer, _ = measured(world, given, PAPER)
    print("a list of 100 for tuning:")
    measured(world, given, {}, n_best=100, distinct=True)
    print("cost against the number of edges:")
    by_edges = {edges: measured(world, given, {"lattice_edges": edges}) for edges in SIZES}
    times = [(edges, 1e3 * seconds / len(given)) for edges, (seconds, _) in by_edges.items()]
    draw("qpdg-edges", "edges", "ms a sentence", {"exact": times})
    losses = [(edges, exact - mean) for edges, (_, mean) in by_edges.items()]
    draw("qpdg-edges-loss", "edges", "loss in score", {"exact": losses})
    print("loss of the paper's search by its goals and its parents:")
    curves = {
        f"goals, {PAPER['parents_mean']} parents": ("goals", GOALS),
        f"parents, {PAPER['goals']} goals": ("parents_mean", PARENTS),
    }
    drawn = {}
    for label, (name, values) in curves.items():
        means = [(value, measured(world, given, changed(name, value))[1]) for value in values]
        drawn[label] = [(value, exact - mean) for value, mean in means]
        print("".join(f"  {value} {name}: loss {loss:.3f}\n" for value, loss in drawn[label]))
    draw("qpdg-loss", "goals or parents", "loss in score", drawn)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    print(f"peak memory {peak} MiB")
    report("qpdg", 1e3 * ours, 1e3 * peer, "ms a sentence")


def main() -> None:
    with tempfile.TemporaryDirectory() as place:
        measure(Path(sys.argv[1] if len(sys.argv) > 1 else place))


if __name__ == "__main__":
    main()
