r"""CCGbank's predicate-argument structures, `.parg`.

    <s id="wsj_0001.2"> 12
    1        0       N/N     1       Vinken Mr.
    <\s>

A row has the argument and its functor as numbers from 0, the functor's category, the slot, and
the two words. The number in the first line is that of the last word. Words without arcs are not
in the file: they come from the text of the same sentences. Several words without any row have no
analysis.
"""

from collections.abc import Iterator
from pathlib import Path

from headway.corpus import read_lines
from headway.trees.sources.category import direction
from headway.trees.sources.graph import Graph, flaw, read_number


def read_parg(path: str | Path) -> Iterator[Graph]:
    """The graphs of a file; a word that no arc names is empty."""
    path = Path(path)
    graph: Graph | None = None
    for number, line in enumerate(read_lines(path), start=1):
        text = line.strip()
        if text.startswith("<s"):
            if graph is not None:
                raise flaw(path, number, r"a sentence inside a sentence; is <\s> missing?")
            graph = _opened(text, path, number)
        elif text in ("<\\s>", "</s>"):
            if graph is None:
                raise flaw(path, number, "this closes no sentence")
            yield graph
            graph = None
        elif text:
            if graph is None:
                raise flaw(path, number, 'expected <s id="…"> before the first row')
            _add(graph, text, path, number)
    if graph is not None:
        message = r"this sentence has no <\s>; was the file cut short?"
        raise flaw(path, graph.line, message)


def _opened(text: str, path: Path, line: int) -> Graph:
    last = read_number(text.rpartition(">")[2].strip())
    if last is None:
        message = 'expected the number of the last word after <s id="…">'
        raise flaw(path, line, f'{message}, found "{text}"')
    return Graph(path, line, [""] * (last + 1), parsed=last == 0)


def _add(graph: Graph, text: str, path: Path, line: int) -> None:
    cells = text.split()
    numbers = [read_number(cells[at]) for at in (0, 1, 3)] if len(cells) > 5 else []
    argument, functor, slot = numbers or (None, None, None)
    if argument is None or functor is None or slot is None:
        message = '"argument functor category slot word word"'
        raise flaw(path, line, f'expected {message}, found "{text}"')
    for place, word in ((argument, cells[4]), (functor, cells[5])):
        if place >= len(graph.words):
            message = f"there is no word {place}: the last one is {len(graph.words) - 1}"
            raise flaw(path, line, message)
        if graph.words[place] not in ("", word):
            raise flaw(path, line, f'word {place} was "{graph.words[place]}" before, now "{word}"')
        graph.words[place] = word
    way = direction(cells[2], slot, cells[5])
    if way is None:
        raise flaw(path, line, f'the category "{cells[2]}" has no slot {slot}')
    graph.parsed = True
    if way != "none":
        arc = (functor + 1, argument + 1)
        graph.arcs.append(arc if way == "functor" else arc[::-1])
