"""Comparisons of sources of trees that are over soon, on the fixture `bitext`."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

from headway import Settings
from headway.compare import Compared, compare
from headway.progress import Progress

# A parser that is trained in no time, and systems that are.
QUICK = [
    "parse.transition.beam=1", "parse.transition.rounds=1", "parse.tagger_rounds=1",
    "parse.jackknife=0", "parse.label_rounds=1", "parse.feature_bits=16", "align.samples=1",
    "align.fertility_iterations=2", "lm.classes.count=0", "tune.iterations=2", "tune.n_best=20",
    "search.pop_limit=30", "extract.str2dep.initial_length=6", "run.threads=2",
]  # fmt: skip


def sources(bitext: Path) -> dict[str, Any]:
    """Gold trees, chains, and a parser that learns from the gold trees of another set."""
    return {
        "gold": bitext / "train.en.conllu",
        "chains": "right-branching",
        "parsed": "transition",
    }


def system(bitext: Path) -> dict[str, Any]:
    """What `str2dep` needs."""
    return {
        "system": "str2dep",
        "source": bitext / "train.de",
        "dev_source": bitext / "dev.de",
        "dev_target": bitext / "dev.en",
        "test_source": bitext / "test.de",
        "test_target": bitext / "test.en",
    }


class Labels:
    """What was done, step by step; interrupts a step whose label has the word `stop`."""

    def __init__(self, stop: str = "nowhere") -> None:
        self.seen: list[str] = []
        self._stop = stop

    def __call__(self, label: str) -> AbstractContextManager[Progress | None]:
        self.seen.append(label)
        return self._watch(label)

    @contextmanager
    def _watch(self, label: str) -> Iterator[None]:
        if self._stop in label:
            raise KeyboardInterrupt
        yield


def run(bitext: Path, out: Path, *overrides: str, **changes: Any) -> Compared:
    """The comparison of the three sources, with these changes."""
    asked = {"trees": sources(bitext), "treebanks": bitext / "dev.en.conllu", **changes}
    return compare(
        bitext / "train.en",
        out=out,
        settings=Settings.load(None, [*QUICK, *overrides]),
        **asked,
    )
