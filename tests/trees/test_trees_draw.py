"""Drawings are read back: what a person would see is the tree."""

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from headway import ConfigError
from headway.trees import (
    DependencyTree,
    Sentence,
    draw,
    draw_pair,
    draw_pair_svg,
    draw_svg,
    read_sentences,
    read_trees,
)
from headway.trees.drawing.canvas import width_of
from hypothesis import given
from hypothesis import strategies as st

BOY = DependencyTree(
    ["the", "boy", "will", "find", "it"],
    [2, 4, 4, 0, 4],
    ["DET", "NOUN", "AUX", "VERB", "PRON"],
    ["det", "nsubj", "aux", "root", "obj"],
)
SVG = "{http://www.w3.org/2000/svg}"


def test_arcs_above_the_words() -> None:
    assert draw(BOY) == (
        "                    root\n"
        "         ╭───nsubj───╮│\n"
        " ╭─det──╮│    ╭─aux──┤│╭─obj──╮\n"
        " ▼      │▼    ▼      │▼│      ▼\n"
        "the    boy  will    find     it\n"
        "DET    NOUN AUX     VERB    PRON"
    )


def test_a_word_per_line() -> None:
    assert draw(BOY, width=30) == (
        "  ╭──▸ 1 the   DET   det\n"
        "╭─┴──▸ 2 boy   NOUN  nsubj\n"
        "│ ╭──▸ 3 will  AUX   aux\n"
        "╰─┼──▪ 4 find  VERB  root\n"
        "  ╰──▸ 5 it    PRON  obj"
    )


def heads_in_column(drawing: str) -> list[int]:
    """Reads the heads off a drawing with a word per line: only lines and arrows are used."""
    rows = drawing.split("\n")
    heads = []
    for number, row in enumerate(rows):
        if "▪" in row:
            heads.append(0)
            continue
        at = next(column for column, mark in enumerate(row) if mark in "╭╰")
        step = 1 if row[at] == "╭" else -1
        head = number + step
        while rows[head][at] == "│":
            head += step
        heads.append(head + 1)
    return heads


def heads_in_arcs(drawing: str, words: int) -> list[int]:
    """Reads the heads off arcs above the words."""
    *rows, feet, _, _ = drawing.split("\n")
    rows = [row.ljust(len(feet) + 2) for row in rows]
    centres = [column for column, mark in enumerate(feet) if mark == "▼"]
    assert len(centres) == words
    heads = []
    for centre in centres:
        level = len(rows) - 1
        while level > 0 and rows[level][centre] == "│":
            level -= 1
        step = {"╭": 1, "╮": -1}.get(rows[level][centre], 0)
        at = centre + step
        while step and rows[level][at] not in ("╮┤" if step > 0 else "╭├"):
            at += step
        heads.append(centres.index(at + step) + 1 if step else 0)
    return heads


@st.composite
def forests(draw: st.DrawFn, longest: int = 18) -> DependencyTree:
    """Any acyclic head array: words get their heads in a random order."""
    n = draw(st.integers(1, longest))
    order = draw(st.permutations(range(1, n + 1)))
    heads = [0] * n
    for place, word in enumerate(order[1:], start=1):
        heads[word - 1] = draw(st.sampled_from([0, *order[:place], *order[:place]]))
    labels = draw(st.lists(st.text("abc:", max_size=6), min_size=n, max_size=n))
    return DependencyTree(["w"] * n, heads, labels=labels)


@given(forests())
def test_the_column_drawing_tells_every_head(tree: DependencyTree) -> None:
    assert heads_in_column(draw(tree, width=1)) == tree.heads


@given(forests(10))
def test_the_arc_drawing_tells_every_head(tree: DependencyTree) -> None:
    drawing = draw(tree, width=100_000)
    if "▸" in drawing:  # crossing lines left no room for a label
        assert not tree.is_projective
        assert heads_in_column(drawing) == tree.heads
    else:
        assert heads_in_arcs(drawing, len(tree)) == tree.heads


def test_long_real_sentences_fit_and_tell_every_head(data: Path) -> None:
    trees = [t for t in read_trees(data / "ud" / "en_ewt-dev.conllu.gz") if 50 <= len(t) <= 75]
    assert len(trees) > 10
    for tree in trees:
        drawing = draw(tree, 80)
        assert heads_in_column(drawing) == tree.heads
        assert max(map(width_of, drawing.split("\n"))) <= 80


def test_wide_and_combining_characters_stand_in_their_columns() -> None:
    tree = DependencyTree(
        ["然而", "e\u0301te\u0301", "x"], [2, 0, 2], ["副", "N", "P"], ["a", "r", "b"]
    )
    rows = draw(tree, 12).split("\n")
    assert len({width_of(row[: row.rindex(tree.labels[k])]) for k, row in enumerate(rows)}) == 1
    feet, forms = draw(tree, 80).split("\n")[-3:-1]
    centres = [column for column, mark in enumerate(feet) if mark == "▼"]
    starts = [width_of(forms[: forms.index(form)]) for form in tree.forms]
    for centre, start, form in zip(centres, starts, tree.forms, strict=True):
        assert start <= centre < start + width_of(form)


