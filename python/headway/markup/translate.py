"""Translating texts with markup."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any, Protocol

from headway.errors import ConfigError, HeadwayError
from headway.markup import html, xml
from headway.markup.choices import Choice, best_choices
from headway.markup.flow import STAND_IN, Flow
from headway.markup.marked import FORMATS, Format, Marked
from headway.markup.nodes import SentenceTags, untouched
from headway.markup.placeholders import add_text, is_number
from headway.markup.sentences import Sentence, Span, sentences, spaced, stretches
from headway.markup.write import SentenceWriter, Written, joined
from headway.markup.xml import XML_MODES, XmlMode
from headway.progress import Progress
from headway.systems import Source, Translation
from headway.systems.constraints import Constraint, Forced, Wall, Zone
from headway.systems.translation import Candidate

# More alternatives of a text than this for each that is wanted are not looked at.
_EFFORT = 20
# How the decoder names a sentence that it fails on.
_SENTENCE = re.compile(r"sentence (\d+)\b")


class MarkupTranslator(Protocol):
    """What markup asks of a `Translator`."""

    def places(self, lines: Sequence[str], *, threads: int = 0) -> list[list[Span]]:
        """Where the words of each line stand in it."""

    @property
    def translate(self) -> Callable[..., list[Translation]]:
        """One translation for each source."""

    def written(self, words: Sequence[str]) -> tuple[str, list[Span]]:
        """Words as people write them, and where each of them stands."""

    def target_words(self, text: str) -> list[str]:
        """The words of a text in the target language."""


def translate_marked(
    translator: MarkupTranslator,
    texts: Sequence[str],
    *,
    format: Format = "text",  # noqa: A002 - the name that translation services use
    n_best: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
    xml_mode: XmlMode = "exclusive",
    where: Callable[[int], str] = "text {}".format,
    **translate_options: Any,
) -> list[Marked]:
    """Translates texts and puts their markup back.

    A text may be a whole HTML fragment with several blocks and sentences. Each sentence is
    translated on its own; white space between sentences is kept. `format` says what is markup:
    `text` has placeholders only, `html` tags too, `xml` is what Moses reads, a sentence on each
    line. With `n_best` each text comes with up to this many further translations. `xml_mode` says
    what a translation that is given in XML leaves to the system. Errors name a text as `where` does
    by its number, from 1. Other options are those of `Translator.translate`.
    """
    if format not in FORMATS:
        raise ConfigError(f"format {format}: expected one of {', '.join(FORMATS)}")
    if xml_mode not in XML_MODES:
        raise ConfigError(f"XML mode {xml_mode}: expected one of {', '.join(XML_MODES)}")
    before = translate_options.pop("before", 0)
    flows = [
        _read(_sound(text), format, xml_mode, where(before + number))
        for number, text in enumerate(texts, 1)
    ]
    batch = _Batch(translator, lambda place: where(before + place + 1), split=format != "xml")
    read = batch.add(flows, threads or 0)
    options: dict[str, Any] = {"threads": threads, "progress": progress, **translate_options}
    if n_best:
        options |= {"n_best": n_best + 1, "distinct": True}
    with batch.located(read):
        found = translator.translate(batch.sources, **options) if batch.sources else []
    return [text.marked(found, translator, n_best) for text in read]


def _sound(text: str) -> str:
    """Half of a pair of surrogates is no character."""
    return text.encode("utf-8", "replace").decode("utf-8", "replace")


def _read(text: str, form: Format, mode: XmlMode, where: str) -> Flow:
    if form == "html":
        return html.read(text)
    if form == "xml":
        return xml.read(text, mode, where)
    flow = Flow(str)
    add_text(flow, text, by_line=True)
    return flow


class _Batch:
    """All sentences of some texts that are to be translated."""

    def __init__(
        self, translator: MarkupTranslator, where: Callable[[int], str], *, split: bool
    ) -> None:
        """`where` names a text by its place in errors."""
        self._translator, self._where, self._split = translator, where, split
        self.sources: list[Source] = []

    def add(self, flows: Sequence[Flow], threads: int) -> "list[_Text]":
        """Adds the sentences of texts."""
        spans = [stretches(flow) for flow in flows]
        pieces = [
            spaced(flow, span) for flow, own in zip(flows, spans, strict=True) for span in own
        ]
        cut = self._translator.places([text for text, _ in pieces], threads=threads)
        words = iter(zip(pieces, cut, strict=True))
        return [
            self._text(place, flow, islice(words, len(own)))
            for place, (flow, own) in enumerate(zip(flows, spans, strict=True))
        ]

    @contextmanager
    def located(self, texts: "Sequence[_Text]") -> Iterator[None]:
        """Errors at a sentence name its text instead: only we know how texts were cut."""
        try:
            yield
        except HeadwayError as error:
            if (named := _SENTENCE.match(str(error))) is None:
                raise
            number, cause = int(named[1]) - 1, str(error)[named.end() :]
            for place, text in enumerate(texts):
                if number in text.numbers:
                    order = f", sentence {text.numbers.index(number) + 1}"
                    several = order if len(text.numbers) > 1 else ""
                    raise type(error)(f"{self._where(place)}{several}{cause}") from None
            raise

    def _text(
        self, place: int, flow: Flow, cut: Iterable[tuple[tuple[str, list[int]], list[Span]]]
    ) -> "_Text":
        found = []
        for (_, places), own in cut:
            spans = [(places[start], places[end - 1] + 1) for start, end in own]
            found += sentences(flow, spans, split=self._split)
        return _Text(flow, [(sentence, self._source(place, flow, sentence)) for sentence in found])

    def _source(self, place: int, flow: Flow, sentence: Sentence) -> int | None:
        """The number of a sentence's source; None if there is nothing to translate."""
        words = [flow.text[slice(*span)] for span in sentence.words]
        constraints = _constraints(self._translator, flow, sentence, words)
        speaks = any(word != STAND_IN and any(map(str.isalpha, word)) for word in words)
        if not speaks and not flow.given:
            return None
        clean = tuple("".join(word.split()) or "\u2423" for word in words)
        source = Source(clean, constraints=constraints)
        try:
            source.core(clean)
        except HeadwayError as error:
            raise type(error)(f"{self._where(place)}: {error}") from None
        self.sources.append(source)
        return len(self.sources) - 1


