"""Translations in the formats of other programs."""

from collections.abc import Iterable, Iterator

from headway.systems.translation import Candidate, UnknownWord


def moses_lines(number: int, candidates: Iterable[Candidate]) -> Iterator[str]:
    """`0 ||| words ||| Name= value … ||| score ||| 0-1=0 2=1-2 ||| 0-0 1-2`, a line each.

    Only where there are unknown words one more field says what became of them, by their places:
    `3=copy 5=look-alike:Traktor`. The last one, `confidence= 0.98 0.71`, is there if it was asked
    for.
    """
    for candidate in candidates:
        features = " ".join(f"{name}= {value:.6g}" for name, value in candidate.features.items())
        segments = " ".join(
            f"{_range(*segment.source)}={_range(*segment.target)}" for segment in candidate.segments
        )
        links = " ".join(f"{source}-{target}" for source, target in candidate.alignment)
        # A bar of three as a word would end the field for whoever reads it.
        text = " ".join("|" if word == "|||" else word for word in candidate.words)
        fields = [str(number), text, features, f"{candidate.score:.6g}", segments, links]
        if candidate.unknown:
            fields.append(" ".join(map(_unknown, candidate.unknown)))
        if candidate.confidence is not None:
            fields.append("confidence= " + " ".join(f"{it:.3f}" for it in candidate.confidence))
        yield " ||| ".join(fields)


def _unknown(word: UnknownWord) -> str:
    known = "" if word.known is None else f":{word.known}"
    return f"{word.place}={word.kind}{known}"


def _range(start: int, end: int) -> str:
    """`3` or `3-5`: the last word is part of it, as Moses has it; nothing of no words."""
    if end <= start:
        return ""
    return str(start) if end - start == 1 else f"{start}-{end - 1}"
