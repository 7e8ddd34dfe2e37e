"""Extraction from files against the literal oracle, for every kind of rule."""

from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import extract_oracle as oracle
import pytest
from extract_oracle import Limits, Pair, Rule
from headway.extract import Extraction, extract
from headway.settings import ExtractSettings, Settings
from hypothesis import given
from hypothesis import strategies as st

Scores = list[float]


@st.composite
def pairs(draw: st.DrawFn, most: int = 6, trees: bool = False) -> Pair:
    """Mostly one link a word, near the diagonal or in any order, and mostly projective trees."""
    source = draw(st.lists(st.sampled_from("abc"), max_size=most))
    target = draw(st.lists(st.sampled_from("xyz"), max_size=most))
    links: set[tuple[int, int]] = set()
    if source and target:
        places = draw(st.permutations(range(len(target))) | st.just(range(len(target))))
        kept = draw(st.lists(st.booleans() | st.just(True), min_size=most, max_size=most))
        rows = zip(range(len(source)), places, kept, strict=False)
        links = {(i, j) for i, j, keep in rows if keep}
        link = st.tuples(st.integers(0, len(source) - 1), st.integers(0, len(target) - 1))
        links |= draw(st.sets(link, max_size=2))
    heads = None
    if trees and target and draw(st.integers(0, 5)):
        anything = st.lists(st.integers(0, len(target)), min_size=len(target), max_size=len(target))
        heads = tuple(draw(projective(len(target)) | projective(len(target)) | anything))
    # X is a tag of Universal Dependencies, and not the label of floating structures.
    tags = tuple("X" if word == target[0] else f"T{word}" for word in target)
    return Pair(tuple(source), tuple(target), frozenset(links), heads, tags)


@st.composite
def projective(draw: st.DrawFn, words: int) -> list[int]:
    heads = [0] * words

    def grow(first: int, last: int, head: int) -> None:
        if first > last:
            return
        cut = draw(st.integers(first, last)) if head else last
        word = draw(st.integers(first, cut))
        heads[word - 1] = head
        grow(first, word - 1, word)
        grow(word + 1, cut, word)
        grow(cut + 1, last, head)

    grow(1, words, 0)
    return heads


def save(corpus: list[Pair], folder: Path) -> dict[str, Path]:
    files = {name: folder / name for name in ("source", "target", "alignment", "trees")}
    files["source"].write_text("".join(f"{' '.join(pair.source)}\n" for pair in corpus))
    files["target"].write_text("".join(f"{' '.join(pair.target)}\n" for pair in corpus))
    links = [" ".join(f"{i}-{j}" for i, j in pair.links) for pair in corpus]
    files["alignment"].write_text("".join(f"{line}\n" for line in links))
    files["trees"].write_text("".join(map(conllu, corpus)))
    return files


def conllu(pair: Pair) -> str:
    heads = pair.heads or ["_"] * len(pair.target)
    tags = pair.tags or ["_"] * len(pair.target)
    rows = [
        f"{n}\t{word}\t_\t_\t{tag}\t_\t{head}\t_\t_\t_\n"
        for n, (word, tag, head) in enumerate(zip(pair.target, tags, heads, strict=True), 1)
    ]
    return "".join(rows) + "\n" if rows else ""


def settings(*changes: str) -> ExtractSettings:
    # The oracle tells rules apart by their structures.
    chosen = ["str2dep.structures=all", *changes]
    return Settings.load(None, [f"extract.{change}" for change in chosen]).extract


def run(
    corpus: list[Pair], folder: Path, *changes: str, reordering: bool = False, **options: Any
) -> Extraction:
    files = save(corpus, folder)
    chosen = settings(*changes)
    trees = files["trees"] if chosen.kind in ("str2dep", "filtered") else None
    return extract(
        files["source"],
        files["target"],
        files["alignment"],
        folder / "table.txt",
        target_trees=trees,
        reordering_table=folder / "reordering.txt" if reordering else None,
        settings=chosen,
        **options,
    )


