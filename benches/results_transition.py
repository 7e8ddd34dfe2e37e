"""Accuracy and speed of transition-based parsers, trained and tested on UD English EWT.

    make results-transition

Tags are predicted, punctuation counts. Speed is sentences per CPU second of one thread, tagging
included, on the test set. Parsers are trained anew in a temporary directory.
"""

import os
import tempfile
import time
from pathlib import Path

from headway import Settings, parse
from headway.trees import DependencyTree, read_trees
from measure import cpu_seconds

DATA = Path(os.environ.get("HEADWAY_DATA", Path(__file__).parents[2] / "shared" / "data")) / "ud"
CONFIGURATIONS = [("eager", 1), ("eager", 8), ("swap", 1), ("swap", 8)]


def trees(name: str) -> list[DependencyTree]:
    return list(read_trees(DATA / f"en_ewt-{name}.conllu.gz", tags="xpos"))


def main() -> None:
    gold = {name: trees(name) for name in ("dev", "test")}
    words = [tree.forms for tree in gold["test"]]
    for system, beam in CONFIGURATIONS:
        changes = ["kind=transition", f"transition.system={system}", f"transition.beam={beam}"]
        settings = Settings.load(None, [f"parse.{change}" for change in changes]).parse
        with tempfile.TemporaryDirectory() as place:
            wall, cpu = time.perf_counter(), time.process_time()
            bank = DATA / "en_ewt-train.conllu.gz"
            parser = parse.train([bank], place, settings=settings).parser
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        figures = []
        for name, expected in gold.items():
            found = parser.parse([tree.forms for tree in expected])
            scores = parse.evaluate(found, expected)
            figures.append(f"{name} UAS {scores.uas:.2f} LAS {scores.las:.2f}")
            assert all(tree.is_tree for tree in found)
        used, _ = cpu_seconds(lambda parser=parser: parser.parse(words, threads=1))  # type: ignore[misc]
        speed = f"{len(words) / used:,.0f} sentences per CPU second"
        took = f"trained in {wall:.0f} s ({cpu:.0f} CPU s)"
        print(f"{system}, beam {beam}: {', '.join(figures)}; {speed}; {took}", flush=True)


if __name__ == "__main__":
    main()
