"""Extraction as the papers define it, tried on every span: slow, short, and shares no code."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise, product

Span = tuple[int, int]  # both ends in it
Phrase = tuple[Span, Span]
Links = frozenset[tuple[int, int]]


@dataclass(frozen=True)
class Pair:
    source: tuple[str, ...]
    target: tuple[str, ...]
    links: Links
    heads: tuple[int, ...] | None = None  # from 1; 0 is the root
    tags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Limits:
    length: int = 10
    tight: bool = True
    slots: int = 2
    symbols: int = 5
    slot_words: int = 1
    adjacent: bool = False
    fractional: bool = True
    labels: bool = True


Symbol = str | int  # a word, or the number of a slot
Structure = tuple[str, tuple[int, ...], tuple[str, ...]]  # kind, heads, labels


@dataclass(frozen=True)
class Rule:
    source: tuple[Symbol, ...]
    target: tuple[Symbol, ...]
    structure: Structure | None
    links: Links


Unlinked = tuple[tuple[Symbol, ...], tuple[Symbol, ...], Structure | None]


@dataclass
class Table:
    """Weights of rules without links, by their links."""

    seen: dict[Unlinked, Counter[Links]] = field(default_factory=lambda: defaultdict(Counter))

    def add(self, rule: Rule, weight: float = 1.0) -> None:
        self.seen[rule.source, rule.target, rule.structure][rule.links] += weight  # type: ignore[assignment]


def spans(words: int) -> Iterator[Span]:
    return ((i, j) for i in range(words) for j in range(i, words))


def inside(place: int, span: Span) -> bool:
    return span[0] <= place <= span[1]


def phrases(pair: Pair, length: int, tight: bool) -> list[Phrase]:
    """At least one link inside, and none that leaves."""
    found = []
    for s, t in product(spans(len(pair.source)), spans(len(pair.target))):
        own = [(i, j) for i, j in pair.links if inside(i, s) or inside(j, t)]
        if not own or not all(inside(i, s) and inside(j, t) for i, j in own):
            continue
        if max(s[1] - s[0], t[1] - t[0]) >= length:
            continue
        edges = {*s} <= {i for i, _ in own} and {*t} <= {j for _, j in own}
        if edges or not tight:
            found.append((s, t))
    return found


def shape(heads: tuple[int, ...], span: Span) -> tuple[str, int] | None:
    """Definitions 1 to 3: ("fixed", head word), ("left", h), ("right", h), all from 1."""
    i, j = span[0] + 1, span[1] + 1
    words = range(i, j + 1)
    others = [k for k in range(1, len(heads) + 1) if k not in words]

    def d(k: int) -> int:
        return heads[k - 1]

    if any(_is_in_circle(heads, k, words) for k in words):
        return None
    for h in words:
        if (
            d(h) not in words
            and all(d(k) in words for k in words if k != h)
            and all(d(k) == h or d(k) not in words for k in others)
        ):
            return ("fixed", h)
    children = [k for k in words if d(k) not in words]
    outside = {d(k) for k in children}
    if len(outside) == 1 and all(d(k) not in words for k in others):
        (h,) = outside
        return ("left" if j < h else "right", h)
    return None


def _is_in_circle(heads: tuple[int, ...], word: int, words: range) -> bool:
    k = heads[word - 1]
    for _ in heads:
        if k == word:
            return True
        if k not in words:
            return False
        k = heads[k - 1]
    return False


def templates(pair: Pair, limits: Limits, trees: bool) -> list[Phrase]:
    """Valid span templates."""
    found = phrases(pair, limits.length, limits.tight)
    if trees:
        assert pair.heads is not None
        found = [(s, t) for s, t in found if shape(pair.heads, t)]
    return found


def rules_of(
    whole: Phrase, candidates: list[Phrase], pair: Pair, limits: Limits
) -> set[frozenset[Phrase]]:
    """The inference rule, applied until nothing new comes; then the limits on size."""
    found = {frozenset[Phrase]()}
    for _ in range(limits.slots):
        found |= {
            slots | {new}
            for slots in found
            for new in candidates
            if _fits(whole, slots, new) and _has_link_left(whole, slots | {new}, pair)
        }
    return {slots for slots in found if _is_allowed(whole, slots, limits)}


def _fits(whole: Phrase, slots: frozenset[Phrase], new: Phrase) -> bool:
    def covers(outer: Span, inner: Span) -> bool:
        return outer[0] <= inner[0] and inner[1] <= outer[1]

    def apart(one: Span, other: Span) -> bool:
        return one[1] < other[0] or other[1] < one[0]

    return (
        new != whole
        and covers(whole[0], new[0])
        and covers(whole[1], new[1])
        and all(apart(new[0], slot[0]) and apart(new[1], slot[1]) for slot in slots)
    )


def _has_link_left(whole: Phrase, slots: frozenset[Phrase], pair: Pair) -> bool:
    return any(
        inside(i, whole[0]) and not any(inside(i, slot[0]) for slot in slots) for i, _ in pair.links
    )


def _is_allowed(whole: Phrase, slots: frozenset[Phrase], limits: Limits) -> bool:
    words = whole[0][1] - whole[0][0] + 1
    covered = sum(slot[0][1] - slot[0][0] + 1 for slot in slots)
    order = sorted(slot[0] for slot in slots)
    touching = any(one[1] + 1 == other[0] for one, other in pairwise(order))
    return (
        len(slots) <= limits.slots
        and words - covered + len(slots) <= limits.symbols
        and all(slot[0][1] - slot[0][0] + 1 >= limits.slot_words for slot in slots)
        and (limits.adjacent or not touching)
    )


def make_rule(
    whole: Phrase, slots: frozenset[Phrase], pair: Pair, *, trees: bool, labels: bool
) -> Rule:
    order = sorted(slots)  # by source
    sides: list[list[Symbol]] = []
    places: list[dict[int, int]] = []
    for side, words in enumerate((pair.source, pair.target)):
        symbols: list[Symbol] = []
        place: dict[int, int] = {}
        for at in range(whole[side][0], whole[side][1] + 1):
            slot = next((n for n, s in enumerate(order) if inside(at, s[side])), None)
            symbol: Symbol = words[at] if slot is None else slot
            if slot is None or slot not in symbols:
                symbols.append(symbol)
            place[at] = len(symbols) - 1
        sides.append(symbols)
        places.append(place)
    links = frozenset(
        (places[0][i], places[1][j])
        for i, j in pair.links
        if inside(i, whole[0]) and not any(inside(i, slot[0]) for slot in slots)
    )
    structure = None
    if trees:
        structure = _structure(whole, order, pair, places[1], labels)
    return Rule(tuple(sides[0]), tuple(sides[1]), structure, links)


def _structure(
    whole: Phrase, slots: list[Phrase], pair: Pair, place: dict[int, int], labels: bool
) -> Structure:
    """All links of words that are now one symbol become links of that symbol, and then one."""
    assert pair.heads is not None
    merged: dict[int, set[int]] = defaultdict(set)
    for at, symbol in place.items():
        head = pair.heads[at] - 1
        to = place[head] + 1 if head in place else 0
        if to != symbol + 1 or head == at:
            merged[symbol].add(to)
    assert all(len(links) == 1 for links in merged.values())
    heads = tuple(next(iter(merged[symbol])) for symbol in sorted(merged))
    kind, word = shape(pair.heads, whole[1]) or ("", 0)
    name = f"fixed-{place[word - 1]}" if kind == "fixed" else kind
    spans_of_labels = [whole[1], *(slot[1] for slot in slots)]
    return name, heads, tuple(_label(pair, span, labels) for span in spans_of_labels)


def _label(pair: Pair, span: Span, labels: bool) -> str:
    assert pair.heads is not None
    kind, word = shape(pair.heads, span) or ("", 0)
    return pair.tags[word - 1] if labels and kind == "fixed" else "[X]"


def extract(pairs: list[Pair], kind: str, limits: Limits, phrasal_length: int = 3) -> Table:
    table = Table()
    for pair in pairs:
        if kind == "phrase" or (kind == "str2dep" and pair.heads is None):
            length = limits.length if kind == "phrase" else phrasal_length
            for phrase in phrases(pair, length, limits.tight):
                rule = make_rule(phrase, frozenset(), pair, trees=False, labels=False)
                table.add(rule)
            continue
        if kind == "filtered" and pair.heads is None:
            continue
        candidates = templates(pair, limits, trees=kind != "hiero")
        for whole in candidates:
            made = rules_of(whole, candidates, pair, limits)
            for slots in made:
                trees = kind == "str2dep"
                rule = make_rule(whole, slots, pair, trees=trees, labels=limits.labels)
                table.add(rule, 1 / len(made) if limits.fractional else 1.0)
    return table


def lexicon(pairs: list[Pair]) -> tuple[Counter[tuple[str | None, str | None]], ...]:
    """Links of words, unaligned ones to None; all links of each source and of each target word."""
    counts: Counter[tuple[str | None, str | None]] = Counter()
    for pair in pairs:
        counts.update((pair.source[i], pair.target[j]) for i, j in pair.links)
        linked = {i for i, _ in pair.links}, {j for _, j in pair.links}
        counts.update((w, None) for i, w in enumerate(pair.source) if i not in linked[0])
        counts.update((None, w) for j, w in enumerate(pair.target) if j not in linked[1])
    return (counts,)


def lexical_weights(rule: Rule, pairs: list[Pair]) -> tuple[float, float]:
    """lex(f|e) and lex(e|f)."""
    (counts,) = lexicon(pairs)
    weights = []
    for side in (0, 1):
        total = 1.0
        ours, theirs = (rule.source, rule.target) if side == 0 else (rule.target, rule.source)
        for at, word in enumerate(ours):
            if isinstance(word, int):
                continue
            partners = [link[1 - side] for link in rule.links if link[side] == at]
            given: list[str | None] = [str(theirs[partner]) for partner in partners] or [None]
            total *= math.fsum(_probability(word, other, side, counts) for other in given) / len(
                given
            )
        weights.append(total)
    return weights[0], weights[1]


def _probability(
    word: str, given: str | None, side: int, counts: Counter[tuple[str | None, str | None]]
) -> float:
    pair = (word, given) if side == 0 else (given, word)
    total = sum(count for links, count in counts.items() if links[1 - side] == given)
    return counts[pair] / total


def orientation(pair: Pair, phrase: Phrase, others: list[Phrase], model: str, unit: int) -> str:
    """Towards the phrase before (unit 1) or after (unit -1), as Moses decides it."""
    (s, t) = phrase
    start, end, target = (s[0], s[1], t[0] - 1) if unit == 1 else (s[1], s[0], t[1] + 1)

    def linked(i: int, j: int) -> bool:
        ends = {(-1, -1), (len(pair.source), len(pair.target))}
        return (i, j) in pair.links or (i, j) in ends

    def corner(i: int, near: bool) -> bool:
        facing = 1 if unit == 1 else 0
        return model != "word" and any(
            other[1][facing] == target and other[0][facing if near else 1 - facing] == i
            for other in others
        )

    mono, swap = linked(start - unit, target), linked(end + unit, target)
    if (mono and not swap) or corner(start - unit, near=True):
        return "monotone"
    if (swap and not mono) or corner(end + unit, near=False):
        return "swap"
    far_mono = [i for i in range(len(pair.source)) if (start - 2 * unit - i) * unit >= 0]
    far_swap = [i for i in range(len(pair.source)) if (i - end - 2 * unit) * unit >= 0]
    if model == "word":
        left = mono or any(linked(i, target) for i in far_mono)
        right = swap or any(linked(i, target) for i in far_swap)
        return {(True, False): "right", (False, True): "left"}.get((left, right), "other")
    if any(corner(i, near=True) for i in far_mono):
        return "right"
    return "left" if any(corner(i, near=False) for i in far_swap) else "other"
