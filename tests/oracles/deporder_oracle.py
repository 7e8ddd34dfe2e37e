"""The dependency order model as its definition says: counts in dictionaries, formulas written out.

Hunter & Resnik (2010), §3.4, with Witten–Bell interpolation in which the number of different
offsets counts five times (Collins 1999).
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

LAST_SIZES = (1, 2, 4, 8)
MARKS = set(',.;:!?()"')


class Word(NamedTuple):
    """A word with its head (from 1; 0 is the root) and its label."""

    form: str
    head: int
    label: str


class Event(NamedTuple):
    """A dependency of the target."""

    label: str
    governor: str
    dependent: str
    size: int
    offset: int


Tree = Sequence[Word]
Link = tuple[int, int]


class Options(NamedTuple):
    """What the model is conditioned on."""

    lexical: bool = True
    sizes: bool = False
    punctuation_apart: bool = False
    longest: int = 20


def size_class(size: int) -> int:
    """1, 2, 3–4, 5–8, 9 and more words."""
    return sum(size > last for last in LAST_SIZES)


def subtree(tree: Tree, word: int) -> list[int]:
    """A word and all that hangs under it."""
    below = [child for child, row in enumerate(tree, 1) if row.head == word]
    return sorted([word, *(found for child in below for found in subtree(tree, child))])


def is_cyclic(tree: Tree) -> bool:
    """Whether a word is above itself."""
    for word in range(1, len(tree) + 1):
        at, steps = word, 0
        while at and steps <= len(tree):
            at, steps = tree[at - 1].head, steps + 1
        if at:
            return True
    return False


def events(tree: Tree, options: Options) -> list[Event]:
    """The dependencies of a tree; none of one with a cycle."""
    if is_cyclic(tree):
        return []
    kept = [
        word
        for word, row in enumerate(tree, 1)
        if not (options.punctuation_apart and set(row.form) <= MARKS)
    ]
    place = {word: number for number, word in enumerate(kept)}
    found = []
    for dependent in kept:
        form, governor, label = tree[dependent - 1]
        if governor not in place:
            continue
        places = [place[word] for word in subtree(tree, dependent) if word in place]
        before = [at for at in places if at < place[governor]]
        nearest = max(before) if before else min(places)
        offset = nearest - place[governor]
        offset = max(-options.longest, min(offset, options.longest))
        found.append(Event(label, tree[governor - 1].form, form, len(places), offset))
    return found


class OrderOracle:
    """P_d and P(target label | source label), summed up anew for each question."""

    def __init__(
        self,
        trees: Sequence[Tree],
        pairs: Sequence[tuple[Tree, Tree, Sequence[Link]]],
        options: Options,
    ) -> None:
        self.options = options
        self.events = [event for tree in trees for event in events(tree, options)]
        self.labels = {row.label for tree in trees for row in tree}
        self.links: Counter[tuple[str, str]] = Counter()
        for source, target, links in pairs:
            self._link(source, target, links)
        self.labels |= {label for _, label in self.links}

    def _link(self, source: Tree, target: Tree, links: Sequence[Link]) -> None:
        apart = self.options.punctuation_apart
        for dependent, (form, governor, label) in enumerate(source):
            for other in range(len(target)):
                row = target[other]
                if not governor or not row.head:
                    continue
                ends = (form, source[governor - 1].form, row.form, target[row.head - 1].form)
                if apart and any(set(end) <= MARKS for end in ends):
                    continue
                if (dependent, other) in links and (governor - 1, row.head - 1) in links:
                    self.links[label, row.label] += 1

    def probability(
        self, label: str, offset: int, governor: str | None, dependent: str | None, size: int
    ) -> float:
        """P_d(offset | label, governor, dependent)."""
        outcome = max(-self.options.longest, min(offset, self.options.longest))
        everything = self.events
        same_label = [event for event in everything if event.label == label]
        chain = [everything, same_label]
        if self.options.sizes:
            wanted = size_class(size)
            chain.append([event for event in same_label if size_class(event.size) == wanted])
        if self.options.lexical and dependent is not None:
            chain.append([event for event in chain[-1] if event.dependent == dependent])
            if governor is not None:
                chain.append([event for event in chain[-1] if event.governor == governor])
        found = 1 / (2 * self.options.longest)
        for level in chain:
            found = _interpolated(Counter(event.offset for event in level), outcome, found)
        return found

    def normalised(self, source_label: str) -> dict[str, float]:
        """P(label of the target | label of the source)."""
        seen = Counter(event.label for event in self.events)
        uniform = 1 / len(self.labels)
        anything = {label: _interpolated(seen, label, uniform) for label in self.labels}
        known = {source for source, _ in self.links} | self.labels
        if source_label not in known:
            source_label = source_label.partition(":")[0]
        counts = Counter({label: n for (s, label), n in self.links.items() if s == source_label})
        if not counts and source_label in self.labels:
            return {label: float(label == source_label) for label in self.labels}
        return {label: _interpolated(counts, label, anything[label]) for label in self.labels}

    def mixture(
        self, source_label: str, offset: int, governor: str | None, dependent: str | None, size: int
    ) -> float:
        """What the search uses: the same for a label of the source."""
        return sum(
            share * self.probability(label, offset, governor, dependent, size)
            for label, share in self.normalised(source_label).items()
        )


def _interpolated(counts: Counter[int] | Counter[str], outcome: int | str, less: float) -> float:
    total, types = sum(counts.values()), len(counts)
    if not total:
        return less
    return (counts[outcome] + 5 * types * less) / (total + 5 * types)  # type: ignore[index]
