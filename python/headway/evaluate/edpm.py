"""EDPM, expected dependency pair match (Kahn, Snover & Ostendorf 2009).

Counts of 1-grams, 2-grams, dependent–label pairs and label–head pairs are taken over the k best
parses of a sentence, each weighted by its probability; the score is the F-measure of the counts
that hypothesis and reference share.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isfinite
from typing import Protocol

from headway.errors import ConfigError
from headway.printing import prints_briefly
from headway.version import __version__

ROOT = "<root>"

Item = tuple[str, ...]


@prints_briefly
@dataclass(frozen=True)
class Parse:
    """A dependency tree with its probability: for each word the number of its head, 0 the root."""

    words: Sequence[str]
    heads: Sequence[int]
    labels: Sequence[str]
    probability: float = 1.0


class Parser(Protocol):
    """What EDPM needs of a parser; it may have a `signature` too, such as `tok:none|k:50`."""

    def k_best(self, lines: Sequence[str]) -> Sequence[Sequence[Parse]]:
        """The best parses of each line with their probabilities; none of an empty line."""


def edpm_signature(references: int, parser: Parser, *, lowercase: bool = False) -> str:
    """How the score came about."""
    case, parses = "lc" if lowercase else "mixed", getattr(parser, "signature", "parser:own")
    return f"nrefs:{references}|case:{case}|{parses}|items:1g,2g,dl,lh|f:1|headway:{__version__}"


def edpm_statistics(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    parser: Parser,
    *,
    lowercase: bool = False,
) -> list[list[float]]:
    """Shared count, count of the hypothesis, count of the reference; for each line.

    Text is parsed as it is; with `lowercase` its words are compared in small letters.
    """
    own = _all_items(hypotheses, parser, lowercase=lowercase)
    others = [_all_items(lines, parser, lowercase=lowercase) for lines in references]
    return [_nearest(items, [lines[place] for lines in others]) for place, items in enumerate(own)]


def edpm_scores(sums: Sequence[Sequence[float]]) -> list[float]:
    """F-measures from 0 to 100."""
    return [100 * _f(*row) for row in sums]


def _f(shared: float, own: float, other: float) -> float:
    return 2 * shared / (own + other) if own + other > 0 else 0.0


def _nearest(items: dict[Item, float], references: Sequence[dict[Item, float]]) -> list[float]:
    """Against the reference that gives the best score, the first of equals."""
    rows = [_shared(items, reference) for reference in references]
    return max(rows, key=lambda row: _f(*row))


def _shared(items: dict[Item, float], reference: dict[Item, float]) -> list[float]:
    shared = sum(min(count, reference.get(item, 0.0)) for item, count in items.items())
    return [shared, sum(items.values()), sum(reference.values())]


def _all_items(lines: Sequence[str], parser: Parser, *, lowercase: bool) -> list[dict[Item, float]]:
    found = parser.k_best(lines)
    if len(found) != len(lines):
        raise ConfigError(f"the parser answered {len(found):,} lines for {len(lines):,}")
    return [_expected(parses, lowercase=lowercase) for parses in found]


def _expected(parses: Sequence[Parse], *, lowercase: bool) -> dict[Item, float]:
    """Expected counts under probabilities that are made to sum to 1."""
    total = sum(parse.probability for parse in parses)
    expected: Counter[Item] = Counter()
    for parse in parses:
        _check(parse)
        share = parse.probability / total if total > 0 else 1 / len(parses)
        for item, count in _items(parse, lowercase=lowercase).items():
            expected[item] += share * count  # type: ignore[assignment]
    return dict(expected)


def _items(parse: Parse, *, lowercase: bool) -> Counter[Item]:
    words = [word.lower() if lowercase else word for word in parse.words]
    items: Counter[Item] = Counter(("1g", word) for word in words)
    items.update(("2g", *pair) for pair in pairwise(words))
    for word, head, label in zip(words, parse.heads, parse.labels, strict=True):
        items["dl", word, label] += 1
        items["lh", label, ROOT if head == 0 else words[head - 1]] += 1
    return items


def _check(parse: Parse) -> None:
    size = len(parse.words)
    if len(parse.heads) != size or len(parse.labels) != size:
        heads, labels = len(parse.heads), len(parse.labels)
        raise ConfigError(f"a parse of {size} words has {heads} heads and {labels} labels")
    if any(not 0 <= head <= size for head in parse.heads):
        raise ConfigError(f"a parse of {size} words has a head outside of it")
    if not isfinite(parse.probability) or parse.probability < 0:
        raise ConfigError(f"a parse has probability {parse.probability}")
