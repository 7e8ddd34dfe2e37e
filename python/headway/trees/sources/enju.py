"""Enju's XML: phrases with syntactic and semantic heads, words with predicates and arguments.

    <sentence id="s0" parse_status="success"><cons id="c0" cat="S" head="c3" sem_head="c3" …>
    …<tok id="t1" cat="V" pos="VBZ" base="run" pred="verb_arg12" arg1="c1" arg2="c5">runs</tok>…

Enju writes no element around the sentences; one may be there. It leaves words that it ignores,
such as full stops, outside `<tok>`. A fragmental parse has several phrases side by side.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from xml.parsers import expat

from headway.corpus import read_lines
from headway.errors import FormatError
from headway.trees.sources.graph import Graph, flaw
from headway.trees.sources.pas import BARE, TYPES

HEADS = {"syn": "head", "sem": "sem_head"}
"""By which attribute phrases name their head."""

UNKNOWN = "unk"
"""What Enju writes in place of an argument that is not in the sentence."""

_ESCAPE = "write & as &amp; and < as &lt;"
_ADVICE = {
    expat.errors.XML_ERROR_INVALID_TOKEN: _ESCAPE,
    expat.errors.XML_ERROR_UNDEFINED_ENTITY: _ESCAPE,
}
"""What to do, by what is wrong with the XML."""

Attributes = dict[str, str]


@dataclass
class _Token:
    line: int
    attributes: Attributes
    text: str = ""


@dataclass
class _Sentence:
    line: int
    attributes: Attributes
    phrases: dict[str, tuple[int, Attributes]] = field(default_factory=dict)
    tokens: dict[str, _Token] = field(default_factory=dict)
    pieces: list["_Token | str"] = field(default_factory=list)
    """Tokens and the text between them: all words, if the parse failed."""
    tops: list[str] = field(default_factory=list)
    """The phrases and tokens that are in no other."""

    def add_text(self, text: str) -> None:
        """Adds text outside tokens; the parser may give it in parts."""
        if self.pieces and isinstance(self.pieces[-1], str):
            self.pieces[-1] += text
        else:
            self.pieces.append(text)

    def numbers(self) -> dict[str, int]:
        """The number of the word of each token, from 1; words outside tokens count."""
        numbers, keys, count = {}, iter(self.tokens), 0
        for piece in self.pieces:
            if isinstance(piece, str):
                count += len(piece.split())
            else:
                count += 1
                numbers[next(keys)] = count
        return numbers


def read_enju(path: str | Path, heads: str = "syn") -> Iterator[Graph]:
    """The graphs of a file of Enju's XML, by syntactic (`syn`) or semantic (`sem`) heads."""
    document = _Document(Path(path))
    document.feed("<headway>")
    for line in read_lines(path):
        document.feed(_without_declaration(line) + "\n")
        yield from (_graph(one, document.path, HEADS[heads]) for one in document.take())
    document.close()


def _without_declaration(line: str) -> str:
    """`<?xml …?>` may stand only at the very beginning, which is taken."""
    start, end = line.find("<?xml "), line.find("?>")
    return line if min(start, end) < 0 else line[:start] + line[end + 2 :]


class _Document:
    """Collects sentences while lines are read."""

    def __init__(self, path: Path):
        self.path = path
        self._found: list[_Sentence] = []
        self._sentence: _Sentence | None = None
        self._token: _Token | None = None
        self._depth = 0
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text

    def feed(self, text: str) -> None:
        """Reads on."""
        try:
            self._parser.Parse(text)
        except expat.ExpatError as error:
            raise self._flawed(error) from None

    def close(self) -> None:
        """Refuses a file that ends within a sentence."""
        if self._sentence is not None:
            line = self._sentence.line
            raise flaw(self.path, line, "this <sentence> never ends; was the file cut short?")
        self.feed("</headway>")

    def take(self) -> list[_Sentence]:
        """The sentences that ended since the last call."""
        found, self._found = self._found, []
        return found

    def _flawed(self, error: expat.ExpatError) -> FormatError:
        reason = expat.ErrorString(error.code)
        advice = _ADVICE.get(reason, "every <cons> needs its </cons>")
        return flaw(self.path, error.lineno, f"the XML is not well-formed ({reason}); {advice}")

    def _error(self, message: str) -> FormatError:
        return flaw(self.path, self._parser.CurrentLineNumber, message)

    def _start(self, name: str, attributes: Attributes) -> None:
        line = self._parser.CurrentLineNumber
        if name == "sentence":
            if self._sentence is not None:
                raise self._error("a <sentence> inside a <sentence>; is a </sentence> missing?")
            self._sentence, self._depth = _Sentence(line, attributes), 0
        elif name in ("cons", "tok"):
            self._add(name, line, attributes)

    def _add(self, name: str, line: int, attributes: Attributes) -> None:
        sentence, key = self._sentence, attributes.get("id")
        if sentence is None:
            raise self._error(f"expected <sentence …> around this <{name}>")
        if key is None:
            raise self._error(f'this <{name}> has no id="…"')
        if key in sentence.phrases or key in sentence.tokens:
            raise self._error(f'a second id="{key}" in one sentence')
        if self._token is not None:
            raise self._error(f"a <{name}> inside a <tok>; is a </tok> missing?")
        if self._depth == 0:
            sentence.tops.append(key)
        if name == "tok":
            self._token = sentence.tokens[key] = _Token(line, attributes)
            sentence.pieces.append(self._token)
        else:
            sentence.phrases[key] = line, attributes
        self._depth += 1

    def _end(self, name: str) -> None:
        if name == "sentence" and self._sentence is not None:
            self._found.append(self._sentence)
            self._sentence = None
        elif name in ("cons", "tok"):
            self._token = None
            self._depth -= 1

    def _text(self, text: str) -> None:
        if self._token is not None:
            self._token.text += text
        elif self._sentence is not None:
            self._sentence.add_text(text)