def read(folder: Path) -> dict[Rule, tuple[Scores, Scores]]:
    """Scores and counts of each rule of a Moses table."""
    table = {}
    for line in (folder / "table.txt").read_text().splitlines():
        fields = [field.strip() for field in line.split("|||")]
        links = {(int(i), int(j)) for i, j in (link.split("-") for link in fields[3].split())}
        source, target = (_symbols(side) for side in fields[:2])
        slots = [i for i, symbol in enumerate(source) if symbol == "[X][X]"]
        of_slots = {(i, j) for i, j in links if i in slots}
        numbers = {place: number for number, place in enumerate(slots)}
        named: dict[int, int] = {j: numbers[i] for i, j in of_slots}
        rule = Rule(
            tuple(numbers.get(i, word) for i, word in enumerate(source)),
            tuple(named.get(j, word) for j, word in enumerate(target)),
            _structure(fields[6]) if len(fields) > 6 else None,
            frozenset(links - of_slots),
        )
        assert rule not in table
        table[rule] = ([*map(float, fields[2].split())], [*map(float, fields[4].split())])
    return table


def _symbols(side: str) -> list[str]:
    symbols = side.split()
    return symbols[:-1] if symbols[-1] == "[X]" else symbols


def _structure(text: str) -> oracle.Structure | None:
    if not text:
        return None
    kind, heads, *labels = text.removeprefix("{{Dependency ").removesuffix("}}").split()
    return kind, tuple(map(int, heads.split(","))), tuple(labels)


def best_links(links: Counter[oracle.Links]) -> set[oracle.Links]:
    most = max(links.values())
    return {some for some, count in links.items() if count == pytest.approx(most)}


def check(
    found: dict[Rule, tuple[Scores, Scores]], corpus: list[Pair], table: oracle.Table
) -> None:
    """Rules, inner alignments, counts, and the four scores."""
    by_rule = {(rule.source, rule.target, rule.structure): rule for rule in found}
    assert by_rule.keys() == table.seen.keys()
    totals: defaultdict[tuple[object, ...], float] = defaultdict(float)
    for (source, target, structure), links in table.seen.items():
        totals["source", source] += links.total()
        totals["target", target, structure] += links.total()
    for (source, target, structure), links in table.seen.items():
        rule = by_rule[source, target, structure]
        assert rule.links in best_links(links)
        of_target, of_source = totals["target", target, structure], totals["source", source]
        scores, counts = found[rule]
        assert counts == pytest.approx([of_target, of_source, links.total()], rel=1e-5)
        inverse, direct = oracle.lexical_weights(rule, corpus)
        expected = [links.total() / of_target, inverse, links.total() / of_source, direct]
        assert scores == pytest.approx(expected, rel=1e-5)


@given(st.lists(pairs(), max_size=3), st.integers(1, 5))
def test_phrase_pairs_are_those_of_the_definition(
    tmp_path_factory: pytest.TempPathFactory, corpus: list[Pair], length: int
) -> None:
    folder = tmp_path_factory.mktemp("phrase")
    extraction = run(corpus, folder, "kind=phrase", f"phrase.max_length={length}")
    limits = Limits(length=length, tight=False)
    expected = oracle.extract(corpus, "phrase", limits)
    found = read(folder)
    assert (extraction.pairs, extraction.rules) == (len(corpus), len(found))
    check(found, corpus, expected)


LIMITS = st.builds(
    Limits,
    length=st.integers(2, 6),
    tight=st.booleans(),
    slots=st.integers(0, 2),
    symbols=st.integers(1, 5),
    slot_words=st.integers(1, 2),
    adjacent=st.booleans(),
    fractional=st.booleans(),
    labels=st.booleans(),
)


def as_settings(section: str, limits: Limits) -> list[str]:
    values = {
        "initial_length": limits.length,
        "unaligned_edges": str(not limits.tight).lower(),
        "slots": limits.slots,
        "source_symbols": limits.symbols,
        "min_slot_words": limits.slot_words,
        "adjacent_slots": str(limits.adjacent).lower(),
        "fractional_counts": str(limits.fractional).lower(),
    }
    return [f"{section}.{key}={value}" for key, value in values.items()]


