"""A treebank brought to the casing and the words of a corpus (Galley & Manning 2009, section 3).

A parser that never saw `can 't` cannot judge it. Where headway cut the corpus, its tokeniser cuts
the treebank's text too. Where the corpus came cut by others, how it cuts is learnt from it: of all
ways to cut a run of characters without spaces the one that the corpus has most often, as it
stands or by its shape. Rules come before both: see `treebank_rules`.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, pairwise
from typing import Protocol

from headway.corpus import Tokeniser, Truecaser
from headway.trees import Sentence
from headway.trees.retokenise import Span, regraft, spaced, spans_of, tag_lexicon

Words = tuple[str, ...]

# Ways to write the same sign.
SIGNS = (
    ('"', "``", "''", "“", "”", "&quot;"),
    ("'", "’", "‘", "`", "&apos;", "&#39;"),
    ("(", "-LRB-", "-lrb-"),
    (")", "-RRB-", "-rrb-"),
    ("[", "-LSB-", "-lsb-", "&#91;"),
    ("]", "-RSB-", "-rsb-", "&#93;"),
    ("&", "&amp;"),
    ("<", "&lt;"),
    (">", "&gt;"),
    ("-", "–", "@-@"),
    ("...", "…"),
)
UNIT = re.compile(r"&#?\w+;|@-@|-[LR][RS]B-|``|''|\.\.\.|.", re.IGNORECASE)

# Sentences looked at to learn from, places where a run may be cut, words of a way to cut it.
_MOST_LINES, _MOST_CUTS, _MOST_WORDS = 50_000, 6, 6
# A corpus with fewer capitals than this has none.
_CAPITALS = 0.001


@dataclass(frozen=True)
class Changes:
    """What became of a treebank."""

    sentences: int
    changed: int
    """Sentences that have other words now."""
    skipped: int
    """Sentences left as they are, as the tokeniser changed their characters."""


class Cutter(Protocol):
    """What cuts sentences anew."""

    def cut(self, words: Sequence[str], spaces: Sequence[bool]) -> list[tuple[Span, str]] | None:
        """New words with their places; None where that cannot be."""

    def written(self, text: str) -> str:
        """A piece of text as the corpus writes it."""


class ByTokeniser:
    """Cuts as headway's tokeniser cuts the corpus."""

    def __init__(self, tokeniser: Tokeniser) -> None:
        self._tokeniser = tokeniser

    def cut(self, words: Sequence[str], spaces: Sequence[bool]) -> list[tuple[Span, str]] | None:
        """New words with their places; None where characters differ."""
        text = "".join(w + " " * s for w, s in zip(words, spaces, strict=True))
        new = self._tokeniser.tokenise(text).words
        if "".join(new) != "".join(words):
            return None
        return list(zip(spans_of(new), new, strict=True))

    def written(self, text: str) -> str:
        """A piece of text as it is."""
        return text


class LikeCorpus:
    """Cuts as a corpus does that others have cut."""

    def __init__(self, lines: Iterable[str], runs: Iterable[Words], *, lowercase: bool) -> None:
        corpus = [line.split() for line in islice(lines, _MOST_LINES)]
        vocabulary = Counter(word for line in corpus for word in line)
        self._signs = _signs(vocabulary)
        self._lowercase = lowercase
        self._ways: dict[Words, list[list[Span]]] = {}
        for run in runs:
            if run not in self._ways:
                self._ways[run] = list(_ways(run))
        exact = {self._text(run, way) for run, ways in self._ways.items() for way in ways}
        shapes = {_shapes(words) for words in exact}
        self._exact = _count(exact, corpus)
        self._shapes = _count(shapes, [[_shape(word) for word in line] for line in corpus])

    def cut(self, words: Sequence[str], spaces: Sequence[bool]) -> list[tuple[Span, str]] | None:
        """New words with their places."""
        found: list[tuple[Span, str]] = []
        start = 0
        for run in runs(words, spaces):
            way = self.best(run)
            texts = self._text(run, way)
            found += [((a + start, b + start), t) for (a, b), t in zip(way, texts, strict=True)]
            start += sum(map(len, run))
        return found

    def best(self, run: Words) -> list[Span]:
        """How the corpus cuts a run of words without spaces; as it is cut if that is unknown."""
        own = spans_of(run)
        ways = self._ways.get(run) or [own]
        for counts, key in ((self._exact, self._text), (self._shapes, self._shape_key)):
            scored = [(counts.get(key(run, way), 0), way == own, way) for way in ways]
            best = max(scored, key=lambda one: one[:2])
            if best[0]:
                return best[2]
        return own

    def written(self, text: str) -> str:
        """A piece of text in the signs and the case of the corpus."""
        piece = "".join(self._signs.get(unit, unit) for unit in UNIT.findall(text))
        return piece.lower() if self._lowercase else piece

    def _text(self, run: Words, way: Sequence[Span]) -> Words:
        text = "".join(run)
        return tuple(self.written(text[start:end]) for start, end in way)

    def _shape_key(self, run: Words, way: Sequence[Span]) -> Words:
        return _shapes(self._text(run, way))


