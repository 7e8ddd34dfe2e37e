"""Running text cut into sentences.

The tokeniser knows which full stops belong to abbreviations, numbers and addresses: those that it
sets apart, like other marks, end a sentence if what follows can begin one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from headway.markup.flow import STAND_IN, Flow

Span = tuple[int, int]

_ENDS = frozenset(".!?…։؟۔।॥።")
_WIDE = frozenset("。！？．")
_CLOSING = frozenset("\"'”’“‘»«›‹)]}」』）")


@dataclass(frozen=True)
class Sentence:
    """A sentence of running text: where it and its words stand."""

    start: int
    end: int
    words: tuple[Span, ...]


def stretches(flow: Flow) -> list[Span]:
    """The text between places that no sentence crosses, for the tokeniser."""
    borders = [0, *flow.breaks, len(flow.text)]
    return [(start, end) for start, end in pairwise(borders) if start < end]


def spaced(flow: Flow, span: Span) -> tuple[str, list[int]]:
    """The text with what is held set apart by spaces, and the place of each character of it."""
    pieces: list[str] = []
    places: list[int] = []
    for place in range(*span):
        if place in flow.edges:
            pieces.append(" ")
            places.append(place)
        pieces.append(flow.text[place])
        places.append(place)
    return "".join(pieces), places


def sentences(flow: Flow, words: Sequence[Span], *, split: bool = True) -> list[Sentence]:
    """Cuts a stretch with these words into sentences; each begins and ends with a word."""
    found, first = [], 0
    for number in range(1, len(words) + 1):
        if number == len(words) or (split and _ends(flow, words, number - 1)):
            own = tuple(words[first:number])
            found.append(Sentence(own[0][0], own[-1][1], own))
            first = number
    return found


def _ends(flow: Flow, words: Sequence[Span], last: int) -> bool:
    """Whether a sentence ends with a word."""
    text = flow.text
    at = last
    while at > 0 and text[slice(*words[at])] in _CLOSING:
        at -= 1
    mark = text[slice(*words[at])]
    after = text[slice(*words[last + 1])]
    if after in _CLOSING and words[last][1] == words[last + 1][0]:
        return False
    if mark and all(sign in _WIDE for sign in mark):
        return True
    apart = words[last][1] < words[last + 1][0]
    return bool(mark) and all(sign in _ENDS for sign in mark) and apart and _begins(after)


def _begins(word: str) -> bool:
    """Whether a sentence can begin with a word: not with a small letter or a mark."""
    first = word[0]
    return word == STAND_IN or first in "\"'„“‘«»‚¿¡([" or (first.isalnum() and not first.islower())