def _graph(sentence: _Sentence, path: Path, attribute: str) -> Graph:
    """Finding and mapping: heads of arguments, then the arcs of each predicate."""
    graph = Graph(path, sentence.line, [], parsed=bool(sentence.tokens))
    tags: list[str] = []
    for piece in sentence.pieces:
        words, tag = _words(piece, path)
        graph.words += words
        tags += [tag] * len(words)
    if not graph.parsed:  # parse_status="time out" and the like: the text alone
        return graph
    graph.tags = tags
    finder = _Heads(sentence, path, attribute)
    for key, token in sentence.tokens.items():
        graph.arcs += _arcs(key, token, finder, path)
    graph.root = finder.word(sentence.tops[0], sentence.line)
    graph.fragments = len(sentence.tops)
    return graph


def _words(piece: _Token | str, path: Path) -> tuple[list[str], str]:
    """The words of a token or of text outside tokens, and their tag."""
    if isinstance(piece, str):
        return piece.split(), "_"
    words = piece.text.split()
    if len(words) != 1:
        message = f'expected one word in this <tok>, found "{piece.text.strip()}"'
        raise flaw(path, piece.line, message)
    return words, piece.attributes.get("pos") or "_"


def _arcs(key: str, token: _Token, finder: "_Heads", path: Path) -> Iterator[tuple[int, int]]:
    kind = token.attributes.get("pred")
    if kind is None:
        raise flaw(path, token.line, f'<tok id="{key}"> has no pred="…"')
    if kind.endswith(BARE):
        return
    if kind not in TYPES:
        close = get_close_matches(kind, TYPES, 1)
        advice = f"did you mean {close[0]}?" if close else "types look like verb_arg12"
        raise flaw(path, token.line, f'unknown type of predicate "{kind}"; {advice}')
    given = {role: token.attributes.get(role, UNKNOWN) for arc in TYPES[kind] for role in arc}
    given["pred"] = key
    words = {
        role: finder.word(place, token.line) for role, place in given.items() if place != UNKNOWN
    }
    for dependent, head in TYPES[kind]:
        if dependent in words and head in words and words[dependent] != words[head]:
            yield words[dependent], words[head]


class _Heads:
    """The head word of each phrase of a sentence."""

    def __init__(self, sentence: _Sentence, path: Path, attribute: str):
        self._sentence, self._path, self._attribute = sentence, path, attribute
        self._words = sentence.numbers()

    def word(self, key: str, line: int) -> int:
        """The number of the word that a phrase leads to; `line` names it."""
        passed: dict[str, None] = {}
        while key not in self._words:
            if key not in self._sentence.phrases:
                raise flaw(self._path, line, f'no <cons> or <tok> with id="{key}" in this sentence')
            line, attributes = self._sentence.phrases[key]
            passed[key] = None
            if self._attribute not in attributes:
                message = f'<cons id="{key}"> has no {self._attribute}="…"'
                raise flaw(self._path, line, message)
            key = attributes[self._attribute]
            if key in passed:
                message = f'<cons id="{key}"> is its own {self._attribute}'
                raise flaw(self._path, line, message)
        self._words |= dict.fromkeys(passed, self._words[key])
        return self._words[key]
