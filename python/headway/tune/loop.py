"""The tuning loop: decode the dev set, add what is new, optimise, and again."""

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from headway import _core
from headway.errors import ConfigError
from headway.printing import prints_briefly
from headway.progress import Progress
from headway.settings import Settings, TuneSettings
from headway.tune.optimise import optimise
from headway.tune.score import dev_score, joined
from headway.tune.search import Trial, changes, choose_limit
from headway.tune.state import State, Step
from headway.tune.system import Candidates, Tunable
from headway.tune.weights import degenerate

_log = logging.getLogger(__name__)

Watch = Callable[[str], AbstractContextManager[Progress | None]]

# Fewer new candidates than this share of the lists, or weights that move less, change nothing.
_FEW = 0.002
_STILL = 1e-4


@prints_briefly
@dataclass(frozen=True)
class Iteration:
    """What one iteration found."""

    number: int
    weights: Mapping[str, float]
    score: float
    """The metric of the dev set, decoded with these weights."""
    new: int
    """Candidates that were not known before."""
    known: int
    seconds: float
    expected: float | None
    """What the optimiser promised for the next weights, on the candidates known."""
    note: str = ""
    search: Mapping[str, Any] = field(default_factory=dict)
    """Search settings it was decoded with, where they differ from those at the start."""


@prints_briefly
@dataclass
class Report:
    """What came of a tuning."""

    metric: str
    method: str
    iterations: list[Iteration]
    trials: list[Trial] = field(default_factory=list)
    search: Mapping[str, Any] = field(default_factory=dict)
    """Search settings that were chosen, where they differ."""

    @property
    def start(self) -> Iteration:
        """The weights that tuning began with; by default search settings were chosen before."""
        return self.iterations[0]

    @property
    def best(self) -> Iteration:
        """The first of the iterations that decoded the dev set best."""
        return max(self.iterations, key=lambda iteration: iteration.score)

    @property
    def improved(self) -> bool:
        """Whether it was worth it: better weights, or search settings that suit better."""
        return self.best.score > self.start.score or bool(self.best.search)


def tune(
    system: Tunable,
    sentences: Sequence[Sequence[str]],
    references: Sequence[Sequence[Sequence[str]]],
    weights: Mapping[str, float],
    *,
    settings: Settings | None = None,
    directory: str | Path | None = None,
    asked: Mapping[str, Any] | None = None,
    watch: Watch = lambda _: nullcontext(),
    tell: Callable[[Iteration], None] = lambda _: None,
) -> Report:
    """Tunes the weights of a system on sentences with references (sentence, reference, words).

    The best iterate by the score of the decoded dev set is `report.best`. With a `directory`, what
    each iteration found is kept there, and the same call goes on where an earlier one stopped.
    `asked` is what else the result depends on, such as checksums of the model.
    """
    chosen = settings or Settings.load()
    _check(system, sentences, references, weights, chosen.tune)
    wanted: dict[str, Any] = {
        "settings": {
            k: v for k, v in msgspec.to_builtins(chosen.tune).items() if k != "iterations"
        },
        "seed": chosen.run.seed,
        # The round that search settings are chosen in depends on how many there are.
        "search_round": min(chosen.tune.search.after, chosen.tune.iterations),
        "weights": dict(weights),
        "search": dict(system.search),
        **(asked or {}),
    }
    state = State(None if directory is None else Path(directory), wanted)
    return _Loop(system, sentences, references, weights, chosen, state, watch, tell).run()


def _check(
    system: Tunable,
    sentences: Sequence[Sequence[str]],
    references: Sequence[Sequence[Sequence[str]]],
    weights: Mapping[str, float],
    settings: TuneSettings,
) -> None:
    if not sentences:
        raise ConfigError("the dev set is empty; give it some sentences")
    if len(references) != len(sentences):
        found, expected = f"{len(references):,}", f"{len(sentences):,}"
        raise ConfigError(f"references for {found} sentences, expected {expected}")
    if len({len(lines) for lines in references}) > 1 or not references[0]:
        raise ConfigError("give every sentence of the dev set as many references, at least one")
    missing = [name for name in system.features if name not in weights]
    if missing:
        raise ConfigError(f"no weight for {', '.join(missing)}; give every feature one")
    reason = degenerate(weights)
    if reason:
        raise ConfigError(f"cannot tune from these weights: {reason}; start from others")
    if settings.forests and settings.method != "mert":
        message = f"tune.method {settings.method} learns from n-best lists; set tune.forests=false"
        raise ConfigError(message)


