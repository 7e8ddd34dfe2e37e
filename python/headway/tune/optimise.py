"""One step of optimisation over all candidates so far, by the method that the settings name."""

from collections.abc import Sequence

from headway import _core
from headway.progress import Progress
from headway.settings import TuneSettings


def optimise(
    known: _core.TuningPool | _core.TuningForests,
    starts: Sequence[Sequence[float]],
    settings: TuneSettings,
    *,
    seed: int,
    threads: int,
    progress: Progress | None,
) -> tuple[list[float], float]:
    """New weights and their score on the candidates; the first start is what is in use."""
    if settings.method == "mert" or isinstance(known, _core.TuningForests):
        return known.mert(
            starts,
            random_starts=settings.random_starts,
            directions=settings.directions,
            rounds=settings.rounds,
            seed=seed,
            threads=threads,
            progress=progress,
        )
    if settings.method == "pro":
        how = settings.pro
        return known.pro(
            starts[0],
            samples=how.samples,
            keep=how.keep,
            threshold=how.threshold,
            loss=how.loss,
            l2=how.l2,
            interpolation=None if how.line_search else how.interpolation,
            seed=seed,
            threads=threads,
            progress=progress,
        )
    passes = settings.mira
    return known.mira(
        starts[0],
        passes=passes.passes,
        c=passes.c,
        decay=passes.decay,
        seed=seed,
        threads=threads,
        progress=progress,
    )
