"""How a derivation reads from the whole down: which steps lie in which."""

from collections.abc import Iterable

from headway.show import Span
from headway.systems.translation import Candidate, Segment, Step, Translation


def goes_on(step: Step, part: Step) -> bool:
    """Whether a part was made as the whole is, so that it is one more of the same.

    What adjoins to a head that others adjoined to before does; what is adjoined does not.
    """
    if step.operation is None or part.operation != step.operation:
        return False
    heads = {"left-adjoin": step.source[1] == part.source[1],
             "right-adjoin": step.source[0] == part.source[0]}  # fmt: skip
    return heads.get(step.operation, True)


def own_source(steps: tuple[Step, ...], step: Step) -> list[int]:
    """The places of a rule's words that are not of its slots."""
    inside = {place for part in step.parts for place in range(*steps[part].source)}
    return [place for place in range(*step.source) if place not in inside]


def replaced(best: Candidate, places: Iterable[int]) -> str:
    """Which unknown words were read as known ones."""
    own = set(places)
    pairs = [f"{it.word} read as {it.known}" for it in best.unknown if it.known and it.place in own]
    return f"unknown: {', '.join(pairs)}" if pairs else ""


def note_of(best: Candidate, segment: Segment, own: Iterable[int]) -> str:
    """That a segment is of an unknown word, or has one."""
    return f"unknown: {segment.unknown}" if segment.unknown else replaced(best, own)


def spans_of(whole: Translation, best: Candidate | None = None) -> tuple[Span, ...]:
    """The derivation of a translation, or of one of its candidates."""
    chosen = best or whole
    if chosen.steps:
        return (_Nesting(whole, chosen).span(chosen.steps[-1]),)
    return tuple(
        _phrase(whole, chosen, segment, range(*segment.source), range(*segment.target))
        for segment in chosen.segments
    )


def _phrase(
    whole: Translation,
    best: Candidate,
    segment: Segment,
    own: Iterable[int],
    target: Iterable[int],
    parts: tuple[Span, ...] = (),
    source: tuple[int, int] | None = None,
) -> Span:
    origin = " ".join(whole.source[slice(*segment.source)])
    text = " ".join(best.words[slice(*segment.target)])
    if segment.rule is not None:
        origin, text = segment.rule
    places = tuple(own)
    return Span(
        source or segment.source,
        text,
        origin,
        places,
        tuple(target),
        note_of(best, segment, places),
        parts,
    )


class _Nesting:
    """Makes spans of steps; parts put together one after the other stand side by side."""

    def __init__(self, whole: Translation, best: Candidate) -> None:
        self.whole, self.best = whole, best

    def span(self, step: Step) -> Span:
        steps = self.best.steps
        if step.segment is None:
            joined = tuple(self.span(steps[part]) for part in self._joined(step))
            return Span(step.source, step.operation or "", parts=joined)
        parts = tuple(self.span(steps[part]) for part in step.parts)
        segment = self.best.segments[step.segment]
        taken = {place for part in parts for one in part.all() for place in one.own_target}
        own = [place for place in range(*segment.target) if place not in taken]
        source = own_source(steps, step)
        return _phrase(self.whole, self.best, segment, source, own, parts, step.source)

    def _joined(self, step: Step) -> list[int]:
        """Parts from left to right; long chains are followed without recursion."""
        found, rest = list[int](), list(reversed(step.parts))
        while rest:
            place = rest.pop()
            part = self.best.steps[place]
            if goes_on(step, part):
                rest.extend(reversed(part.parts))
            else:
                found.append(place)
        return found