def _constraints(
    translator: MarkupTranslator, flow: Flow, sentence: Sentence, words: Sequence[str]
) -> list[Constraint]:
    """What the translation of a sentence has to obey."""
    taken, found = _given(translator, flow, sentence)
    for place, (span, word) in enumerate(zip(sentence.words, words, strict=True)):
        if span[0] in flow.held_at:
            found.append(Forced(place, place + 1, (STAND_IN,)))
        elif place not in taken and is_number(word):
            # Rules that have the number on both sides may be used.
            found.append(Forced(place, place + 1, (word,), "constraint"))
    for zone in flow.zones:
        start, end = _places(sentence, *zone)
        if end - start > 1 and not taken.issuperset(range(start, end)):
            found.append(Zone(start, end))
    for wall in flow.walls:
        at = sum(word[0] < wall for word in sentence.words)
        if sentence.start < wall < sentence.end and 0 < at < len(words):
            found.append(Wall(at))
    return found


def _given(
    translator: MarkupTranslator, flow: Flow, sentence: Sentence
) -> tuple[set[int], list[Constraint]]:
    """The words of a sentence for which translations are given, and these."""
    taken: set[int] = set()
    found: list[Constraint] = []
    for given in flow.given:
        start, end = _places(sentence, given.start, given.end)
        taken |= set(range(start, end))
        for text, chance in given.choices if start < end else ():
            words = tuple(translator.target_words(text))
            found.append(Forced(start, end, words, given.mode, chance))
    return taken, found


def _places(sentence: Sentence, start: int, end: int) -> tuple[int, int]:
    """The words of a sentence that a part of the text shares a character with."""
    own = [at for at, word in enumerate(sentence.words) if start < word[1] and word[0] < end]
    return (own[0], own[-1] + 1) if own else (0, 0)


class _Text:
    """A text and its sentences, with the numbers of their sources."""

    def __init__(self, flow: Flow, found: Sequence[tuple[Sentence, int | None]]) -> None:
        self._flow, self._sentences = flow, found

    @property
    def numbers(self) -> list[int]:
        """The numbers of its sources, from 0."""
        return [number for _, number in self._sentences if number is not None]

    def marked(
        self, found: Sequence[Translation], translator: MarkupTranslator, n_best: int
    ) -> Marked:
        """The text with translations in place of its sentences."""
        own = [found[number] for number in self.numbers]
        pieces, choices = self._pieces(found, translator)
        texts = list(islice(_texts(pieces, choices), n_best + 1))
        return Marked(texts[0], tuple(texts[1:]), tuple(own))

    def _pieces(
        self, found: Sequence[Translation], translator: MarkupTranslator
    ) -> tuple[list["str | int"], list[list[Choice]]]:
        """The text as pieces: what stays, and the numbers of sentences with their choices."""
        flow = self._flow
        choices: list[list[Choice]] = []
        tags = [SentenceTags(flow, sentence) for sentence, _ in self._sentences]
        done: list[tuple[Sentence, str | int]] = []
        for (sentence, number), own in zip(self._sentences, tags, strict=True):
            writer = SentenceWriter(flow, sentence, own)
            if number is None:
                done.append((sentence, writer.write(Written.same(flow, sentence))))
            else:
                choices.append(_written(writer, found[number], translator))
                done.append((sentence, len(choices) - 1))
        return joined(flow, untouched(flow, tags), done), choices


def _written(
    writer: SentenceWriter, found: Translation, translator: MarkupTranslator
) -> list[Choice]:
    """The translations of a sentence with their markup, each once, the best first."""
    known: dict[str, float] = {}
    for candidate in (found, *found.n_best):
        known.setdefault(writer.write(_line(candidate, translator)), candidate.score)
    return [(score, text) for text, score in known.items()]


def _line(candidate: Candidate, translator: MarkupTranslator) -> Written:
    line, spans = translator.written(candidate.words)
    links: dict[int, list[int]] = {}
    for source, target in candidate.alignment:
        links.setdefault(target, []).append(source)
    return Written(line, spans, links)


def _texts(pieces: Sequence[str | int], choices: Sequence[Sequence[Choice]]) -> Iterator[str]:
    """Different texts, the best first."""
    seen: Mapping[str, None] = {}
    for tried, places in enumerate(best_choices(choices)):
        text = "".join(
            choices[piece][places[piece]][1] if isinstance(piece, int) else piece
            for piece in pieces
        )
        if text not in seen:
            seen = {**seen, text: None}
            yield text
        if tried > _EFFORT * (len(seen) + 1):
            return
