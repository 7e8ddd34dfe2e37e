"""The words of both sides as text: each can be pointed at, and tells where it comes from."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from headway.show.picture.data import Picture, Span

_LOW = 0.5  # below this, confidence is pointed out


def pieces(text: str, words: Sequence[str]) -> list[tuple[str, str]] | None:
    """What stands before each word in a text, and the word as it stands there.

    None where the words are not those of the text, whatever its spaces and capitals.
    """
    found, start, low = [], 0, text.lower()
    if len(low) != len(text):  # a few letters change their length
        return None
    for word in words:
        at = low.find(word.lower(), start)
        if at < 0 or text[start:at].strip():
            return None
        found.append((text[start:at], text[at : at + len(word)]))
        start = at + len(word)
    return found if not text[start:].strip() else None


def words_html(picture: Picture, side: str) -> str:
    """The words of one side with spaces and capitals as people write them."""
    is_source = side == "source"
    words = picture.source if is_source else picture.target
    text = picture.given if is_source else picture.text
    shown = pieces(text, words) or [(" " if place else "", it) for place, it in enumerate(words)]
    spans = dict(_innermost(picture, side))
    links = _links(picture, is_source=is_source)
    other = picture.target if is_source else picture.source
    marks = _source_marks(picture) if is_source else marks_of(picture)
    parts = []
    for place, (before, word) in enumerate(shown):
        span = spans.get(place)
        linked = " ".join(other[one] for one in links.get(place, ()))
        about = _about(linked, span[1] if span else None, "became" if is_source else "from")
        kind, reason = marks.get(place, ("", ""))
        sure = "" if is_source or kind == "unsure" else _sure(picture, place)
        told = "; ".join(filter(None, (about, reason, sure)))
        label = escape(f"{word}: {told}" if told else word)
        parts.append(
            f'{escape(before)}<button type="button" class="word {kind}" data-{side}="{place}" '
            f'tabindex="{-1 if place else 0}"{_span_attribute(span)} '
            f'data-about="{escape(told)}" aria-label="{label}"'
            f">{escape(word)}</button>"
        )
    language = picture.languages[0 if is_source else 1]
    named = f' lang="{escape(language)}"' if language else ""
    named_side = "Source words" if is_source else "Translation"
    help_ = f"{named_side}; arrow keys move between words"
    return (
        f'<p class="words" dir="auto"{named} role="group" aria-label="{help_}">{"".join(parts)}</p>'
    )


def numbered(picture: Picture) -> Iterator[tuple[int, Span]]:
    """All spans with their numbers, by which words find them."""
    yield from enumerate(one for span in picture.spans for one in span.all())


def marks_of(picture: Picture) -> dict[int, tuple[str, str]]:
    """Target words that a reader should doubt: a class and a reason."""
    marks = {place: ("unknown", reason) for place, reason in picture.doubts.items()}
    for place, value in enumerate(picture.confidence):
        if value < _LOW and place not in marks:
            marks[place] = ("unsure", _sure(picture, place))
    return marks


def _sure(picture: Picture, place: int) -> str:
    """How probably a target word is right, where that is known."""
    return f"confidence {picture.confidence[place]:.0%}" if picture.confidence else ""


def _source_marks(picture: Picture) -> dict[int, tuple[str, str]]:
    return {place: ("unknown", reason) for place, reason in picture.unknown}


def _innermost(picture: Picture, side: str) -> Iterator[tuple[int, tuple[int, Span]]]:
    for number, span in numbered(picture):
        for place in span.own_source if side == "source" else span.own_target:
            yield place, (number, span)


def _links(picture: Picture, *, is_source: bool) -> Mapping[int, list[int]]:
    found: dict[int, list[int]] = {}
    for source, target in picture.links:
        here, there = (source, target) if is_source else (target, source)
        found.setdefault(here, []).append(there)
    return found


def _about(linked: str, span: Span | None, how: str) -> str:
    parts = [f"{how} “{linked}”"] if linked else []
    if span is not None and span.origin and not span.note:
        parts.append(f"{'rule' if '[X' in span.about else 'phrase'} {span.about}")
    return ", ".join(parts)


def _span_attribute(span: tuple[int, Span] | None) -> str:
    return "" if span is None else f' data-span="{span[0]}"'
