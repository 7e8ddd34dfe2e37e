"""The tuning loop, over a system whose right answer is known."""

import dataclasses
import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from headway import ConfigError, Settings, _core, tune
from headway.cli.tune import verdict
from headway.progress import Progress
from headway.tune import Candidates, choose_limit, degenerate

FEATURES = ["good", "bad", "noise"]
SIZE = 30


class Toy:
    """Candidates with k of 6 words right score k on `good`, -k on `bad`, and chance on `noise`.

    Only the k best under the weights are seen, so that the pool has to grow.
    """

    features = FEATURES

    def __init__(self, limit: int = 6) -> None:
        self.search: Mapping[str, Any] = {"distortion_limit": limit}
        self.decoded = 0
        chance = random.Random(7)
        self.lists = [[self._candidate(n, chance) for _ in range(60)] for n in range(SIZE)]

    def _candidate(
        self, number: int, chance: random.Random
    ) -> tuple[list[str], list[tuple[int, float]]]:
        right = chance.randrange(7)
        words = [f"r{number}-{w}" if w < right else f"x{chance.random()}" for w in range(6)]
        values = [right + chance.gauss(0, 0.3), -right + chance.gauss(0, 0.3), chance.gauss(0, 3)]
        return words, list(enumerate(values))

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
        scale = 1.0 if self.search["distortion_limit"] == 12 else 0.0

        def score(candidate: tuple[list[str], list[tuple[int, float]]]) -> float:
            own = sum(weights[FEATURES[f]] * v for f, v in candidate[1])
            return own + scale * candidate[1][0][1]

        known = self.known()
        lists = [known[int(words[0])] for words in sentences]
        return [sorted(found, key=score, reverse=True)[:k] for found in lists]

    def known(self) -> list[list[tuple[list[str], list[tuple[int, float]]]]]:
        """All translations of each sentence, asked for once in a round."""
        return self.lists

    def forests(self, *args: object, **kwargs: object) -> Sequence[_core.Forest]:
        raise NotImplementedError

    def with_search(self, changes: Mapping[str, Any]) -> "Toy":
        return Toy(changes["distortion_limit"])


SENTENCES = [[str(number)] for number in range(SIZE)]
REFERENCES = [[[f"r{number}-{w}" for w in range(6)]] for number in range(SIZE)]
START = {"good": 0.1, "bad": 0.3, "noise": 0.5}


def chosen(*overrides: str) -> Settings:
    fixed = ["tune.n_best=8", "tune.search.distortion_limits=[]", "run.threads=2"]
    return Settings.load(None, [*fixed, *overrides])


@pytest.mark.parametrize("metric", ["bleu", "ter", "chrf", "bleu-ter"])
@pytest.mark.parametrize("method", ["mert", "pro", "mira"])
def test_every_method_finds_what_is_good(method: str, metric: str) -> None:
    settings = chosen(f"tune.method={method}", f"tune.metric={metric}", "tune.iterations=6")
    report = tune.tune(Toy(), SENTENCES, REFERENCES, START, settings=settings)
    assert report.improved
    assert report.best.score > report.start.score + 10
    weights = report.best.weights
    assert weights["good"] - weights["bad"] > 3 * abs(weights["noise"])
    assert degenerate(weights) is None
    # The score of an iterate is that of decoding with it.
    found = Toy().n_best(SENTENCES, weights, 1, threads=1, progress=None)
    lines = [" ".join(tune.first_words(candidates)) for candidates in found]
    rows = _core.metric_statistics(metric, lines, [[" ".join(r[0]) for r in REFERENCES]])
    sums = [sum(column) for column in zip(*rows, strict=True)]
    assert report.best.score == pytest.approx(_core.metric_scores(metric, [sums])[0])


def test_the_same_seed_gives_the_same_weights_for_any_number_of_threads() -> None:
    def weights(*overrides: str) -> Mapping[str, float]:
        settings = chosen("tune.iterations=3", *overrides)
        return tune.tune(Toy(), SENTENCES, REFERENCES, START, settings=settings).best.weights

    assert weights() == weights() == weights("run.threads=1")


def test_an_interrupted_tuning_goes_on_where_it_stopped(tmp_path: Path) -> None:
    settings = chosen("tune.iterations=4")
    whole = tune.tune(Toy(), SENTENCES, REFERENCES, START, settings=settings)

    class StopsError(Exception):
        pass

    def stop(iteration: tune.Iteration) -> None:
        if iteration.number == 2:
            raise StopsError

    with pytest.raises(StopsError):
        tune.tune(
            Toy(), SENTENCES, REFERENCES, START, settings=settings, directory=tmp_path, tell=stop
        )
    toy = Toy()
    again = tune.tune(toy, SENTENCES, REFERENCES, START, settings=settings, directory=tmp_path)
    assert [i.weights for i in again.iterations] == [i.weights for i in whole.iterations]
    assert [i.score for i in again.iterations] == [i.score for i in whole.iterations]
    assert toy.decoded == len(whole.iterations) - 2
    # Other settings begin anew.
    other, changed = Toy(), chosen("tune.iterations=4", "run.seed=9")
    tune.tune(other, SENTENCES, REFERENCES, START, settings=changed, directory=tmp_path)
    assert other.decoded >= 2
    (tmp_path / "tuning.json").write_text("{", encoding="utf-8")
    with pytest.raises(ConfigError, match="not what a tuning wrote; remove"):
        tune.tune(Toy(), SENTENCES, REFERENCES, START, settings=settings, directory=tmp_path)


