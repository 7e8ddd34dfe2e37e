"""Training and using an aligner."""

from pathlib import Path

from headway import _core
from headway._core import Alignment, Bitext
from headway.progress import Progress
from headway.settings import AlignSettings, Settings


class Aligner:
    """A trained word aligner, both directions."""

    def __init__(self, core: _core.Aligner) -> None:
        self._core = core

    def align(
        self,
        bitext: Bitext,
        *,
        symmetrisation: str | None = None,
        threads: int = 0,
        progress: Progress | None = None,
    ) -> list[Alignment]:
        """Aligns sentence pairs, also ones that training has not seen.

        `symmetrisation` is intersection, union, grow-diag, grow-diag-final, grow-diag-final-and
        (the default, unless settings say otherwise), or forward or backward for one direction.
        """
        how = symmetrisation or Settings.load().align.symmetrisation
        return self._core.align(bitext, how, threads, progress)

    def lexicon(
        self, *, forward: bool = True, least: float = 1e-4
    ) -> list[tuple[str | None, str, float]]:
        """Lexical translations at least this probable: given word, generated word, t.

        Forward gives target words by source words. The given word None is NULL, which generates
        words without counterpart.
        """
        return self._core.lexicon(forward, least)

    def save(self, path: str | Path) -> None:
        """Writes a file that `headway.align.load` reads."""
        self._core.save(path)


def train(
    bitext: Bitext,
    *,
    settings: AlignSettings | None = None,
    seed: int = 1,
    threads: int = 0,
    progress: Progress | None = None,
) -> Aligner:
    """Learns to align the words of sentence pairs."""
    chosen = settings or Settings.load().align
    return Aligner(_core.Aligner.train(bitext, chosen, seed, threads, progress))


def load(path: str | Path) -> Aligner:
    """Reads an aligner that `Aligner.save` wrote."""
    return Aligner(_core.Aligner.load(path))
