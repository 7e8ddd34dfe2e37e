"""The tuning loop: decode the dev set, add what is new, optimise, and again."""

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, Generic

import msgspec

from headway import _core
from headway.errors import ConfigError
from headway.progress import Progress
from headway.settings import Settings, TuneSettings
from headway.tune.length import COST, WORD_PENALTY, length_cost, length_ratio, penalty_between
from headway.tune.optimise import optimise
from headway.tune.report import Iteration, Report
from headway.tune.score import dev_score, joined
from headway.tune.search import Trial, changes, choose_limit
from headway.tune.state import State, Step
from headway.tune.system import Candidates, Sentence, Tunable, first_words
from headway.tune.weights import degenerate

_log = logging.getLogger(__name__)

Watch = Callable[[str], AbstractContextManager[Progress | None]]

# Fewer new candidates than this share of the lists, or weights that move less, change nothing.
_FEW = 0.002
_STILL = 1e-4
# Decodings for the word penalty alone, at the end, and the share of the tolerance that they use:
# lengths of what search finds differ a little from those of the lists.
_LENGTH_ROUNDS = 3
_LENGTH_SHARE = 0.75


def tune(
    system: Tunable[Sentence],
    sentences: Sequence[Sentence],
    references: Sequence[Sequence[Sequence[str]]],
    weights: Mapping[str, float],
    *,
    settings: Settings | None = None,
    directory: str | Path | None = None,
    asked: Mapping[str, Any] | None = None,
    estimate: Sequence[str] = (),
    watch: Watch = lambda _: nullcontext(),
    tell: Callable[[Iteration], None] = lambda _: None,
) -> Report:
    """Tunes the weights of a system on sentences with references (sentence, reference, words).

    Sentences are passed to the system as they are: words, or whatever else it translates.
    The best iterate by the score of the decoded dev set is `report.best`, where translations that
    are too short or too long cost (`tune.length_tolerance`). The first round gives the features
    named by `estimate` a weight by regression, and the next ones begin with it. With a
    `directory`, what each iteration found is kept there, and the same call goes on where an
    earlier one stopped. `asked` is what else the result depends on, such as checksums of the model.
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
        "estimate": list(estimate),
        **(asked or {}),
    }
    state = State(None if directory is None else Path(directory), wanted)
    loop = _Loop(system, sentences, references, weights, chosen, state, watch, tell)
    loop.estimate = [loop.names.index(name) for name in estimate]
    return loop.run()


def _check(
    system: Tunable[Sentence],
    sentences: Sequence[Sentence],
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


class _Loop(Generic[Sentence]):
    """One tuning under way."""

    def __init__(
        self,
        system: Tunable[Sentence],
        sentences: Sequence[Sentence],
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
        self.estimate: list[int] = []
        self.begin = (self.start, 0.0)
        self.penalty = self.names.index(WORD_PENALTY) if WORD_PENALTY in self.names else None
        tolerance = 1.0 if self.penalty is None else settings.tune.length_tolerance
        self.report = Report(
            settings.tune.metric, settings.tune.method, [], length_tolerance=tolerance
        )
        self._lines = joined(references)

    def run(self) -> Report:
        """Iterations until nothing changes any more, then some for the length."""
        self._iterate()
        self._fit_length()
        return self.report

    def _iterate(self) -> None:
        """The last weights are decoded too."""
        weights: list[float] | None = self.start
        tried = False
        most = self.settings.iterations + (1 if self.estimate else 0)
        for number in range(1, most + 2):
            if not tried and number > min(self.settings.search.after, self.settings.iterations):
                self._choose_search(weights or self.start)
                tried = True
            last = number > most
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

    def _fit_length(self) -> None:
        """The best word penalty, by a line search over all lists, for the weights it suits best.

        These are not always the weights with the best length so far: better ones may lack nothing
        but another word penalty. Search answers more to the penalty than lists show: where it goes
        too far, a penalty between the two is tried, and new lists may need another.
        """
        if self.penalty is None or self.report.length_tolerance >= 1:
            return
        tolerance = self.report.length_tolerance
        for _ in range(_LENGTH_ROUNDS):
            before, found, expected = self._fitted(self._lists(), self.penalty)
            if not self._try_penalty(found, expected):
                return
            after = self.report.iterations[-1]
            between = penalty_between(
                (before.weights, before.length),
                (after.weights, after.length),
                _LENGTH_SHARE * tolerance,
            )
            if between is not None:
                self._try_penalty([between[name] for name in self.names], expected)
            best = self.report.best
            if best in self.report.iterations[-2:] and not length_cost(best.length, tolerance):
                return

    def _fitted(
        self, lists: _core.TuningPool, penalty: int
    ) -> tuple[Iteration, list[float], float]:
        """The best of all weights so far, each with the word penalty that suits it.

        With the iteration that they come from, and what lists promise.
        """
        fits = (
            (one, *self._fit(lists, [one.weights[name] for name in self.names], penalty))
            for one in self.report.iterations
        )
        return max(fits, key=lambda fit: fit[2])

    def _fit(
        self, lists: _core.TuningPool, weights: Sequence[float], penalty: int
    ) -> tuple[list[float], float]:
        """Weights with the word penalty that suits them, and the score that lists promise."""
        return lists.fit_length(
            weights,
            penalty,
            tolerance=_LENGTH_SHARE * self.report.length_tolerance,
            cost=COST,
            threads=self.threads,
        )

    def _try_penalty(self, weights: list[float], expected: float) -> bool:
        """Decodes with weights that differ in the word penalty; not if that was done before."""
        tried = [[it.weights[name] for name in self.names] for it in self.report.iterations]
        if weights in tried:
            return False
        number = len(tried) + 1
        step = self._known_step(number, weights, last=False)
        if step is None:
            last = not isinstance(self.known, _core.TuningPool)
            step = self._step(number, weights, last=last, optimise=False)
            step = msgspec.structs.replace(step, note=WORD_PENALTY, expected=expected)
        self._keep(number, step)
        return True

    def _lists(self) -> _core.TuningPool:
        """Lists to choose a word penalty by."""
        if isinstance(self.known, _core.TuningPool):
            return self.known
        pool = _core.TuningPool(self.settings.metric, self.references, len(self.names))
        number = len(self.report.iterations)
        pool.merge(self._decoded(number, self.report.best.weights, self.settings.n_best))
        return pool

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
        self._choose_begin(number, step.weights, step.score)
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
            step.length,
            step.new,
            step.known,
            step.seconds,
            step.expected,
            step.note,
            step.search,
        )
        self.report.iterations.append(iteration)
        self.tell(iteration)

    def _step(
        self, number: int, weights: list[float], *, last: bool, optimise: bool = True
    ) -> Step:
        """Decodes with these weights and finds the next ones."""
        began = time.monotonic()
        step = self._decode(number, weights, last=last)
        self._choose_begin(number, weights, step.score)
        if optimise and not last:
            step = self._optimised(number, step)
        return msgspec.structs.replace(step, seconds=time.monotonic() - began)

    def _decode(self, number: int, weights: list[float], *, last: bool) -> Step:
        """The score of the dev set; how many candidates are new, and how many there are."""
        named = dict(zip(self.names, weights, strict=True))
        new = known = 0
        if isinstance(self.known, _core.TuningForests) and not last:
            found = self._decode_forests(number, named, self.known)
            new, known = len(found), len(found) * number
        else:
            found = self._decoded(number, named, 1 if last else self.settings.n_best)
        if isinstance(self.known, _core.TuningPool) and not last:
            new = self.known.merge(found, save=self.state.lists(number), threads=self.threads)
            known = len(self.known)
        length = length_ratio([first_words(own) for own in found], self.references)
        search = dict(self.report.search)
        return Step(weights, self._score(found), length, new, known, 0.0, search=search)

    def _decoded(self, number: int, weights: Mapping[str, float], k: int) -> Sequence[Candidates]:
        with self.watch(f"decoding {number}") as progress:
            return self._translate(self.system, weights, self.sentences, k, progress)

    def _decode_forests(
        self, number: int, weights: Mapping[str, float], known: _core.TuningForests
    ) -> Sequence[Candidates]:
        with self.watch(f"decoding {number}") as progress:
            forests = self.system.forests(
                self.sentences, weights, threads=self.threads, progress=progress
            )
        edges = self.settings.forest_edges
        known.merge([forest.prune(None, edges, None) for forest in forests])
        found = [forest.k_best(1, None, None) for forest in forests]
        return [[(best.words(), best.features()) for best in own] for own in found]

    def _translate(
        self,
        system: Tunable[Sentence],
        weights: Mapping[str, float],
        sentences: Sequence[Sentence],
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
        if number == 1 and self.estimate:
            return self._estimated(self._lists(), step)
        few = step.new < _FEW * self.settings.n_best * len(self.sentences)
        if number > 1 and few and isinstance(self.known, _core.TuningPool):
            return msgspec.structs.replace(step, note="no new candidates")
        if self._no_better(step) >= self.settings.patience:
            note = f"no better for {self.settings.patience} iterations"
            return msgspec.structs.replace(step, note=note)
        best = max([*self.report.iterations], key=lambda it: it.score, default=None)
        starts = [step.weights]
        if number == 2 and self.estimate:
            starts = [self.begin[0]]
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
        if (
            isinstance(self.known, _core.TuningPool)
            and self.settings.method == "mira"
            and self.settings.mira.prior
        ):
            found = self._regularised(self.known, found, step)
            expected = self.known.score(found)
        moved = max(abs(a - b) for a, b in zip(found, step.weights, strict=True))
        if moved < _STILL * max(map(abs, step.weights)):
            return msgspec.structs.replace(step, expected=expected, note="weights stay")
        return msgspec.structs.replace(step, next=found, expected=expected)

    def _regularised(
        self, known: _core.TuningPool, found: Sequence[float], step: Step
    ) -> list[float]:
        """Nearer to the weights that tuning began with, which were fitted to no dev set.

        Half of the way while nothing is gained, and the less of it the more is gained. The word
        penalty has no prior: it keeps what was learnt about lengths.
        """
        prior = self.settings.mira.prior
        start, score = self.begin
        gain = max(step.score, score, *(it.score for it in self.report.iterations)) - score
        return known.regularised(
            start,
            found,
            self.penalty,
            strength=prior / (gain + prior),
            threads=self.threads,
        )

    def _choose_begin(self, number: int, weights: Sequence[float], score: float) -> None:
        """The weights that tuning begins with, and their dev score.

        Where the first round estimates weights, these and the given ones are compared once both
        are decoded, each with the word penalty that suits it best: regression over the first lists
        does not know what search finds with other weights.
        """
        if number == 1 or (number == 2 and self.estimate and not self._keeps_begin(weights)):
            self.begin = (list(weights), score)

    def _keeps_begin(self, estimated: Sequence[float]) -> bool:
        """Whether the given weights are better than the estimated ones, by all lists so far."""
        given, known = self.begin[0], self._lists()
        if self.penalty is None:
            return known.score(given) > known.score(list(estimated))
        fits = [self._fit(known, weights, self.penalty)[1] for weights in (given, estimated)]
        return fits[0] > fits[1]

    def _estimated(self, known: _core.TuningPool, step: Step) -> Step:
        """The next weights: those in use, with what regression gives new features."""
        found = known.estimated(step.weights, self.estimate, self.penalty, threads=self.threads)
        names = ", ".join(self.names[feature] for feature in self.estimate)
        reason = degenerate(dict(zip(self.names, found, strict=True)))
        if reason:
            _log.warning("estimated weights of %s refused: %s", names, reason)
            found = step.weights
        return msgspec.structs.replace(step, next=found, note=f"estimated {names}")

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

            def score(system: Tunable[Sentence], places: Sequence[int]) -> float:
                with self.watch("trying search settings") as progress:
                    some = [self.sentences[place] for place in places]
                    found = self._translate(system, named, some, 1, progress)
                return self._score(found, places)

            how = self.settings.search
            lengths = [len(references[0]) for references in self.references]
            trials = choose_limit(self.system, score, lengths, how)
            done.trials = [(t.limit, t.score, t.seconds, t.chosen) for t in trials]
            self.state.save()
        self.report.trials = [Trial(*trial) for trial in done.trials]
        self.report.search = changes(self.report.trials)
        if self.report.search:
            self.system = self.system.with_search(self.report.search)
