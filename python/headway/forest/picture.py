"""The picture of a forest: its best derivation."""

from typing import TYPE_CHECKING

from headway.forest.derivation import Derivation
from headway.show import Picture, Span

if TYPE_CHECKING:
    from headway.forest.forest import Edge, Forest

# A longer derivation is of no use as a drawing.
_MOST = 400


def picture_of(forest: "Forest") -> Picture:
    """Words, links, derivation and features of the best derivation; how large the forest is."""
    best = forest.best()
    facts = (("Forest", f"{len(forest.nodes):,} nodes, {len(forest):,} edges"),)
    if best is None:
        return Picture(forest.source, (), "", facts=(*facts, ("Derivations", "none")))
    weights = forest.weights
    return Picture(
        forest.source,
        best.tokens,
        best.text,
        links=best.alignment,
        spans=_Nesting(forest, best).spans() if len(best.edges) <= _MOST else (),
        features=tuple((name, value, weights[name]) for name, value in best.features.items()),
        score=best.score,
        facts=facts,
    )


class _Nesting:
    """Makes spans of the edges of a derivation, which come each before those of its tails."""

    def __init__(self, forest: "Forest", best: Derivation) -> None:
        edges = forest.edges
        self._nodes = forest.nodes
        self._source = forest.source
        self._edges: list[Edge] = [edges[number] for number in best.edges]
        self._own = {segment.edge: segment for segment in best.segments}
        self._numbers = best.edges
        self._next = 0

    def spans(self) -> tuple[Span, ...]:
        """One for the whole, or in a row where each edge goes on after another one."""
        found = self._span()
        return tuple(_row(found)) if all(len(edge.tails) < 2 for edge in self._edges) else (found,)

    def _span(self) -> Span:
        number, edge = self._numbers[self._next], self._edges[self._next]
        self._next += 1
        parts = tuple(self._span() for _ in edge.tails)
        own = [place for start, end in edge.spans for place in range(start, end)]
        covered = [*own, *(place for part in parts for place in part.source)]
        node = self._nodes[edge.head].span
        whole = node or (min(covered, default=0), max([*(one + 1 for one in own), 0]))
        if len(parts) == 1 and not own and edge.target == (0,):
            return parts[0]  # a step that only passes on what is below
        segment = self._own.get(number)
        target = [] if segment is None else segment.target
        return Span(
            whole,
            " ".join(f"[X{one + 1}]" if isinstance(one, int) else one for one in edge.target),
            " ".join(self._source[place] for place in own),
            tuple(own),
            tuple(place for start, end in target for place in range(start, end)),
            ", ".join(edge.flags),
            parts,
        )


def _row(span: Span) -> list[Span]:
    """A chain as phrases one after the other, first things first, without the slots."""
    chain = list(span.all())
    return [
        Span(
            (min(one.own_source), max(one.own_source) + 1),
            one.text.removeprefix("[X1]").strip(),
            one.origin,
            one.own_source,
            one.own_target,
            one.note,
        )
        for one in reversed(chain)
        if one.own_source
    ]
