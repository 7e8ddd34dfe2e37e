"""The page at `/`: what a person sees and does there, in a browser."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from headway import Translator
from headway.systems import Bundle, explain
from serving import Running, running

EVIL = "<script>alert(1)</script> <img src=x onerror=alert(2)> Hund"
WAIT = 60_000  # milliseconds, for the slowest machine
# Longer sentences than this are refused by the service of `both`.
MOST = 80


@pytest.fixture(scope="module")
def phrase(small_systems: Path) -> Translator:
    return Translator.load(small_systems / "phrase")


@pytest.fixture(scope="module")
def both(small_systems: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A service with both directions, and a limit; the way back is the way there by name only."""
    back = tmp_path_factory.mktemp("back") / "back"
    shutil.copytree(small_systems / "phrase", back)
    text = (back / "model.toml").read_text(encoding="utf-8")
    turned = text.replace('source = "de"\ntarget = "en"', 'source = "en"\ntarget = "de"')
    assert turned != text
    (back / "model.toml").write_text(turned, encoding="utf-8")
    limit = ["--set", f"serve.max_characters={MOST}"]
    with running(small_systems / "phrase", back, *limit) as found:
        yield found


class Visits:
    """Pages of a service; none may complain, or ask anything of anybody else."""

    def __init__(self, context: Any) -> None:
        self.context = context
        self.faults: list[str] = []
        self.asked: list[str] = []
        self.expected: list[str] = []
        """Complaints of the browser that a test provokes."""

    def go(self, url: str) -> Any:
        page = self.context.new_page()
        page.set_default_timeout(WAIT)
        page.on("console", lambda message: self.faults.append(message.text))
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("dialog", lambda dialog: self.faults.append(f"dialog: {dialog.message}"))
        page.on("request", lambda request: self.asked.append(request.url))
        page.goto(url)
        page.wait_for_selector("#source option", state="attached")
        return page


@pytest.fixture
def visits(browser: Any) -> Iterator[Visits]:
    context = browser.new_context()
    found = Visits(context)
    yield found
    context.close()
    assert [it for it in found.faults if not any(one in it for one in found.expected)] == []
    assert len({url.split("/")[2] for url in found.asked}) == 1


def said(page: Any) -> str:
    """The translation as it is shown, once the page has done."""
    page.wait_for_selector('#answer[aria-busy="false"] .word')
    return str(page.locator("#output").inner_text()).strip()


def translate(page: Any, line: str) -> str:
    with page.expect_response("**/api/v1/picture"):
        page.locator("#text").fill(line)
    return said(page)


def test_it_translates_as_one_types(
    visits: Visits, service: Running, phrase: Translator, lines: list[str]
) -> None:
    page = visits.go(service.url)
    for line, expected in zip(lines[:2], phrase.translate(lines[:2]), strict=True):
        assert translate(page, line) == expected.text
    assert page.locator("#told").inner_text().startswith("phrase, ")
    page.locator("#clear").click()
    page.wait_for_selector("#output .word", state="detached")
    assert page.locator("#copy").is_disabled()
    assert page.locator("#pictures section").count() == 0


def test_a_word_shows_what_it_came_from(
    visits: Visits, service: Running, phrase: Translator, lines: list[str]
) -> None:
    page = visits.go(service.url)
    translate(page, lines[0])
    (expected,) = phrase.translate([lines[0]])
    for place in range(len(expected.words)):
        page.locator(f'#output .word[data-target="{place}"]').hover()
        linked = page.locator(".picture .word.linked").evaluate_all(
            "all => all.map(it => Number(it.dataset.source))"
        )
        assert set(linked) == {one for one, other in expected.alignment if other == place}
        (segment,) = (it for it in expected.segments if place in range(*it.target))
        about = page.locator("#about").inner_text()
        assert " ".join(expected.source[slice(*segment.source)]) in about
        assert page.locator(".drawing .link.pointed").count() == len(linked)
    first = page.locator('#output .word[data-target="0"]')
    first.focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.target") == "1"
    page.keyboard.press("End")
    last = page.evaluate("document.activeElement.dataset.target")
    assert int(last) == len(expected.words) - 1
    assert page.locator("#output .word.pointed").get_attribute("data-target") == last


