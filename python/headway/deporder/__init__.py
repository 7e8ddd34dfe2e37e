"""Dependency order: how far from their governors dependents stand (Hunter & Resnik 2010).

    from headway import deporder
    deporder.estimate("en.conllu", "en.order")
    model = deporder.OrderModel.open("en.order")
    model.offsets("nsubj")[-1]

The model is counted in trees of the target language. Pairs of trees with their word alignment
teach it what the labels of the source language become.
"""

from headway.deporder.estimate import AlignedTrees, Estimation, estimate
from headway.deporder.model import OrderModel

__all__ = ["AlignedTrees", "Estimation", "OrderModel", "estimate"]
