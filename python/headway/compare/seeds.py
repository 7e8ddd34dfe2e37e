"""Copies of a bundle, each tuned with its own seed, and what is said about all of them together."""

import json
import os
import shutil
import statistics
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any

from headway.corpus import read_lines, write_lines
from headway.evaluate.significance import Comparison
from headway.files import MANIFEST, write_text
from headway.settings import Settings
from headway.systems import Translation, Translator, tune_system
from headway.systems.pipeline import Watch

PARTS = ("dev", "test")
OUTPUTS = (*PARTS, "toml", "json")
"""Endings of what a tuned copy leaves: translations, `model.toml`, figures."""


def tune_copy(
    bundle: Path,
    copy: Path,
    outputs: Mapping[str, Path],
    dev: tuple[Path, Sequence[Path]],
    test: Path,
    settings: Settings,
    *,
    watch: Watch = lambda _: nullcontext(),
) -> dict[str, Any]:
    """Tunes a copy of a bundle, translates the dev set and the test set with it, and removes it.

    `outputs` are the files to write, by their endings (`OUTPUTS`); the figures are written last,
    and are the answer. The state of tuning lies beside `copy` until then, so that the same call
    goes on where an earlier one was interrupted.
    """
    state = copy.with_name(f"{copy.name}.tune")
    linked_copy(bundle, copy)
    began, cpu = time.perf_counter(), time.process_time()
    report = tune_system(copy, *dev, settings=settings, state=state, watch=watch)
    facts: dict[str, Any] = {
        "seconds": time.perf_counter() - began,
        "cpu": time.process_time() - cpu,
        "rounds": len(report.iterations),
        "dev": report.best.score,
        "weights": dict(report.best.weights),
        "search": dict(report.search),
    }
    for part, source in zip(PARTS, (dev[0], test), strict=True):
        began = time.process_time()
        with watch(f"translating the {part} set") as progress:
            found = Translator.load(copy).translate(
                list(read_lines(source)), threads=settings.run.threads, progress=progress
            )
        facts[f"{part}_cpu"] = time.process_time() - began
        facts[f"{part}_features"] = averages(found)
        write_lines(outputs[part], (one.text for one in found))
    shutil.copy(copy / MANIFEST, outputs["toml"])
    write_text(outputs["json"], json.dumps(facts, indent=1))
    for leftover in (copy, state):
        shutil.rmtree(leftover, ignore_errors=True)
    return facts


def linked_copy(bundle: Path, copy: Path) -> None:
    """A copy of a bundle whose `model.toml` can be changed; the other files are shared.

    What had the name of the copy is removed.
    """
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(bundle, copy, copy_function=_link)
    (copy / MANIFEST).unlink()
    shutil.copy(bundle / MANIFEST, copy / MANIFEST)


def _link(source: str, target: str) -> str:
    with suppress(OSError):  # a file system without links
        os.link(source, target)
        return target
    return shutil.copy2(source, target)


def averages(translations: Sequence[Translation]) -> dict[str, float]:
    """Each feature's mean value in the best translations."""
    names = translations[0].features
    return {name: statistics.mean(one.features[name] for one in translations) for name in names}


def sign(found: Comparison | None, *, lower_is_better: bool = False) -> str:
    """Of one seed: better (+), worse (-) or neither (=); nothing where nothing was compared."""
    if found is None or not found.significant:
        return "" if found is None else "="
    return "+" if (found.difference > 0) != lower_is_better else "-"


def signs(found: Iterable[Comparison | None], *, lower_is_better: bool = False) -> str:
    """A sign for each seed."""
    return "".join(sign(one, lower_is_better=lower_is_better) for one in found)


def spread(values: Sequence[float], digits: int = 1) -> str:
    """The mean over seeds, from lowest to highest: `40.1 (39.8–40.3)`."""
    mean = f"{statistics.mean(values):.{digits}f}"
    if len(values) < 2:
        return mean
    return f"{mean} ({min(values):.{digits}f}–{max(values):.{digits}f})"
