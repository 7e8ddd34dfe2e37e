"""Operations of a derivation, one at a time: Algorithm 1 of Durrani et al. (2011), taken literally.

The target is made from left to right, phrase by phrase; a sentence pair without a derivation is one
phrase. What follows the names of the paper: `j` is the place behind the word generated last, `Z`
the one behind the last of all generated words, `S` where a gap begins.
"""

import re
from collections.abc import Callable, Iterable, Sequence

Links = Iterable[tuple[int, int]]
Phrase = tuple[int, int, Sequence[str], Links]
"""First source word, the word after the last, target words, and links within the phrase."""

Text = Callable[[str], str]


def components(links: Links) -> list[tuple[list[int], list[int]]]:
    """Sets of source and target words that links connect, by their first target words."""
    groups: list[tuple[set[int], set[int]]] = []
    for source, target in links:
        touched = [group for group in groups if source in group[0] or target in group[1]]
        merged = {source}.union(*(group[0] for group in touched))
        other = {target}.union(*(group[1] for group in touched))
        groups = [group for group in groups if group not in touched] + [(merged, other)]
    found = [(sorted(sources), sorted(targets)) for sources, targets in groups]
    return sorted(found, key=lambda group: group[1])


class Teller:
    """A story under way, with the counts of the 2013 paper."""

    def __init__(self, source: Sequence[str]) -> None:
        self.source = source
        self.operations: list[str] = []
        self.generated = [False] * len(source)
        self.j = self.Z = 0
        self.counts = {"gaps": 0, "open-gaps": 0, "distance": 0, "deletions": 0}

    def open_gaps(self) -> list[tuple[int, int]]:
        """First word and word after the last of each gap, from left to right."""
        marks = "".join("x" if done else "." for done in self.generated[: self.Z])
        return [match.span() for match in re.finditer(r"\.+", marks)]

    def generate(self, word: int, operation: str, continued: bool = False) -> None:
        """Moves to a source word and generates it."""
        inserted = False
        if self.j < word:
            if not self.generated[self.j]:
                self.operations.append("gap")
                inserted = True
            if self.j == self.Z:
                self.j = word
            else:
                self.operations.append("forward")
                self.j = self.Z
        if word < self.j:
            if self.j < self.Z and not self.generated[self.j]:
                self.operations.append("gap")
                inserted = True
            gaps = self.open_gaps()
            (place,) = [at for at, (start, end) in enumerate(gaps) if start <= word < end]
            self.operations.append(f"back-{len(gaps) - place}")
            self.j = gaps[place][0]
        if self.j < word:
            self.operations.append("gap")
            inserted = True
            self.j = word
        self.operations.append(operation)
        self.counts["gaps"] += inserted
        if not continued:
            self.counts["distance"] += word - self.generated.index(False)
        self.generated[word] = True
        self.j += 1
        self.Z = max(self.Z, self.j)
        self.counts["open-gaps"] += len(self.open_gaps())

    def delete_from(self, word: int, end: int, linked: set[int], text: Text) -> None:
        """Generates the source words without links that follow."""
        while word < end and word not in linked:
            self.generate(word, f"{text(self.source[word])}→")
            self.counts["deletions"] += 1
            word += 1

    def phrase(
        self, phrase: Phrase, source: Text, target: Text, identical: Callable[[str, str], bool]
    ) -> None:
        """Tells a phrase; `source` and `target` say how words are written."""
        start, end, words, links = phrase
        absolute = [(start + i, k) for i, k in links]
        linked, covered = {i for i, _ in absolute}, {k for _, k in absolute}
        cepts = {targets[0]: (sources, targets) for sources, targets in components(absolute)}
        self.delete_from(start, end, linked, source)
        for place, word in enumerate(words):
            if place not in covered:
                self.operations.append(f"→{target(word)}")
            if place not in cepts:
                continue
            sources, targets = cepts[place]
            left = "‿".join(source(self.source[i]) for i in sources)
            right = "‿".join(target(words[k]) for k in targets)
            operation = f"{left}→{right}"
            if len(sources) == len(targets) == 1 and identical(self.source[sources[0]], word):
                operation = "identical"
            for number, i in enumerate(sources):
                self.generate(i, "continue" if number else operation, continued=number > 0)
                self.delete_from(i + 1, end, linked, source)
