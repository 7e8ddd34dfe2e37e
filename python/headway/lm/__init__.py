"""n-gram language models: estimated from text, read from ARPA files, queried."""

from headway.lm.train import Training, train

__all__ = ["Training", "train"]
