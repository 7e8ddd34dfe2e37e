"""Moses' own hierarchical model, imported: its features and its best scores."""

from pathlib import Path

import pytest
from headway import _core
from moses_hiero import Entry, MosesHiero


@pytest.fixture(scope="module")
def moses(peers: Path, tmp_path_factory: pytest.TempPathFactory) -> MosesHiero:
    return MosesHiero.load(peers, tmp_path_factory.mktemp("moses") / "hiero")


def translate(moses: MosesHiero, n_best: int = 0, **search: object) -> list[_core.Translation]:
    return moses.decoder(**search).translate(
        moses.sentences, threads=0, n_best=n_best, distinct=True, forests=False, progress=None
    )


@pytest.mark.parametrize(("ours", "theirs"), [(500, 200), (1000, 1000)])
def test_best_scores_are_no_worse_than_those_of_moses(
    moses: MosesHiero, ours: int, theirs: int
) -> None:
    expected: dict[int, float] = {}
    for entry in moses.entries(theirs):
        expected.setdefault(entry.number, entry.score)
    found = [t.score for t in translate(moses, pop_limit=ours, hope=0.25)]
    mean = sum(expected.values()) / len(expected)
    assert mean + moses.constant == pytest.approx({200: -18.1237, 1000: -18.1162}[theirs], abs=1e-4)
    assert sum(found) / len(found) >= mean - 1e-3 / 2
    worse = [number for number, score in enumerate(found) if score < expected[number] - 2e-3]
    assert len(worse) <= 2, worse


@pytest.mark.parametrize("pops", [200, 1000])
def test_features_of_moses_n_best_lists_agree(moses: MosesHiero, pops: int) -> None:
    lists = translate(moses, n_best=1000, pop_limit=3000, stack=1000, hope=0.25)
    ours = [{tuple(one.words): one for one in reversed(found.n_best)} for found in lists]
    same = better = worse = 0
    entries = list(moses.entries(pops))
    for entry in entries:
        found = ours[entry.number].get(entry.words)
        if found is None:
            continue
        # What depends on the words alone agrees whatever the derivation is.
        for name in ("lm", "word-penalty"):
            assert found.features[name] == pytest.approx(entry.features[name], abs=1e-3)
        if found.score > entry.score + 2e-3:
            better += 1
        elif found.score < entry.score - 2e-3:  # its derivation is not among those kept
            worse += 1
        else:
            same += 1
            check(entry, found)
    assert same > 0.93 * len(entries), (same, better, worse, len(entries))
    assert same + better > 0.985 * len(entries)


def check(entry: Entry, found: _core.Translation) -> None:
    """The same derivation: every feature is as Moses has it."""
    for name, value in entry.features.items():
        assert found.features[name] == pytest.approx(value, abs=1e-3), (entry, name)
