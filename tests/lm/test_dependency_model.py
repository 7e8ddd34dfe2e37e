"""The dependency language model: equal to the paper's formula, whichever way a tree is built."""

import json
import math
from pathlib import Path

import pytest
from conftest import Headway
from headway import ConfigError, FormatError, InputError, ModelError, lm
from headway.lm import DependencyModel
from headway.trees import DependencyTree
from hypothesis import given
from hypothesis import strategies as st
from kneser_ney_oracle import query, read_arpa
from treebanks import tagless

TREES = [
    # the boy will find it interesting (Figure 1 of the paper)
    (["the", "boy", "will", "find", "it", "interesting"], [2, 4, 4, 0, 4, 4]),
    (["the", "girl", "will", "see", "the", "boy"], [2, 4, 4, 0, 6, 4]),
    (["find", "it"], [0, 1]),
    (["it"], [0]),
]


def tree(forms: list[str], heads: list[int]) -> DependencyTree:
    return DependencyTree(forms, heads)


@pytest.fixture(scope="module", params=[2, 3, 4])
def directory(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("deplm")
    (folder / "trees.conllu").write_text(tagless(TREES * 3))
    lm.train_dependency(folder / "trees.conllu", folder / "model", order=request.param, arpa=True)
    return folder / "model"


def literal_score(directory: Path, forms: list[str], heads: list[int], *, stop: bool) -> float:
    """The formula of §5.4, with the three ARPA files taken literally."""
    arpa = {}
    for name in ("roots", "left", "right"):
        with (directory / f"{name}.arpa").open() as lines:
            arpa[name] = read_arpa(lines)
    order = max(map(len, arpa["left"]))

    def known(name: str, word: str) -> str:
        return word if (word,) in arpa[name] else "<unk>"

    total = sum(
        math.log(query(arpa["roots"], (), known("roots", form)))
        for form, head in zip(forms, heads, strict=True)
        if head == 0
    )
    for place, form in enumerate(forms, 1):
        children = [child for child, head in enumerate(heads, 1) if head == place]
        sides = {
            "left": [child for child in reversed(children) if child < place],
            "right": [child for child in children if child > place],
        }
        for name, side in sides.items():
            words = [known(name, forms[child - 1]) for child in side] + ["</s>"] * stop
            before = [known(name, f"<head>{form}")]
            for word in words:
                total += math.log(query(arpa[name], tuple(before[1 - order :]), word))
                before.append(word)
    return total


@given(forms=st.lists(st.sampled_from(["the", "boy", "find", "zz"]), min_size=1, max_size=6),
       numbers=st.lists(st.integers(0, 6), min_size=6, max_size=6), stop=st.booleans())  # fmt: skip
def test_any_head_array_scores_as_the_formula_says(
    directory: Path, forms: list[str], numbers: list[int], stop: bool
) -> None:
    heads = [number % (len(forms) + 1) for number in numbers[: len(forms)]]
    heads = [0 if head == place else head for place, head in enumerate(heads, 1)]
    model = DependencyModel.load(directory, stop=stop)
    expected = literal_score(directory, forms, heads, stop=stop)
    assert model.score(tree(forms, heads)) == pytest.approx(expected, abs=1e-4)


def test_the_papers_example_is_built_in_two_ways(directory: Path) -> None:
    model = DependencyModel.load(directory)
    forms, heads = TREES[0]
    the, boy, will, find, it, interesting = map(model.leaf, forms)
    total = 0.0

    def join(operation: str, first: object, second: object) -> object:
        nonlocal total
        answer = model.combine(operation, first, second)  # type: ignore[arg-type]
        assert answer is not None
        total += answer[1]
        return answer[0]

    the_boy = join("left-adjoin", the, boy)
    head = join("left-adjoin", will, find)
    head = join("left-adjoin", the_boy, head)
    head = join("right-adjoin", head, it)
    one = join("right-adjoin", head, interesting)
    first_total, total = total, 0.0

    the_boy = join("left-adjoin", the, boy)
    floating = join("left-concatenate", the_boy, will)
    objects = join("right-concatenate", it, interesting)
    head = join("right-adjoin", find, objects)
    other = join("left-adjoin", floating, head)
    assert one == other
    assert hash(one) == hash(other)
    assert total == pytest.approx(first_total, abs=1e-5)
    finish = model.finish(one)  # type: ignore[arg-type]
    assert finish is not None
    assert total + finish == pytest.approx(model.score(tree(forms, heads)), abs=1e-5)
    assert model.finish(floating) is None  # type: ignore[arg-type]
    assert model.combine("left-adjoin", objects, find) is None  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="expected one of left-adjoin"):
        model.combine("adjoin", find, it)


def test_children_sum_to_one(directory: Path) -> None:
    with (directory / "left.arpa").open() as lines:
        entries = read_arpa(lines)
    words = [w for (w,) in (n for n in entries if len(n) == 1) if not w.startswith("<head>")]
    for context in [("<head>find",), ("<head>boy",), ("will",), ()]:
        predicted = (word for word in words if word != "<s>")
        total = sum(query(entries, context, word) for word in predicted)
        assert total == pytest.approx(1.0, abs=1e-4)


