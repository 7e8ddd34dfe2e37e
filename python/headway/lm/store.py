"""Making binary models, and drawing text from models."""

from collections.abc import Iterator
from dataclasses import dataclass
from os import PathLike

from headway import _core
from headway.errors import ConfigError
from headway.lm.model import Layout
from headway.memory import memory_bytes
from headway.progress import Progress

_BLOCK = 4096
_EVERYTHING = (1 << 63) - 1


@dataclass(frozen=True)
class Loss:
    """What quantising changed at most, in log10, by n-gram length from 2 on; 0 without it."""

    probs: list[float]
    backoffs: list[float]

    @property
    def largest(self) -> float:
        """The largest change of all."""
        return max([*self.probs, *self.backoffs], default=0.0)


def build(
    source: str | PathLike[str],
    output: str | PathLike[str],
    *,
    layout: Layout = "hashed",
    quantise: int | None = None,
    memory: str | int = "2G",
    temp: str | PathLike[str] | None = None,
    threads: int = 0,
    progress: Progress | None = None,
) -> Loss:
    """Makes a binary model of an ARPA file (or of another binary).

    `hashed` is fast, `trie` is small; both score exactly as the ARPA file does. `quantise`
    stores each value of a trie in this many bits, for a smaller file with nearby scores.
    """
    if str(output) == "-":
        raise ConfigError("a binary is written back and forth: name a file, not standard output")
    bits = None if quantise is None else max(quantise, 0)
    size = memory_bytes(memory)
    return Loss(*_core.lm_build(source, output, layout, bits, size, temp, threads, progress))


class Sampler:
    """Draws sentences from a model, each word with its probability after those before it.

    Sentence number i of a seed is always the same, whatever the number of threads. `<unk>` is
    never drawn (another word is, in its place) unless `unknown` asks for it.
    """

    def __init__(
        self,
        path: str | PathLike[str],
        *,
        seed: int = 1,
        longest: int = 1000,
        unknown: bool = False,
        threads: int = 0,
        progress: Progress | None = None,
    ):
        self._core = _core.Sampler(path, threads, progress)
        self._options = (seed, longest, unknown)
        self._threads = threads

    def sentences(self, many: int) -> Iterator[str]:
        """The first `many` sentences."""
        for first in range(0, many, _BLOCK):
            block = min(_BLOCK, many - first)
            yield from self._core.sentences(first, block, *self._options, self._threads)

    def write(
        self,
        path: str | PathLike[str],
        *,
        sentences: int | None = None,
        words: int = 0,
        progress: Progress | None = None,
    ) -> tuple[int, int]:
        """Writes sentences to a file, up to a number of sentences or of words.

        Answers how many sentences and words it wrote.
        """
        most = _EVERYTHING if sentences is None else sentences
        return self._core.write(path, most, words, *self._options, self._threads, progress)
