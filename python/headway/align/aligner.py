"""Training and using an aligner."""

import logging
from pathlib import Path

from headway import _core
from headway._core import Alignment, Bitext
from headway.progress import Progress
from headway.settings import AlignSettings, Settings

_log = logging.getLogger(__name__)


class Aligner:
    """A trained word aligner, both directions."""

    def __init__(self, core: _core.Aligner) -> None:
        self._core = core

    def align(
        self,
        bitext: Bitext,
        *,
        symmetrisation: str | None = None,
        max_sentence_length: int | None = None,
        threads: int = 0,
        progress: Progress | None = None,
    ) -> list[Alignment]:
        """Aligns sentence pairs, also ones that training has not seen.

        `symmetrisation` is intersection, union, grow-diag, grow-diag-final, grow-diag-final-and
        (the default, unless settings say otherwise), or forward or backward for one direction.
        Pairs with a side of more than `max_sentence_length` words get no links.
        """
        defaults = Settings.load().align
        how = symmetrisation or defaults.symmetrisation
        longest = defaults.max_sentence_length
        if max_sentence_length is not None:
            longest = max(max_sentence_length, 0)
        found = self._core.align(bitext, how, longest, threads, progress)
        if skipped := bitext.longer_than(longest):
            message = "%d pairs of more than %d words (align.max_sentence_length) left unaligned"
            _log.warning(message, skipped, longest)
        return found

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


class AlignerSampler:
    """Aligners of one corpus that differ in their seeds: what they share is trained once.

    IBM 1 and the HMM do not depend on the seed. Each aligner costs the time of the HMM with
    fertility alone, and is the one that `train` makes with its seed.
    """

    def __init__(
        self,
        bitext: Bitext,
        *,
        settings: AlignSettings | None = None,
        threads: int = 0,
        progress: Progress | None = None,
    ) -> None:
        chosen = settings or Settings.load().align
        self._core = _core.AlignerSampler.train(bitext, chosen, threads, progress)

    def aligner(self, *, seed: int, threads: int = 0, progress: Progress | None = None) -> Aligner:
        """The aligner of a seed."""
        return Aligner(self._core.aligner(seed, threads, progress))


def train(
    bitext: Bitext,
    *,
    settings: AlignSettings | None = None,
    seed: int = 1,
    threads: int = 0,
    progress: Progress | None = None,
) -> Aligner:
    """Learns to align the words of sentence pairs.

    Pairs with a side of more than `settings.max_sentence_length` words are passed over.
    """
    chosen = settings or Settings.load().align
    return Aligner(_core.Aligner.train(bitext, chosen, seed, threads, progress))


def load(path: str | Path) -> Aligner:
    """Reads an aligner that `Aligner.save` wrote."""
    return Aligner(_core.Aligner.load(path))
