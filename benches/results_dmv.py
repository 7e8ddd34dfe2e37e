"""Directed accuracy of parsers learnt from gold tags alone, on short sentences of UD English EWT.

    make results-dmv [TAGS=upos,xpos] [RESTARTS=0,10]

Learns from the training set, sentences of at most ten words without punctuation, and parses
such sentences of the test set with their gold tags. Punctuation is not counted. The baselines
hang every word from the one before it or from the one behind it.
"""

import os
import tempfile
import time
from pathlib import Path

from headway import Settings, parse
from headway.trees import DependencyTree, read_trees

DATA = Path(os.environ.get("HEADWAY_DATA", Path(__file__).parents[2] / "shared" / "data")) / "ud"
MOST = 10


def chain(words: list[int], step: int) -> dict[int, int]:
    """The head of each word, numbered from 0: its neighbour; -1 is the root."""
    return {at: words[n + step] if 0 <= n + step < len(words) else -1 for n, at in enumerate(words)}


def accuracy(
    gold: list[DependencyTree], guess: str, parser: parse.Parser, punctuation: set[str]
) -> float:
    right = total = 0
    for tree in gold:
        words = [at for at, tag in enumerate(tree.tags) if tag not in punctuation]
        if not 1 <= len(words) <= MOST:
            continue
        if guess == "dmv":
            found = parser.parse_tagged(tree.forms, tree.tags).heads
            heads = {at: found[at] - 1 for at in words}
        else:
            heads = chain(words, -1 if guess == "before" else 1)
        right += sum(heads[at] == tree.heads[at] - 1 for at in words)
        total += len(words)
    return 100 * right / total


def main() -> None:
    for tags in os.environ.get("TAGS", "upos,xpos").split(","):
        gold = list(read_trees(DATA / "en_ewt-test.conllu.gz", tags=tags))
        for restarts in map(int, os.environ.get("RESTARTS", "0,10").split(",")):
            changes = ["kind=dmv", f"tags={tags}", f"dmv.restarts={restarts}"]
            settings = Settings.load(None, [f"parse.{change}" for change in changes]).parse
            started = time.process_time()
            with tempfile.TemporaryDirectory() as place:
                bank = DATA / "en_ewt-train.conllu.gz"
                parser = parse.train([bank], place, settings=settings).parser
            assert isinstance(parser, parse.DmvParser)
            used = time.process_time() - started
            punctuation = set(settings.dmv.punctuation)
            figures = [
                f"{name} {accuracy(gold, name, parser, punctuation):.1f}"
                for name in ("dmv", "before", "behind")
            ]
            print(
                f"{tags}, {restarts} random starts: {', '.join(figures)}; log likelihood "
                f"{parser.likelihood:.0f} (start {parser.start}), "
                f"{len(parser.likelihoods) - 1} steps, {used:.0f} CPU s",
                flush=True,
            )


if __name__ == "__main__":
    main()
