"""Other translations, and what is different in them."""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from html import escape

from headway.show.picture.bars import signed
from headway.show.picture.data import Picture


def changes(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Words that stay, go and come, in order: `same`, `gone` or `new`, and the words."""
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for kind, start, end, first, last in matcher.get_opcodes():
        if kind == "equal":
            yield "same", " ".join(new[first:last])
            continue
        if start < end:
            yield "gone", " ".join(old[start:end])
        if first < last:
            yield "new", " ".join(new[first:last])


def changed_html(old: Sequence[str], new: Sequence[str]) -> str:
    """The new words, with those that went struck out and those that came underlined."""
    tags = {"same": "{}", "gone": "<del>{}</del>", "new": "<ins>{}</ins>"}
    return " ".join(tags[kind].format(escape(words)) for kind, words in changes(old, new))


def alternatives_html(picture: Picture) -> str:
    """A list of them; a page may make each of them a button."""
    items = []
    for one in picture.alternatives:
        difference = one.score - picture.score
        number = f"{difference:+.3f}".replace("-", "\N{MINUS SIGN}")
        items.append(
            f'<li data-alternative="{one.place}"><span dir="auto">'
            f"{changed_html(picture.target, one.words)}</span> "
            f'<small title="score {signed(one.score)}">{number}</small></li>'
        )
    return f'<ol class="alternatives">{"".join(items)}</ol>'