class Tiring(Toy):
    """Finds other translations every time, and after a time worse ones."""

    def __init__(self, good: int) -> None:
        super().__init__()
        self.good = good

    def known(self) -> list[list[tuple[list[str], list[tuple[int, float]]]]]:
        if self.decoded > self.good:
            new = f"new{self.decoded}"
            return [[([new, *words[1:]], it) for words, it in own] for own in self.lists]
        return self.lists


def test_tuning_ends_when_nothing_gets_better() -> None:
    settings = chosen("tune.iterations=30", "tune.patience=3")
    report = tune.tune(Tiring(2), SENTENCES, REFERENCES, START, settings=settings)
    assert report.best is report.iterations[1]
    assert len(report.iterations) == 2 + 3
    assert report.iterations[-1].note == "no better for 3 iterations"


def test_mira_is_regularised_towards_its_start_the_less_the_more_it_gains() -> None:
    def after(prior: float, rounds: int) -> list[tune.Iteration]:
        settings = chosen(f"tune.iterations={rounds}", f"tune.mira.prior={prior}")
        return tune.tune(Toy(), SENTENCES, REFERENCES, START, settings=settings).iterations

    free, half, some = after(0, 1)[1], after(1e9, 1)[1], after(1, 4)
    pool = _core.TuningPool("bleu", REFERENCES, len(FEATURES))
    pool.merge(Toy().n_best(SENTENCES, START, 8, threads=1, progress=None))
    learnt = [free.weights[name] for name in FEATURES]
    wanted = pool.regularised([*START.values()], learnt, None, strength=1.0)
    assert [half.weights[name] for name in FEATURES] == pytest.approx(wanted, abs=1e-6)
    assert START["noise"] > half.weights["noise"] > free.weights["noise"]
    # A gain of dozens of points is worth more than one of the start.
    assert max(iteration.score for iteration in some) > some[0].score + 20
    assert some[-1].weights["good"] > half.weights["good"]


def test_small_gains_do_not_keep_tuning_going_but_are_kept() -> None:
    settings = chosen("tune.iterations=30", "tune.patience=3", "tune.gain=1000")
    report = tune.tune(Tiring(2), SENTENCES, REFERENCES, START, settings=settings)
    assert report.best is report.iterations[1]
    assert len(report.iterations) == 1 + 3


def test_weights_that_cannot_be_improved_are_kept() -> None:
    settings = chosen("tune.iterations=2")
    best = {"good": 1.0, "bad": -1.0, "noise": 0.001}
    report = tune.tune(Tiring(1), SENTENCES, REFERENCES, best, settings=settings)
    assert report.best is report.start
    assert not report.improved


class Speechless(Toy):
    """Has one translation of each sentence."""

    def known(self) -> list[list[tuple[list[str], list[tuple[int, float]]]]]:
        return [own[:1] for own in self.lists]


@pytest.mark.parametrize("method", ["mert", "pro", "mira"])
def test_where_there_is_nothing_to_choose_from_the_start_is_kept(method: str) -> None:
    settings = chosen(f"tune.method={method}")
    report = tune.tune(Speechless(), SENTENCES, REFERENCES, START, settings=settings)
    assert report.best is report.start
    assert report.start.weights == START


def test_degenerate_weights_of_an_optimiser_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("headway.tune.loop.optimise", lambda *_, **__: ([0.0, 0.0, 0.0], 99.0))
    report = tune.tune(Toy(), SENTENCES, REFERENCES, START, settings=chosen())
    assert [iteration.note for iteration in report.iterations] == ["refused: all weights are 0"]
    assert report.best.weights == START


def test_a_tuning_with_other_rounds_goes_on_as_if_it_were_new(tmp_path: Path) -> None:
    limits = "tune.search.distortion_limits=[4,6,12,-1]"
    for rounds in (4, 1, 4):
        settings = chosen(f"tune.iterations={rounds}", limits)
        fresh = tune.tune(Toy(), SENTENCES, REFERENCES, START, settings=settings)
        kept = tune.tune(Toy(), SENTENCES, REFERENCES, START, settings=settings, directory=tmp_path)
        assert [(i.score, i.search) for i in kept.iterations] == [
            (i.score, i.search) for i in fresh.iterations
        ]


def test_the_verdict_says_when_only_search_changed() -> None:
    settings = chosen("tune.iterations=2")
    report = tune.tune(Toy(), SENTENCES, REFERENCES, START, settings=settings)
    assert verdict(report) == f"{report.start.score:.2f} before, {report.best.score:.2f} after"
    start = dataclasses.replace(report.start, search={"distortion_limit": 12})
    only = dataclasses.replace(report, iterations=[start])
    assert verdict(only).endswith("only search changed: distortion_limit is now 12")
    none = dataclasses.replace(report, iterations=[report.start])
    assert "did not improve on the weights it began with" in verdict(none)


