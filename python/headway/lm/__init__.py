"""Language models, of words and of trees: estimated, read, queried, mixed, sampled."""

from headway._core import ChartState, DependencyState, State
from headway.lm.classes import WordClasses
from headway.lm.dependency import DependencyModel, DependencyTraining, train_dependency
from headway.lm.mixture import Mixture, Tuning
from headway.lm.model import LanguageModel, TextScore, WordScore
from headway.lm.store import Loss, Sampler, build
from headway.lm.train import Training, train
from headway.memory import memory_bytes

__all__ = [
    "ChartState",
    "DependencyModel",
    "DependencyState",
    "DependencyTraining",
    "LanguageModel",
    "Loss",
    "Mixture",
    "Sampler",
    "State",
    "TextScore",
    "Training",
    "Tuning",
    "WordClasses",
    "WordScore",
    "build",
    "memory_bytes",
    "train",
    "train_dependency",
]
