"""n-gram language models: estimated from text, read from ARPA files, queried."""

from headway._core import DependencyState
from headway.lm.dependency import DependencyModel, DependencyTraining, train_dependency
from headway.lm.train import Training, memory_bytes, train

__all__ = [
    "DependencyModel",
    "DependencyState",
    "DependencyTraining",
    "Training",
    "memory_bytes",
    "train",
    "train_dependency",
]