def test_systems_are_switched_and_compared(
    visits: Visits, service: Running, small_systems: Path, lines: list[str]
) -> None:
    page = visits.go(service.url)
    translate(page, lines[0])
    assert page.locator(".drawing g[data-word]").count() == 0
    with page.expect_response("**/api/v1/picture"):
        page.locator("#model").select_option("str2dep")
    page.wait_for_selector(".drawing g[data-word]")
    (tree,) = Translator.load(small_systems / "str2dep").translate([lines[0]], trees=True)
    assert said(page) == tree.text
    assert page.locator(".drawing g[data-word]").count() == len(tree.words)
    page.locator("#other").select_option("phrase")
    page.wait_for_selector("#pictures.two section:nth-child(2)")
    assert page.locator("#output h3").all_inner_texts() == ["str2dep", "phrase"]
    assert page.locator("#pictures h2").all_inner_texts() == ["str2dep", "phrase"]
    page.reload()  # the address has all choices
    page.wait_for_selector("#pictures.two section:nth-child(2)")
    assert page.locator("#text").input_value() == lines[0]
    assert page.locator("#model").input_value() == "str2dep"
    assert page.locator("#other").input_value() == "phrase"


def test_an_alternative_can_be_looked_at(
    visits: Visits, service: Running, phrase: Translator, lines: list[str]
) -> None:
    page = visits.go(service.url)
    best = translate(page, lines[0])
    (expected,) = phrase.translate([lines[0]], n_best=6, distinct=True)
    page.locator(".alternatives button").nth(1).click()
    page.wait_for_function("best => document.getElementById('output').innerText.trim() !== best",
                           arg=best)  # fmt: skip
    others = [one for one in expected.n_best if one.words != expected.words]
    assert said(page) == phrase.written(others[1].words)[0]
    score = page.locator(".bars .total td").nth(2).inner_text().replace("\N{MINUS SIGN}", "-")
    assert float(score) == pytest.approx(others[1].score, abs=0.001)
    page.locator(".alternatives button").first.click()  # back to the best one
    page.wait_for_function("best => document.getElementById('output').innerText.trim() === best",
                           arg=best)  # fmt: skip


def test_features_add_up(visits: Visits, service: Running, lines: list[str]) -> None:
    page = visits.go(f"{service.url}/?q={lines[1]}")
    said(page)
    cells = page.locator(".bars tbody tr:not(.total) td:nth-child(4)").all_inner_texts()
    total = page.locator(".bars .total td").nth(2).inner_text()
    numbers = [float(cell.replace("\N{MINUS SIGN}", "-")) for cell in [*cells, total]]
    assert sum(numbers[:-1]) == pytest.approx(numbers[-1], abs=0.001 * len(numbers))


def test_unknown_words_are_marked(visits: Visits, service: Running) -> None:
    page = visits.go(service.url)
    translate(page, "Der Blubberfluss schläft.")
    marked = page.locator("#output .word.unknown").all_inner_texts()
    assert "Blubberfluss" in marked
    page.locator("#output .word.unknown", has_text="Blubberfluss").hover()
    assert "unknown word Blubberfluss, copied" in page.locator("#about").inner_text()


def test_markup_is_shown_and_not_obeyed(visits: Visits, service: Running) -> None:
    page = visits.go(service.url)
    translate(page, EVIL)
    for place in ("#output", "#pictures"):
        assert page.locator(f"{place} script, {place} img").count() == 0
    shown = page.locator("#output").inner_text()
    assert "script" in shown
    assert "alert" in shown
    assert page.locator("#text").input_value() == EVIL


def test_lines_are_translated_each_on_its_own(
    visits: Visits, service: Running, lines: list[str]
) -> None:
    page = visits.go(service.url)
    translate(page, f"{lines[0]}\n{lines[1]}")
    assert page.locator("#output .words").count() == 2
    assert page.locator("#pictures section").count() == 2
    page.locator('#output [data-view="0-1"] .word').first.hover()
    assert page.locator('[data-view="0-0"] .linked').count() == 0
    assert page.locator('[data-view="0-1"] .pointed').count() > 0


def test_placeholders_are_shown_as_they_are(visits: Visits, service: Running) -> None:
    page = visits.go(service.url)
    text = "Der Hund schläft {name} https://example.org/a?b=1 ."
    found = translate(page, text)
    assert "{name}" in found
    assert "https://example.org/a?b=1" in found
    drawn = page.locator(".drawing .form").all_text_contents()
    assert drawn.count("{name}") >= 2  # of the source and of the target
    assert page.locator("#output .words").inner_text() == found


