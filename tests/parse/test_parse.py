"""Parsers: searches against peers, features against the paper's table, whole use on small data."""

import _thread
import itertools
import json
import math
import random
import threading
from dataclasses import dataclass
from pathlib import Path

import networkx as nx
import pytest
from conftest import Headway
from headway import parse
from headway.errors import ConfigError, FormatError, ModelError
from headway.evaluate import ParsedLines
from headway.settings import ParseSettings, Settings
from headway.trees import DependencyTree, read_trees

WORDS = {
    "D": ["the", "a", "this"],
    "A": ["old", "small", "red", "new"],
    "N": ["dog", "cat", "house", "man", "tree"],
    "V": ["sees", "likes", "finds"],
    "P": ["near", "with", "of"],
}


def phrase(rng: random.Random, depth: int = 0) -> list[tuple[str, str, int | None, str]]:
    """A noun phrase: words, tags, heads by position (None: its head word), labels."""
    words: list[tuple[str, str, int | None, str]] = []
    adjectives = rng.randrange(3)
    noun = 1 + adjectives
    words.append((rng.choice(WORDS["D"]), "D", noun, "det"))
    words += [(rng.choice(WORDS["A"]), "A", noun, "amod") for _ in range(adjectives)]
    words.append((rng.choice(WORDS["N"]), "N", None, ""))
    if depth < 2 and rng.random() < 0.4:
        inner = phrase(rng, depth + 1)
        start = len(words) + 1
        top = start + next(at for at, word in enumerate(inner) if word[2] is None)
        words.append((rng.choice(WORDS["P"]), "P", top, "case"))
        words += [
            (w, t, noun if h is None else start + h, "nmod" if h is None else label)
            for w, t, h, label in inner
        ]
    return words


def sentence(rng: random.Random) -> str:
    """A CoNLL-U sentence of a small language: noun phrase, verb, noun phrase."""
    subject, object_ = phrase(rng), phrase(rng)
    verb = len(subject)
    rows = [(w, t, verb if h is None else h, "nsubj" if h is None else k) for w, t, h, k in subject]
    rows.append((rng.choice(WORDS["V"]), "V", -1, "root"))
    rows += [
        (w, t, verb if h is None else verb + 1 + h, "obj" if h is None else k)
        for w, t, h, k in object_
    ]
    lines = [
        f"{n}\t{w}\t_\t{t}\t{t}\t_\t{h + 1}\t{k}\t_\t_" for n, (w, t, h, k) in enumerate(rows, 1)
    ]
    return "\n".join([*lines, "", ""])


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bank") / "train.conllu"
    rng = random.Random(1)
    path.write_text("".join(sentence(rng) for _ in range(150)))
    return path


def quick(**changes: object) -> ParseSettings:
    overrides = {"rounds": 6, "feature_bits": 18, "jackknife": 2, "tagger_rounds": 3, **changes}
    return Settings.load(None, [f"parse.{key}={value}" for key, value in overrides.items()]).parse


