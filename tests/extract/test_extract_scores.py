"""Smoothing, significance, sums, and sameness of results, on a corpus made by chance."""

import math
import random
from collections import Counter, defaultdict
from pathlib import Path

import extract_oracle as oracle
import pytest
from extract_oracle import Limits, Pair, Rule
from headway.extract import extract
from test_extract import read, run, save, settings

LIMITS = Limits(length=4, tight=False)
KINDS = ["phrase", "hiero", "filtered", "str2dep"]


def corpus(size: int = 60, words: int = 8) -> list[Pair]:
    """Word i is translated by word i, mostly, in swapped neighbourhoods; heads are neighbours."""
    chance = random.Random(5)
    pairs = []
    for _ in range(size):
        source = chance.choices("abcdefgh", weights=[9, 7, 5, 4, 3, 2, 2, 1], k=words)
        places = list(range(words))
        at = chance.randrange(words - 1)
        places[at], places[at + 1] = places[at + 1], places[at]
        target = [source[place].upper() for place in places]
        target[chance.randrange(words)] = "Z"
        links = {(place, j) for j, place in enumerate(places) if chance.random() < 0.9}
        root = chance.randrange(words)
        heads = [0 if j == root else j + 2 if j < root else j for j in range(words)]
        pairs.append(
            Pair(tuple(source), tuple(target), frozenset(links), tuple(heads), tuple(target))
        )
    return pairs


CORPUS = corpus()


def counted(kind: str = "phrase") -> dict[tuple[object, object], float]:
    table = oracle.extract(CORPUS, kind, LIMITS)
    return {(source, target): links.total() for (source, target, _), links in table.seen.items()}


def sides(rule: Rule) -> tuple[object, object]:
    return rule.source, rule.target


@pytest.mark.parametrize("kind", KINDS)
def test_probabilities_sum_to_one_for_each_side(tmp_path: Path, kind: str) -> None:
    run(CORPUS, tmp_path, f"kind={kind}")
    sums: defaultdict[object, float] = defaultdict(float)
    for rule, (scores, _) in read(tmp_path).items():
        sums["target", rule.target, rule.structure] += scores[0]
        sums["source", rule.source] += scores[2]
    assert len(sums) > 100
    assert all(total == pytest.approx(1, abs=1e-5) for total in sums.values())


@pytest.mark.parametrize("orientations", ["msd", "mslr"])
def test_orientations_sum_to_one(tmp_path: Path, orientations: str) -> None:
    run(CORPUS, tmp_path, f"reordering.orientations={orientations}", reordering=True)
    lines = (tmp_path / "reordering.txt").read_text().splitlines()
    half = 3 if orientations == "msd" else 4
    for line in lines:
        values = [*map(float, line.split("|||")[2].split())]
        assert len(values) == 2 * half
        assert [sum(values[:half]), sum(values[half:])] == pytest.approx([1, 1], abs=1e-5)


@pytest.mark.parametrize("direction", ["backward", "forward"])
def test_one_direction_is_half_of_both(tmp_path: Path, direction: str) -> None:
    run(CORPUS, tmp_path, reordering=True)
    both = (tmp_path / "reordering.txt").read_text().splitlines()
    run(CORPUS, tmp_path, f"reordering.direction={direction}", reordering=True)
    one = (tmp_path / "reordering.txt").read_text().splitlines()
    for line, of_both in zip(one, both, strict=True):
        values = of_both.split("|||")[2].split()
        expected = values[:3] if direction == "backward" else values[3:]
        assert line.split("|||")[2].split() == expected


def test_good_turing_multiplies_counts_as_moses_does(tmp_path: Path) -> None:
    run(CORPUS, tmp_path, "phrase.max_length=4", "smoothing=good-turing")
    counts = counted()
    n = Counter(counts.values())
    factors = [0.01]
    for c in range(1, 10):
        factor = (c + 1) / c * (n[c + 1] + 0.1) / (n[c] + 0.1)
        factors.append(max(min(factor, 1), factors[-1]))
    for rule, (scores, (of_target, of_source, count)) in read(tmp_path).items():
        assert count == counts[sides(rule)]
        adjusted = count * factors[int(count)] if count <= 8 else count
        expected = [adjusted / of_target, adjusted / of_source]
        assert [scores[0], scores[2]] == pytest.approx(expected, rel=1e-5)