class _Loop:
    """One tuning under way."""

    def __init__(
        self,
        system: Tunable,
        sentences: Sequence[Sequence[str]],
        references: Sequence[Sequence[Sequence[str]]],
        weights: Mapping[str, float],
        settings: Settings,
        state: State,
        watch: Watch,
        tell: Callable[[Iteration], None],
    ) -> None:
        self.system, self.sentences, self.references = system, sentences, references
        self.names = list(system.features)
        self.start = [float(weights[name]) for name in self.names]
        self.settings, self.seed = settings.tune, settings.run.seed
        self.threads = settings.run.threads
        self.state, self.watch, self.tell = state, watch, tell
        kind = _core.TuningForests if settings.tune.forests else _core.TuningPool
        self.known = kind(settings.tune.metric, references, len(self.names))
        self.report = Report(settings.tune.metric, settings.tune.method, [])
        self._lines = joined(references)

    def run(self) -> Report:
        """Iterations until nothing changes any more; the last weights are decoded too."""
        weights: list[float] | None = self.start
        tried = False
        for number in range(1, self.settings.iterations + 2):
            if not tried and number > min(self.settings.search.after, self.settings.iterations):
                self._choose_search(weights or self.start)
                tried = True
            last = number > self.settings.iterations
            step = self._known_step(number, weights or self.start, last=last)
            if step is None:
                step = self._step(number, weights or self.start, last=last)
            self._keep(number, step)
            weights = step.next
            if weights is None and not (tried or last):
                self._choose_search(step.weights)
                tried = True
                weights = step.weights if self.report.search else None
            if weights is None:
                break
        return self.report

    def _known_step(self, number: int, weights: list[float], *, last: bool) -> Step | None:
        """An iteration that an earlier run did."""
        steps = self.state.done.steps
        lists = self.state.lists(number)
        if number > len(steps):
            return None
        step = steps[number - 1]
        if step.weights != weights or step.search != self.report.search:
            return None
        if step.next is not None and len(step.next) != len(self.names):
            return None
        if isinstance(self.known, _core.TuningForests) or (
            step.next is None and not step.note and not last
        ):
            return None  # it stopped there for want of iterations; forests are not kept
        if not last:
            if lists is None or not lists.exists():
                return None
            self.known.merge_file(lists, threads=self.threads)
        return step

    def _keep(self, number: int, step: Step) -> None:
        steps = self.state.done.steps
        if number > len(steps) or steps[number - 1] != step:
            self.state.done.steps = [*steps[: number - 1], step]
            self.state.save()
        iteration = Iteration(
            number,
            dict(zip(self.names, step.weights, strict=True)),
            step.score,
            step.new,
            step.known,
            step.seconds,
            step.expected,
            step.note,
            step.search,
        )
        self.report.iterations.append(iteration)
        self.tell(iteration)

    def _step(self, number: int, weights: list[float], *, last: bool) -> Step:
        """Decodes with these weights and finds the next ones."""
        began = time.monotonic()
        score, new, known = self._decode(number, weights, last=last)
        step = Step(weights, score, new, known, 0.0, search=dict(self.report.search))
        if not last:
            step = self._optimised(number, step)
        return msgspec.structs.replace(step, seconds=time.monotonic() - began)

    def _decode(self, number: int, weights: list[float], *, last: bool) -> tuple[float, int, int]:
        """The score of the dev set; how many candidates are new, and how many there are."""
        named = dict(zip(self.names, weights, strict=True))
        if last:
            return self._score(self._decoded(number, named, 1)), 0, 0
        if isinstance(self.known, _core.TuningForests):
            return self._decode_forests(number, named, self.known)
        found = self._decoded(number, named, self.settings.n_best)
        new = self.known.merge(found, save=self.state.lists(number), threads=self.threads)
        return self._score(found), new, len(self.known)

    def _decoded(self, number: int, weights: Mapping[str, float], k: int) -> Sequence[Candidates]:
        with self.watch(f"decoding {number}") as progress:
            return self._translate(self.system, weights, self.sentences, k, progress)

    def _decode_forests(
        self, number: int, weights: Mapping[str, float], known: _core.TuningForests
    ) -> tuple[float, int, int]:
        with self.watch(f"decoding {number}") as progress:
            forests = self.system.forests(
                self.sentences, weights, threads=self.threads, progress=progress
            )
        found = [forest.k_best(1, None, None) for forest in forests]
        score = self._score([[(best.words(), best.features()) for best in own] for own in found])
        edges = self.settings.forest_edges
        known.merge([forest.prune(None, edges, None) for forest in forests])
        return score, len(forests), len(forests) * number

    def _translate(
        self,
        system: Tunable,
        weights: Mapping[str, float],
        sentences: Sequence[Sequence[str]],
        k: int,
        progress: Progress | None,
    ) -> Sequence[Candidates]:
        found = system.n_best(sentences, weights, k, threads=self.threads, progress=progress)
        if len(found) != len(sentences):
            message = f"the system answered {len(found):,} lists for {len(sentences):,} sentences"
            raise ConfigError(message)
        return found

    def _score(self, found: Sequence[Candidates], places: Sequence[int] | None = None) -> float:
        """The metric of the best candidates of those sentences, or of all."""
        places = range(len(self.sentences)) if places is None else places
        references = [self._lines[place] for place in places]
        return dev_score(self.settings.metric, found, references, threads=self.threads)

    def _optimised(self, number: int, step: Step) -> Step:
        few = step.new < _FEW * self.settings.n_best * len(self.sentences)
        if number > 1 and few and isinstance(self.known, _core.TuningPool):
            return msgspec.structs.replace(step, note="no new candidates")
        if self._no_better(step) >= self.settings.patience:
            note = f"no better for {self.settings.patience} iterations"
            return msgspec.structs.replace(step, note=note)
        best = max([*self.report.iterations], key=lambda it: it.score, default=None)
        starts = [step.weights]
        if best is not None and best.score > step.score:
            starts.append([best.weights[name] for name in self.names])
        with self.watch(f"optimising {number}") as progress:
            found, expected = optimise(
                self.known,
                starts,
                self.settings,
                seed=self.seed + number,
                threads=self.threads,
                progress=progress,
            )
        reason = degenerate(dict(zip(self.names, found, strict=True)))
        if reason:
            _log.warning("iteration %d: refused new weights: %s", number, reason)
            return msgspec.structs.replace(step, note=f"refused: {reason}")
        if self.settings.method == "mira" and self.settings.mira.prior:
            found = self._drawn_back(found, step)
            expected = self.known.score(found)
        moved = max(abs(a - b) for a, b in zip(found, step.weights, strict=True))
        if moved < _STILL * max(map(abs, step.weights)):
            return msgspec.structs.replace(step, expected=expected, note="weights stay")
        return msgspec.structs.replace(step, next=found, expected=expected)

    def _drawn_back(self, found: Sequence[float], step: Step) -> list[float]:
        """Nearer to the weights that tuning began with, which were fitted to no dev set.

        Half of the way while nothing is gained, and the less of it the more is gained.
        """
        iterations, prior = self.report.iterations, self.settings.mira.prior
        start = [iterations[0].weights[name] for name in self.names] if iterations else step.weights
        scores = [*(iteration.score for iteration in iterations), step.score]
        gain = max(scores) - scores[0]
        share = (gain + prior) / (gain + 2 * prior)
        return [old + share * (new - old) for old, new in zip(start, found, strict=True)]

    def _no_better(self, step: Step) -> int:
        """Iterations, this one included, since a clearly better one, with the search in use."""
        search = self.report.search
        scores = [it.score for it in self.report.iterations if it.search == search] + [step.score]
        mark, since = scores[0], 0
        for score in scores[1:]:
            better = score > mark and score >= mark + self.settings.gain
            mark, since = (score, 0) if better else (mark, since + 1)
        return since

    def _choose_search(self, weights: list[float]) -> None:
        """Once: which distortion limit suits the languages."""
        done = self.state.done
        if done.trials is None:
            named = dict(zip(self.names, weights, strict=True))

            def score(system: Tunable, places: Sequence[int]) -> float:
                with self.watch("trying search settings") as progress:
                    some = [self.sentences[place] for place in places]
                    found = self._translate(system, named, some, 1, progress)
                return self._score(found, places)

            how = self.settings.search
            trials = choose_limit(self.system, score, len(self.sentences), how)
            done.trials = [(t.limit, t.score, t.seconds, t.chosen) for t in trials]
            self.state.save()
        self.report.trials = [Trial(*trial) for trial in done.trials]
        self.report.search = changes(self.report.trials)
        if self.report.search:
            self.system = self.system.with_search(self.report.search)
