"""The span test: linear preparation and constant time per span, whatever the length.

The peer is the definition checked word by word, on a sentence of 200 words; ours does the same
spans there, and then random trees of up to a million words, where the time per span must stay.
"""

import gc
import random
import time

from headway.trees import DependencyTree

LONGEST = 10


def random_tree(words: int, seed: int) -> DependencyTree:
    """Heads near their words, as in language: about a quarter of the short spans is well-formed."""
    chance = random.Random(seed)
    heads = [
        max(0, min(words, k + chance.choice([-2, -1, -1, 1, 1, 2]))) for k in range(1, words + 1)
    ]
    return DependencyTree(["w"] * words, heads)


def literal(heads: list[int], i: int, j: int) -> str:
    """Definitions 1 and 2 of Shen, Xu and Weischedel (2010), word by word."""
    n = len(heads)
    outside = [k for k in range(i, j + 1) if not i <= heads[k - 1] <= j]
    children = {heads[k - 1] for k in range(1, n + 1) if not i <= k <= j and i <= heads[k - 1] <= j}
    if len(outside) == 1 and children <= set(outside):
        return "fixed"
    shared = {heads[k - 1] for k in outside}
    if len(shared) == 1 and not children:
        return "floating-left" if shared.pop() > j else "floating-right"
    return "ill-formed"


def ours_per_span(words: int) -> tuple[float, float]:
    """Seconds per word of preparation, and per span of the test."""
    prepared, tested = [], []
    for seed in range(3):
        tree = random_tree(words, seed)
        start = time.process_time()
        tree.structure(1, 1)
        prepared.append((time.process_time() - start) / words)
        start = time.process_time()
        tree.structures(LONGEST)
        tested.append((time.process_time() - start) / (words * LONGEST))
    return min(prepared), min(tested)


def peer_per_span(words: int) -> float:
    tree = random_tree(words, 0)
    heads, found = tree.heads, {(i, j): s.kind for i, j, s in tree.structures(LONGEST)}
    spans = [(i, j) for i in range(1, words + 1) for j in range(i, min(words, i + LONGEST - 1) + 1)]
    start = time.process_time()
    expected = {(i, j): literal(heads, i, j) for i, j in spans}
    seconds = time.process_time() - start
    assert all(found.get(span, "ill-formed") == kind for span, kind in expected.items())
    return seconds / len(spans)


def main() -> None:
    gc.disable()  # what is found becomes Python objects; collecting them is not the test
    print("     words   preparation/word   test/span")
    for words in (200, 1_000, 10_000, 100_000, 1_000_000):
        prepared, tested = ours_per_span(words)
        print(f"{words:>10,} {prepared * 1e9:>15.1f} ns {tested * 1e9:>8.1f} ns")
    peer = peer_per_span(200)
    _, ours = ours_per_span(200)
    print(f"spans: ours {ours * 1e9:.1f} ns, peer {peer * 1e9:.1f} ns, ratio {peer / ours:.1f}")


if __name__ == "__main__":
    main()