def test_kneser_ney_shares_out_what_it_takes(tmp_path: Path) -> None:
    run(CORPUS, tmp_path, "phrase.max_length=4", "smoothing=kneser-ney")
    counts = counted()
    n = Counter(counts.values())
    assert all(n[c] for c in range(1, 5))
    y = n[1] / (n[1] + 2 * n[2])
    discounts = [c - (c + 1) * y * n[c + 1] / n[c] for c in (1, 2, 3)]
    discounts = [min(d, c - 0.1) for c, d in enumerate(discounts, 1)]

    def discount(count: float) -> float:
        return discounts[min(int(count), 3) - 1]

    def smoothed(rule: tuple[object, object], given: int) -> float:
        same = [count for other, count in counts.items() if other[given] == rule[given]]
        mass = sum(map(discount, same)) / sum(same)
        backoff = sum(other[1 - given] == rule[1 - given] for other in counts) / len(counts)
        return (counts[rule] - discount(counts[rule])) / sum(same) + mass * backoff

    for rule, (scores, _) in random.Random(1).sample([*read(tmp_path).items()], 200):
        expected = [smoothed(sides(rule), 1), smoothed(sides(rule), 0)]
        assert [scores[0], scores[2]] == pytest.approx(expected, rel=1e-4)


def _surprise(source: int, target: int, both: int) -> float:
    """-ln p of Fisher's exact test over all sentence pairs."""
    size = len(CORPUS)
    ways = sum(
        math.comb(source, k) * math.comb(size - source, target - k)
        for k in range(both, min(source, target) + 1)
    )
    return -math.log(ways / math.comb(size, target))


def _holds(words: tuple[str, ...], phrase: tuple[oracle.Symbol, ...]) -> bool:
    return any(words[i : i + len(phrase)] == phrase for i in range(len(words)))


@pytest.mark.parametrize("threshold", ["alpha+epsilon", "alpha-epsilon", "7.5"])
def test_insignificant_phrase_pairs_are_left_out(tmp_path: Path, threshold: str) -> None:
    run(CORPUS, tmp_path, "phrase.max_length=4")
    everything = read(tmp_path)
    report = run(CORPUS, tmp_path, "phrase.max_length=4", f"significance={threshold}")
    found = read(tmp_path)
    alpha = math.log(len(CORPUS))
    least = {"alpha+epsilon": alpha + 1e-3, "alpha-epsilon": alpha - 1e-3, "7.5": 7.5}[threshold]
    expected = set()
    for rule in everything:
        with_source = {n for n, pair in enumerate(CORPUS) if _holds(pair.source, rule.source)}
        with_target = {n for n, pair in enumerate(CORPUS) if _holds(pair.target, rule.target)}
        if _surprise(*map(len, (with_source, with_target, with_source & with_target))) >= least:
            expected.add(rule)
    assert found.keys() == expected
    assert 0 < len(found) < len(everything)
    assert report.left_out == len(everything) - len(found) == len(everything) - report.rules
    # Scores are those before pruning.
    assert all(found[rule] == everything[rule] for rule in found)


def test_alpha_decides_about_phrases_that_occur_once_together(tmp_path: Path) -> None:
    pairs = [Pair((f"s{n}",), (f"t{n}",), frozenset({(0, 0)})) for n in range(9)]
    assert run(pairs, tmp_path, "significance=alpha+epsilon").rules == 0
    assert run(pairs, tmp_path, "significance=alpha-epsilon").rules == 9


def test_pairs_skipped_for_length_are_not_in_the_sample(tmp_path: Path) -> None:
    pairs = [Pair((f"s{n}",), (f"t{n}",), frozenset({(0, 0)})) for n in range(9)]
    pairs.append(Pair(("long",) * 3, ("lang",) * 3, frozenset({(0, 0)})))
    between = (math.log(9) + math.log(10)) / 2  # what ten pairs would make of a phrase seen once
    found = run(pairs, tmp_path, "max_sentence_length=2", f"significance={between}")
    assert (found.skipped, found.rules) == (1, 0)


@pytest.mark.parametrize("kind", KINDS)
def test_threads_and_memory_change_nothing(tmp_path: Path, kind: str) -> None:
    many = CORPUS * 3
    outputs = []
    for threads, memory in [(1, "64M"), (2, "2G"), (5, 64 << 20)]:
        run(many, tmp_path, f"kind={kind}", threads=threads, memory=memory)
        outputs.append((tmp_path / "table.txt").read_bytes())
    assert len(outputs[0]) > 1000
    assert outputs[0] == outputs[1] == outputs[2]


