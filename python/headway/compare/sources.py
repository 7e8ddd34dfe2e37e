"""Where the trees of a comparison come from.

A source is written `NAME=SOURCE`. SOURCE is a file of trees of the text (`FILE:HEADS` where rules
make trees of what is in it, such as `en.xml:sem`), a parser as
`headway.parse.load` takes it, a kind of parser to train on the treebank, or a kind of chain.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, get_args, get_type_hints

import msgspec

from headway.errors import ConfigError
from headway.parse import TreebankPart
from headway.settings import ParseSettings
from headway.trees import guess_format
from headway.trees.sources import HEAD_RULES

# Kinds that are settings of another kind.
_SETTINGS: dict[str, dict[str, Any]] = {
    "eisner": {"kind": "graph", "search": "eisner"},
    "mst": {"kind": "graph", "search": "mst"},
    "local": {"kind": "graph", "search": "local"},
    "transition": {"kind": "transition", "transition": {"system": "eager"}},
    "swap": {"kind": "transition", "transition": {"system": "swap"}},
}
# What is learnt from Penn brackets; all else is learnt from dependency trees.
_OF_BRACKETS = ("pcfg",)
_OUTSIDE = ("spacy:", "stanza:")
# Names are parts of file names.
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]{0,59}")


class Way(Enum):
    """How a source gives trees."""

    FILE = "trees of the text"
    PARSER = "a parser"
    KIND = "a kind of parser, trained on the treebank"
    CHAIN = "chains"


class Chain(Enum):
    """Trees without branches, the weakest sources there are."""

    RIGHT = "right-branching"
    """Each word depends on the word before it; the first is the root."""
    LEFT = "left-branching"
    """Each word depends on the word behind it; the last is the root."""

    def heads(self, words: int) -> list[int]:
        """The head of each word."""
        if self is Chain.RIGHT:
            return list(range(words))
        return [*range(2, words + 1), 0][:words]


@dataclass(frozen=True)
class TreesFrom:
    """A source of trees and its name."""

    name: str
    source: str
    way: Way
    heads: str | None = None
    """The rules by which a file of another parser becomes trees, if they were named."""

    @property
    def path(self) -> Path:
        """The file of trees."""
        named = self.source.removesuffix(f":{self.heads}") if self.heads else self.source
        return Path(named)

    @property
    def of_brackets(self) -> bool:
        """Whether it is a kind of parser that learns from Penn brackets."""
        return self.way is Way.KIND and self.source in _OF_BRACKETS

    @property
    def files(self) -> list[Path]:
        """What it reads, as far as that is on disk."""
        named = self.way in (Way.FILE, Way.PARSER)
        return [self.path] if named and self.path.exists() else []

    def parse_settings(self, settings: ParseSettings) -> ParseSettings:
        """The settings that a parser of its kind is trained with."""
        changes = dict(_SETTINGS.get(self.source, {"kind": self.source}))
        if inner := changes.pop("transition", None):
            changes["transition"] = msgspec.structs.replace(settings.transition, **inner)
        return msgspec.structs.replace(settings, **changes)

    def treebanks(self, given: Sequence[TreebankPart]) -> list[TreebankPart]:
        """Those of the treebanks that its kind learns from."""
        if self.way is not Way.KIND:
            return []
        found = [it for it in given if (guess_format(it.path) == "penn") is self.of_brackets]
        if not found:
            what = "Penn brackets (.mrg)" if self.of_brackets else "dependency trees (.conllu)"
            raise ConfigError(f"{self.name}={self.source}: give --treebank, a file of {what}")
        return found


def kinds() -> list[str]:
    """The kinds of parsers that can be trained, as sources name them."""
    known = get_args(get_type_hints(ParseSettings)["kind"])
    same = {str(changes["kind"]) for changes in _SETTINGS.values()}
    return [*_SETTINGS, *(kind for kind in known if kind not in same)]


def parse_sources(named: Mapping[str, str | Path]) -> list[TreesFrom]:
    """Sources by name; says what is wrong with a name, or with a source that is not there."""
    if not named:
        raise ConfigError("no trees to compare; give --trees NAME=SOURCE, best several times")
    found = [_source(name, str(source)) for name, source in named.items()]
    folded: dict[str, str] = {}
    for name in named:
        if (other := folded.setdefault(name.casefold(), name)) != name:
            message = f"--trees {other} and {name} differ in case only"
            raise ConfigError(f"{message}; give them different names")
    return found


def split_sources(texts: Sequence[str]) -> dict[str, str]:
    """`NAME=SOURCE` strings as sources by name."""
    found: dict[str, str] = {}
    for text in texts:
        name, equals, source = text.partition("=")
        if not equals or not source:
            raise ConfigError(f"--trees {text}: expected NAME=SOURCE, such as mst=mst")
        if name in found:
            raise ConfigError(f"--trees {text}: the name {name} is given twice; use another one")
        found[name] = source
    return found


def _source(name: str, source: str) -> TreesFrom:
    if not _NAME.fullmatch(name):
        message = "a name is up to 60 letters, digits and . _ + - and begins with a letter or digit"
        raise ConfigError(f"--trees {name}={source}: {message}")
    file, colon, heads = source.rpartition(":")
    rules = HEAD_RULES.get(guess_format(file, ""), ())
    if colon and rules and heads not in rules and not Path(source).exists():
        message = f"no rules {heads!r} for such a file; expected {', '.join(rules)}"
        raise ConfigError(f"--trees {name}={source}: {message}")
    if colon and rules and not Path(source).exists():
        return TreesFrom(name, source, Way.FILE, heads)
    return TreesFrom(name, source, _way(name, source))


def _way(name: str, source: str) -> Way:
    if source in [chain.value for chain in Chain]:
        return Way.CHAIN
    if source in kinds():
        return Way.KIND
    path = Path(source)
    if guess_format(path, "") and not path.is_dir():
        return Way.FILE
    if path.exists() or source.startswith(_OUTSIDE):
        return Way.PARSER
    chains = [chain.value for chain in Chain]
    known = ", ".join([*kinds(), *chains])
    message = f"no such file, and no kind of trees that this build has; it has {known}"
    raise ConfigError(f"--trees {name}={source}: {message}")
