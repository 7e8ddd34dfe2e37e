"""What Python users see: short lines for objects, named arguments, translators that travel."""

import multiprocessing
import pickle
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest
from headway import (
    Bundle,
    ModelError,
    Settings,
    Translator,
    Vocabulary,
    fragment,
    lm,
    parse,
    train,
    trees,
    tune_system,
)
from headway.align import Bitext
from headway.corpus import Alignment, Tokeniser, Tokens, Truecaser
from headway.evaluate import evaluate
from headway.lm import LanguageModel
from headway.printing import prints_briefly, short
from headway.systems import explain
from headway.systems.bundle import rewrite_manifest
from headway.table import Rule, RuleTable

SENTENCE = "Der Hund schläft, weil die Frau den Brief heute vorliest."
LONG = 240


def short_words(rule: Rule) -> float:
    return float(sum(len(str(word)) < 4 for word in rule.target))


@prints_briefly
@dataclass
class Heap:
    """Much of everything."""

    texts: list[str]
    numbers: dict[str, float]
    name: str


def test_long_values_print_in_one_short_line() -> None:
    heap = Heap(["x\n" * 1000] * 1000, {str(n): n / 3 for n in range(1000)}, "a" * 1000)
    assert len(repr(heap)) <= LONG
    assert "\n" not in repr(heap)
    assert repr(heap).startswith("Heap(texts=['x")
    assert short(1 / 3) == "0.333333"
    assert repr(Heap([], {}, "h")) == "Heap(texts=[], numbers={}, name='h')"


def test_what_a_system_is_made_of_prints_briefly(model: Path) -> None:
    translator, table = Translator.load(model), RuleTable.open(model / "rules.table")
    (found,) = translator.translate([" ".join([SENTENCE] * 20)], n_best=20, forests=True)
    words = ["word"] * 5000
    tree = trees.DependencyTree(words, list(range(5000)))
    sentence = trees.Sentence.from_columns(words, head=list(range(5000)))
    things: list[object] = [
        translator, translator.bundle, translator.bundle.manifest, found, found.n_best,
        found.n_best[0], found.forest, explain(translator, SENTENCE), tree, sentence,
        table, table.options("Hund"),
        LanguageModel.load(model / "lm.bin"), Truecaser.load(model / "source-case"),
        Settings.load(), Settings.load(None, ["lm.order=3"]), Vocabulary(words),
        Bitext([words], [words]), Alignment([(n, n) for n in range(5000)]),
        Tokeniser("de").tokenise(" ".join(words)),
        trees.ConstituentTree(f"(S {' '.join(['(N word)'] * 5000)})"),
    ]  # fmt: skip
    for thing in things:
        single = thing[0] if isinstance(thing, list | tuple) else thing
        assert len(repr(single)) <= LONG, repr(single)[:500]
        assert "\n" not in repr(single)
        assert " object at 0x" not in repr(single)
    assert repr(translator) == f"<Translator {model}: phrase de → en>"
    assert repr(things[14]) == "Settings()"
    assert repr(things[15]) == "Settings(lm.order=3)"
    assert repr(trees.DependencyTree(["a", "b"], [2, 0])) == 'DependencyTree(["a", "b"], [2, 0])'
    assert "… 5000 in all]" in repr(tree)
    assert isinstance(things[19], Tokens)


def in_another_process(translator: Translator) -> tuple[str, float, int]:
    (found,) = translator.translate([SENTENCE])
    return found.text, found.features["short_words"], translator.threads


def test_a_translator_travels_by_path(model: Path, tmp_path: Path) -> None:
    shutil.copytree(model, tmp_path / "m")
    options = {"weights": {"lm": 0.9, "short_words": -1.0}, "search": {"distortion_limit": 0}}
    translator = Translator.load(tmp_path / "m", **options, features=[short_words], threads=1)  # type: ignore[arg-type]
    sent = pickle.dumps(translator)
    assert len(sent) < 20_000
    again = pickle.loads(sent)  # noqa: S301
    assert again.weights == translator.weights
    assert again._decoder.search == translator._decoder.search
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(in_another_process, [translator]) == in_another_process(translator)
    # Weights that were tuned since do not count, as the translator has others.
    bundle = Bundle.open(tmp_path / "m")
    weights = dict.fromkeys(bundle.manifest.weights, 0.5)
    rewrite_manifest(bundle, msgspec.structs.replace(bundle.manifest, weights=weights))
    assert pickle.loads(sent).weights == translator.weights  # noqa: S301
    parts = dict(bundle.manifest.components)
    parts["lm"] = msgspec.structs.replace(parts["lm"], checksum="0" * 32)
    rewrite_manifest(bundle, msgspec.structs.replace(bundle.manifest, components=parts))
    with pytest.raises(ModelError, match="is another bundle since the translator was pickled"):
        pickle.loads(sent)  # noqa: S301


def test_features_that_cannot_travel_are_named(model: Path) -> None:
    translator = Translator.load(model, features={"mine": lambda rule: 0.0})
    with pytest.raises(pickle.PicklingError, match=r"feature mine: .* cannot be pickled; define"):
        pickle.dumps(translator)