def test_phrasal_rules_may_come_from_ill_formed_targets(tmp_path: Path) -> None:
    run(CORPUS, tmp_path, "kind=str2dep", "str2dep.phrasal=ill-formed", "str2dep.phrasal_length=2")
    phrasal = {sides(rule) for rule in read(tmp_path) if rule.structure is None}
    expected = {
        sides(oracle.make_rule(phrase, frozenset(), pair, trees=False, labels=False))
        for pair in CORPUS
        for phrase in oracle.phrases(pair, 2, tight=False)
        if pair.heads and not oracle.shape(pair.heads, phrase[1])
    }
    assert phrasal == expected
    run(CORPUS, tmp_path, "kind=str2dep", "str2dep.phrasal=none")
    assert all(rule.structure for rule in read(tmp_path))


def test_rules_of_the_same_words_may_be_one_rule(tmp_path: Path) -> None:
    """With `best`, counted together: the tree seen most often, then its labels, then the links."""
    limits = Limits(length=4, tight=False, symbols=7, fractional=False)
    variants: defaultdict[object, Counter[tuple[object, ...]]] = defaultdict(Counter)
    by_side: Counter[object] = Counter()
    for (source, target, structure), links in oracle.extract(
        CORPUS, "str2dep", limits
    ).seen.items():
        for one, count in links.items():
            variants[source, target][*tree_and_labels(structure), one] += count
        by_side["source", source] += links.total()
        by_side["target", target] += links.total()
    changes = ("kind=str2dep", "str2dep.initial_length=4", "str2dep.structures=best")
    assert run(CORPUS, tmp_path, *changes).rules == len(variants)
    found = read(tmp_path)
    assert {sides(rule) for rule in found} == variants.keys()
    several = 0
    for rule, (scores, _) in found.items():
        seen = variants[sides(rule)]
        several += len({tree for tree, *_ in seen}) > 1
        assert scores[0] == pytest.approx(seen.total() / by_side["target", rule.target])
        assert scores[2] == pytest.approx(seen.total() / by_side["source", rule.source])
        for part in (*tree_and_labels(rule.structure), rule.links):
            totals: Counter[object] = Counter()
            for variant, count in seen.items():
                totals[variant[0]] += count
            assert totals[part] == max(totals.values())
            seen = Counter({it[1:]: count for it, count in seen.items() if it[0] == part})
    assert several > 20


def tree_and_labels(structure: oracle.Structure | None) -> tuple[object, object]:
    """The two parts of a structure that are chosen one after the other."""
    assert structure is not None
    kind, heads, labels = structure
    return (kind, heads), labels


def test_a_tree_goes_before_words_without_one(tmp_path: Path) -> None:
    """A dictionary that is longer than the corpus takes no structure away."""
    parsed = Pair(("a",), ("x",), frozenset({(0, 0)}), heads=(0,), tags=("N",))
    bare = Pair(("a",), ("x",), frozenset({(0, 0)}))
    run([bare, bare, parsed, bare], tmp_path, "kind=str2dep", "str2dep.structures=best")
    ((rule, (_, counts)),) = read(tmp_path).items()
    assert rule.structure is not None
    assert counts == [4, 4, 4]


def test_long_pairs_are_skipped_and_counted(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    short = Pair(("a",), ("x",), frozenset({(0, 0)}))
    long = Pair(("a",) * 5, ("x",), frozenset({(4, 0)}))
    report = run([short, long, short], tmp_path, "max_sentence_length=4")
    assert (report.pairs, report.skipped, report.rules) == (3, 1, 1)
    assert "1 pairs of more than 4 words skipped" in caplog.text


def test_counts_can_be_left_out(tmp_path: Path) -> None:
    run(CORPUS, tmp_path, "counts=false")
    assert all(counts == [] for _, counts in read(tmp_path).values())


def test_files_may_be_compressed(tmp_path: Path) -> None:
    files = save(CORPUS, tmp_path)
    chosen = settings("kind=hiero")
    inputs = (files["source"], files["target"], files["alignment"])
    extract(*inputs, tmp_path / "plain.txt", settings=chosen)
    extract(*inputs, tmp_path / "small.txt.gz", settings=chosen)
    import gzip

    assert (
        gzip.decompress((tmp_path / "small.txt.gz").read_bytes())
        == (tmp_path / "plain.txt").read_bytes()
    )
