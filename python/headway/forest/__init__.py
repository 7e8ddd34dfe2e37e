"""Forests: all derivations of a sentence's translations that a search kept.

forest = load("dev.forest")[0]
for derivation in forest.k_best(10, distinct=True):
    print(derivation.score, derivation.text, derivation.alignment)
"""

from headway.forest.derivation import Derivation, Segment
from headway.forest.forest import Edge, Forest, InsideOutside, Node, Weights, load, save
from headway.forest.lattice import Arc, Lattice

__all__ = [
    "Arc",
    "Derivation",
    "Edge",
    "Forest",
    "InsideOutside",
    "Lattice",
    "Node",
    "Segment",
    "Weights",
    "load",
    "save",
]
