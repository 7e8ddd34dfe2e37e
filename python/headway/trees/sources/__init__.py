"""Dependency trees out of what other parsers write.

from headway.trees import Repairs, read_dependencies
repairs = Repairs()
for sentence in read_dependencies("en.xml", heads="sem", text="en.txt", repairs=repairs):
    print(sentence.forms, sentence.heads)
"""

from collections.abc import Iterator
from pathlib import Path

from headway._core import PennReader, Sentence
from headway.errors import ConfigError
from headway.trees.files import BATCH, GRAPHS, guess_format, read_sentences
from headway.trees.sources.candc import read_deps, read_grs
from headway.trees.sources.enju import HEADS, read_enju
from headway.trees.sources.graph import Graph, Repairs, flaw, repair
from headway.trees.sources.parg import read_parg
from headway.trees.sources.text import Words, beside, in_step

__all__ = ["Graph", "Repairs", "located_trees", "read_dependencies", "read_graphs", "repair"]

HEAD_RULES = {"penn": ("collins", "lth", "yamada"), "enju": tuple(HEADS)}
"""What decides on heads, by format; the first is the default."""


def read_dependencies(
    path: str | Path,
    format: str | None = None,  # noqa: A002
    *,
    heads: str | None = None,
    roots: str | Path | None = None,
    text: str | Path | None = None,
    repairs: Repairs | None = None,
) -> Iterator[Sentence]:
    """The dependency trees of a file in any of `FORMATS`, one head for each word.

    `heads` chooses the head rules of Penn brackets (`collins`, `lth`, `yamada`) or the heads of
    Enju's phrases (`syn`, `sem`). `roots` are trees of the same sentences that name the root word
    where the file does not. `text` are the sentences that were parsed, tokenised, one a line: its
    words must be those of the trees, and are the ones that come out. Words of a sentence without an
    analysis have no heads. `repairs` counts what had to be repaired.
    """
    format = format or guess_format(path)  # noqa: A001
    rules = _rules(format, heads)
    repairs = Repairs() if repairs is None else repairs
    for _, sentence in _located(path, format, rules, roots, text, repairs):
        yield sentence


def located_trees(
    path: str | Path, *, heads: str | None = None, repairs: Repairs | None = None
) -> Iterator[tuple[int, Sentence]]:
    """The trees of a file in any of `FORMATS`, with the lines where they begin.

    Trees in columns come as they are; others are made by `heads`, or the first of the rules that
    there are, and repaired.
    """
    format = guess_format(path)  # noqa: A001
    rules = _rules(format, heads)
    if format == "parg":
        message = f"{path}: files of CCGbank name only words with arcs; make trees of it first"
        raise ConfigError(f"{message} (headway trees convert --text)")
    if format != "penn" and format not in GRAPHS:
        return _columns(path, format)
    return _located(path, format, rules, None, None, Repairs() if repairs is None else repairs)


def read_graphs(path: str | Path, format: str | None = None, heads: str = "syn") -> Iterator[Graph]:  # noqa: A002
    """The arcs of a file in one of the formats `enju`, `deps`, `grs` and `parg`, as they are."""
    format = format or guess_format(path)  # noqa: A001
    if format == "enju":
        return read_enju(path, heads)
    if format == "deps":
        return read_deps(path)
    if format == "grs":
        return read_grs(path)
    if format == "parg":
        return read_parg(path)
    raise ConfigError(f"{path}: {format} is no format of graphs; expected {', '.join(GRAPHS)}")


def _rules(format: str, heads: str | None) -> str:  # noqa: A002
    known = HEAD_RULES.get(format, ())
    if heads is None:
        return known[0] if known else ""
    if heads not in known:
        choice = f"expected {', '.join(known)}" if known else f"{format} files have their own heads"
        raise ConfigError(f'no heads "{heads}" for {format}; {choice}')
    return heads


def _located(
    path: str | Path,
    format: str,  # noqa: A002
    heads: str,
    roots: str | Path | None,
    text: str | Path | None,
    repairs: Repairs,
) -> Iterator[tuple[int, Sentence]]:
    """All sentences with the lines where they begin; a file without any is refused."""
    if format in GRAPHS:
        found = repair(_complete(path, format, heads, roots, text), repairs)
    elif roots is not None:
        raise ConfigError(f"{path}: {format} files have roots; no other source is needed")
    else:
        found = _trees(path, format, heads, text, repairs)
    empty = True
    for located in found:
        empty = False
        yield located
    if empty:
        raise flaw(Path(path), 1, f"no sentences found; is this a file of {format}?")


def _complete(
    path: str | Path,
    format: str,  # noqa: A002
    heads: str,
    roots: str | Path | None,
    text: str | Path | None,
) -> Iterator[Graph]:
    """Graphs with words from the text and roots from the arcs, or else from the other trees."""
    graphs = (
        _rooted(_worded(*pair)) for pair in beside(read_graphs(path, format, heads), path, text)
    )
    if roots is None:
        yield from graphs
        return
    format = guess_format(roots)  # noqa: A001
    others = _located(roots, format, _rules(format, None), None, None, Repairs())
    for graph, (line, other) in in_step(graphs, path, others, roots):
        words = Words(Path(roots), line, other.forms)
        if graph.parsed or graph.tags:
            words.check(graph.words, graph.path, graph.line, "--roots needs trees of the same text")
        elif not graph.words:
            graph.words = words.words
        if graph.root is None and 0 in other.heads:
            graph.root = other.heads.index(0) + 1
        yield graph


def _worded(graph: Graph, text: Words | None) -> Graph:
    if text is None:
        if "" in graph.words:
            message = f"word {graph.words.index('') + 1} of this sentence is in no arc"
            advice = "give the text too (headway trees convert --text)"
            raise flaw(graph.path, graph.line, f"{message}; {advice}")
        return graph
    if graph.parsed or graph.tags:
        text.check(graph.words, graph.path, graph.line)
    graph.words = text.words
    return graph


def _rooted(graph: Graph) -> Graph:
    """With the root word that arcs determine: the only one with dependents and without a head."""
    tops = {head for _, head in graph.arcs} - {dependent for dependent, _ in graph.arcs}
    if graph.root is None and len(tops) == 1:
        graph.root = tops.pop()
    return graph


def _trees(
    path: str | Path,
    format: str,  # noqa: A002
    heads: str,
    text: str | Path | None,
    repairs: Repairs,
) -> Iterator[tuple[int, Sentence]]:
    """Sentences whose words have one head each, out of brackets or columns."""
    found = _penn(path, heads) if format == "penn" else _columns(path, format)
    for (line, sentence), words in beside(found, path, text):
        if words is not None and len(sentence):
            words.check(sentence.forms, Path(path), line)
            sentence.set_column("form", words.words)
        repairs.sentences += 1
        repairs.words += len(sentence) if words is None else len(words.words)
        if len(sentence) or (words is None or not words.words):
            repairs.unparsed += not len(sentence)
            yield line, sentence
        else:  # the parser found no tree
            graph = Graph(Path(path), line, words.words, parsed=False)
            yield from repair([graph], Repairs())
            repairs.unparsed += 1


def _penn(path: str | Path, heads: str) -> Iterator[tuple[int, Sentence]]:
    reader = PennReader(path)
    while batch := reader.sentences(BATCH, heads):
        yield from batch


def _columns(path: str | Path, format: str) -> Iterator[tuple[int, Sentence]]:  # noqa: A002
    return ((sentence.line, sentence) for sentence in read_sentences(path, format))
