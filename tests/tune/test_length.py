"""Lengths of translations and first weights of new features, over systems whose answer is known."""

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from headway import Settings, _core, tune
from headway.progress import Progress
from headway.tune import Candidates, length_ratio
from headway.tune.length import penalty_between

SIZE = 40
LENGTH = 10
FEATURES = ["good", "word-penalty", "new"]
Candidate = tuple[list[str], list[tuple[int, float]]]


class Stretchy:
    """Candidates of 6 to 14 words for references of 10, some of whose words are right.

    `good` prefers right words, and short translations. `new` also knows right words, in units that
    are a tenth as large, and adds 2 for each word.
    """

    features = FEATURES
    search: Mapping[str, Any] = {}

    def __init__(self) -> None:
        self.decoded = 0
        chance = random.Random(3)
        self.lists = [[self._candidate(n, chance) for _ in range(300)] for n in range(SIZE)]

    def _candidate(self, number: int, chance: random.Random) -> Candidate:
        length = chance.randrange(6, 15)
        right = chance.randrange(length + 1)
        words = [f"r{number}-{w}" if w < min(right, LENGTH) else f"x{w}" for w in range(length)]
        known = chance.randrange(right + 1)
        good = known - 0.8 * length + chance.gauss(0, 0.5)
        new = 0.1 * (right - known) + 2.0 * length
        return words, [(0, good), (1, -float(length)), (2, new)]

    def n_best(
        self,
        sentences: Sequence[Sequence[str]],
        weights: Mapping[str, float],
        k: int,
        *,
        threads: int,
        progress: Progress | None,
    ) -> Sequence[Candidates]:
        self.decoded += 1

        def score(candidate: Candidate) -> float:
            return sum(weights[FEATURES[f]] * value for f, value in candidate[1])

        lists = [self.lists[int(words[0])] for words in sentences]
        return [sorted(found, key=score, reverse=True)[:k] for found in lists]

    def forests(self, *args: object, **kwargs: object) -> Sequence[_core.Forest]:
        raise NotImplementedError

    def with_search(self, changes: Mapping[str, Any]) -> "Stretchy":
        raise NotImplementedError


SENTENCES = [[str(number)] for number in range(SIZE)]
REFERENCES = [[[f"r{number}-{w}" for w in range(LENGTH)]] for number in range(SIZE)]
SHORT = {"good": 1.0, "word-penalty": 0.5, "new": 0.0}


def tuned(*overrides: str, **options: Any) -> tune.Report:
    fixed = ["tune.n_best=20", "run.threads=2", "tune.iterations=3"]
    settings = Settings.load(None, [*fixed, *overrides])
    system = options.pop("system", None) or Stretchy()
    return tune.tune(system, SENTENCES, REFERENCES, SHORT, settings=settings, **options)


@pytest.mark.parametrize("metric", ["bleu", "ter", "chrf"])
@pytest.mark.parametrize("method", ["mert", "pro", "mira"])
def test_every_method_gets_lengths_right(method: str, metric: str) -> None:
    report = tuned(f"tune.method={method}", f"tune.metric={metric}")
    assert report.start.length < 0.9
    # Half a percent beyond is what one sentence of so few may make.
    assert abs(report.best.length - 1) <= 0.025
    # The ratio of an iterate is that of decoding with it.
    found = Stretchy().n_best(SENTENCES, report.best.weights, 1, threads=1, progress=None)
    words = sum(len(tune.first_words(own)) for own in found)
    assert report.best.length == pytest.approx(words / (SIZE * LENGTH))


def test_lengths_are_left_alone_if_the_settings_say_so() -> None:
    report = tuned("tune.metric=ter", "tune.length_tolerance=1")
    assert all(iteration.note != "word-penalty" for iteration in report.iterations)
    assert report.best.score == max(iteration.score for iteration in report.iterations)


def test_an_interrupted_line_search_goes_on_where_it_stopped(tmp_path: Path) -> None:
    options = ("tune.metric=ter", "tune.iterations=1")
    whole = tuned(*options)
    assert whole.iterations[-1].note == "word-penalty"

    class StopsError(Exception):
        pass

    def stop(iteration: tune.Iteration) -> None:
        if iteration.number == 3:
            raise StopsError

    with pytest.raises(StopsError):
        tuned(*options, directory=tmp_path, tell=stop)
    system = Stretchy()
    again = tuned(*options, directory=tmp_path, system=system)
    assert [(i.weights, i.score) for i in again.iterations] == [
        (i.weights, i.score) for i in whole.iterations
    ]
    assert system.decoded == len(whole.iterations) - 3