def runs(words: Sequence[str], spaces: Sequence[bool]) -> Iterator[Words]:
    """Words with no space between them."""
    run: list[str] = []
    for word, space in zip(words, spaces, strict=True):
        run.append(word)
        if space:
            yield tuple(run)
            run = []
    if run:
        yield tuple(run)


def has_capitals(lines: Iterable[str]) -> bool:
    """Whether a corpus has words with capitals, but for a few that slipped in."""
    words = [word for line in islice(lines, _MOST_LINES) for word in line.split()]
    return sum(word != word.lower() for word in words) > _CAPITALS * len(words)


def adapt(
    sentences: Sequence[Sentence],
    cutter: Cutter,
    *,
    lowercase: bool = False,
    truecaser: Truecaser | None = None,
) -> tuple[list[Sentence], Changes]:
    """The sentences over the corpus' words, in its case."""
    lexicons = {name: tag_lexicon(sentences, name) for name in ("upos", "xpos")}
    new, changed, skipped = [], 0, 0
    for sentence in sentences:
        words = sentence.forms
        cut = cutter.cut(words, spaced(sentence)) if words else []
        if cut is None:
            skipped += 1
            cut = list(zip(spans_of(words), words, strict=True))
        spans, forms = [span for span, _ in cut], [form for _, form in cut]
        changed += spans != spans_of(words)
        if truecaser is not None:
            forms = truecaser.apply(forms)
        elif lowercase:
            forms = [form.lower() for form in forms]
        new.append(regraft(sentence, spans, forms, lexicons))
    return new, Changes(len(new), changed, skipped)


def _signs(vocabulary: Counter[str]) -> dict[str, str]:
    """For each way to write a sign the way that the corpus has."""
    units: Counter[str] = Counter()
    for word, count in vocabulary.items():
        for unit in UNIT.findall(word):
            units[unit] += count
    chosen: dict[str, str] = {}
    for ways in SIGNS:
        best = max(ways, key=lambda way: units[way])
        if units[best]:
            chosen |= dict.fromkeys((way for way in ways if way != best), best)
    return chosen


def _ways(run: Words) -> Iterator[list[Span]]:
    """All ways to cut: between words, beside marks, and before `n't`."""
    text = "".join(run)
    ends = {end for _, end in spans_of(run)}
    places = {
        place
        for place in range(1, len(text))
        if place in ends or not (text[place - 1].isalnum() and text[place].isalnum())
    }
    if text.lower().endswith(("n't", "n’t")) and len(text) > 3:
        places.add(len(text) - 3)
    if len(places) > _MOST_CUTS:
        yield spans_of(run)
        return
    for count in range(min(len(places), _MOST_WORDS - 1) + 1):
        for cuts in combinations(sorted(places), count):
            yield list(pairwise([0, *cuts, len(text)]))


def _shape(word: str) -> str:
    """Letters as one `a`, digits as one `9`, marks as they are."""
    units = ["a" if u.isalpha() else "9" if u.isdigit() else u for u in UNIT.findall(word)]
    return "".join(u for at, u in enumerate(units) if not at or u != units[at - 1] or u not in "a9")


def _shapes(words: Words) -> Words:
    return tuple(map(_shape, words))


def _count(wanted: set[Words], corpus: Iterable[Sequence[str]]) -> Counter[Words]:
    """How often each of some runs of words stands in a corpus."""
    lengths = sorted({len(words) for words in wanted})
    counts: Counter[Words] = Counter()
    for line in corpus:
        for length in lengths:
            for start in range(len(line) - length + 1):
                words = tuple(line[start : start + length])
                if words in wanted:
                    counts[words] += 1
    return counts
