"""Unknown words: what became of each, how they are marked, and a report of all of them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import PathLike

from headway.corpus import write_lines
from headway.systems.translation import Segment, Translation, UnknownWord

# Source words shown on each side of an unknown word.
_AROUND = 4
# Different translations of one word that the report shows; the most frequent ones first.
_MOST_SAID = 5

_COLUMNS = ("count", "word", "kind", "known_word", "said", "line", "context")


def unknown_words(
    source: Sequence[str],
    read: Sequence[str],
    words: Sequence[str],
    segments: Sequence[Segment],
    alignment: Sequence[tuple[int, int]],
) -> tuple[UnknownWord, ...]:
    """The unknown words of one candidate, in the order of the source."""
    replaced = [place for place, word in enumerate(source) if word != read[place]]
    found = []
    for segment in segments:
        place = segment.source[0]
        if segment.unknown and place not in replaced:
            target = tuple(range(*segment.target))
            said = tuple(words[at] for at in target)
            found.append(UnknownWord(place, source[place], segment.unknown, said, target))
    for place in replaced:
        word, known = source[place], read[place]
        target = _said_for(place, segments, alignment)
        said = tuple(words[at] for at in target)
        kind = "case" if word.lower() == known.lower() else "look-alike"
        found.append(UnknownWord(place, word, kind, said, target, known))
    return tuple(sorted(found, key=lambda one: one.place))


def _said_for(
    place: int, segments: Sequence[Segment], alignment: Sequence[tuple[int, int]]
) -> tuple[int, ...]:
    """The target words linked to a source word; without a link, all words of its rule."""
    if linked := tuple(sorted({target for source, target in alignment if source == place})):
        return linked
    owner = _innermost(place, [segment.source for segment in segments])
    if owner is None:
        return ()
    targets = [segment.target for segment in segments]
    return tuple(at for at in range(*targets[owner]) if _innermost(at, targets) == owner)


def _innermost(place: int, spans: Sequence[tuple[int, int]]) -> int | None:
    """The number of the rule whose own word this is: spans of others nest around it."""
    around = [number for number, (start, end) in enumerate(spans) if start <= place < end]
    return min(around, key=lambda number: spans[number][1] - spans[number][0], default=None)


def mark_look_alikes(words: Sequence[str], unknown: Iterable[UnknownWord]) -> tuple[str, ...]:
    """`UNK:Trakktor=tractor` for each word said for a look-alike, as `UNK:word` marks others."""
    sources: dict[int, list[str]] = {}
    for one in unknown:
        for place in one.target if one.kind == "look-alike" else ():
            sources.setdefault(place, []).append(one.word)
    return tuple(
        f"UNK:{','.join(sources[place])}={word}" if place in sources else word
        for place, word in enumerate(words)
    )


class UnknownReport:
    """Counts the unknown words of many translations, and lists them.

    report = UnknownReport()
    report.add(translator.translate(lines))
    report.write("unknown.tsv")
    """

    def __init__(self, *, words: bool = True) -> None:
        """Without `words` it only counts them, so that memory does not grow with the text."""
        self.kinds: Counter[str] = Counter()
        """How many words of each kind there were."""
        self._words = words
        self._lines = 0
        self._entries: dict[str, _Entry] = {}

    def add(self, translations: Iterable[Translation]) -> None:
        """Adds translations, one for each line of the input, in its order."""
        for translation in translations:
            self._lines += 1
            for one in translation.unknown:
                self.kinds[one.kind] += 1
                if self._words:
                    self._count(one, translation.source)

    def _count(self, one: UnknownWord, source: Sequence[str]) -> None:
        entry = self._entries.get(one.word)
        if entry is None:
            entry = _Entry(one, self._lines, _context(source, one.place))
            self._entries[one.word] = entry
        entry.count += 1
        entry.said[" ".join(one.said)] += 1

    def lines(self) -> Iterator[str]:
        """The report as tab-separated values: a header, then the most frequent word first."""
        yield "\t".join(_COLUMNS)
        for entry in sorted(self._entries.values(), key=lambda it: (-it.count, it.first.word)):
            yield entry.line()

    def write(self, path: str | PathLike[str]) -> None:
        """Writes the lines to a file."""
        write_lines(path, self.lines())

    def summary(self) -> str:
        """In one line how many words there were of which kind; empty if all words were known."""
        counts = [(self.kinds[kind], what) for kind, what in _KINDS.items() if self.kinds[kind]]
        if not counts:
            return ""
        (first, what), *rest = counts
        noun = "word" if first == 1 else "words"
        told = [f"{first:,} {noun} {what}", *(f"{count:,} {what}" for count, what in rest)]
        return f"unknown: {', '.join(told)}"


_KINDS: Mapping[str, str] = {
    "copy": "copied",
    "drop": "dropped",
    "mark": "marked",
    "look-alike": "translated like a similar word",
    "case": "translated like the same word in another case",
}


class _Entry:
    """One unknown word: where it came first, how often it came, and what was said for it."""

    __slots__ = ("context", "count", "first", "number", "said")

    def __init__(self, first: UnknownWord, number: int, context: str) -> None:
        self.first, self.number, self.context = first, number, context
        self.count = 0
        self.said: Counter[str] = Counter()

    def line(self) -> str:
        many = len(self.said) > 1
        most = sorted(self.said.items(), key=lambda it: (-it[1], it[0]))
        shown = [f"{said or '-'} ({count})" if many else said for said, count in most[:_MOST_SAID]]
        said = ", ".join(shown) + (", …" if len(most) > _MOST_SAID else "")
        known = self.first.known or ""
        cells = (self.count, self.first.word, self.first.kind, known, said, self.number)
        return "\t".join(map(str, (*cells, self.context)))


def _context(source: Sequence[str], place: int) -> str:
    """The word in brackets, with a few words on each side."""
    start, end = max(0, place - _AROUND), place + 1 + _AROUND
    before, after = source[start:place], source[place + 1 : end]
    left, right = ["…"] if start else [], ["…"] if end < len(source) else []
    return " ".join([*left, *before, f"[{source[place]}]", *after, *right])


def write_unknown_report(path: str | PathLike[str], translations: Iterable[Translation]) -> None:
    """Lists the unknown words of translations, the most frequent first, as a table with tabs."""
    report = UnknownReport()
    report.add(translations)
    report.write(path)
