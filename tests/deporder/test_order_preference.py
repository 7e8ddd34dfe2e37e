"""P_d of the built-in corpus prefers the order of the translation to other cohesive orders."""

import math
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import made_once
from headway import deporder, fragment
from headway.corpus import read_alignments
from headway.deporder import AlignedTrees, OrderModel
from headway.trees import DependencyTree, read_trees

ORDERS = 20


class Pair:
    """A tree of the source, and for each source word its phrase: the target words aligned to it.

    A target word of several source words is that of the highest in the tree (`talked` of
    `telefoniert`, not of `hat`). `split` says whether a source word has target words with a gap
    between them (`did … find` of `fanden`): the last run is its phrase then, and no order of
    phrases is that of the translation.
    """

    def __init__(
        self, source: DependencyTree, target: DependencyTree, links: list[tuple[int, int]]
    ) -> None:
        self.source = source
        owner: dict[int, int] = {}
        for left, right in sorted(links, key=lambda link: -(source.depth(link[0] + 1) or 0)):
            owner[right] = left + 1
        self.phrases: dict[int, list[str]] = {word: [] for word in range(1, len(source) + 1)}
        self.order: list[int] = []
        self.split = False
        for place, word in sorted(owner.items()):
            if owner.get(place - 1) != word:
                self.split = self.split or bool(self.phrases[word])
                self.phrases[word] = []
                self.order = [other for other in self.order if other != word] + [word]
            self.phrases[word].append(target.forms[place])

    def cohesive(self, rng: random.Random) -> list[int]:
        """The same words in an order in which all subtrees of the source are contiguous."""

        def arranged(word: int) -> list[int]:
            parts = [[word], *(arranged(child) for child in self.source.children(word))]
            rng.shuffle(parts)
            return [one for part in parts for one in part]

        (root,) = self.source.roots
        return [word for word in arranged(root) if self.phrases[word]]

    def offsets(self, order: list[int]) -> Iterator[tuple[int, int, int]]:
        """Governor, dependent and offset of all dependencies, for an order of the phrases."""
        starts, at = {}, 0
        for word in order:
            starts[word] = at
            at += len(self.phrases[word])
        ends = {word: start + len(self.phrases[word]) - 1 for word, start in starts.items()}
        for dependent, governor in enumerate(self.source.heads, start=1):
            subtree = {dependent, *self.source.descendants(dependent)} & starts.keys()
            if governor not in starts or not subtree:
                continue
            before = [ends[word] for word in subtree if starts[word] < starts[governor]]
            nearest = max(before) if before else min(starts[word] for word in subtree)
            yield governor, dependent, nearest - ends[governor]


def score(model: OrderModel, pair: Pair, order: list[int], source: bool) -> float:
    """Σ ln P_d over the dependencies of the tree, with its labels as those of the source or not."""
    total = 0.0
    for governor, dependent, offset in pair.offsets(order):
        label = pair.source.labels[dependent - 1]
        above, below = pair.phrases[governor][-1], " ".join(pair.phrases[dependent][-1:])
        total += math.log(model.probability(label, offset, above, below, source=source))
    return total


def beaten(model: OrderModel, pairs: list[Pair], source: bool) -> list[list[bool]]:
    """For each pair whether the true order is better than each of some random cohesive ones."""
    rng = random.Random(1)
    found = []
    for pair in pairs:
        gold = score(model, pair, pair.order, source)
        others = [order for _ in range(ORDERS) if (order := pair.cohesive(rng)) != pair.order]
        found.append([gold > score(model, pair, order, source) for order in others])
    return found


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """More sentences than other tests use: shares of few ones mean little."""
    return made_once(
        tmp_path_factory,
        "order-corpus",
        lambda place: fragment.write(place, pairs=1500, dev=150, test=150, seed=7),
    )


@pytest.fixture(scope="module")
def learnt(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> OrderModel:
    folder = tmp_path_factory.mktemp("order")
    aligned = AlignedTrees(
        corpus / "train.de.conllu", corpus / "train.en.conllu", corpus / "train.align"
    )
    found = deporder.estimate(corpus / "train.en.conllu", folder / "en.order", pairs=aligned)
    assert found.linked > 0.9 * found.source_dependencies
    return OrderModel.open(folder / "en.order")


def test_gold_trees_stay_in_order(corpus: Path, learnt: OrderModel) -> None:
    trees = [tree for name in ("dev", "test") for tree in read_trees(corpus / f"{name}.en.conllu")]
    pairs = [Pair(tree, tree, [(word, word) for word in range(len(tree))]) for tree in trees]
    found = beaten(learnt, pairs, source=False)
    assert sum(map(all, found)) >= 0.95 * len(pairs)


def test_the_order_of_translations_is_preferred(corpus: Path, learnt: OrderModel) -> None:
    pairs = []
    for name in ("dev", "test"):
        for source, target, links in zip(
            read_trees(corpus / f"{name}.de.conllu"),
            read_trees(corpus / f"{name}.en.conllu"),
            read_alignments(corpus / f"{name}.align"),
            strict=True,
        ):
            pairs.append(Pair(source, target, links.links))
    found = beaten(learnt, pairs, source=True)
    assert sum(map(all, found)) >= 0.9 * len(pairs)
    # Where a translation is in two places, the order of the phrases is not that of the target.
    whole = [better for pair, better in zip(pairs, found, strict=True) if not pair.split]
    assert len(whole) >= 0.75 * len(pairs)
    assert sum(map(all, whole)) >= 0.95 * len(whole)
