"""n-gram language models: estimated from text, read from ARPA files, queried."""

from headway.lm.train import Training, memory_bytes, train

__all__ = ["Training", "memory_bytes", "train"]
