"""Operations of aligned text: equal to the paper's algorithm taken literally."""

from collections import Counter
from pathlib import Path

import pytest
from headway import ConfigError, FormatError, lm, osm
from headway.lm import WordClasses
from hypothesis import given, settings
from hypothesis import strategies as st
from osm_oracle import Links, Teller

Pair = tuple[list[str], list[str], list[list[tuple[int, int]]]]


@st.composite
def pairs(draw: st.DrawFn) -> Pair:
    """Both sides share words; there are two alignments, which may be the same."""
    source = draw(st.lists(st.sampled_from("abcxy"), min_size=1, max_size=8))
    target = draw(st.lists(st.sampled_from("xyzw"), min_size=1, max_size=7))
    link = st.tuples(st.integers(0, len(source) - 1), st.integers(0, len(target) - 1))
    one, other = (draw(st.sets(link, max_size=9)) for _ in range(2))
    return source, target, [sorted(one), sorted(draw(st.sampled_from([one, other])))]


def write(folder: Path, corpus: list[Pair]) -> list[Path]:
    """Files of source, target and two alignments."""
    files = [folder / name for name in ("source", "target", "one", "other")]
    rows = [
        (
            " ".join(source),
            " ".join(target),
            *(" ".join(f"{i}-{k}" for i, k in links) for links in versions),
        )
        for source, target, versions in corpus
    ]
    for file, column in zip(files, zip(*rows, strict=True), strict=True):
        file.write_text("".join(f"{line}\n" for line in column))
    return files


@settings(max_examples=150)
@given(st.lists(pairs(), min_size=1, max_size=5), st.booleans())
def test_operations_are_what_the_algorithm_says(
    tmp_path_factory: pytest.TempPathFactory, corpus: list[Pair], by_class: bool
) -> None:
    folder = tmp_path_factory.mktemp("operations")
    source, target, *aligned = write(folder, corpus)
    counts = Counter(word for words, _, _ in corpus for word in words)
    numbers = [{"a": "0", "b": "0", "x": "1"}, {"x": "7", "y": "8"}]
    chosen = None
    if by_class:
        files = [folder / f"classes.{side}" for side in (0, 1)]
        for file, side in zip(files, numbers, strict=True):
            file.write_text("".join(f"{word}\t{number}\n" for word, number in side.items()))
        chosen = (WordClasses.load(files[0]), WordClasses.load(files[1]))
    found = osm.write_operations(source, target, aligned, folder / "out", classes=chosen)
    lines = (folder / "out").read_text(encoding="utf-8").splitlines()
    expected = []
    for words, said, versions in corpus:
        different: list[Links] = []
        for links in versions:
            if links and links not in different:
                different.append(links)
                teller = Teller(words)
                teller.phrase(
                    (0, len(words), said, links),
                    (lambda word: numbers[0].get(word, "?")) if by_class else str,
                    (lambda word: numbers[1].get(word, "?")) if by_class else str,
                    lambda one, other: one == other and counts[one] == 1,
                )
                assert all(teller.generated)
                expected.append(" ".join(teller.operations))
    assert lines == expected
    assert (found.pairs, found.sequences) == (len(corpus), len(expected))
    assert found.unaligned == sum(not any(versions) for _, _, versions in corpus)
    assert found.operations == sum(len(line.split()) for line in expected)


def test_a_story_reads_as_the_paper_tells_it(tmp_path: Path) -> None:
    pair: Pair = (
        ["er", "hat", "das", "alte", "Buch", "Obama", "nicht", "gelesen"],
        ["he", "did", "not", "read", "the", "old", "book", "Obama"],
        [[(0, 0), (6, 2), (1, 3), (7, 3), (2, 4), (3, 5), (4, 6), (5, 7)]] * 2,
    )
    source, target, *aligned = write(tmp_path, [pair])
    osm.write_operations(source, target, aligned, tmp_path / "out")
    assert (tmp_path / "out").read_text(encoding="utf-8").split() == (
        [
            "er→he",
            "→did",
            "gap",
            "nicht→not",
            "back-1",
            "hat‿gelesen→read",
            "gap",
            "forward",
            "continue",
            "back-1",
            "das→the",
            "alte→old",
            "Buch→book",
            "identical",
        ]
    )


def test_threads_change_nothing_and_models_are_trained_of_them(tmp_path: Path) -> None:
    corpus: list[Pair] = [
        (list("abc"), list("xyz"), [[(0, 2), (2, 0)], [(0, 0)]]),
        (list("ba"), list("xz"), [[(0, 1), (1, 0)]] * 2),
    ] * 3000
    source, target, *aligned = write(tmp_path, corpus)
    texts = []
    for threads in (1, 3):
        osm.write_operations(source, target, aligned, tmp_path / "out", threads=threads)
        texts.append((tmp_path / "out").read_bytes())
    assert texts[0] == texts[1]
    lm.train(tmp_path / "out", tmp_path / "osm.bin", order=3)
    model = lm.LanguageModel.load(tmp_path / "osm.bin")
    assert {"gap", "back-1", "b→z", "b→"} <= set(model.words())


def test_bad_input_is_named(tmp_path: Path) -> None:
    source, target, *aligned = write(tmp_path, [(["a"], ["x"], [[(0, 0)]] * 2)] * 2)
    with pytest.raises(ConfigError, match="no alignment"):
        osm.write_operations(source, target, [], tmp_path / "out")
    aligned[1].write_text("0-0\n")
    with pytest.raises(FormatError, match="a line without partner"):
        osm.write_operations(source, target, aligned, tmp_path / "out")
    aligned[1].write_text("0-0\n0-5\n")
    with pytest.raises(FormatError, match=r"other:2: link 0-5 is outside"):
        osm.write_operations(source, target, aligned, tmp_path / "out")
    with pytest.raises(ConfigError, match="source"):
        osm.write_operations(source, target, aligned, source)