def test_binary_and_text_score_alike(directory: Path, tmp_path: Path) -> None:
    path = tmp_path / "t.conllu"
    path.write_text(tagless(TREES * 3))
    order = DependencyModel.load(directory).order
    lm.train_dependency(path, tmp_path / "binary", order=order)
    text = DependencyModel.load(directory).score_file(path)
    binary = DependencyModel.load(tmp_path / "binary").score_file(path)
    assert [words for _, words in binary] == [len(forms) for forms, _ in TREES * 3]
    assert [s for s, _ in binary] == pytest.approx([s for s, _ in text], abs=1e-5)


def test_lower_case_is_remembered(tmp_path: Path) -> None:
    path = tmp_path / "t.conllu"
    path.write_text(tagless(TREES))
    lm.train_dependency(path, tmp_path / "model", lowercase=True)
    model = DependencyModel.load(tmp_path / "model")
    assert model.score(tree(["FIND", "It"], [0, 1])) == model.score(tree(["find", "it"], [0, 1]))


def test_real_trees_are_likelier_than_shuffled_ones(data: Path, tmp_path: Path) -> None:
    lm.train_dependency(data / "ud" / "en_ewt-train.conllu.gz", tmp_path / "m", lowercase=True)
    model = DependencyModel.load(tmp_path / "m")
    forms, heads = ["the", "boy", "ate", "a", "red", "apple", "."], [2, 3, 0, 6, 6, 3, 3]
    shuffled = ["apple", "the", "red", "ate", "a", "boy", "."]
    assert model.score(tree(forms, heads)) > model.score(tree(shuffled, heads)) + 5
    scores = model.score_file(data / "ud" / "en_pud.conllu.gz")
    assert len(scores) == 1000
    assert all(math.isfinite(score) and score < 0 for score, _ in scores)


def test_bad_input_is_told(tmp_path: Path) -> None:
    path = tmp_path / "t.conllu"
    path.write_text("1\ta\t_\n\n")
    with pytest.raises(FormatError, match=r"t\.conllu:1: "):
        lm.train_dependency(path, tmp_path / "model")
    path.write_text("")
    with pytest.raises(ConfigError, match="no trees"):
        lm.train_dependency(path, tmp_path / "model")
    with pytest.raises(ConfigError, match="order 2, 3 or 4"):
        lm.train_dependency(path, tmp_path / "model", order=5)
    with pytest.raises(InputError, match=r"dependency\.toml: no such file"):
        DependencyModel.load(tmp_path / "model")
    (tmp_path / "model" / "dependency.toml").write_text("format = 1\nlowercase = false\n")
    with pytest.raises(ModelError, match=r"no roots\.bin in it"):
        DependencyModel.load(tmp_path / "model")
    (tmp_path / "model" / "dependency.toml").write_text("format = 9\nlowercase = false\n")
    with pytest.raises(ModelError, match="format 9"):
        DependencyModel.load(tmp_path / "model")


def test_a_failed_training_leaves_the_old_model(tmp_path: Path) -> None:
    path = tmp_path / "t.conllu"
    path.write_text(tagless(TREES))
    lm.train_dependency(path, tmp_path / "model")
    before = DependencyModel.load(tmp_path / "model").score_file(path)
    with pytest.raises(InputError):
        lm.train_dependency(tmp_path / "missing", tmp_path / "model")
    assert DependencyModel.load(tmp_path / "model").score_file(path) == before
    lm.train_dependency(path, tmp_path / "model", arpa=True)
    names = sorted(file.name for file in (tmp_path / "model").iterdir())
    assert names == ["dependency.toml", "left.arpa", "right.arpa", "roots.arpa"]


@pytest.mark.parametrize("form", ["<s>", "</s>", "<unk>", "<head>a"])
def test_marks_of_the_models_are_unknown_words(directory: Path, form: str) -> None:
    model = DependencyModel.load(directory)
    unknown = model.score(tree(["find", "never-seen"], [0, 1]))
    assert model.score(tree(["find", form], [0, 1])) == unknown
    assert model.score(tree([form], [0])) == model.score(tree(["never-seen"], [0]))


def test_the_command(headway: Headway, tmp_path: Path) -> None:
    (tmp_path / "t.conllu").write_text(tagless(TREES))
    done = headway(
        "lm", "train", "--dependency", "-i", "t.conllu", "-o", "model", "--order", 3,
        cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "4 trees, 15 words" in done.stderr
    assert DependencyModel.load(tmp_path / "model").order == 3
    done = headway("lm", "query", "model", "-i", "t.conllu", cwd=tmp_path)
    lines = done.stdout.splitlines()
    assert [line.split("\t")[1] for line in lines[:-1]] == ["6", "6", "2", "1"]
    total = sum(float(line.split("\t")[0]) for line in lines[:-1])
    assert lines[-1].startswith(f"total\tlog10 {total:.4f}"[:-2])
    as_json = headway("lm", "query", "model", "-i", "t.conllu", "--json", "--stop", cwd=tmp_path)
    assert json.loads(as_json.stdout.splitlines()[-1])["log10"] < total
    failed = headway("lm", "train", "--dependency", "-i", "none", "-o", "m2", cwd=tmp_path)
    assert (failed.returncode, len(failed.stderr.splitlines())) == (2, 1)