WRONG: list[tuple[Callable[[Path], object], str]] = [
    (lambda _: train("phrase", sourse="a", target="b", out="c"),  # type: ignore[call-arg]
     "train(): no argument sourse; did you mean source?"),
    (lambda _: train("phrase", "a", "b"), "train(): missing a required argument: 'out'"),
    (lambda _: train("phrase", 3, "b", "c"),  # type: ignore[arg-type]
     ("train(): source: expected Corpus or a string or a path or a list of strings or paths, "
     "found int 3")),
    (lambda _: train("phrase", "a", "b", "c", monolingual="d"),
     "train(): monolingual: expected a list of strings or paths, found str 'd'"),
    (lambda _: train("phrase", "a", "b", "c", features="m:f"),
     "train(): features: expected a dictionary or a list of functions or strings, found str 'm:f'"),
    (lambda _: train("phrase", "a", "b", "c", languages="de"),  # type: ignore[arg-type]
     "train(): languages: expected 2 strings, found str 'de'"),
    (lambda m: Translator.load(m, thread=2),  # type: ignore[call-arg]
     "Translator.load(): no argument thread; did you mean threads?"),
    (lambda m: Translator.load(m, weights=["lm"]),  # type: ignore[arg-type]
     "Translator.load(): weights: expected a dictionary, found list ['lm']"),
    (lambda m: Translator.load(m, weights={"lm": "a"}),  # type: ignore[dict-item]
     ("Translator.load(): weights: expected a dictionary of strings to numbers, "
      "found dict {'lm': 'a'}")),
    (lambda m: Translator.load(m, weights={3: 1.0}),  # type: ignore[dict-item]
     ("Translator.load(): weights: expected a dictionary of strings to numbers, "
      "found dict {3: 1.0}")),
    (lambda _: train("phrase", "a", "b", "c", languages=(1, 2)),  # type: ignore[arg-type]
     "train(): languages: expected 2 strings, found tuple (1, 2)"),
    (lambda _: Settings.load(3),  # type: ignore[arg-type]
     "Settings.load(): config: expected a string or a path, found int 3"),
    (lambda _: fragment.write("x", pairs="3"),  # type: ignore[arg-type]
     "write(): pairs: expected a whole number, found str '3'"),
    (lambda _: lm.train("f", 3),  # type: ignore[arg-type]
     "train(): output: expected a string or a path, found int 3"),
    (lambda _: trees.read_sentences(3),  # type: ignore[arg-type]
     "read_sentences(): path: expected a string or a path, found int 3"),
    (lambda m: RuleTable.open(m / "rules.table").options(3),  # type: ignore[arg-type]
     "RuleTable.options(): source: expected a string, found int 3"),
    (lambda m: LanguageModel.load(m / "lm.bin").score(3),  # type: ignore[call-overload]
     ("LanguageModel.score(): sentences: expected a string or a list of strings, found int 3")),
    (lambda _: explain("phrase", "a"),  # type: ignore[arg-type]
     "explain(): translator: expected Translator, found str 'phrase'"),
    (lambda m: Translator.load(m).translate("Hallo"),
     ("Translator.translate(): lines: expected a list of strings or lists or Source, "
     "found str 'Hallo'")),
    (lambda m: Translator.load(m).translate([7]),  # type: ignore[list-item]
     ("Translator.translate(): lines: expected a list of strings or lists or Source, "
      "found list [7]")),
    (lambda m: tune_system(m, "a", "b", setting=None),  # type: ignore[call-arg]
     "tune_system(): no argument setting; did you mean settings?"),
    (lambda _: evaluate(["a"], ["a"], lowercased=True),  # type: ignore[call-arg]
     "evaluate(): no argument lowercased; did you mean lowercase?"),
    (lambda _: RuleTable.open(None),  # type: ignore[arg-type]
     "RuleTable.open(): path: expected a string or a path, found NoneType None"),
    (lambda _: parse.load(4), "load(): name: expected a string or a path, found int 4"),  # type: ignore[arg-type]
    (lambda _: trees.draw("a"), "draw(): tree: expected DependencyTree or Sentence, found str 'a'"),  # type: ignore[arg-type]
]  # fmt: skip


@pytest.mark.parametrize(("call", "message"), WRONG)
def test_a_wrong_argument_is_named(
    model: Path, call: Callable[[Path], object], message: str
) -> None:
    with pytest.raises(TypeError) as caught:
        call(model)
    assert str(caught.value) == message


def test_a_negative_number_of_threads_is_named(model: Path) -> None:
    with pytest.raises(ValueError, match=r"^Translator.load\(\): threads: expected 0 or more"):
        Translator.load(model, threads=-1)
    with pytest.raises(ValueError, match=r"^Translator.translate\(\): threads: expected 0 or more"):
        Translator.load(model).translate([SENTENCE], threads=-1)
    assert Translator.load(model).translate([SENTENCE], threads=None)
