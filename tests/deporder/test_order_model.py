"""The order model: equal to its definition, on random treebanks and on ones to look at."""

import pickle
from pathlib import Path

import pytest
from deporder_oracle import Options, OrderOracle, Tree, Word
from headway import ConfigError, FormatError, InputError, ModelError, deporder
from headway.deporder import AlignedTrees, OrderModel
from hypothesis import given, settings
from hypothesis import strategies as st
from treebanks import treebank

LONGEST = 4
Corpus = tuple[list[Tree], list[tuple[Tree, Tree, list[tuple[int, int]]]]]


def conllu(trees: list[Tree]) -> str:
    blocks = []
    for tree in trees:
        rows = [f"{n}\t{w}\t_\t_\t_\t_\t{h}\t{k}\t_\t_\n" for n, (w, h, k) in enumerate(tree, 1)]
        blocks.append("".join(rows) + "\n")
    return "".join(blocks)


@st.composite
def trees(draw: st.DrawFn, words: str, labels: list[str]) -> Tree:
    """Heads of any shape but mostly trees: words take heads among those drawn before them."""
    length = draw(st.integers(1, 7))
    order = draw(st.permutations(range(1, length + 1)))
    heads = dict.fromkeys(order, 0)
    for place, word in enumerate(order[1:], 1):
        heads[word] = order[draw(st.integers(0, place - 1))]
    if draw(st.integers(0, 7)) == 0:
        heads[order[0]] = order[-1]  # a cycle, or a word that is its own head
    form, label = st.sampled_from(words), st.sampled_from(labels)
    return [Word(draw(form), heads[word], draw(label)) for word in range(1, length + 1)]


@st.composite
def corpora(draw: st.DrawFn) -> Corpus:
    target = trees("abc,", ["x", "y", "z:1"])
    pairs = []
    for source, translation in draw(
        st.lists(st.tuples(trees("pq.", ["S", "T", "x"]), target), max_size=4)
    ):
        link = st.tuples(st.integers(0, len(source) - 1), st.integers(0, len(translation) - 1))
        pairs.append((source, translation, sorted(draw(st.sets(link, max_size=12)))))
    return draw(st.lists(target, min_size=1, max_size=5)), pairs


def estimated(folder: Path, corpus: Corpus, options: Options) -> OrderModel:
    bank, pairs = corpus
    (folder / "trees").write_text(conllu(bank))
    (folder / "source").write_text(conllu([source for source, _, _ in pairs]))
    (folder / "target").write_text(conllu([target for _, target, _ in pairs]))
    lines = [" ".join(f"{i}-{j}" for i, j in links) + "\n" for _, _, links in pairs]
    (folder / "links").write_text("".join(lines))
    aligned = AlignedTrees(folder / "source", folder / "target", folder / "links")
    deporder.estimate(
        folder / "trees", folder / "model", pairs=aligned if pairs else None, **options._asdict()
    )
    return OrderModel.open(folder / "model")


@settings(max_examples=100)
@given(corpora(), st.tuples(*[st.booleans()] * 3))
def test_it_is_what_the_definition_says(
    tmp_path_factory: pytest.TempPathFactory,
    corpus: Corpus,
    switches: tuple[bool, bool, bool],
) -> None:
    options = Options(*switches, LONGEST)
    oracle = OrderOracle(*corpus, options)
    folder = tmp_path_factory.mktemp("model")
    if not oracle.events:
        with pytest.raises(ConfigError, match="no dependencies"):
            estimated(folder, corpus, options)
        return
    model = estimated(folder, corpus, options)
    assert set(model.labels) == oracle.labels
    offsets = [n for n in range(-LONGEST, LONGEST + 1) if n]
    contexts = [(None, None, 1), ("a", "b", 1), ("b", "a", 2), (None, "c", 3), ("a", "?", 9)]
    contexts += [(e.governor, e.dependent, e.size) for e in oracle.events[:3]]
    for governor, dependent, size in contexts:
        for label in oracle.labels:
            found = model.offsets(label, governor, dependent, size)
            wanted = {n: oracle.probability(label, n, governor, dependent, size) for n in offsets}
            assert found == pytest.approx(wanted, rel=1e-5)
            assert sum(found.values()) == pytest.approx(1, abs=1e-6)
        for label in ("S", "T", "x", "S:2", "new"):
            found = model.offsets(label, governor, dependent, size, source=True)
            wanted = {n: oracle.mixture(label, n, governor, dependent, size) for n in offsets}
            assert found == pytest.approx(wanted, rel=1e-4)
    for label in ("S", "T", "x", "S:2", "new"):
        assert model.normalised(label) == pytest.approx(oracle.normalised(label))


