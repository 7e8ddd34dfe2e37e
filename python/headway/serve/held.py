"""Placeholders in pictures: search sees stand-ins, people see what stands in the text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from headway.markup.flow import STAND_IN
from headway.markup.placeholders import PLACEHOLDER
from headway.systems import Candidate, Translation

# For a stand-in of which nobody can say what it stands for.
_UNCLEAR = "…"

Said = TypeVar("Said", bound=Candidate)


def restored(text: str, found: Sequence[Translation]) -> list[Translation]:
    """The translations of a text's sentences, with its URLs and the like in place of stand-ins."""
    held = [match[0] for match in PLACEHOLDER.finditer(text)]
    stand_ins = sum(one.source.count(STAND_IN) for one in found)
    # Sentences of placeholders alone are not translated: then nobody knows which ones are left.
    rest = iter(held if stand_ins == len(held) else [])
    return [_restored(one, rest) if STAND_IN in one.source else one for one in found]


def _restored(found: Translation, held: Iterator[str]) -> Translation:
    source = [next(held, _UNCLEAR) if word == STAND_IN else word for word in found.source]
    best = _said(found, found.source, source)
    said = iter([word for word, old in zip(best.words, found.words, strict=True)
                 if old == STAND_IN])  # fmt: skip
    first, *others = found.text.split(STAND_IN)
    text = first + "".join(next(said, _UNCLEAR) + part for part in others)
    n_best = tuple(_said(one, found.source, source) for one in found.n_best)
    return replace(best, text=text, source=tuple(source), n_best=n_best)


def _said(one: Said, old: Sequence[str], new: Sequence[str]) -> Said:
    """A candidate whose stand-ins are what the source has at the other end of their links."""
    linked = {target: new[source] for source, target in one.alignment if old[source] == STAND_IN}
    words = tuple(
        linked.get(place, _UNCLEAR) if word == STAND_IN else word
        for place, word in enumerate(one.words)
    )
    return replace(one, words=words)
