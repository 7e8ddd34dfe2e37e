"""Rules for the words of a treebank: lines such as `can't ||| can 't`."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path

from headway.corpus import read_lines
from headway.errors import FormatError
from headway.systems.treebank import SIGNS, UNIT, Cutter, Words, runs
from headway.trees.retokenise import Span, spans_of

_WAYS = {way: ways for ways in SIGNS for way in ways}


@dataclass(frozen=True)
class Rule:
    """What some text becomes."""

    text: str
    words: Words

    def cut(self, text: str, cutter: Cutter) -> list[tuple[str, str]]:
        """Pieces of a text that it goes for, and the words they become."""
        own, found = _pieces(self.text, self.words), _pieces(text, self.words)
        return [
            (piece, cutter.written(piece) if ours == word else word)
            for ours, piece, word in zip(own, found, self.words, strict=True)
        ]


class ByRules:
    """Cuts what rules name, between letters and digits of other words; the rest as another does.

    Words are taken as text has them, in the signs of the corpus where the other cutter knows
    them; but where a rule changes signs, as `can't ||| can &apos;t` does, as it says.
    """

    def __init__(self, rules: Mapping[Words, Rule], other: Cutter) -> None:
        self._other = other
        # Of two rules that begin alike the longer one goes first.
        texts = sorted(rules, key=len, reverse=True)
        self._named = re.compile("|".join(f"({_pattern(units)})" for units in texts), re.IGNORECASE)
        self._rules = [rules[units] for units in texts]

    def cut(self, words: Sequence[str], spaces: Sequence[bool]) -> list[tuple[Span, str]] | None:
        """New words with their places; None where characters differ and no rule applies."""
        told = list(self._told(words, spaces)) if self._rules else []
        found = self._other.cut(words, spaces)
        if not told:
            return found
        if found is None:
            found = list(zip(spans_of(words), words, strict=True))
        text = "".join(words)
        for place, new in told:
            found = [*self._outside(found, place, text), *new]
        return sorted(found)

    def written(self, text: str) -> str:
        """A piece of text as the corpus writes it."""
        return self._other.written(text)

    def _told(
        self, words: Sequence[str], spaces: Sequence[bool]
    ) -> Iterator[tuple[Span, list[tuple[Span, str]]]]:
        """The places that rules name, and the words they become."""
        start = 0
        for run in runs(words, spaces):
            text = "".join(run)
            for match in self._named.finditer(text):
                cut = self._rules[(match.lastindex or 1) - 1].cut(match.group(), self)
                ends = accumulate((len(piece) for piece, _ in cut), initial=start + match.start())
                spans = pairwise(ends)
                new = [(span, word) for span, (_, word) in zip(spans, cut, strict=True)]
                yield (start + match.start(), start + match.end()), new
            start += len(text)

    def _outside(
        self, found: Sequence[tuple[Span, str]], place: Span, text: str
    ) -> Iterator[tuple[Span, str]]:
        """Words without what they have of a place that a rule names."""
        for (first, last), word in found:
            for a, b in ((first, min(last, place[0])), (max(first, place[1]), last)):
                if a < b:
                    yield (a, b), word if (a, b) == (first, last) else self.written(text[a:b])


def read_rules(path: Path) -> dict[Words, Rule]:
    """Lines `can't ||| can 't`: characters as text has them, and the words they become.

    Signs may be written in any of their ways. Rules go by the signs of their text.
    """
    rules = {}
    for number, line in enumerate(read_lines(path), 1):
        text, bars, words = line.partition("|||")
        run, new = "".join(text.split()), tuple(words.split())
        if not line.strip() or line.startswith("#"):
            continue
        if not bars or not run or _canonical("".join(new)) != _canonical(run):
            message = f"{path}:{number}: expected TEXT ||| WORDS with the same characters,"
            raise FormatError(f"{message} found {line.strip()[:40]!r}", path)
        rules[_canonical(run)] = Rule(run, new)
    return rules


def _canonical(text: str) -> Words:
    return tuple(_WAYS.get(unit, (unit,))[0] for unit in UNIT.findall(text))


def _pattern(units: Words) -> str:
    """What matches the text of a rule, signs written in any of their ways.

    Where it begins or ends in a letter or digit, no other may stand beside it.
    """
    before = r"(?<![^\W_])" if units[0].isalnum() else ""
    behind = r"(?![^\W_])" if units[-1].isalnum() else ""
    return f"{before}{''.join(map(_sign_pattern, units))}{behind}"


def _sign_pattern(unit: str) -> str:
    ways = sorted(_WAYS.get(unit, (unit,)), key=len, reverse=True)
    return f"(?:{'|'.join(map(re.escape, ways))})"


def _pieces(text: str, rule: Words) -> list[str]:
    """Text cut as the words of a rule are, sign by sign."""
    units = iter(UNIT.findall(text))
    return ["".join(next(units, "") for _ in UNIT.findall(word)) for word in rule]
