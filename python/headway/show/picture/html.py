"""The picture as a fragment of HTML."""

from collections.abc import Callable
from html import escape

from headway.show.picture.alternatives import alternatives_html
from headway.show.picture.bars import bars_html, signed
from headway.show.picture.data import Choice, Picture
from headway.show.picture.pair import pair
from headway.show.picture.spans import derivation
from headway.show.picture.words import words_html
from headway.trees.drawing.svg import tree_parts
from headway.trees.drawing.svg_text import drawing

_WIDTH = 1100


def target_html(picture: Picture) -> str:
    """The words of the translation alone."""
    return words_html(picture, "target")


def picture_html(picture: Picture, *, target: bool = True) -> str:
    """All of it; without the translation's words where a page has these."""
    parts = ['<div class="picture">']
    if picture.source or picture.target:
        parts.append(words_html(picture, "source"))
        if target:
            parts.append(target_html(picture))
    for wanted, title, make in _FIGURES:
        if wanted(picture):
            parts.append(_figure(title(picture) if callable(title) else title, make(picture)))
    facts = "".join(
        f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>"
        for name, value in picture.facts
    )
    parts += [f'<dl class="facts">{facts}</dl>' if facts else ""]
    parts += ['<p class="about" aria-hidden="true"></p>', "</div>"]
    return "\n".join(filter(None, parts))


def _figure(title: str, content: str) -> str:
    return f"<figure><figcaption>{title}</figcaption>{content}</figure>"


Title = str | Callable[[Picture], str]
Figure = tuple[Callable[[Picture], bool], Title, Callable[[Picture], str]]


def _pair_title(picture: Picture) -> str:
    trees = picture.source_tree is not None or picture.target_tree is not None
    return "Word alignment and trees" if trees else "Word alignment"


def _pair(picture: Picture) -> str:
    return _frame(_pair_title(picture), pair(picture))


def _phrases(picture: Picture) -> str:
    if picture.phrase_tree is None:
        return ""
    return _frame("Tree over phrases", tree_parts(picture.phrase_tree, _WIDTH))


def _spans(picture: Picture) -> str:
    return _frame("Derivation", derivation(picture))


def _frame(label: str, parts: tuple[float, float, str, list[str]]) -> str:
    """A drawing that shrinks a little, then scrolls, where the page is narrower; also by keys."""
    return (
        f'<div class="drawing" style="--width:{parts[0]:.0f}px" tabindex="0" role="region" '
        f'aria-label="{label}">{drawing(*parts)}</div>'
    )


def _choices(picture: Picture) -> str:
    """What there was to choose from, folded away."""
    rows = "".join(_choice(picture, choice) for choice in picture.choices)
    return (
        "<details><summary>What there was to choose from</summary>"
        '<div class="wide" tabindex="0" role="region" aria-label="Options">'
        '<table class="figures choices"><thead><tr><th scope="col">source</th>'
        f'<th scope="col">options</th></tr></thead><tbody>{rows}</tbody></table></div></details>'
    )


def _choice(picture: Picture, choice: Choice) -> str:
    source = " ".join(picture.source[slice(*choice.span)])
    shown = ", ".join(
        f"{escape(text)} <small>{signed(score)}</small>" for text, score in choice.options
    )
    left = choice.total - len(choice.options)
    more = f", <small>… {left:,} more</small>" if left else ""
    return f'<tr><th scope="row">{escape(source)}</th><td>{shown}{more}</td></tr>'


_FIGURES: list[Figure] = [
    (lambda it: bool(it.source and it.target), _pair_title, _pair),
    (lambda it: it.phrase_tree is not None, "Tree over phrases", _phrases),
    (lambda it: bool(it.spans), "Derivation", _spans),
    (lambda it: bool(it.features), "Features × weights", bars_html),
    (lambda it: bool(it.alternatives), "Alternatives", alternatives_html),
    (lambda it: bool(it.choices), "Options", _choices),
]
"""When there is what to see, its title, and how it is drawn."""
