"""Markup by example, with a translator that says what it reads and with small systems."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from conftest import Headway
from fragments import Maker
from headway import ConfigError, FormatError, HeadwayError, Source, Translation, Translator
from headway.corpus import read_lines
from headway.markup import Format, translate_marked
from stub import Stub
from test_fragments import check

PLACEHOLDERS = [
    "{{name}}", "{0}", "{}", "{name:.2f}", "{n, plural}", "%s", "%1$d", "%5.2f", "%(name)s", "%@",
    "${name}", "%{name}", "{% if x %}", "<%= name %>", "http://a.de/b?c=1&d", "www.a.de/x",
    "https://a.de", "hans.meier+x@post.example.org",
]  # fmt: skip


def same(text: str, form: Format) -> str:
    """The text after a translation that says what it reads."""
    return translate_marked(Stub(how=0), [text], format=form)[0].text


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n",
        "<p>A <b>b</b> c.</p>",
        "<b>One. Two</b> three. <i>Four. Five.</i>",
        "<b>one<br>two</b> three<!-- <b> --> four",
        "<a href='x>y'><div>one</div> two</a>",
        "<script>if (a < b) '</p>'</script>one <style>p > b {}</style> two",
        "one <code>x  <b>y</b></code>, <kbd>z</kbd>. <svg><text>q</text></svg> two",
        "<pre>one\n  two\n\nthree</pre>\n",
        '<p translate="no">Nicht  <p>so</p></p> <div class="a notranslate">Nie  so</div> one',
        "<p>one &amp; two &lt;b&gt; three</p>",
        "one <i>two <b>three</i> four</b> </u> five <s>six",
        "<p>one <img alt='a > b' src=x> two</p><hr/>three",
        "<code>one two <p>three",
        "one <!-- two",
        "<ul><li>one<li>two</ul><!DOCTYPE html><?xml version='1.0'?>three",
    ],
)
def test_nothing_of_html_is_lost(text: str) -> None:
    assert "".join(same(text, "html").split()) == "".join(text.split())


@pytest.mark.parametrize("text", ["a < b", "AT&T & Co", "1 <2 and 3> 2", "<3", "a &unknown; b"])
def test_signs_that_are_no_markup_are_encoded(text: str) -> None:
    plain = same(text, "html").replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">")
    assert "".join(plain.split()) == "".join(text.split())


def test_lines_stay_lines_and_sentences_are_cut() -> None:
    stub = Stub(how=0)
    text = "Hello Dr. No. How are you?\n\nIt is 3.5 km. Yes! He said so. ok\r\nEnd"
    (found,) = translate_marked(stub, [text])
    assert found.text == text
    assert [" ".join(one) for one in stub.seen] == [
        "Hello Dr. No .",
        "How are you ?",
        "It is 3.5 km .",
        "Yes !",
        "He said so. ok",
        "End",
    ]


@pytest.mark.parametrize("system", ["phrase", "hiero", "str2dep", "phrase-deplm"])
def test_placeholders_survive_systems_that_never_saw_them(small_systems: Path, system: str) -> None:
    translator = Translator.load(small_systems / system)
    lines = [f"Der Mann sieht {one} , und {one} sieht 1.234,5 Frauen ." for one in PLACEHOLDERS]
    lines += [f"{one}: der Mann ({one})" for one in PLACEHOLDERS]
    for line, found in zip(lines, translate_marked(translator, lines), strict=True):
        (held,) = {one for one in PLACEHOLDERS if line.count(f"{one} ,") or line.startswith(one)}
        assert found.text.count(held) == line.count(held), (line, found.text)
        assert "1.234,5" not in line or "1.234,5" in found.text


@pytest.mark.parametrize("system", ["phrase", "hiero", "str2dep"])
def test_random_html_with_real_systems(small_systems: Path, system: str) -> None:
    """The words of the fragments are those of real text."""
    translator = Translator.load(small_systems / system)
    known = [
        word for line in read_lines(small_systems / "corpus" / "test.de") for word in line.split()
    ]
    known = [word for word in known if word.isalpha()]
    maker = Maker(31)
    fragments = [maker.make() for _ in range(40)]
    for fragment in fragments:
        fragment.text = re.sub(
            r"\b[abcXYZ]w(\d+)q\b", lambda it: known[int(it[1]) % len(known)], fragment.text
        )
    texts = [fragment.text for fragment in fragments]
    found = translate_marked(translator, texts, format="html", n_best=2, threads=1)
    for fragment, one in zip(fragments, found, strict=True):
        check(fragment, one.text)
        assert all(other != one.text for other in one.alternatives)
        for other in one.alternatives:
            check(fragment, other)
    again = translate_marked(translator, texts, format="html", n_best=2, threads=2)
    assert [(one.text, one.alternatives) for one in again] == [
        (one.text, one.alternatives) for one in found
    ]


@pytest.mark.parametrize("system", ["phrase", "hiero"])
def test_moses_markup(small_systems: Path, system: str) -> None:
    translator = Translator.load(small_systems / system)

    def one(text: str, **options: str) -> str:
        return translate_marked(translator, [text], format="xml", **options)[0].text  # type: ignore[arg-type]

    plain = translator.translate(["Der alte Mann schläft ."])[0].text
    given = 'Der <n translation="zebra stripes">alte Mann</n> schläft .'
    assert "zebra stripes" in one(given)
    assert "zebra stripes" in one(given, xml_mode="constraint")
    assert one(given, xml_mode="ignore") == plain
    unlikely = given.replace("<n ", '<n prob="0.0000001" ')
    assert "zebra" not in one(unlikely, xml_mode="inclusive")
    assert "zebra" in one(unlikely)
    assert "zebra" not in one(unlikely.replace("<n ", '<n mode="inclusive" '))
    two = 'Der <n translation="zebra||giraffe" prob="0.0001||0.9">Mann</n> schläft .'
    assert "giraffe" in one(two)
    assert one("Der <zone>alte Mann</zone><wall/> schläft .") == plain
    kept = one('Der <x translate="no">alte  <b>Mann</b></x> schläft &lt; .')
    assert '<x translate="no">alte  <b>Mann</b></x>' in kept
    assert "&lt;" in kept
    assert '<x translation="no">Mann</x>' in one('Der <x translation="no">Mann</x> .')
    assert one("Der <b>Mann</b>\nschläft").count("\n") == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a <b>c", "text 1, character 3: <b> is not closed; add </b>"),
        ("a </b>", "text 1, character 3: </b> closes nothing"),
        ("a\n<b><i></b></i>", "text 1, line 2, character 7: </b> where </i> is expected"),
        ("a < b", "text 1, character 3: < is no tag; write &lt;"),
        ("<n translation='x' prob='3'>q</n>", 'prob="3": expected a probability'),
        ("<n translation='x||y' prob='1'>q</n>", "2 in all"),
        ("<n translation='x' mode='no'>q</n>", "expected one of exclusive"),
        ("<n translation='x'> </n>", "gives a translation for no words"),
        ("<n translation='x'/>", "gives a translation for no words"),
        ("<n translation='x'>a <m translation='y'>b</m></n>", "within another one"),
        ("<n translation=x>a</n>", 'expected attributes as name="value"'),
    ],
)
def test_bad_xml_is_one_line_with_its_place(text: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        translate_marked(Stub(), [text], format="xml")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


class Failing(Stub):
    """Fails on a sentence as decoders do."""

    def translate(self, lines: Sequence[Source], **_: Any) -> list[Translation]:
        for number, source in enumerate(lines, 1):
            if "bad" in source.words:
                raise FormatError(f'sentence {number} ("bad"): no way')
        raise ConfigError("nothing to do with a sentence")


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["One. Two.", "3", "bad"], 'line 13 ("bad"): no way'),
        (["One. Two.", "3", "One. Bad. Very bad. Two."], 'line 13, sentence 3 ("bad"): no way'),
        (["One."], "nothing to do with a sentence"),
    ],
)
def test_errors_of_the_decoder_name_the_text(texts: list[str], message: str) -> None:
    with pytest.raises(HeadwayError) as caught:
        translate_marked(Failing(), texts, format="html", where="line {}".format, before=10)
    assert str(caught.value) == message


def test_constraints_that_contradict_each_other_name_the_text(
    small_systems: Path, headway: Headway, tmp_path: Path
) -> None:
    page = tmp_path / "page"
    within = '<n translation="x">alte <x translate="no">Mann</x></n>'
    page.write_text(f"Der Mann .\n\nDer {within} .\n", encoding="utf-8")
    bad = headway("translate", small_systems / "phrase", "-i", page, "--format", "xml")
    assert bad.returncode == 2
    assert f"{page}:3: the forced span (1, 3) and the forced span (2, 3) contradict" in bad.stderr


def test_alternatives_are_the_best_ones_of_all_sentences() -> None:
    (found,) = translate_marked(
        Stub(0.9), ["<p>One two three. Four five six.</p>"], format="html", n_best=5
    )
    assert len({found.text, *found.alternatives}) == len(found.alternatives) + 1
    assert 1 < len(found.alternatives) <= 5
    assert len(found.translations) == 2
    with pytest.raises(ConfigError, match="expected one of text, html, xml"):
        translate_marked(Stub(), ["a"], format="rtf")  # type: ignore[arg-type]
    assert translate_marked(Stub(), []) == []


def test_odd_text_takes_no_long_time() -> None:
    repeated = ["<" * 5000, "<a <a " * 2000, "<b>" * 3000, "</i>" * 3000, "{{" * 3000]
    others = ["<a '" * 3000, "a\0b \x1c c", "&#0; &#xD800; &#99999999;", "<script>" * 500]
    for odd in [*repeated, *others]:
        (found,) = translate_marked(Stub(0), [odd], format="html")
        assert found.text.count("<b>") == odd.count("<b>")


def test_the_command(small_systems: Path, headway: Headway, tmp_path: Path) -> None:
    page = tmp_path / "page"
    page.write_text("<p>Der <b>Mann</b> schläft.</p><hr>\n\n{{name}} &amp; 3\n")
    model = str(small_systems / "phrase")
    done = headway("translate", model, "-i", page, "--format", "html")
    assert done.returncode == 0
    assert done.stdout.split("\n")[1:] == ["", "{{name}} &amp; 3", ""]
    assert re.fullmatch(r"<p>.*<b>.*</b>.*</p><hr>", done.stdout.split("\n")[0])
    page.write_text("Mann\nDer <b>Mann\n")
    bad = headway("translate", model, "-i", page, "--format", "xml")
    assert bad.returncode == 2
    assert f"{page}:2, character 5: <b> is not closed; add </b>" in bad.stderr
    cases: list[tuple[list[str], str]] = [
        (["--format", "rtf"], "--format rtf: expected one of text, html, xml"),
        (["--xml-input", "ignore"], "--xml-input ignore: of which format?"),
        (["--format", "xml", "--xml-input", "never"], "expected one of exclusive"),
        (["--format", "html", "--derivations", f"{tmp_path}/d"], "a line may be several"),
    ]
    for options, message in cases:
        wrong = headway("translate", model, "-i", page, *options)
        assert wrong.returncode == 2
        assert message in wrong.stderr