def test_what_stands_beside_a_placeholder_is_shown_once(
    visits: Visits, small_systems: Path, tmp_path: Path
) -> None:
    """Systems that take text as it is put spaces between words, and markup does not."""
    shutil.copytree(small_systems / "phrase", tmp_path / "plain")
    manifest = tmp_path / "plain" / "model.toml"
    text = manifest.read_text(encoding="utf-8")
    assert "tokenise = true" in text
    manifest.write_text(text.replace("tokenise = true", "tokenise = false"), encoding="utf-8")
    with running(tmp_path / "plain", "--set", "search.distortion_limit=0") as plain:
        page = visits.go(plain.url)
        found = translate(page, "der Hund schläft {name}.\n\n12\nder Hund schläft {other}.")
    for name in ("{name}", "{other}", "12"):
        assert found.count(name) == 1
    assert page.locator("#output .words").count() == 2


def test_both_directions_are_swapped(visits: Visits, both: Running) -> None:
    page = visits.go(both.url)
    there = translate(page, "Der Hund schläft.")
    page.locator("#swap").click()
    assert page.locator("#source").input_value() == "en"
    assert page.locator("#target").input_value() == "de"
    assert page.locator("#text").input_value() == there
    page.wait_for_function("() => location.search.includes('source=en')")


def test_the_language_is_found_out(visits: Visits, both: Running) -> None:
    page = visits.go(f"{both.url}/?source=auto&target=en&q=Der+alte+Mann+sieht+einen+Hund.")
    said(page)
    assert page.locator("#detected").inner_text().startswith("German, ")


def test_one_direction_cannot_be_swapped(visits: Visits, service: Running) -> None:
    page = visits.go(service.url)
    translate(page, "Der Hund schläft.")
    assert page.locator("#swap").is_disabled()


def test_errors_are_said_and_the_page_goes_on(visits: Visits, both: Running) -> None:
    visits.expected = ["Failed to load resource"]
    page = visits.go(both.url)
    before = translate(page, "Der Hund schläft.")
    page.locator("#text").fill("Hund " * MOST)
    page.wait_for_selector("#error:not([hidden])")
    assert "exceeds text limit" in page.locator("#error").inner_text()
    assert page.locator("#count").inner_text() == f"{5 * MOST} of {MOST} characters"
    assert translate(page, "Der Hund schläft.") == before
    assert page.locator("#error").is_hidden()


def test_a_server_that_is_gone(visits: Visits, service: Running) -> None:
    visits.expected = ["Failed to load resource"]
    page = visits.go(service.url)
    visits.context.set_offline(True)
    page.locator("#text").fill("Der Hund schläft.")
    page.wait_for_selector("#error:not([hidden])")
    assert page.locator("#error").inner_text().startswith("The server does not answer.")
    visits.context.set_offline(False)


def test_everything_has_a_name_and_fits(visits: Visits, service: Running, lines: list[str]) -> None:
    page = visits.go(f"{service.url}/?with=str2dep&q={' '.join(lines)}")
    said(page)
    for kind in ("button", "select", "textarea", "input", "svg", "[role=region]"):
        for one in page.locator(kind).all():
            name = one.evaluate(
                "it => it.ariaLabel || it.labels?.[0]?.textContent || it.textContent"
            )
            assert name.strip()
    for width in (1280, 360):
        page.set_viewport_size({"width": width, "height": 700})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    colours = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        colours.append(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert colours[0] != colours[1]


def test_the_page_shows_what_inspect_draws(
    visits: Visits, service: Running, phrase: Translator, lines: list[str]
) -> None:
    """Words and spans of the drawings are those of the explanation of the same sentence."""
    page = visits.go(f"{service.url}/?q={lines[2]}")
    said(page)
    found = explain(phrase, lines[2]).translation
    assert isinstance(phrase.bundle, Bundle)
    spans = page.locator(".span title").all_text_contents()
    assert len(spans) == len(found.segments)
    links = page.locator(".drawing .link").evaluate_all(
        "all => all.map(it => [Number(it.dataset.source), Number(it.dataset.target)])"
    )
    assert sorted(map(tuple, links)) == sorted(found.alignment)
