"""What the C&C parser writes: `deps` (arguments of categories) and `grs` (grammatical relations).

    Pierre_1 (N{Y}/N{Y}<1>){_} 1 Vinken_2 0        (ncmod _ Vinken_1 Pierre_0)
    <c> Pierre|Pierre|NNP|I-NP|I-PERSON|N/N Vinken|Vinken|NNP|I-NP|I-PERSON|N

Lines of `#` and an empty line open the file, an empty line ends each sentence, and the line `<c>`
has its words. A sentence without a parse is an empty line alone.
`deps` count words from 1, `grs` from 0; a file that does it the other way is understood.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from headway.corpus import read_lines
from headway.trees.sources.category import direction
from headway.trees.sources.graph import Graph, flaw, read_number

Pair = tuple[str, str]
"""A dependent and its head, as `word_3`."""

_WITH_SUBTYPE = frozenset({"ncmod", "xmod", "cmod", "pmod", "xcomp", "ccomp", "ta", "arg_mod"})
_WITH_INITIAL = frozenset({"ncsubj", "xsubj", "csubj"})
_PLAIN = frozenset({"det", "aux", "conj", "dobj", "obj2", "iobj", "pcomp"})
_SINGLE = frozenset({"passive"})


@dataclass
class _Block:
    """The lines of a sentence."""

    line: int
    arcs: list[tuple[int, Pair]] = field(default_factory=list)
    """With the line where each stands."""
    words: list[str] | None = None
    tags: list[str] = field(default_factory=list)


def read_deps(path: str | Path) -> Iterator[Graph]:
    """The graphs of a file of C&C's `deps`."""
    return _read(Path(path), _dependency, first=1)


def read_grs(path: str | Path) -> Iterator[Graph]:
    """The graphs of a file of C&C's `grs`."""
    return _read(Path(path), _relation, first=0)


def _read(path: Path, read_arc: Callable[[str], Iterable[Pair]], first: int) -> Iterator[Graph]:
    for block in _blocks(path, read_arc):
        yield _graph(block, path, first)


def _blocks(path: Path, read_arc: Callable[[str], Iterable[Pair]]) -> Iterator[_Block]:
    block: _Block | None = None
    for number, text in _body(path):
        block = block or _Block(number)
        if not text:
            yield block
            block = None
        elif block.words is not None:
            raise flaw(path, number, "expected an empty line after <c>: it ends the sentence")
        elif text.startswith("<c>"):
            block.words, block.tags = _supertags(text, path, number)
        else:
            try:
                block.arcs += [(number, pair) for pair in read_arc(text)]
            except ValueError as error:
                raise flaw(path, number, str(error)) from None
    if block is not None:
        yield block


def _body(path: Path) -> Iterator[tuple[int, str]]:
    """The lines after the header, which is lines of `#` and one empty line, with their numbers."""
    before = ""
    for number, line in enumerate(read_lines(path), start=1):
        text = line.strip()
        if number == 1 or before == "#":
            before = text[:1]
            if before == "#" or (number > 1 and not text):
                continue
        yield number, text


def _supertags(text: str, path: Path, line: int) -> tuple[list[str], list[str]]:
    """Of `word|lemma|tag|…|category` or `word|tag|category`, the words and the tags."""
    words, tags = [], []
    for token in text.split()[1:]:
        columns = token.split("|")
        if len(columns) < 3 or not columns[0]:
            raise flaw(path, line, f'expected word|tag|category in <c>, found "{token}"')
        words.append(columns[0])
        tags.append(columns[1 if len(columns) == 3 else 2] or "_")
    return words, tags


def _dependency(text: str) -> Iterator[Pair]:
    """A line of `deps`: functor, category, slot, argument, rule."""
    cells = text.split()
    slot = read_number(cells[2]) if len(cells) > 3 else None
    if slot is None:
        raise ValueError(f'expected "functor category slot argument", found "{text}"')
    functor, category, _, argument = cells[:4]
    way = direction(category, slot, functor.rpartition("_")[0])
    if way is None:
        raise ValueError(f'the category "{category}" has no slot {slot}')
    if way != "none":
        yield (functor, argument) if way == "functor" else (argument, functor)


def _relation(text: str) -> Iterator[Pair]:
    """A line of `grs`: `(type head dependent)`, some with a subtype or an initial relation.

    The subtype may be a word (`to_3`, `that_5`): it opens the clause and hangs from its verb.
    """
    found = re.fullmatch(r"\((\S+)((?: \S+)+)\)", text)
    if not found:
        raise ValueError(f'expected "(relation head dependent)", found "{text}"')
    name, cells = found[1], found[2].split()
    if name in _SINGLE:
        return
    subtype = cells.pop(0) if name in _WITH_SUBTYPE else "_"
    if name in _WITH_INITIAL and len(cells) == 3:
        cells.pop()
    if name not in _WITH_SUBTYPE | _WITH_INITIAL | _PLAIN:
        raise ValueError(f'unknown relation "{name}"; is this a file of deps?')
    if len(cells) != 2:
        raise ValueError(f'"{name}" needs a head and a dependent, found "{text}"')
    head, dependent = cells
    yield dependent, head
    if re.search(r"_\d+$", subtype):
        yield subtype, dependent


def _graph(block: _Block, path: Path, first: int) -> Graph:
    graph = Graph(path, block.line, block.words or [], block.tags)
    graph.parsed = bool(block.arcs) or len(graph.words) == 1
    if block.words is None and block.arcs:
        message = "this sentence has no line <c> with its words; let C&C print supertags"
        raise flaw(path, block.line, message)
    for start in (first, 1 - first):
        if all(_place(cell, graph.words, start) for _, pair in block.arcs for cell in pair):
            first = start
            break
    for line, pair in block.arcs:
        dependent, head = (_place(cell, graph.words, first) for cell in pair)
        if not dependent or not head:
            cell = pair[0] if not dependent else pair[1]
            raise flaw(path, line, f'"{cell}" is not the word of that number in <c>')
        graph.arcs.append((dependent, head))
    return graph


def _place(cell: str, words: list[str], first: int) -> int | None:
    """The number, from 1, of `word_3`; None if it is not there."""
    word, _, number = cell.rpartition("_")
    place = read_number(number)
    if place is None or not first <= place < first + len(words):
        return None
    return place - first + 1 if words[place - first] == word else None