@given(st.lists(pairs(5), max_size=2), LIMITS)
def test_hiero_rules_are_those_of_the_definition(
    tmp_path_factory: pytest.TempPathFactory, corpus: list[Pair], limits: Limits
) -> None:
    folder = tmp_path_factory.mktemp("hiero")
    run(corpus, folder, "kind=hiero", *as_settings("hiero", limits))
    check(read(folder), corpus, oracle.extract(corpus, "hiero", limits))


@given(st.lists(pairs(5, trees=True), max_size=2), LIMITS)
def test_filtered_rules_are_hiero_rules_over_well_formed_targets(
    tmp_path_factory: pytest.TempPathFactory, corpus: list[Pair], limits: Limits
) -> None:
    folder = tmp_path_factory.mktemp("filtered")
    run(corpus, folder, "kind=filtered", *as_settings("hiero", limits))
    check(read(folder), corpus, oracle.extract(corpus, "filtered", limits))


@given(st.lists(pairs(5, trees=True), max_size=2), LIMITS)
def test_dependency_rules_are_those_of_the_definition(
    tmp_path_factory: pytest.TempPathFactory, corpus: list[Pair], limits: Limits
) -> None:
    folder = tmp_path_factory.mktemp("str2dep")
    labels = f"str2dep.labels={str(limits.labels).lower()}"
    run(corpus, folder, "kind=str2dep", labels, *as_settings("str2dep", limits))
    check(read(folder), corpus, oracle.extract(corpus, "str2dep", limits))


@given(
    st.lists(pairs(), min_size=1, max_size=3),
    st.sampled_from(["word", "phrase", "hierarchical"]),
    st.sampled_from(["msd", "mslr"]),
    st.sampled_from(["fe", "f"]),
)
def test_reordering_is_that_of_the_definition(
    tmp_path_factory: pytest.TempPathFactory,
    corpus: list[Pair],
    model: str,
    orientations: str,
    condition: str,
) -> None:
    folder = tmp_path_factory.mktemp("reordering")
    length = 3
    run(
        corpus,
        folder,
        f"phrase.max_length={length}",
        f"reordering.model={model}",
        f"reordering.orientations={orientations}",
        f"reordering.condition={condition}",
        reordering=True,
    )
    counts = _orientations(corpus, model, length, condition)
    classes = ["monotone", "swap", "left", "right"] if orientations == "mslr" else None
    lines = (folder / "reordering.txt").read_text().splitlines()
    for line in lines:
        *sides, values = (field.strip() for field in line.split("|||"))
        key = (sides[0], sides[1] if condition == "fe" else "")
        assert len(sides) == (2 if condition == "fe" else 1)
        expected = [p for seen in counts[key] for p in _smoothed(seen, classes)]
        assert [*map(float, values.split())] == pytest.approx(expected)
    rules = read(folder)
    assert len(lines) == len(rules if condition == "fe" else {rule.source for rule in rules})


def _orientations(
    corpus: list[Pair], model: str, length: int, condition: str
) -> dict[tuple[str, str], tuple[Counter[str], Counter[str]]]:
    counts: dict[tuple[str, str], tuple[Counter[str], Counter[str]]]
    counts = defaultdict(lambda: (Counter(), Counter()))
    for pair in corpus:
        others = oracle.phrases(pair, 100 if model == "hierarchical" else length, tight=False)
        for phrase in oracle.phrases(pair, length, tight=False):
            source = " ".join(pair.source[phrase[0][0] : phrase[0][1] + 1])
            target = " ".join(pair.target[phrase[1][0] : phrase[1][1] + 1])
            both = counts[source, target if condition == "fe" else ""]
            both[0][oracle.orientation(pair, phrase, others, model, 1)] += 1
            both[1][oracle.orientation(pair, phrase, others, model, -1)] += 1
    return counts


def _smoothed(seen: Counter[str], classes: list[str] | None) -> list[float]:
    if classes is None:
        apart = seen["right"] + seen["left"] + seen["other"]
        counts = [seen["monotone"], seen["swap"], apart]
    else:
        counts = [seen[name] for name in classes]
    return [(count + 0.5) / (sum(counts) + 0.5 * len(counts)) for count in counts]
