"""The forest as Python sees it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import TypeAlias

from headway import _core
from headway.errors import ConfigError
from headway.forest.derivation import Derivation
from headway.forest.lattice import Arc, Lattice
from headway.forest.picture import picture_of
from headway.printing import prints_briefly
from headway.show.picture import picture_scoped, picture_svg

Weights: TypeAlias = Mapping[str, float]
"""By the names of features; those that are not named weigh 0."""

EFFORT = 50
"""How many derivations per distinct translation asked for a node may look at."""


@dataclass(frozen=True, slots=True)
class Node:
    """Stands for a span of source words or a set of them."""

    span: tuple[int, int] | None
    covered: tuple[int, ...] | None
    label: str | None


@prints_briefly
@dataclass(frozen=True, slots=True)
class Edge:
    """Makes its head from its tails by one rule."""

    head: int
    tails: tuple[int, ...]
    target: tuple[str | int, ...]
    """Words, and where a tail's words go, its position among the tails."""
    spans: tuple[tuple[int, int], ...]
    """Source words of its own rule."""
    links: tuple[tuple[int, int], ...]
    """Source place, index in `target`."""
    features: Mapping[str, float]
    """Those that are not 0."""
    flags: tuple[str, ...]
    """`unknown-copied`, `unknown-dropped`, `unknown-marked`, `fallback`."""
    rule: int | None
    heads: tuple[int, ...]
    """For each target symbol the index of its head plus one, 0 outside; empty if unknown."""


@prints_briefly
@dataclass(frozen=True, slots=True)
class InsideOutside:
    """Natural logarithms of sums of exp(score)."""

    total: float
    """Over all derivations; -inf if there are none."""
    inside: Sequence[float]
    """By node, over what is below it."""
    outside: Sequence[float]
    """By node, over what is around it."""
    posteriors: Sequence[float]
    """By edge, how often a derivation uses it on average: a probability where none uses it
    twice."""


