"""Phrase dependencies from files against a literal version of section 4.1."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from extract_oracle import Pair, phrases
from headway import FormatError, _core, phrasedep
from headway.lm import WordClasses
from headway.phrasedep import Extraction, PhraseDependencies
from headway.settings import Settings
from hypothesis import given
from hypothesis import strategies as st
from phrasedep_oracle import Table

REST = "rest"
PATHS = "0\tx\t3\n10\ty\t2\n10\tv\t2\n"


def save(corpus: list[Pair], folder: Path, paths: str = PATHS) -> dict[str, Path]:
    files = {name: folder / name for name in ("source", "target", "alignment", "trees", "paths")}
    files["source"].write_text("".join(f"{' '.join(pair.source)}\n" for pair in corpus))
    files["target"].write_text("".join(f"{' '.join(pair.target)}\n" for pair in corpus))
    links = [" ".join(f"{i}-{j}" for i, j in sorted(pair.links)) for pair in corpus]
    files["alignment"].write_text("".join(f"{line}\n" for line in links))
    files["trees"].write_text("".join(map(conllu, corpus)))
    files["paths"].write_text(paths)
    return files


def conllu(pair: Pair) -> str:
    heads = pair.heads or ["_"] * len(pair.target)
    words = enumerate(zip(pair.target, heads, strict=True), 1)
    rows = [f"{n}\t{word}\t_\t_\t_\t_\t{head}\t_\t_\t_\n" for n, (word, head) in words]
    return "".join(rows) + "\n" if rows else ""


def extract(files: dict[str, Path], output: Path, length: int = 7, **options: Any) -> Extraction:
    changes = [f"phrasedep.max_length={length}"]
    return phrasedep.extract(
        files["source"],
        files["target"],
        files["alignment"],
        files["trees"],
        files["paths"],
        output,
        settings=Settings.load(None, changes).phrasedep,
        **options,
    )


def names(classes: WordClasses) -> Callable[[str], str]:
    return lambda word: REST if (found := classes.get(word)) is None else str(found)


def compare(table: PhraseDependencies, corpus: list[Pair], classes: Path, length: int) -> None:
    cluster = names(WordClasses.load(classes))
    words, clusters = Table(corpus, length, lambda word: word), Table(corpus, length, cluster)
    assert table._core.counts[0][1] == len(table) == len(words.seen)
    assert table._core.counts[1][1] == len(clusters.seen)
    for key in words.seen:
        parent, child, way = key
        above = None if parent is None else tuple(map(cluster, parent))
        other = (above, tuple(map(cluster, child)), way)
        found = table.scores(
            None if parent is None else " ".join(parent), " ".join(child), left=way == "left"
        )
        expected = (
            words.probability(key),
            words.lexical(key),
            clusters.probability(other),
            clusters.lexical(other),
        )
        assert found == pytest.approx(tuple(map(math.log, expected)), abs=2e-6)


@st.composite
def pairs(draw: st.DrawFn, most: int = 6) -> Pair:
    """Mostly one link a word; trees of any shape, with cycles and with several roots."""
    source = draw(st.lists(st.sampled_from("abc"), max_size=most))
    target = draw(st.lists(st.sampled_from("vxyz"), max_size=most))
    links: set[tuple[int, int]] = set()
    if source and target:
        places = draw(st.permutations(range(len(target))))
        links = set(zip(range(len(source)), places, strict=False))
        link = st.tuples(st.integers(0, len(source) - 1), st.integers(0, len(target) - 1))
        links |= draw(st.sets(link, max_size=2))
    heads = None
    parsed = draw(st.integers(0, 5)) > 0
    if target and parsed:
        size = len(target)
        shape = st.lists(st.integers(0, size), min_size=size, max_size=size)
        heads = tuple(draw(shape))
    return Pair(tuple(source), tuple(target), frozenset(links), heads)


@given(corpus=st.lists(pairs(), max_size=6), length=st.integers(1, 7))
def test_tables_are_those_of_the_definition(
    tmp_path_factory: pytest.TempPathFactory, corpus: list[Pair], length: int
) -> None:
    folder = tmp_path_factory.mktemp("random")
    files = save(corpus, folder)
    parsed = [pair for pair in corpus if pair.heads]
    if not any(phrases(pair, length, tight=False) for pair in parsed):
        with pytest.raises(FormatError):
            extract(files, folder / "table", length)
        return
    found = extract(files, folder / "table", length)
    assert found.pairs == len(corpus)
    table = PhraseDependencies.open(folder / "table")
    compare(table, corpus, files["paths"], length)
    # The clusters of unknown words may have been seen; the words were not.
    assert table.scores("q", "x")[:2] == table.scores("x", "q q", left=True)[:2] == (None, None)


def fragment_pairs(corpus: Path, many: int) -> list[Pair]:
    def lines(name: str) -> list[str]:
        return (corpus / name).read_text().splitlines()[:many]

    trees = (corpus / "train.en.conllu").read_text().split("\n\n")
    found = []
    for source, target, links, tree in zip(
        lines("train.tok.de"), lines("train.tok.en"), lines("train.align"), trees, strict=False
    ):
        rows = [row.split("\t") for row in tree.splitlines() if not row.startswith("#")]
        places = frozenset((int(i), int(j)) for i, j in (one.split("-") for one in links.split()))
        heads = tuple(int(row[6]) for row in rows)
        found.append(Pair(tuple(source.split()), tuple(target.split()), places, heads))
    return found


@pytest.fixture(scope="module")
def gold(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Pair], Path]:
    """Sentences with gold trees and alignments, and the folder of their files."""
    folder = tmp_path_factory.mktemp("gold")
    chosen = fragment_pairs(corpus, 60)
    save(chosen, folder)
    WordClasses.learn([folder / "target"], count=10, method="brown").save(folder / "paths")
    return chosen, folder


def files_of(folder: Path) -> dict[str, Path]:
    return {name: folder / name for name in ("source", "target", "alignment", "trees", "paths")}


def test_a_corpus_with_gold_trees_gives_the_same_numbers(
    gold: tuple[list[Pair], Path], tmp_path: Path
) -> None:
    corpus, folder = gold
    found = extract(files_of(folder), tmp_path / "table")
    assert (found.skipped, found.treeless, found.cyclic) == (0, 0, 0)
    compare(PhraseDependencies.open(tmp_path / "table"), corpus, folder / "paths", 7)


def test_neither_threads_nor_memory_change_the_file(corpus: Path, tmp_path: Path) -> None:
    files = save(fragment_pairs(corpus, 1500), tmp_path)
    extract(files, tmp_path / "one", threads=1)
    # Less memory than the package allows, so that little text is sorted on disk.
    _core.extract_phrase_dependencies(
        files["source"],
        files["target"],
        [files["alignment"]],
        files["trees"],
        _core.WordClasses.load(files["paths"]),
        tmp_path / "two",
        7,
        1000,
        16 << 20,
        tmp_path,
        3,
        None,
    )
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_lists_are_the_most_frequent_and_the_most_probable(
    gold: tuple[list[Pair], Path], tmp_path: Path
) -> None:
    corpus, folder = gold
    extract(files_of(folder), tmp_path / "table")
    table = PhraseDependencies.open(tmp_path / "table")
    oracle = Table(corpus, 7, lambda word: word)
    shown = {
        key: oracle.count(key)
        for key in oracle.seen
        if max(len(key[0] or ()), len(key[1])) > 1
        and all(any(map(str.isalnum, " ".join(words))) for words in key[:2] if words)
    }
    frequent = table.most_frequent(15)
    assert [one.count for one in frequent] == sorted(shown.values(), reverse=True)[:15]
    for one in frequent:
        parent = None if one.parent is None else tuple(one.parent.split())
        key = (parent, tuple(one.child.split()), "left" if one.left else "right")
        assert shown[key] == one.count
        assert one.probability == pytest.approx(oracle.probability(key), rel=1e-5)
        assert one.lexical == pytest.approx(oracle.lexical(key), rel=1e-5)
        children = table.children(one.parent, left=one.left, many=10**6)
        assert one in children
        assert sum(child.probability for child in children) == pytest.approx(1, rel=1e-4)
        order = [(-child.count, child.child) for child in children]
        assert order == sorted(order)
        assert table.children(one.parent, left=one.left, many=2) == children[:2]
    assert table.children("no such phrase", left=True, many=3) == []
    assert table.children(None, left=True, many=3) == []


def test_dependencies_are_written_as_the_paper_does() -> None:
    left = phrasedep.Dependency("government", "the chinese", True, 1, 1.0, 1.0)
    root = phrasedep.Dependency(None, "said :", False, 1, 1.0, 1.0)
    assert (str(left), str(root)) == ("the chinese → government", "$ ← said :")


def test_coverage_counts_the_dependencies_that_were_seen(
    gold: tuple[list[Pair], Path], tmp_path: Path
) -> None:
    extract(files_of(gold[1]), tmp_path / "table")
    table = PhraseDependencies.open(tmp_path / "table")
    phrases = ["the", "dog", "a", "no such phrase"]
    scores = [
        table.scores(parent, child, left=left)
        for parent in phrases
        for child in phrases
        for left in (True, False)
    ]
    seen = [sum(one[place] is not None for one in scores) for place in (0, 2)]
    assert table.coverage(phrases) == (len(scores), *seen)
