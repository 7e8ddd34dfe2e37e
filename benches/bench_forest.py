"""100-best derivations of a phrase lattice of 5,000 edges, against the same algorithm in Python.

The peer is Huang and Chiang's lazy algorithm with heapq, written for one tail per edge. Both have
to find the same scores; the peer finds no more than them. Times are those of the processor, the
best of several.
"""

import heapq
import json
import random
import time
from collections.abc import Callable

from headway.forest import Forest

NODES = 500
EDGES = 5_000
FEATURES = [f"f{number}" for number in range(14)]
K = 100

Incoming = list[list[tuple[int, float]]]


def lattice(seed: int) -> Forest:
    """Phrases of one to three of 300 words; the next node is at most five further."""
    rng = random.Random(seed)
    edges: list[dict[str, object]] = [{"head": 0}]
    for number in range(EDGES - 1):
        head = number % (NODES - 1) + 1
        tail = max(0, head - rng.randint(1, 5))
        words = [f"w{rng.randrange(300)}" for _ in range(rng.randint(1, 3))]
        values = {name: round(rng.uniform(-5, 0), 3) for name in FEATURES}
        edges.append({"head": head, "tails": [tail], "target": [0, *words], "features": values})
    forest = {
        "format": "headway-forest-1",
        "features": FEATURES,
        "weights": dict.fromkeys(FEATURES, 0.1),
        "source": ["x"] * 30,
        "goal": NODES - 1,
        "nodes": [{"span": [0, 30]}] * NODES,
        "edges": edges,
    }
    return Forest.from_json(json.dumps(forest))


def incoming(forest: Forest) -> Incoming:
    weights = forest.weights
    arcs: Incoming = [[] for _ in range(NODES)]
    for edge in forest.edges[1:]:
        score = sum(weights[name] * value for name, value in edge.features.items())
        arcs[edge.head].append((edge.tails[0], score))
    return arcs


def k_best_in_python(arcs: Incoming, k: int) -> list[float]:
    """Scores of the k best paths from node 0 to the last node."""
    found: list[list[float]] = [[0.0]] + [[] for _ in arcs[1:]]
    heaps: list[list[tuple[float, int, float, int]]] = [[] for _ in arcs]
    for node in range(1, len(arcs)):
        heaps[node] = [(-found[t][0] - s, t, s, 0) for t, s in arcs[node] if found[t]]
        heapq.heapify(heaps[node])
        if heaps[node]:
            found[node].append(-heaps[node][0][0])

    def reach(node: int, rank: int) -> bool:
        while len(found[node]) <= rank:
            if not heaps[node]:
                return False
            _, tail, score, used = heaps[node][0]
            if reach(tail, used + 1):
                item = (-found[tail][used + 1] - score, tail, score, used + 1)
                heapq.heapreplace(heaps[node], item)
            else:
                heapq.heappop(heaps[node])
            if heaps[node]:
                found[node].append(-heaps[node][0][0])
        return True

    reach(len(arcs) - 1, k - 1)
    return found[-1][:k]


def said(forest: Forest) -> list[object]:
    return [(derivation.text, derivation.features) for derivation in forest.k_best(K)]


def best_time(work: Callable[[], object], repeat: int) -> float:
    times = []
    for _ in range(repeat):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def main() -> None:
    forest = lattice(1)
    arcs = incoming(forest)
    ours = forest.k_best(K)
    assert all(
        abs(a.score - b) < 1e-4 for a, b in zip(ours, k_best_in_python(arcs, K), strict=True)
    )
    texts = [derivation.text for derivation in forest.k_best(K, distinct=True)]
    assert len(set(texts)) == K
    weights = dict.fromkeys(FEATURES, 0.2)
    jobs: list[tuple[str, Callable[[], object]]] = [
        ("best, reweighted", lambda: forest.best(weights)),
        ("100-best", lambda: forest.k_best(K)),
        ("100-best with words and features", lambda: said(forest)),
        ("100-best distinct", lambda: forest.k_best(K, distinct=True)),
        ("inside, outside, posteriors", forest.inside_outside),
        ("expected features", forest.expected_features),
        ("prune to 1,000 edges", lambda: forest.prune(edges=1000)),
    ]
    for name, work in jobs:
        print(f"{name}: {1e3 * best_time(work, 30):.2f} ms")
    mine = best_time(lambda: forest.k_best(K), 30)
    peer = best_time(lambda: k_best_in_python(arcs, K), 5)
    print(
        f"forest: ours {1 / mine:.0f} lists/s, peer {1 / peer:.0f} lists/s, ratio {peer / mine:.1f}"
    )


if __name__ == "__main__":
    main()