def test_the_distortion_limit_that_suits_is_chosen() -> None:
    limits = "tune.search.distortion_limits=[4,6,12,-1]"
    settings = chosen("tune.iterations=2", limits, "tune.search.after=0")
    report = tune.tune(Toy(), SENTENCES, REFERENCES, START, settings=settings)
    assert report.search == {"distortion_limit": 12}
    assert [trial.limit for trial in report.trials] == [6, 4, 12, -1]
    assert [trial.chosen for trial in report.trials] == [False, False, True, False]
    assert report.best.search == {"distortion_limit": 12}


@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        ("", [0, 1, 2, 3, 4, 5]),
        ("tune.search.sentences=3", [0, 2, 4]),
        ("tune.search.words=8", [0, 2, 4]),  # 2 + 3 + 3 words; all have 33
        ("tune.search.words=7", [0, 3]),
        ("tune.search.words=1", [0]),
    ],
)
def test_limits_are_tried_on_evenly_spread_sentences(limits: str, expected: list[int]) -> None:
    seen = []

    def score(system: object, places: Sequence[int]) -> float:
        seen.append(list(places))
        return 1.0

    settings = chosen("tune.search.distortion_limits=[4]", *filter(None, [limits])).tune.search
    choose_limit(Toy(), score, [2, 9, 3, 5, 3, 11], settings)
    assert seen == [expected, expected]


@pytest.mark.parametrize(
    ("weights", "reason"),
    [
        ({"a": float("nan"), "b": 1.0}, "the weight of a is nan"),
        ({"a": 0.0, "b": 0.0}, "all weights are 0"),
        ({"a": 1e5, "b": 1.0, "c": 1.0}, "the weight of a is more than 100 times that of all"),
        ({"a": 1.0, "b": 0.0, "c": 0.0}, "the weight of a is more than 100 times that of all"),
    ],
)
def test_degenerate_weights_have_a_reason(weights: dict[str, float], reason: str) -> None:
    found = degenerate(weights)
    assert found is not None
    assert found.startswith(reason)


def test_few_large_weights_beside_thousands_of_small_ones_can_be_meant() -> None:
    sparse = {f"word{number}": 2e-4 for number in range(2000)}
    assert degenerate({"lm": 0.5, "p": 0.3, **sparse}) is None


def test_bad_input_is_refused_in_words() -> None:
    def run(**changes: Any) -> None:
        given = {"sentences": SENTENCES, "references": REFERENCES, "weights": START, **changes}
        tune.tune(Toy(), settings=chosen(), **given)

    with pytest.raises(ConfigError, match="dev set is empty"):
        run(sentences=[], references=[])
    with pytest.raises(ConfigError, match="references for 1 sentences, expected 30"):
        run(references=REFERENCES[:1])
    with pytest.raises(ConfigError, match="no weight for noise"):
        run(weights={"good": 1.0, "bad": 1.0})
    with pytest.raises(ConfigError, match="all weights are 0"):
        run(weights=dict.fromkeys(FEATURES, 0.0))
    with pytest.raises(ConfigError, match="learns from n-best lists"):
        tune.tune(
            Toy(),
            SENTENCES,
            REFERENCES,
            START,
            settings=chosen("tune.method=pro", "tune.forests=true"),
        )
    with pytest.raises(ConfigError, match=r"tune\.method"):
        chosen("tune.method=magic")


def test_the_drawing_is_xml_with_a_point_for_each_iteration() -> None:
    from xml.etree import ElementTree

    settings = chosen("tune.iterations=3")
    report = tune.tune(Toy(), SENTENCES, REFERENCES, START, settings=settings)
    drawing = ElementTree.fromstring(tune.plot_svg(report))  # noqa: S314
    points = drawing.findall("{http://www.w3.org/2000/svg}circle")
    assert len(points) == len(report.iterations)


def test_forests_and_lists_agree_on_what_is_best() -> None:
    """MERT over two derivations of one sentence, given as a forest."""
    forest = {
        "format": "headway-forest-1",
        "features": ["f", "g"],
        "weights": {"f": 1, "g": 1},
        "source": ["ein", "Haus"],
        "goal": 1,
        "nodes": [{"covered": []}, {"covered": [0, 1]}],
        "edges": [
            {"head": 0},
            {"head": 1, "tails": [0], "target": [0, "a", "house"], "features": {"f": 1, "g": -2}},
            {"head": 1, "tails": [0], "target": [0, "one", "home"], "features": {"f": 2, "g": 1}},
        ],
    }
    forests = _core.TuningForests("ter", [[["a", "house"]]], 2)
    forests.merge([_core.Forest.from_json(json.dumps(forest))])
    assert forests.score([1.0, 1.0]) == -100
    weights, score = forests.mert([[1.0, 1.0]], random_starts=5, directions=2, rounds=5, seed=1)
    assert score == 0
    assert forests.score(weights) == 0
