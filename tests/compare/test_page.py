"""The page of a comparison: what is in it, and what it does in a browser."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from comparisons import QUICK
from headway import Settings
from headway.compare import Compared, compare
from headway.trees import Sentence, drawable, read_sentences

Whole = tuple[Compared, Path]

EVIL = "</script><img/src=x/onerror=alert(1)>"
LINES = [f"a {EVIL} dog", f"the old {EVIL} cat sleeps", 'a mouse & a "cat" \'', "nothing differs"]


class Reader(HTMLParser):
    """All tags with their attributes, and the text of each script."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag == "script":
            self.scripts.append("")

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1][0] == "script":
            self.scripts[-1] += data


@pytest.fixture(scope="module")
def evil(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page about sentences that are markup."""
    place = tmp_path_factory.mktemp("evil")
    (place / "<b>.en").write_text("".join(f"{line}\n" for line in LINES), encoding="utf-8")
    trees: dict[str, str | Path] = {
        "right": "right-branching",
        "left": "left-branching",
        "flat": place / "flat.conllu",
    }
    sentences = [line.split() for line in LINES]
    (place / "flat.conllu").write_text(
        "".join(
            "".join(f"{at}\t{word}\t_\t<i>\t_\t_\t{at - 1}\t<u>\t_\t_\n" for at, word in rows)
            + "\n"
            for rows in (list(enumerate(words, 1)) for words in sentences)
        ),
        encoding="utf-8",
    )
    settings = Settings.load(None, QUICK)
    found = compare(place / "<b>.en", trees, place / "out", pretokenised=True, settings=settings)
    return found.page


def data(page: Path) -> dict[str, Any]:
    (text,) = (s for s in Reader(page.read_text(encoding="utf-8")).scripts if s.startswith("{"))
    found: dict[str, Any] = json.loads(text)
    return found


@pytest.mark.parametrize("which", ["whole", "evil"])
def test_nothing_is_loaded_from_elsewhere(compared: Whole, evil: Path, which: str) -> None:
    page = compared[1] / "compare.html" if which == "whole" else evil
    text = page.read_text(encoding="utf-8")
    found = Reader(text)
    for _, attributes in found.tags:
        assert not {"src", "href", "srcset", "action", "style-src"} & attributes.keys()
        assert not any(name.startswith("on") for name in attributes)
    assert not re.search(r"url\(|@import|fetch\(|XMLHttp", text)
    assert {tag for tag, _ in found.tags if tag in ("img", "link", "iframe", "b", "i", "u")} <= {
        "i"
    }
    assert len(found.scripts) == 2


def test_the_page_has_the_sentences_that_differ_and_their_drawings(compared: Whole) -> None:
    found, out = compared
    known = data(out / "compare.html")
    assert known["sources"] == [line.name for line in found.sources]
    for pair in found.pairs:
        shown = known["pairs"][f"{pair.one}-{pair.other}"]
        assert shown == [[one.line, one.words] for one in pair.found]
        for line, words in shown:
            for source in (pair.one, pair.other):
                drawing = known["drawings"][str(source)][str(line)]
                arcs = {int(word) for word in re.findall(r'data-word="(\d+)"', drawing)}
                assert arcs == set(range(1, len(known["sentences"][str(line)]) + 1))
                assert set(words) <= arcs
    texts = list(read_sentences(out / "trees" / "gold-trees.conllu"))
    for line, words in known["sentences"].items():
        assert words == texts[int(line)].forms


def test_markup_in_sentences_stays_text(evil: Path) -> None:
    known = data(evil)
    assert known["sentences"]["0"] == LINES[0].split()
    assert EVIL not in evil.read_text(encoding="utf-8")


def test_words_without_head_are_drawn_as_such() -> None:
    tree = drawable(Sentence.from_columns(["a", "b"], head=[None, 0], deprel=["_", "root"]))
    assert (tree.heads, tree.labels) == ([0, 0], ["no head", "root"])


def names(page: Any) -> list[str]:
    found: list[str] = page.locator("#table tbody th").evaluate_all(
        "all => all.map(it => it.dataset.value)"
    )
    return found


def test_columns_are_sorted_with_missing_values_last(compared: Whole, opened: Any) -> None:
    found, out = compared
    page = opened(out / "compare.html")
    head = page.locator("#table th", has_text="BLEU test")
    assert head.get_attribute("aria-sort") == "none"
    by_bleu = sorted(found.lines, key=lambda line: -sum(line.bleu("test")))
    head.locator("button").click()
    assert head.get_attribute("aria-sort") == "descending"
    assert names(page) == [line.name for line in by_bleu]
    head.locator("button").press("Enter")
    assert head.get_attribute("aria-sort") == "ascending"
    assert names(page) == [line.name for line in reversed(by_bleu)]
    precision = page.locator("#table th", has_text="Precision")
    for order in ("descending", "ascending"):
        precision.locator("button").click()
        assert precision.get_attribute("aria-sort") == order
        assert head.get_attribute("aria-sort") == "none"
        assert set(names(page)[-2:]) == {"phrase", "hiero"}
    assert names(page)[:3] == ["chains", "parsed", "gold"]
    page.locator("#table th", has_text="trees").locator("button").click()
    assert names(page) == sorted(line.name for line in found.lines)


def lines(page: Any) -> list[int]:
    titles = page.locator("#sentences h3").all_inner_texts()
    return [int(title.split()[1]) - 1 for title in titles]


def test_a_cell_shows_both_trees_of_the_sentences_that_differ_most(
    compared: Whole, opened: Any
) -> None:
    found, out = compared
    page = opened(out / "compare.html")
    assert page.locator("#one").input_value() == "0"
    page.locator('.cell[data-one="1"][data-other="2"]').first.click()
    assert (page.locator("#one").input_value(), page.locator("#other").input_value()) == ("1", "2")
    assert page.locator('.cell[aria-pressed="true"]').count() == 4
    pair = next(pair for pair in found.pairs if (pair.one, pair.other) == (1, 2))
    assert lines(page) == [one.line for one in pair.found[:5]]
    first = page.locator("#sentences li").first
    assert first.locator("figcaption").all_inner_texts() == ["chains", "parsed"]
    assert first.locator("mark").count() == len(pair.found[0].words)
    for figure in first.locator("figure").all():
        assert figure.locator("svg").bounding_box()["height"] > 50
        marked = figure.locator("g.differs").evaluate_all("all => all.map(it => it.dataset.word)")
        assert set(map(int, marked)) == set(pair.found[0].words)
    page.locator("#more").click()
    assert lines(page) == [one.line for one in pair.found[:10]]
    while page.locator("#more").is_visible():
        page.locator("#more").click()
    assert lines(page) == [one.line for one in pair.found]


def test_sentences_are_searched_by_their_words(compared: Whole, opened: Any) -> None:
    found, out = compared
    page = opened(out / "compare.html")
    words = list(read_sentences(out / "trees" / "gold-trees.conllu"))
    texts = {one.line: " ".join(words[one.line].forms) for one in found.pairs[0].found}
    wanted = texts[found.pairs[0].found[-1].line].split()[1]
    page.locator("#search").fill(wanted.upper())
    matching = [line for line, text in texts.items() if wanted.lower() in text.lower()]
    assert lines(page) == matching[:5]
    assert page.locator("#status").inner_text().startswith(f"{len(matching)} of the {len(texts)} ")
    page.locator("#search").fill("no such words")
    assert lines(page) == []
    assert page.locator("#status").inner_text().startswith("0 of the ")
    page.locator("#search").fill("")
    page.locator("#other").select_option("0")
    assert page.locator("#status").inner_text() == "Choose two different sources."


def test_everything_can_be_reached_by_keyboard_and_has_a_name(compared: Whole, opened: Any) -> None:
    page = opened(compared[1] / "compare.html")
    for kind in ("button", "select", "input", "svg"):
        for one in page.locator(kind).all():
            name = one.evaluate(
                "it => it.ariaLabel || it.textContent || it.labels?.[0]?.textContent"
            )
            assert name.strip() or not one.is_visible()
    page.locator('.cell[data-one="0"][data-other="2"]').first.focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "one"
    for target in ("other", "search"):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.id") == target
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "drawing"


def luminance(page: Any) -> float:
    """Of the background, from 0 to 1."""
    colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
    return sum(map(int, re.findall(r"\d+", colour)[:3])) / 3 / 255


def test_light_and_dark_and_narrow(compared: Whole, opened: Any) -> None:
    page = opened(compared[1] / "compare.html")
    page.emulate_media(color_scheme="light")
    assert luminance(page) > 0.9
    page.emulate_media(color_scheme="dark")
    assert luminance(page) < 0.1
    page.set_viewport_size({"width": 1280, "height": 700})
    hidden = "all => all.filter(it => it.scrollWidth > it.clientWidth).length"
    assert page.locator(".wide").evaluate_all(hidden) == 0
    page.set_viewport_size({"width": 380, "height": 700})
    assert page.evaluate("document.documentElement.scrollWidth") <= 380


def test_markup_is_shown_and_not_obeyed(evil: Path, opened: Any) -> None:
    page = opened(evil)
    assert page.locator("h1").inner_text() == "Dependency trees of <b>.en"
    page.locator("#search").fill("old")
    assert page.locator("#sentences .text").inner_text().split() == LINES[1].split()
    assert page.locator("#sentences img").count() == 0
    forms = page.locator("#sentences svg").first.locator("text.form").all_text_contents()
    assert forms == LINES[1].split()


def test_two_sources_that_agree_everywhere(evil: Path, opened: Any) -> None:
    page = opened(evil)
    page.locator('.cell[data-one="0"][data-other="2"]').first.click()
    message = "There is no sentence to show in which right and flat differ."
    assert page.locator("#status").inner_text() == message


def test_a_single_source(tmp_path: Path, opened: Any) -> None:
    (tmp_path / "t.en").write_text("a dog\n", encoding="utf-8")
    settings = Settings.load(None, QUICK)
    found = compare(
        tmp_path / "t.en", {"a": "right-branching"}, tmp_path / "out", settings=settings
    )
    page = opened(found.page)
    page.locator("#table th", has_text="Illegal").locator("button").click()
    assert names(page) == ["a"]
    assert page.locator("section").count() == 1