@pytest.fixture(scope="module")
def trained(bank: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("parser")
    parse.train([bank], out, settings=quick())
    return out


@pytest.mark.parametrize("words", [1, 2, 7, 25, 60])
def test_spanning_trees_weigh_what_networkx_finds(words: int) -> None:
    rng = random.Random(words)
    scores = [[rng.uniform(-9, 9) for _ in range(words + 1)] for _ in range(words)]
    graph = nx.DiGraph()
    for modifier, row in enumerate(scores, 1):
        graph.add_weighted_edges_from(
            (head, modifier, score) for head, score in enumerate(row) if head != modifier
        )
    best = nx.maximum_spanning_arborescence(graph, preserve_attrs=False)
    expected = sum(data["weight"] for _, _, data in best.edges(data=True))
    heads = parse.best_heads(scores, "mst", False)
    assert sum(row[head] for row, head in zip(scores, heads, strict=True)) == pytest.approx(
        expected
    )
    single = parse.best_heads(scores, "mst", True)
    assert single.count(0) == 1
    assert DependencyTree(["w"] * words, single).is_tree


def enumerated_best(scores: list[list[float]], search: str) -> float:
    """The score of the best tree with one root, among all assignments of heads."""
    words = ["w"] * len(scores)
    best = -math.inf
    for heads in itertools.product(range(len(words) + 1), repeat=len(words)):
        if heads.count(0) == 1 and all(head != at for at, head in enumerate(heads, 1)):
            tree = DependencyTree(words, list(heads))
            if tree.is_tree and (search == "mst" or tree.is_projective):
                total = sum(row[head] for row, head in zip(scores, heads, strict=True))
                best = max(best, total)
    return best


@pytest.mark.parametrize("search", ["eisner", "mst"])
def test_forbidden_arcs_are_avoided_and_one_root_is_kept(search: str) -> None:
    inf = math.inf
    assert (
        parse.best_heads([[5, 0, -inf, 1], [5, 1, 0, 1], [5, 1, 1, 0]], search, True).count(0) == 1
    )
    rng = random.Random(4)
    for _ in range(40):
        scores = [[rng.choice([-inf, rng.uniform(-9, 9)]) for _ in range(5)] for _ in range(4)]
        heads = parse.best_heads(scores, search, True)
        assert heads.count(0) == 1
        assert DependencyTree(["w"] * 4, heads).is_tree
        total = sum(row[head] for row, head in zip(scores, heads, strict=True))
        assert total == pytest.approx(enumerated_best(scores, search))
    for score in (-inf, 1e308, -1e308):
        heads = parse.best_heads([[score] * 4] * 3, search, True)
        assert heads.count(0) == 1
        assert DependencyTree(["w"] * 3, heads).is_tree


@pytest.mark.parametrize("search", ["eisner", "mst", "local"])
@pytest.mark.parametrize("score", [math.nan, math.inf])
def test_scores_that_say_nothing_are_refused(search: str, score: float) -> None:
    scores = [[0.0, 0.0, 1.0], [2.0, score, 0.0]]
    with pytest.raises(ConfigError, match=r"row 2, head 1: a score of (NaN|inf); give a number"):
        parse.best_heads(scores, search, False)
    scores = [[0.0, score, 1.0], [2.0, 1.0, score]]
    assert len(parse.best_heads(scores, search, True)) == 2


def table_2(words: list[str], tags: list[str], i: int, j: int, between: str) -> list[str]:
    """The features of the arc i → j, read literally off Table 2 of Galley & Manning (2009)."""
    word = {0: "<root>", **dict(enumerate(words, 1))}
    pos = {0: "<root>", **dict(enumerate(tags, 1))}
    value = {"h-word": word[i], "h-pos": pos[i], "m-word": word[j], "m-pos": pos[j]}
    for shift in (-1, 1):
        value[f"h-pos{shift:+}"] = pos.get(i + shift, "<none>")
        value[f"m-pos{shift:+}"] = pos.get(j + shift, "<none>")
    templates = """h-word; h-pos; h-word h-pos; m-word; m-pos; m-word m-pos;
        h-word m-word; h-pos m-pos; h-word h-pos m-word; h-word h-pos m-pos;
        m-word m-pos h-word; m-word m-pos h-pos; h-word h-pos m-word m-pos;
        h-pos h-pos+1 m-pos-1 m-pos; h-pos h-pos+1 m-pos m-pos+1;
        h-pos-1 h-pos m-pos-1 m-pos; h-pos-1 h-pos m-pos m-pos+1"""
    names = [
        " ".join(f"{part}={value[part]}" for part in template.split())
        for template in templates.split(";")
    ]
    left, right = min(i, j), max(i, j)
    inside = range(left + 1, right)
    ends = ("h", "m") if i < j else ("m", "h")
    if between == "window":
        middles = [f"{ends[0]}-pos+{k - left}={pos[k]}" for k in inside if k - left <= 5]
        middles += [f"{ends[1]}-pos-{right - k}={pos[k]}" for k in inside if right - k <= 5]
    else:
        near = [k for k in inside if between == "all" or min(k - left, right - k) <= 5]
        middles = [f"between={tag}" for tag in {pos[k] for k in near}]
    return names + [f"h-pos={pos[i]} {middle} m-pos={pos[j]}" for middle in middles]


def beyond_table_2(words: list[str], tags: list[str], i: int, j: int) -> list[str]:
    """The features of the arc i → j that the paper does not have, tag by tag as documented."""
    size = len(words)
    inside = [tags[k - 1][:2] for k in range(min(i, j) + 1, max(i, j))]

    def value(part: str) -> str:
        classes = {"verbs": "VB MD", "conjunctions": "CC", "marks": ". ,", "nouns": "NN PR"}
        if part in classes:
            return str(min(2, sum(tag in classes[part].split() for tag in inside)))
        k = (i if part[0] == "h" else j) + (int(part[-2:]) if part[-2] in "+-" else 0)
        if not 0 <= k <= size:
            return "<none>"
        if k == 0:
            return "<root>"
        kind = part[2:].rstrip("+-1")
        return {"word": words[k - 1], "lower": words[k - 1].lower()}.get(
            kind, tags[k - 1][:2] if kind == "coarse" else tags[k - 1]
        )

    templates = """h-word m-pos m-pos+1; h-word m-pos-1 m-pos;
        m-word h-pos h-pos+1; m-word h-pos-1 h-pos;
        h-coarse m-coarse; h-word m-coarse; h-coarse m-word;
        h-coarse h-coarse+1 m-coarse-1 m-coarse; h-coarse h-coarse+1 m-coarse m-coarse+1;
        h-coarse-1 h-coarse m-coarse-1 m-coarse; h-coarse-1 h-coarse m-coarse m-coarse+1;
        h-lower m-pos; m-lower h-pos; h-lower m-lower;
        m-lower-1 m-pos h-pos; m-lower+1 m-pos h-pos; h-lower-1 m-pos h-pos; h-lower+1 m-pos h-pos;
        h-pos m-pos verbs conjunctions marks; h-pos m-pos verbs; h-pos m-pos nouns verbs;
        m-word h-pos verbs marks; h-word m-pos verbs marks;
        h-word h-pos h-pos+1; h-word h-pos-1 h-pos; m-word m-pos m-pos+1; m-word m-pos-1 m-pos"""
    return [
        " ".join(f"{part}={value(part)}" for part in template.split())
        for template in templates.split(";")
    ]


@dataclass(frozen=True)
class Penn:
    """A parser with some set of features, and the trees with Penn tags that it learnt from."""

    parser: parse.Parser
    features: str
    between: str
    trees: list[DependencyTree]


@pytest.fixture(
    scope="module",
    params=itertools.product(["paper", "rich"], ["all", "window", "plain-window"]),
    ids="-".join,
)
def penn(
    bank: Path, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Penn:
    out = tmp_path_factory.mktemp("penn")
    text = bank.read_text()
    for tag, name in {"D": "DT", "A": ",", "N": "NNS", "V": "VBZ", "P": "CC"}.items():
        text = text.replace(f"\t{tag}\t{tag}\t", f"\t_\t{name}\t")
    (out / "penn.conllu").write_text(text)
    features, between = request.param
    settings = quick(features=features, between=between, search="mst")
    parser = parse.train([out / "penn.conllu"], out, settings=settings).parser
    return Penn(parser, features, between, list(read_trees(out / "penn.conllu", tags="xpos")))


def test_features_are_those_of_the_paper_and_sum_to_the_score(penn: Penn) -> None:
    parser = penn.parser
    tree = max(penn.trees, key=lambda tree: len(tree.forms))
    scores = parser.scores(tree.forms, tree.tags)
    for modifier in range(1, len(tree.forms) + 1):
        for head in range(len(tree.forms) + 1):
            if head == modifier:
                continue
            found = parser.explain(tree.forms, tree.tags, head, modifier)
            expected = table_2(tree.forms, tree.tags, head, modifier, penn.between)
            if penn.features == "rich":
                expected += beyond_table_2(tree.forms, tree.tags, head, modifier)
            assert sorted(name for name, _ in found) == sorted(expected)
            total = sum(weight for _, weight in found)
            assert total == pytest.approx(scores[modifier - 1][head], abs=1e-4)


Slot = tuple[bool, int]
"""Direction of an arc and bin of its distance."""


def slot(head: int, modifier: int) -> Slot:
    far = abs(head - modifier)
    return head < modifier, far if far <= 5 else 6 if far <= 10 else 7


def weights_of_features(
    penn: Penn,
) -> dict[tuple[str, ...], dict[tuple[str, ...], dict[Slot, float]]]:
    """By template, by values, by slot: the one weight there is over many arcs.

    Half of the sentences are as learnt; the others have words and tags in any order, so that
    features differ in one value alone.
    """
    rng = random.Random(3)
    forms = sorted({form for tree in penn.trees for form in tree.forms})
    names = sorted({tag for tree in penn.trees for tag in tree.tags})
    sentences = [(tree.forms[:14], tree.tags[:14]) for tree in penn.trees[:15]]
    sentences += [(rng.choices(forms, k=14), rng.choices(names, k=14)) for _ in range(15)]
    weights: dict[tuple[str, ...], dict[tuple[str, ...], dict[Slot, float]]] = {}
    for words, tags in sentences:
        for head, modifier in itertools.product(range(len(words) + 1), range(1, len(words) + 1)):
            if head == modifier:
                continue
            for name, weight in penn.parser.explain(words, tags, head, modifier):
                parts, values = zip(*(part.split("=", 1) for part in name.split()), strict=True)
                known = weights.setdefault(parts, {}).setdefault(values, {})
                assert known.setdefault(slot(head, modifier), weight) == weight, name
    return weights


def differ(some: dict[Slot, float], others: dict[Slot, float]) -> bool:
    return any(some[where] != others[where] for where in some.keys() & others.keys())


def test_a_feature_has_one_weight_and_shares_it_with_no_other(penn: Penn) -> None:
    weights = weights_of_features(penn)
    assert len(weights) >= 18
    for parts, valued in weights.items():
        # Each value matters: features that differ in it alone do not all weigh the same.
        for at, part in enumerate(parts):
            alike: dict[tuple[str, ...], list[dict[Slot, float]]] = {}
            for values, found in valued.items():
                alike.setdefault((*values[:at], *values[at + 1 :]), []).append(found)
            pairs = (pair for group in alike.values() for pair in itertools.combinations(group, 2))
            assert any(differ(*pair) for pair in pairs), f"{part} changes nothing in {parts}"
    # Each template has weights of its own: the same values weigh something else in another.
    paper = {parts for parts in weights if not any("coarse" in p or "lower" in p for p in parts)}
    for one, other in itertools.combinations(sorted(paper), 2):
        shared = weights[one].keys() & weights[other].keys()
        both = [(weights[one][values], weights[other][values]) for values in shared]
        if sum(any(some[where] for where in some.keys() & rest.keys()) for some, rest in both) >= 5:
            assert any(differ(*pair) for pair in both), f"{one} and {other} are one"


@pytest.mark.parametrize("update", ["trees", "heads"])
def test_both_kinds_of_updates_learn(update: str, bank: Path, tmp_path: Path) -> None:
    k = 3 if update == "trees" else 1
    settings = quick(update=update, search="mst", features="paper", k=k)
    parser = parse.train([bank], tmp_path, settings=settings).parser
    gold = list(read_trees(bank, tags="xpos"))
    assert parse.evaluate(parser.parse([tree.forms for tree in gold]), gold).uas > 95
    with pytest.raises(ConfigError, match=r"parse\.update: 'all': expected one of auto, trees"):
        parse.train([bank], tmp_path, settings=quick(update="all"))
    with pytest.raises(ConfigError, match=r"parse\.k: 3 trees are for parse\.update=trees"):
        parse.train([bank], tmp_path, settings=quick(search="mst", k=3))


def test_both_columns_of_tags_are_learnt_and_written(
    headway: Headway, bank: Path, tmp_path: Path
) -> None:
    both = tmp_path / "both.conllu"
    text = bank.read_text()
    for tag, coarse in {"D": "DET", "A": "ADJ", "N": "NOUN", "V": "VERB", "P": "ADP"}.items():
        text = text.replace(f"\t{tag}\t{tag}\t", f"\t{coarse}\t{tag}\t")
    both.write_text(text)
    parser = parse.train([both], tmp_path / "p", settings=quick(search="mst")).parser
    words = ["the", "dog", "sees", "a", "cat"]
    assert parser.tag(words) == ["D", "N", "V", "D", "N"]
    assert parser.parse([words])[0].tags == ["D", "N", "V", "D", "N"]
    tagged = parser.parse_tagged(words, ["D", "N", "V", "D", "no-such-tag"])
    assert tagged.tags == ["D", "N", "V", "D", "no-such-tag"]
    names = [name for name, _ in parser.explain(words, ["D", "N", "V", "D", "N"], 3, 2)]
    assert "h-coarse=VERB m-coarse=NOUN" in names
    assert "h-pos=V m-pos=N" in names
    done = headway("parse", "run", tmp_path / "p", stdin="the dog sees a cat\n")
    assert "2\tdog\t_\tNOUN\tN\t_\t3\tnsubj" in done.stdout


def test_a_tag_without_a_coarse_one_costs_the_others_nothing(
    headway: Headway, bank: Path, tmp_path: Path
) -> None:
    some = tmp_path / "some.conllu"
    some.write_text(bank.read_text().replace("\tP\tP\t", "\t_\tP\t"))
    parse.train([some], tmp_path / "p", settings=quick())
    done = headway("parse", "run", tmp_path / "p", stdin="the dog near a tree sees a cat\n")
    rows = [line.split("\t") for line in done.stdout.splitlines() if "\t" in line]
    assert [row[3] for row in rows] == ["D", "N", "_", "D", "N", "V", "D", "N"]
    assert [row[4] for row in rows] == ["D", "N", "P", "D", "N", "V", "D", "N"]


def expected_counts(parser: parse.Parser, words: list[str], k: int) -> dict[object, float]:
    """What EDPM counts over the k best projective trees, found among all assignments of heads."""
    scores = parser.scores(words, parser.tag(words))
    size = range(len(words) + 1)
    trees = [
        (sum(row[head] for row, head in zip(scores, heads, strict=True)), list(heads))
        for heads in itertools.product(size, repeat=len(words))
        if heads.count(0) == 1 and all(head != at for at, head in enumerate(heads, 1))
    ]
    forms = [DependencyTree(words, heads) for _, heads in trees]
    legal = [one for one, tree in zip(trees, forms, strict=True) if tree.is_tree]
    nested = [one for one in legal if DependencyTree(words, one[1]).is_projective]
    best = sorted(nested, reverse=True)[:k]
    total = sum(math.exp(score) for score, _ in best)
    labels = {tuple(one.tree.heads): one.tree.labels for one in parser.kbest(words, k)}
    counts: dict[object, float] = {}
    for score, heads in best:
        named = labels[tuple(heads)]
        items: list[object] = [*words, *itertools.pairwise(words)]
        items += [("dl", word, label) for word, label in zip(words, named, strict=True)]
        over = ["<root>" if head == 0 else words[head - 1] for head in heads]
        items += [("lh", label, head) for label, head in zip(named, over, strict=True)]
        for item in items:
            counts[item] = counts.get(item, 0.0) + math.exp(score) / total
    return counts


def test_edpm_is_that_of_all_trees_enumerated(
    headway: Headway, trained: Path, tmp_path: Path
) -> None:
    lines = ["the dog sees a cat", "", "this old man likes trees"]
    others = [*lines[:2], "this old tree likes dogs"]
    hypothesis, reference = tmp_path / "hyp", tmp_path / "ref"
    reference.write_text("\n".join(lines) + "\n")
    hypothesis.write_text("\n".join(others) + "\n")
    done = headway(
        "evaluate", hypothesis, reference, "-r", reference, "--parser", trained, "--json",
        "--metric", "edpm", "--samples", 0,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    scores = [system["scores"]["edpm"] for system in json.loads(done.stdout)["systems"]]
    assert scores[1] == pytest.approx(100)
    parser = parse.load(trained)
    shared = counted = 0.0
    for one, other in zip(others, lines, strict=True):
        if one:
            own, gold = (expected_counts(parser, line.split(), 50) for line in (one, other))
            shared += sum(min(count, gold.get(item, 0.0)) for item, count in own.items())
            counted += sum(own.values()) + sum(gold.values())
    assert scores[0] == pytest.approx(200 * shared / counted, abs=1e-4)
    assert scores[0] < 99
    parses = ParsedLines(parser, language="en", k=7).k_best(lines)
    assert [len(found) for found in parses] == [7, 0, 7]
    assert sum(one.probability for one in parses[0]) == pytest.approx(1)


@pytest.mark.parametrize("search", ["eisner", "mst", "local"])
def test_a_small_language_is_learnt(search: str, bank: Path, tmp_path: Path) -> None:
    parser = parse.train([bank], tmp_path, settings=quick(search=search)).parser
    rng = random.Random(2)
    test = tmp_path / "test.conllu"
    test.write_text("".join(sentence(rng) for _ in range(40)))
    gold = list(read_trees(test, tags="xpos"))
    found = parse.evaluate(parser.parse([tree.forms for tree in gold]), gold)
    assert found.tags > 99
    assert found.uas > 93
    assert found.las > 93


def test_threads_change_nothing(bank: Path, tmp_path: Path) -> None:
    for threads in (1, 3):
        (tmp_path / str(threads)).mkdir()
        parse.train([bank], tmp_path / str(threads), settings=quick(), threads=threads)
    one, other = (tmp_path / name / "parser.bin" for name in ("1", "3"))
    assert one.read_bytes() == other.read_bytes()


def test_kbest_trees_are_sorted_distinct_and_start_with_the_best(trained: Path) -> None:
    words = ["the", "old", "dog", "sees", "a", "cat", "near", "this", "house"]
    for search in ("eisner", "mst"):
        parser = parse.load(trained).with_search(search)
        ranked = parser.kbest(words, 25)
        assert ranked[0].tree == parser.parse([words])[0]
        assert len({tuple(one.tree.heads) for one in ranked}) == 25
        scores = [one.score for one in ranked]
        assert scores == sorted(scores, reverse=True)
        assert sum(one.probability for one in ranked) == pytest.approx(1)


def test_lists_of_many_sentences_are_those_of_each(trained: Path) -> None:
    parser, rng = parse.load(trained), random.Random(2)
    known = [word for words in WORDS.values() for word in words]
    many = [rng.choices(known, k=length) for length in (1, 9, 4, 12, 2)]
    for threads in (1, 3):
        found = parser.kbest_all(many, 5, scale=0.5, threads=threads)
        assert found == [parser.kbest(words, 5, scale=0.5) for words in many]
    with pytest.raises(ConfigError, match=r"^sentence 8: a sentence of 4001 words"):
        parser.kbest_all([["the"], ["dog"] * 4001], 2, first=7)


@pytest.mark.parametrize("search", ["eisner", "mst"])
def test_long_lists_of_trees_are_given_up_on_ctrl_c(trained: Path, search: str) -> None:
    parser = parse.load(trained).with_search(search)
    words = random.Random(5).choices([word for known in WORDS.values() for word in known], k=300)
    # More trees than any machine finds before the interrupt comes, however late it comes.
    timer = threading.Timer(0.3, _thread.interrupt_main)
    with pytest.raises(KeyboardInterrupt):  # noqa: PT012  the timer may be quicker than the list
        timer.start()
        parser.kbest(words, 10_000_000)


@pytest.mark.parametrize("scale", [math.inf, -math.inf, math.nan, -1.0])
def test_scales_that_make_no_probabilities_are_refused(trained: Path, scale: float) -> None:
    with pytest.raises(ConfigError, match=r"^scale: .* makes no probabilities"):
        parse.load(trained).kbest(["the", "dog"], 3, scale=scale)


def test_sentences_that_are_too_long_are_refused_by_number(
    headway: Headway, trained: Path, tmp_path: Path
) -> None:
    parser, long = parse.load(trained), ["dog"] * 4001
    message = "a sentence of 4001 words; split it: at most 4000"
    with pytest.raises(ConfigError, match=f"^sentence 2: {message}"):
        parser.parse([["the", "dog"], long])
    for refused in (
        lambda: parser.kbest(long, 2),
        lambda: parser.parse_tagged(long, long),
        lambda: parser.scores(long, long),
    ):
        with pytest.raises(ConfigError, match=f"^{message}"):
            refused()
    trees = tmp_path / "long.conllu"
    short = "1\tdog\t_\tN\tN\t_\t0\troot\t_\t_\n\n"
    rows = [f"{n}\tdog\t_\tN\tN\t_\t{n - 1}\tx\t_\t_" for n in range(1, 4002)]
    trees.write_text(short * 1100 + "\n".join(rows) + "\n\n")
    for command in (["run", trained, trees], ["eval", trained, trees]):
        done = headway("parse", *command)
        assert done.returncode == 2
        assert f"sentence 1101: {message}" in done.stderr
        assert done.stderr.count("\n") == 1


def test_odd_sentences_are_parsed(trained: Path) -> None:
    parser = parse.load(trained)
    long = ["dog", "the"] * 500
    empty, one, many, strange = parser.parse([[], ["dog"], long, ["🦉", "ΩΩ", "qqq"]])
    assert empty.heads == []
    assert one.heads == [0]
    assert len(many.heads) == 1000
    assert many.is_tree
    assert strange.is_tree
    assert parser.parse_tagged(["dog", "x"], ["no", "such"]).is_tree
    with pytest.raises(ConfigError, match="expected 2 tags"):
        parser.parse_tagged(["a", "b"], ["N"])


def test_treebanks_without_what_is_needed_are_refused(bank: Path, tmp_path: Path) -> None:
    text = bank.read_text()
    bare = tmp_path / "bare.conllu"
    bare.write_text(text.replace("\tN\tN\t", "\tN\t_\t"))
    line = next(at for at, row in enumerate(text.split("\n"), 1) if "\tN\tN\t" in row)
    message = rf"bare\.conllu:{line}: word \d+ has no tag in column 5 \(XPOS\); use --tags upos"
    with pytest.raises(FormatError, match=message):
        parse.train([bare], tmp_path / "a", settings=quick())
    odd = tmp_path / "odd.conllu"
    cyclic = "1\ta\t_\tN\tN\t_\t2\tx\t_\t_\n2\tb\t_\tN\tN\t_\t1\tx\t_\t_\n\n"
    roots = "1\ta\t_\tN\tN\t_\t0\tx\t_\t_\n2\tb\t_\tN\tN\t_\t0\tx\t_\t_\n\n"
    odd.write_text(cyclic + roots + text)
    assert parse.train([odd], tmp_path / "b", settings=quick()).left_out.cyclic == 1
    odd.write_text(cyclic)
    with pytest.raises(FormatError, match="no sentence with a tree"):
        parse.train([odd], tmp_path / "c", settings=quick())
    with pytest.raises(ConfigError, match=r"parse\.search: 'best': expected one of eisner"):
        parse.train([bank], tmp_path / "d", settings=quick(search="best"))
    unlabelled = tmp_path / "unlabelled.dp"
    unlabelled.write_text("the\tD\t2\ndog\tN\t0\n\n" * 5)
    parser = parse.train([unlabelled], tmp_path / "e", settings=quick()).parser
    assert parser.parse([["the", "dog"]])[0].labels == ["_", "_"]


def test_damaged_and_missing_models_are_named(trained: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"no parser\.bin in it"):
        parse.load(tmp_path)
    whole = (trained / "parser.bin").read_bytes()
    (tmp_path / "parser.bin").write_bytes(whole[:-100])
    with pytest.raises(ModelError, match="bytes promised"):
        parse.load(tmp_path)
    (tmp_path / "parser.bin").write_bytes(whole[:-100] + bytes(100 * [7]))
    with pytest.raises(ModelError, match="damaged"):
        parse.load(tmp_path)


def test_weights_of_treebanks_are_read_off_their_names(tmp_path: Path) -> None:
    part = parse.TreebankPart.parse("a.conllu:10")
    assert (part.path, part.weight) == (Path("a.conllu"), 10.0)
    assert parse.TreebankPart.parse("a:b.conllu").path == Path("a:b.conllu")
    with pytest.raises(ConfigError, match="weight of a treebank"):
        parse.train(["a.conllu:0"], tmp_path)


def test_evaluation_counts_heads_labels_roots_and_tags() -> None:
    gold = DependencyTree(["a", "b", "c"], [2, 0, 2], ["X", "Y", "Z"], ["d", "root", "o"])
    found = DependencyTree(["a", "b", "c"], [2, 0, 1], ["X", "Y", "Q"], ["e", "root", "o"])
    result = parse.evaluate([found, gold], [gold, gold])
    assert result.uas == pytest.approx(100 * 5 / 6)
    assert result.las == pytest.approx(100 * 4 / 6)
    assert result.tags == pytest.approx(100 * 5 / 6)
    assert result.root == 100
    assert result.by_arc["root"].words == 2
    assert result.by_arc["1"].heads == 3
    assert parse.compare(result, result).uas == 1.0


def test_what_gold_trees_do_not_say_is_not_compared() -> None:
    found = DependencyTree(["a", "b"], [2, 0], ["X", "Y"], ["d", "root"])
    bare = DependencyTree(["a", "b"], [2, 0], ["_", "_"], ["_", "_"])
    empty = DependencyTree([], [])
    result = parse.evaluate([found, empty], [bare, empty])
    assert math.isnan(result.las)
    assert math.isnan(result.tags)
    table = result.table()
    assert (table["uas"], table["las"], table["tags"]) == (100.0, None, None)
    assert table["by_arc_length"]["root"] == {"words": 1, "uas": 100.0, "las": None, "tags": None}
    assert parse.compare(result, result) == parse.Comparison(1.0, None)
    wrong = DependencyTree(["a", "b"], [0, 1], ["X", "Y"], ["root", "d"])
    result = parse.evaluate([wrong, empty], [found, empty])
    assert (result.root, result.sentences) == (0.0, 1)


def test_the_command_line_trains_runs_and_evaluates(
    headway: Headway, bank: Path, tmp_path: Path
) -> None:
    out = tmp_path / "p"
    sets = [f"--set=parse.{name}" for name in ("rounds=2", "feature_bits=16", "jackknife=2")]
    done = headway(
        "parse", "train", "--treebank", f"{bank}:2", "--out", out, "--search", "mst", *sets
    )
    assert done.returncode == 0, done.stderr
    assert "150 sentences, 0 left out" in done.stderr
    done = headway("parse", "run", out, "-l", "en", stdin="the dog sees a cat.\n\n")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(
        "# text = the dog sees a cat.\n1\tthe\t_\tD\tD\t_\t2\tdet\t_\t_\n"
    )
    assert "cat\t_\tN\tN\t_\t3\tobj\t_\tSpaceAfter=No" in done.stdout
    done = headway("parse", "eval", out, bank, out, "--json", "--svg", tmp_path / "a.svg")
    assert done.returncode == 0, done.stderr
    table = json.loads(done.stdout)
    assert table["uas"] > 90
    assert table["p"]["uas"] == 1.0
    assert {"las", "root", "tags", "by_sentence_length", "by_arc_length"} <= set(table)
    assert (tmp_path / "a.svg").read_text().startswith("<svg")
    done = headway("parse", "run", tmp_path / "none", stdin="a\n")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1


def test_gold_files_without_words_are_refused(
    headway: Headway, trained: Path, tmp_path: Path
) -> None:
    empty = tmp_path / "empty.conllu"
    empty.write_text("")
    done = headway("parse", "eval", trained, empty)
    assert done.returncode == 2
    assert "no words, so nothing to compare with" in done.stderr
    one = tmp_path / "one.conllu"
    one.write_text("1\tdogs\t_\tN\tN\t_\t0\troot\t_\t_\n\n")
    table = json.loads(headway("parse", "eval", trained, one, "--json").stdout)
    assert list(table["by_sentence_length"]) == ["1-10"]
    assert list(table["by_arc_length"]) == ["root"]