def test_a_new_feature_begins_with_the_weight_that_regression_finds(tmp_path: Path) -> None:
    plain = tuned("tune.iterations=1", "tune.length_tolerance=1")
    system = Stretchy()
    report = tuned(
        "tune.iterations=1",
        "tune.length_tolerance=1",
        estimate=["new"],
        directory=tmp_path,
        system=system,
    )
    assert len(report.iterations) == len(plain.iterations) + 1
    given, begun = report.iterations[:2]
    assert given.weights == SHORT
    assert given.note == "estimated new"
    assert begun.weights["good"] == SHORT["good"]
    assert begun.weights["new"] > 1  # a unit of it holds ten right words
    # Two points for each word are made good by the word penalty.
    change = begun.weights["word-penalty"] - SHORT["word-penalty"]
    assert change == pytest.approx(2 * begun.weights["new"], rel=0.05)
    assert abs(begun.length - given.length) < 0.1
    alone = {**SHORT, "new": begun.weights["new"]}
    long = Stretchy().n_best(SENTENCES, alone, 1, threads=1, progress=None)
    assert length_ratio([tune.first_words(own) for own in long], REFERENCES) > 1.3
    again = Stretchy()
    tuned(
        "tune.iterations=1",
        "tune.length_tolerance=1",
        estimate=["new"],
        directory=tmp_path,
        system=again,
    )
    assert again.decoded == 0


class Trapped(Stretchy):
    """Has wrong translations too, so bad by `good` that the first lists do not show them.

    Among what these show, `new` tells what is right; the wrong ones have more of it than any.
    """

    def __init__(self) -> None:
        super().__init__()
        words = [f"x{w}" for w in range(LENGTH)]
        trap: Candidate = (words, [(0, -50.0), (1, -float(LENGTH)), (2, 100.0)])
        self.lists = [[*found, trap] for found in self.lists]


def test_tuning_begins_with_an_estimated_weight_only_if_it_is_better() -> None:
    def share(system: Stretchy) -> float:
        """Of `new` in the first learnt weights, where next to nothing is learnt."""
        options = ("tune.mira.c=1e-9", "tune.iterations=2")
        _, begun, learnt = tuned(*options, estimate=["new"], system=system).iterations[:3]
        assert begun.weights["new"] > 1
        return learnt.weights["new"] / learnt.weights["good"]

    assert share(Stretchy()) > 1
    assert share(Trapped()) < 0.5


def test_the_length_ratio_takes_the_closest_reference_and_of_two_the_shorter() -> None:
    def words(count: int) -> list[str]:
        return ["w"] * count

    two = [[words(4), words(8)]]
    for length, closest in ((1, 4), (5, 4), (6, 4), (7, 8), (12, 8)):
        assert length_ratio([words(length)], two) == length / closest
    assert length_ratio([words(5), words(3)], [[words(4)], [words(6)]]) == 0.8
    assert length_ratio([words(5)], [[[]]]) == 1.0


def test_a_penalty_between_two_gives_the_length_between_them() -> None:
    short = ({"lm": 0.4, "word-penalty": -1.0}, 0.94)
    long = ({"lm": 0.4, "word-penalty": -2.0}, 1.04)
    # At the nearer end of what is tolerated: 0.98 is four tenths of the way.
    assert penalty_between(short, long, 0.02) == pytest.approx({"lm": 0.4, "word-penalty": -1.4})
    assert penalty_between(long, short, 0.02) == pytest.approx({"lm": 0.4, "word-penalty": -1.8})
    for near in (0.985, 0.977, 1.01):
        assert penalty_between(({"word-penalty": -1.0}, near), long, 0.02) is None


class Jumpy(Stretchy):
    """Answers twice as much to the word penalty as its lists show."""

    def n_best(
        self,
        sentences: Sequence[Sequence[str]],
        weights: Mapping[str, float],
        k: int,
        *,
        threads: int,
        progress: Progress | None,
    ) -> Sequence[Candidates]:
        penalty = 2 * weights["word-penalty"] - SHORT["word-penalty"]
        jumped = {**weights, "word-penalty": penalty}
        return super().n_best(sentences, jumped, k, threads=threads, progress=progress)


def test_a_word_penalty_that_goes_too_far_is_taken_back_in_part() -> None:
    report = tuned("tune.iterations=1", system=Jumpy())
    base, _, far, between = report.iterations
    assert base.length < 0.98
    assert far.length > 1.02
    penalties = [it.weights["word-penalty"] for it in (far, between, base)]
    assert penalties == sorted(penalties)
    assert abs(between.length - 1) < min(abs(base.length - 1), abs(far.length - 1))
    assert report.best is between
