"""Pictures of translations: they show what there is, and nothing that is in a text is obeyed."""

import re
import xml.etree.ElementTree as ET
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from conftest import Headway
from headway import Translation, Translator
from headway.corpus import Alignment
from headway.show.picture import Picture, picture_html, picture_page, picture_svg
from headway.show.picture.alternatives import changes
from headway.show.picture.words import pieces
from headway.systems import explain
from headway.systems.picture import picture_of
from headway.trees import DependencyTree, Sentence
from hypothesis import given
from hypothesis import strategies as st

parse = ET.fromstring

SYSTEMS = ("phrase", "hiero", "str2dep", "phrase-deplm")
EVIL = "<script>alert(1)</script> </svg> &amp; \"a\" 'b' Hund"


class Texts(HTMLParser):
    """The text of words by side, and all tags."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: Counter[str] = Counter()
        self.words: dict[str, list[str]] = {"source": [], "target": []}
        self._paragraph = ""
        self.paragraphs: list[str] = []
        self._inside = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        assert not any(name.startswith("on") for name, _ in attrs)
        if tag == "p" and ("class", "words") in attrs:
            self._inside = True
            self.paragraphs.append("")

    def handle_endtag(self, tag: str) -> None:
        self._inside = self._inside and tag != "p"

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.paragraphs[-1] += data


@pytest.fixture(scope="module")
def translated(small_systems: Path) -> dict[str, list[Translation]]:
    text = (small_systems / "corpus" / "test.de").read_text(encoding="utf-8")
    lines = [*text.splitlines(), "Der Blubberfluss schläft.", EVIL]
    found = {}
    for name in SYSTEMS:
        translator = Translator.load(small_systems / name)
        found[name] = translator.translate(lines, trees=translator.has_trees, forests=True)
    return found


@pytest.mark.parametrize("system", SYSTEMS)
def test_each_word_is_of_one_span(translated: dict[str, list[Translation]], system: str) -> None:
    for translation in translated[system]:
        picture = picture_of(translation)
        spans = [one for span in picture.spans for one in span.all()]
        source = Counter(place for span in spans for place in span.own_source)
        target = Counter(place for span in spans for place in span.own_target)
        assert source == Counter(range(len(translation.source)))
        assert target == Counter(range(len(translation.words)))
        for span in spans:
            inside = [place for part in span.parts for place in range(*part.source)]
            assert sorted([*inside, *span.own_source]) == list(range(*span.source))


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_drawing_is_read_back(translated: dict[str, list[Translation]], system: str) -> None:
    for translation in translated[system]:
        root = parse(picture_svg(picture_of(translation)))
        texts = [it for it in root.iter() if it.tag.endswith("}text")]
        for side, words in (("source", translation.source), ("target", translation.words)):
            drawn = {int(it.get(f"data-{side}", "")): it.text for it in texts
                     if it.get(f"data-{side}")}  # fmt: skip
            assert tuple(drawn[place] for place in range(len(words))) == words
        links = {
            (int(it.get("data-source", "")), int(it.get("data-target", "")))
            for it in root.iter()
            if it.get("class") == "link"
        }
        assert links == set(translation.alignment)
        arcs = {it.get("data-word") for it in root.iter() if it.get("data-word")}
        assert len(arcs) == (len(translation.words) if translation.tree is not None else 0)


def test_texts_are_shown_as_people_write_them(translated: dict[str, list[Translation]]) -> None:
    for translation in translated["phrase"]:
        page = Texts(picture_html(picture_of(translation)))
        assert page.paragraphs == [" ".join(translation.source), translation.text]


def test_nothing_in_a_text_is_obeyed(translated: dict[str, list[Translation]]) -> None:
    for system in SYSTEMS:
        picture = picture_of(translated[system][-1], given=EVIL, languages=('"><b>', "<i>"))
        page = picture_page(picture, "<u>", "")
        found = Texts(page)
        assert found.paragraphs[0] == EVIL
        assert found.tags["script"] == 1
        assert not {"b", "u", "img"} & found.tags.keys()
        assert found.tags["svg"] >= 2
        assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", page)


@given(st.lists(st.text("abÄß<&.,", min_size=1, max_size=4), max_size=8), st.data())
def test_words_are_found_in_their_text(words: list[str], data: st.DataObject) -> None:
    spaces = [data.draw(st.sampled_from(["", " ", "  "])) for _ in words]
    text = "".join(space + word for space, word in zip(spaces, words, strict=True))
    found = pieces(text, words)
    assert found is not None
    assert "".join(before + word for before, word in found) == text
    assert [word for _, word in found] == words


def test_words_of_another_text_are_not_found() -> None:
    assert pieces("a b c", ["a", "c"]) is None
    assert pieces("a b", ["a", "b", "c"]) is None
    assert pieces("Der Hund.", ["der", "Hund", "."]) == [("", "Der"), (" ", "Hund"), ("", ".")]


@given(st.lists(st.sampled_from("abc"), max_size=9), st.lists(st.sampled_from("abc"), max_size=9))
def test_changes_give_both_sides(old: list[str], new: list[str]) -> None:
    found = list(changes(old, new))
    kept = {"same", "gone"}, {"same", "new"}
    for side, kinds in zip((old, new), kept, strict=True):
        assert " ".join(words for kind, words in found if kind in kinds).split() == side


def test_explanations_have_bars_and_options(small_systems: Path) -> None:
    found = explain(Translator.load(small_systems / "phrase"), "Der Hund schläft.", n_best=5)
    picture = picture_of(found)
    products = [value * weight for _, value, weight in picture.features]
    assert sum(products) == pytest.approx(picture.score)
    assert [one.words for one in picture.alternatives] == [
        one.words for one in found.translation.n_best[1:]
    ]
    page = picture_html(picture)
    assert page.count("<li data-alternative") == len(picture.alternatives)
    assert "What there was to choose from" in page


def test_words_that_the_system_is_unsure_of_are_marked() -> None:
    picture = Picture(("a", "b"), ("x", "y"), "x y", confidence=(0.9, 0.2), doubts={})
    page = picture_html(picture)
    assert re.findall(r'class="word (\w*)" data-target="(\d)"', page) == [
        ("", "0"),
        ("unsure", "1"),
    ]
    assert "confidence 20%" in page


def test_objects_draw_themselves(translated: dict[str, list[Translation]]) -> None:
    tree = DependencyTree(["a", "<b>"], [2, 0], ["", ""], ["x", "root"])
    whole = Sentence.from_columns(["a", "b"], head=[2, 0], deprel=["x", "root"])
    (translation, *_) = translated["str2dep"]
    shown: list[Any] = [tree, whole, Alignment.parse("0-0 1-2"), translation, translation.forest]
    for one in shown:
        drawing, page = one._repr_svg_(), one._repr_html_()
        assert parse(drawing).tag.endswith("svg")
        assert "<script" not in page
        assert page.startswith("<")
    lacking = Sentence.from_columns(["a", "b"], head=[2, None])
    for nothing in (lacking, Alignment.parse("")):
        assert nothing._repr_svg_() is None
        assert nothing._repr_html_() is None


@pytest.mark.parametrize("system", SYSTEMS)
def test_forests_show_their_best_derivation(
    translated: dict[str, list[Translation]], system: str
) -> None:
    for translation in translated[system]:
        forest = translation.forest
        assert forest is not None
        best = forest.best()
        root = parse(forest._repr_svg_())
        drawn = [it.text for it in root.iter() if it.get("data-target") and it.text]
        assert best is not None
        assert sorted(drawn) == sorted(best.tokens)
        assert "edges" in forest._repr_html_()


def test_inspect_writes_pictures(headway: Headway, small_systems: Path, tmp_path: Path) -> None:
    files = tmp_path / "p.html", tmp_path / "p.svg"
    done = headway(
        "inspect", small_systems / "str2dep", EVIL, "--html", files[0], "--svg", files[1]
    )
    assert done.returncode == 0, done.stderr
    found = Texts(files[0].read_text(encoding="utf-8"))
    assert found.paragraphs[0] == EVIL
    assert found.tags["script"] == 1
    assert parse(files[1].read_text(encoding="utf-8")).tag.endswith("svg")


@pytest.mark.parametrize(
    ("option", "name", "told"),
    [
        ("--svg", "p.png", "headway writes no PNG; write --svg"),
        ("--html", "p.pdf", "headway writes no PDF; write --html and print it"),
        ("--html", "p.svg", "--html writes HTML; use --svg"),
    ],
)
def test_other_kinds_of_files_are_refused(
    headway: Headway, small_systems: Path, tmp_path: Path, option: str, name: str, told: str
) -> None:
    done = headway("inspect", small_systems / "phrase", "Hund", option, tmp_path / name)
    assert done.returncode == 2
    assert told in done.stderr
    assert not (tmp_path / name).exists()


def test_pictures_need_a_sentence(headway: Headway, small_systems: Path, tmp_path: Path) -> None:
    done = headway("inspect", small_systems / "phrase", "--html", tmp_path / "p.html")
    assert done.returncode == 2
    assert "draw the translation of a sentence" in done.stderr


def test_a_page_of_its_own_answers_to_the_pointer(
    opened: Any, headway: Headway, small_systems: Path, tmp_path: Path
) -> None:
    path = tmp_path / "p.html"
    headway("inspect", small_systems / "phrase", "Der alte Mann sieht einen Hund.", "--html", path)
    page = opened(path)
    page.locator(".word[data-target]").first.hover()
    assert page.locator(".word.linked, .word.near").count() > 0
    assert page.locator(".about").inner_text()
    page.locator(".drawing .form[data-source]").last.hover()
    assert page.locator(".word[data-source].pointed").count() == 1
    page.locator(".span .said").first.hover()
    assert "→" in page.locator(".about").inner_text()
    page.set_viewport_size({"width": 360, "height": 700})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