@pytest.fixture(scope="module")
def english(tmp_path_factory: pytest.TempPathFactory) -> OrderModel:
    folder = tmp_path_factory.mktemp("english")
    (folder / "trees").write_text(treebank(1, 200))
    found = deporder.estimate(folder / "trees", folder / "english.order")
    assert (found.trees, found.cyclic, found.pairs, found.labels) == (200, 0, 0, 6)
    return OrderModel.open(folder / "english.order")


def test_subjects_precede_and_objects_follow(english: OrderModel) -> None:
    assert max(english.offsets("nsubj").items(), key=lambda item: item[1])[0] == -1
    assert max(english.offsets("obj").items(), key=lambda item: item[1])[0] == 1
    # Up to two adjectives come between an article and its noun, each as often as the others.
    near = [english.probability("det", -distance) for distance in (1, 2, 3)]
    assert all(0.25 < probability < 0.4 for probability in near)
    assert max(english.probability("det", offset) for offset in (-4, 1, 2, 3)) < 0.02
    assert english.probability("obj", 1, "sees", "dog") > 0.9
    # Far offsets are one event.
    assert english.probability("obj", 99) == english.probability("obj", 20)


def test_it_prints_briefly_and_travels_by_its_path(english: OrderModel) -> None:
    assert repr(english).startswith("<OrderModel ")
    assert "6 labels, 16 words, " in repr(english)
    again = pickle.loads(pickle.dumps(english))  # noqa: S301
    assert again.offsets("det", "dog", "the") == english.offsets("det", "dog", "the")


def test_wrong_questions_are_named(english: OrderModel) -> None:
    with pytest.raises(ConfigError, match="no label 'nsub'; did you mean nsubj"):
        english.probability("nsub", 1)
    with pytest.raises(ConfigError, match=r"no label '\?'; it has det, "):
        english.offsets("?")
    with pytest.raises(ConfigError, match="offset 0"):
        english.probability("det", 0)
    with pytest.raises(ConfigError, match="size 0"):
        english.offsets("det", size=0)


def test_files_that_cannot_be_used(english: OrderModel, tmp_path: Path) -> None:
    whole = english.path.read_bytes()
    broken = tmp_path / "broken"
    newer = whole[:16] + b"\x63" + whole[17:]
    for content, message in (
        (whole[:-1], "build the file again"),
        (whole[:30], "cut short"),
        (b"", "not a headway order file"),
        (b"1\tthe\n", "not a headway order file"),
        (newer, "made by a newer headway"),
        (whole[:-9] + b"\xff" + whole[-8:], "damaged"),
    ):
        broken.write_bytes(content)
        with pytest.raises(ModelError, match=message) as caught:
            OrderModel.open(broken)
        assert str(caught.value).startswith(str(broken))
    with pytest.raises(InputError, match="no such file"):
        OrderModel.open(tmp_path / "none")
    with pytest.raises(InputError, match="is a directory"):
        OrderModel.open(tmp_path)


def test_training_data_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("")
    (tmp_path / "text").write_text("just text\n")
    (tmp_path / "good").write_text(treebank(1, 3))
    (tmp_path / "links").write_text("0-0\n0-0\n")
    out = tmp_path / "model"
    with pytest.raises(ConfigError, match="no dependencies"):
        deporder.estimate(tmp_path / "empty", out)
    with pytest.raises(FormatError, match=r"text:1: expected 10 columns"):
        deporder.estimate(tmp_path / "text", out)
    with pytest.raises(ConfigError, match="1 to 1000"):
        deporder.estimate(tmp_path / "good", out, longest=0)
    pairs = AlignedTrees(tmp_path / "good", tmp_path / "good", tmp_path / "links")
    with pytest.raises(FormatError, match=r"good:\d+: no partner: .*links ends after 2"):
        deporder.estimate(tmp_path / "good", out, pairs=pairs)
    with pytest.raises(TypeError, match="no argument lexicalised; did you mean lexical"):
        deporder.estimate(tmp_path / "good", out, lexicalised=True)  # type: ignore[call-arg]
    assert not out.exists()