class Forest:
    """All derivations of one sentence's translations that a search kept.

    Nothing changes a forest; what makes it smaller or weights it anew answers another one.
    Wherever `weights` are not given, those count that the forest carries.
    """

    def __init__(self, core: _core.Forest) -> None:
        self._core = core
        self._features = core.features()

    @classmethod
    def load(cls, path: str | PathLike[str]) -> "Forest":
        """The only forest of a file; `headway.forest.load` reads files of many."""
        forests = load(path)
        if len(forests) != 1:
            raise ConfigError(f"{path}: {len(forests):,} forests where one is expected")
        return forests[0]

    def save(self, path: str | PathLike[str]) -> None:
        """Writes a file of this forest alone, as JSON if the name ends in .json or .jsonl."""
        save(path, [self])

    @classmethod
    def from_json(cls, text: str) -> "Forest":
        """A forest from its JSON (docs/forest.md says what it holds)."""
        return cls(_core.Forest.from_json(text))

    def to_json(self) -> str:
        """One line of JSON."""
        return self._core.to_json()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Forest) and self._core == other._core

    __hash__ = None  # type: ignore[assignment]

    def __len__(self) -> int:
        """The number of edges."""
        return self._core.edge_count()

    def __repr__(self) -> str:
        return f"<Forest of {self._core.node_count():,} nodes, {len(self):,} edges>"

    def _repr_html_(self) -> str:
        """The picture of the best derivation that notebooks show."""
        return picture_scoped(picture_of(self))

    def _repr_svg_(self) -> str:
        return picture_svg(picture_of(self))

    @property
    def source(self) -> tuple[str, ...]:
        """The source words."""
        return tuple(self._core.source())

    @property
    def features(self) -> tuple[str, ...]:
        """The names of the features."""
        return tuple(self._features)

    @property
    def weights(self) -> dict[str, float]:
        """The weights it carries."""
        return dict(zip(self._features, self._core.weights(), strict=True))

    @property
    def goal(self) -> int:
        """The node that stands for the whole sentence."""
        return self._core.goal

    @property
    def nodes(self) -> list[Node]:
        """In topological order: tails before heads."""
        return [
            Node(span, None if covered is None else tuple(covered), label)
            for span, covered, label in self._core.nodes()
        ]

    @property
    def edges(self) -> list[Edge]:
        """In the order of their heads."""
        return [
            Edge(
                head,
                tuple(tails),
                tuple(target),
                tuple(spans),
                tuple(links),
                self._named(features),
                tuple(flags),
                rule,
                tuple(heads),
            )
            for head, tails, target, spans, links, features, flags, rule, heads in (
                self._core.edges()
            )
        ]

    @property
    def log_derivations(self) -> float:
        """The natural logarithm of the number of derivations; -inf if there are none."""
        return self._core.log_derivations()

    def reweighted(self, weights: Weights) -> "Forest":
        """The same with other weights."""
        return Forest(self._core.with_weights(self._vector(weights)))

    def best(self, weights: Weights | None = None) -> Derivation | None:
        """The best derivation; `None` if there is none."""
        return next(iter(self.k_best(1, weights)), None)

    def k_best(
        self,
        k: int,
        weights: Weights | None = None,
        *,
        distinct: bool = False,
        effort: int = EFFORT,
    ) -> list[Derivation]:
        """The `k` best derivations, or fewer if there are fewer; best first.

        With `distinct`, the best of each of the `k` best different translations: exact unless
        some node would have to look at more than `effort` · `k` of its derivations.
        """
        _at_least("k", k, 0)
        _at_least("effort", effort, 1)
        found = self._core.k_best(k, self._optional(weights), effort if distinct else None)
        return [Derivation(core, self._features) for core in found]

    def inside_outside(self, weights: Weights | None = None) -> InsideOutside:
        """Sums over derivations, each with the probability exp(score)/total."""
        inside, outside, posteriors = self._core.inside_outside(self._optional(weights))
        return InsideOutside(inside[self.goal], inside, outside, posteriors)

    def expected_features(self, weights: Weights | None = None) -> dict[str, float]:
        """The expected value of each feature; zeros if nothing can be derived."""
        expected = self._core.expected_features(self._optional(weights))
        return dict(zip(self._features, expected, strict=True))

    def max_marginals(self, weights: Weights | None = None) -> list[float]:
        """By edge, the score of the best derivation that uses it; -inf if none does."""
        return self._core.max_marginals(self._optional(weights))

    def prune(
        self,
        *,
        threshold: float | None = None,
        edges: int | None = None,
        weights: Weights | None = None,
    ) -> "Forest":
        """Keeps edges in derivations at most `threshold` below the best, and at most `edges`.

        The best derivation stays, even if it alone has more edges. Without either limit, only
        what stands in no derivation goes.
        """
        if edges is not None:
            _at_least("edges", edges, 0)
        return Forest(self._core.prune(threshold, edges, self._optional(weights)))

    def to_dot(self, weights: Weights | None = None) -> str:
        """A drawing for Graphviz, the best derivation bold."""
        return self._core.to_dot(self._optional(weights))

    def to_search_graph(self, sentence: int = 0, weights: Weights | None = None) -> str:
        """Lines as Moses writes for its search graph; only with at most one tail per edge."""
        _at_least("sentence", sentence, 0)
        return self._core.to_search_graph(sentence, self._optional(weights))

    def lattice(self, weights: Weights | None = None) -> Lattice:
        """As a word lattice; only where edges add words after those of one tail."""
        states, end, arcs, plf = self._core.lattice(self._optional(weights))
        return Lattice(states, end, tuple(Arc(*arc) for arc in arcs), plf)

    def _optional(self, weights: Weights | None) -> list[float] | None:
        return None if weights is None else self._vector(weights)

    def _vector(self, weights: Weights) -> list[float]:
        for name in weights:
            if name not in self._features:
                some = ", ".join(self._features[:10]) or "none"
                raise ConfigError(f"weights: the forest has no feature {name}; it has {some}")
        return [float(weights.get(name, 0.0)) for name in self._features]

    def _named(self, values: Iterable[tuple[int, float]]) -> dict[str, float]:
        return {self._features[place]: value for place, value in values}


def load(path: str | PathLike[str]) -> list[Forest]:
    """All forests of a file: binary, or JSON with one a line."""
    return [Forest(core) for core in _core.load_forests(path)]


def save(path: str | PathLike[str], forests: Iterable[Forest]) -> int:
    """Writes forests and answers how many.

    As JSON, one a line, if the name ends in .json or .jsonl (.gz and .zst too); otherwise binary,
    for which all have to have the same features.
    """
    return _core.save_forests(path, [forest._core for forest in forests])


def _at_least(name: str, value: int, least: int) -> None:
    if value < least:
        raise ConfigError(f"{name} is {value}; give {least} or more")
