"""Random HTML: every tag comes back, nested as it was, and all text is translated once."""

import re
from collections import Counter

import pytest
from fragments import Fragment, Maker, markup, words
from headway.markup import translate_marked
from stub import Stub

# 10,000 fragments in all.
SEEDS = range(10)
EACH = 1000


def check(fragment: Fragment, found: str) -> None:
    """Tags nest as they did, and what is not translated is there once."""
    source = fragment.text
    for fixed in fragment.fixed:
        assert found.count(fixed) == 1, (fixed, found)
        if not fixed.startswith("<!"):  # what is translated as a word may be moved into an element
            source, found = source.replace(fixed, ""), found.replace(fixed, "")
    assert markup(found) == markup(source)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_tag_comes_back_nested(seed: int) -> None:
    maker, stub = Maker(seed), Stub(how=seed / 10)
    fragments = [maker.make() for _ in range(EACH)]
    found = translate_marked(stub, [it.text for it in fragments], format="html", n_best=1)
    seen = Counter(word for one in stub.seen for word in one if re.fullmatch(r"\w+q", word))
    assert seen == Counter(word for it in fragments for word in it.words)
    for fragment, one in zip(fragments, found, strict=True):
        check(fragment, one.text)
        said = [w for it in one.translations for w in it.words if re.fullmatch(r"[abcXYZ]w\d+q", w)]
        assert Counter(words(one.text)) == Counter(said)
        for other in one.alternatives:
            check(fragment, other)
            assert other != one.text


def test_a_translation_of_the_same_words_is_the_same_text() -> None:
    maker = Maker(99)
    fragments = [maker.make() for _ in range(500)]
    found = translate_marked(Stub(how=0), [it.text for it in fragments], format="html")
    for fragment, one in zip(fragments, found, strict=True):
        assert "".join(one.text.split()) == "".join(fragment.text.split())
