"""n-gram language models: estimated from text, read from ARPA files, queried."""

from headway._core import ChartState, State
from headway.lm.mixture import Mixture, Tuning
from headway.lm.model import LanguageModel, TextScore, WordScore
from headway.lm.store import Loss, Sampler, build
from headway.lm.train import Training, memory_bytes, train

__all__ = [
    "ChartState",
    "LanguageModel",
    "Loss",
    "Mixture",
    "Sampler",
    "State",
    "TextScore",
    "Training",
    "Tuning",
    "WordScore",
    "build",
    "memory_bytes",
    "train",
]
