"""A translation put back into the markup of its text."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from headway.markup.flow import STAND_IN, Flow, Tag
from headway.markup.nodes import SentenceTags, insert
from headway.markup.place import Links, Point, Raw, Word, placed
from headway.markup.sentences import Sentence, Span


@dataclass(frozen=True)
class Written:
    """A translation as text: its line, where its words stand in it, and what they stand for."""

    line: str
    words: Sequence[Span]
    links: Links

    @classmethod
    def same(cls, flow: Flow, sentence: Sentence) -> "Written":
        """The sentence itself, where nothing is to be translated."""
        start = sentence.start
        words = [(first - start, last - start) for first, last in sentence.words]
        links = {place: [place] for place in range(len(words))}
        return cls(flow.text[start : sentence.end], words, links)


class SentenceWriter:
    """Writes translations of one sentence with its tags and what was held."""

    def __init__(self, flow: Flow, sentence: Sentence, tags: SentenceTags) -> None:
        self._sentence, self._tags, self._encode = sentence, tags, flow.encode
        starts = enumerate(start for start, _ in sentence.words)
        held = flow.held_at
        self._held = {place: held[start] for place, start in starts if start in held}

    def write(self, written: Written) -> str:
        """The translation with its markup."""
        found = self._found(written)
        whole = self._tags.tree()
        for place, raw in self._held.items():
            if place not in found.values():
                insert(whole, Point(place, raw))
        pieces: list[str] = []
        between: list[Raw] = []
        end = 0
        for piece in placed(whole, written.links, len(written.words)):
            if isinstance(piece, Raw):
                between.append(piece)
                continue
            start, after = written.words[piece.number]
            if written.line[start:after] == STAND_IN and piece.number not in found:
                continue  # said more often than it was in the source
            gap = self._gap(written, piece, end, found)
            pieces += self._between(between, gap if pieces else "")
            between = []
            raw = found.get(piece.number)
            word = self._encode(written.line[start:after])
            pieces.append(word if raw is None else self._held[raw])
            end = after
        return "".join([*pieces, *(raw.text for raw in between)])

    def _found(self, written: Written) -> dict[int, int]:
        """For the words of the translation that stand for what is held its places in the source."""
        found: dict[int, int] = {}
        for word, span in enumerate(written.words):
            for source in written.links.get(word, ()):
                new = source in self._held and source not in found.values()
                if new and written.line[slice(*span)] == STAND_IN:
                    found[word] = source
                    break
        return found

    def _gap(self, written: Written, word: Word, end: int, found: Mapping[int, int]) -> str:
        """What stands before a word; nothing where the source has nothing beside what is held."""
        at = word.number
        for first, second in self._pairs(written, at, found):
            spans = self._sentence.words
            if second == first + 1 and spans[first][1] == spans[second][0]:
                return ""
        return written.line[end : written.words[at][0]]

    def _pairs(
        self, written: Written, at: int, found: Mapping[int, int]
    ) -> Iterator[tuple[int, int]]:
        """Source words of a word and of the one before it, if either is held."""
        if at in found or at - 1 in found:
            for first in written.links.get(at - 1, ()):
                for second in written.links.get(at, ()):
                    yield first, second

    def _between(self, tags: Sequence[Raw], gap: str) -> Iterator[str]:
        """Tags between two words: white space stands behind those that end something."""
        behind = [number for number, raw in enumerate(tags, 1) if raw.behind]
        cut = behind[-1] if behind else 0
        yield from (raw.text for raw in tags[:cut])
        yield self._encode(gap)
        for raw in tags[cut:]:
            yield raw.text
            yield " " if raw.apart and gap else ""


def joined(
    flow: Flow, tags: Sequence[Tag], done: Sequence[tuple[Sentence, str | int]]
) -> list[str | int]:
    """A text as pieces: sentences, and between them what the text has there."""
    held = flow.held_at
    pieces: list[str | int] = []
    rest = iter([*tags, Tag(len(flow.text) + 1, "")])
    tag = next(rest)

    def verbatim(start: int, end: int) -> None:
        nonlocal tag
        for place in range(start, end + 1):
            while tag.place == place:
                pieces.append(tag.raw)
                tag = next(rest)
            if place < end:
                pieces.append(held[place] if place in held else flow.encode(flow.text[place]))

    at = 0
    for sentence, text in done:
        verbatim(at, sentence.start)
        pieces.append(text)
        at = sentence.end
    verbatim(at, len(flow.text))
    return pieces
