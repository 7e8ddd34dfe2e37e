"""Moses' own model, imported: its features and its best scores."""

from pathlib import Path

import pytest
from moses_model import MosesModel

LISTS = {"deen": "nbest50.cube1000", "jaen": "nbest20.cube5000"}


@pytest.fixture(scope="module", params=["deen", "jaen"])
def moses(
    peers: Path, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> tuple[str, MosesModel]:
    pair: str = request.param
    return pair, MosesModel.load(peers, pair, tmp_path_factory.mktemp("moses"))


def test_every_feature_of_moses_n_best_lists_agrees(moses: tuple[str, MosesModel]) -> None:
    pair, model = moses
    decoder = model.decoder()
    seen = 0
    for number, derivation, expected, _ in model.n_best(LISTS[pair]):
        found = decoder.score(model.sentences[number], derivation)
        for name, value in expected.items():
            assert abs(found[name] - value) < 1e-3, (number, name)
        seen += 1
    assert seen > 3000


@pytest.mark.parametrize(
    ("pair", "name", "settings"),
    [
        ("deen", "cube400", ("pop_limit=400", "stack=400")),
        ("deen", "cube1000", ("pop_limit=1000", "stack=1000")),
        ("deen", "stack200", ("algorithm=stack", "stack=200")),
        ("jaen", "cube400", ("pop_limit=400", "stack=400")),
        ("jaen", "cube1000", ("pop_limit=1000", "stack=1000")),
        ("jaen", "stack200", ("algorithm=stack", "stack=200")),
    ],
)
def test_best_scores_are_no_worse_than_those_of_moses(
    moses: tuple[str, MosesModel], pair: str, name: str, settings: tuple[str, ...]
) -> None:
    if moses[0] != pair:
        pytest.skip("the other model's turn")
    model = moses[1]
    found = [t.score for t in model.decoder(*settings).translate(model.sentences)]
    expected = model.best(name)
    worse = [n for n, (a, b) in enumerate(zip(found, expected, strict=True)) if a < b - 1e-3]
    assert sum(found) >= sum(expected) - 1e-3 * len(expected) / 2
    assert len(worse) <= 0.02 * len(found), worse
