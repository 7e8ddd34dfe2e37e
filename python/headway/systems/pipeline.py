"""What the steps of a training share: the run directory, the corpus, the clock.

A step is a function of a `Pipeline`. It asks `pipeline.step` to make files from files, and adds
those that the bundle needs with `pipeline.component`. The run directory keeps what is done: a step
whose inputs and settings are unchanged is not run again.
"""

import json
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from headway.files import write_text
from headway.memory import Peak
from headway.progress import Progress
from headway.run import Outputs, Run
from headway.settings import Settings
from headway.systems.bundle import Languages, Preprocessing
from headway.systems.corpus import Corpus
from headway.systems.journal import Step, note_step

Watch = Callable[[str], AbstractContextManager[Progress | None]]
Action = Callable[[Outputs, Progress | None], None]


@dataclass(frozen=True)
class StepTime:
    """How long a step took, or that its result was there already."""

    name: str
    seconds: float
    reused: bool


@dataclass
class Pipeline:
    """One training under way."""

    run: Run
    corpus: Corpus
    languages: Languages
    preprocessing: Preprocessing
    settings: Settings
    watch: Watch = lambda _: nullcontext()
    times: list[StepTime] = field(default_factory=list)
    components: dict[str, tuple[str, str]] = field(default_factory=dict)
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def threads(self) -> int:
        """Worker threads; never part of a step's settings, as they change no result."""
        return self.settings.run.threads

    def step(
        self,
        name: str,
        label: str,
        action: Action,
        *,
        inputs: Iterable[str | Path],
        settings: Mapping[str, Any],
        outputs: Iterable[str],
    ) -> None:
        """Does a step unless it is done, and remembers how long it took."""
        began = time.monotonic()

        def watched(paths: Outputs) -> None:
            with self.watch(label) as progress:
                action(paths, progress)

        with Peak() as peak:
            ran = self.run.step(name, watched, inputs=inputs, settings=settings, outputs=outputs)
        seconds = time.monotonic() - began
        self.times.append(StepTime(name, seconds, not ran))
        if ran:
            note_step(self.run.directory, name, Step(round(seconds, 3), peak.bytes))

    def component(self, name: str, kind: str, file: str) -> None:
        """Makes a file of the run directory part of the bundle."""
        self.components[name] = (kind, file)

    def learn(self, file: str) -> dict[str, Any]:
        """Takes over what a step noted with `note`; also when the step was done long ago."""
        found: dict[str, Any] = json.loads((self.run / file).read_text(encoding="utf-8"))
        self.facts.update(found)
        return found


def note(path: Path, facts: Mapping[str, Any]) -> None:
    """Writes what a step wants to be known about it, as one of its outputs."""
    write_text(path, json.dumps(facts, indent=1, ensure_ascii=False) + "\n")