def test_control_characters_cannot_reach_the_terminal() -> None:
    tree = DependencyTree(["\x1b[2J", "a\nb"], [2, 0], ["\r", "x"], ["\x07", "y"])
    for drawing in (draw(tree), draw(tree, 1), draw_pair(tree, tree, [(0, 0)])):
        assert not set(drawing) & set("\x1b\r\x07")
        assert "a\nb" not in drawing
    ET.fromstring(draw_svg(tree))  # noqa: S314


@pytest.mark.parametrize("heads", [[2, 1], [1], [2, 3, 1, 4, 0], [0, 0, 0], []])
def test_odd_shapes_are_drawn(heads: list[int]) -> None:
    tree = DependencyTree([f"w{k}" for k in range(len(heads))], heads)
    for width in (1, 80):
        drawing = draw(tree, width)
        assert all(form in drawing for form in tree.forms)
    root = ET.fromstring(draw_svg(tree))  # noqa: S314
    assert len(root.findall(f"{SVG}g")) == len(heads)
    assert draw_pair(tree, tree, []).count("w0") == (2 if heads else 0)
    ET.fromstring(draw_pair_svg(tree, tree, []))  # noqa: S314


def test_words_on_cycles_name_their_heads() -> None:
    drawing = draw(DependencyTree(["a", "b"], [2, 1], labels=["x", "y"]), 1)
    assert "x ↻ 2" in drawing
    assert "y ↻ 1" in drawing


def test_colour_is_only_added() -> None:
    coloured = draw(BOY, 30, colour=True)
    assert "\x1b[" in coloured
    plain = draw(BOY, 30)
    for code in ("38;5;67", "1", "36", "33", "2", "35", "0"):
        coloured = coloured.replace(f"\x1b[{code}m", "")
    assert [row.rstrip() for row in coloured.split("\n")] == plain.split("\n")


def test_svg_has_every_word_tag_and_arc() -> None:
    root = ET.fromstring(draw_svg(BOY))  # noqa: S314
    texts = [element.text for element in root.iter(f"{SVG}text")]
    assert sorted(map(str, texts)) == sorted([*BOY.forms, *BOY.tags, *BOY.labels])
    titles = {element.findtext(f"{SVG}title") for element in root.findall(f"{SVG}g")}
    assert "find → boy: nsubj" in titles
    assert len(titles) == 5


@pytest.mark.parametrize("name", ["en_ewt-dev", "zh-test"])
def test_long_svgs_are_broken_into_lines_that_fit(data: Path, name: str) -> None:
    sentences = read_sentences(data / "ud" / f"{name}.conllu.gz")
    tree = max((sentence.tree() for sentence in sentences), key=len)
    root = ET.fromstring(draw_svg(tree, 1000))  # noqa: S314
    forms = [e for e in root.iter(f"{SVG}text") if e.get("class") == "form"]
    assert [element.text for element in forms] == tree.forms
    assert len({element.get("y") for element in forms}) >= 3
    width = float(root.get("width", "nan"))
    assert width <= 1100
    assert all(0 <= float(e.get("x", "nan")) <= width for e in root.iter(f"{SVG}text"))


def test_pairs_show_both_trees_and_every_link() -> None:
    other = DependencyTree(["der", "Junge", "wird", "es", "finden"], [2, 5, 5, 5, 0])
    links = [(0, 0), (1, 1), (2, 2), (3, 4), (4, 3)]
    drawing = draw_pair(BOY, other, links, 100)
    assert "find 4 →5 ┊ ←5 4 es" in " ".join(drawing.split())
    narrow = draw_pair(BOY, other, links, 40)
    assert "→ 5 finden" in narrow
    root = ET.fromstring(draw_pair_svg(BOY, other, links))  # noqa: S314
    paths = [e for e in root.findall(f"{SVG}path") if e.get("class") == "link"]
    assert [e.findtext(f"{SVG}title") for e in paths][3:] == ["find – finden", "it – es"]
    with pytest.raises(ConfigError, match="link 5-0 is outside the sentences"):
        draw_pair(BOY, other, [(5, 0)])


def test_sentences_are_drawn_as_their_trees() -> None:
    words, heads = ["the", "dog", "sleeps"], [2, 3, 0]
    sentence = Sentence.from_columns(words, head=heads, xpos=["DT", "NN", "VBZ"])
    tree = sentence.tree("xpos")
    assert draw(sentence) == draw(tree)
    assert draw_svg(sentence) == draw_svg(tree)
    links = [(0, 0), (1, 1)]
    assert draw_pair(sentence, tree, links) == draw_pair(tree, sentence, links)
    assert draw_pair_svg(sentence, tree, links) == draw_pair_svg(tree, tree, links)
    upos = Sentence.from_columns(words, head=heads, upos=["DET", "NOUN", "VERB"])
    assert draw(upos) == draw(upos.tree())
