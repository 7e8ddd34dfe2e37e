"""Training a parser from treebanks."""

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

import msgspec

from headway._core import GraphParser
from headway.errors import ConfigError
from headway.files import make_directory, write_text
from headway.parse.parser import CARD, Parser
from headway.progress import Progress
from headway.settings import ParseSettings, Settings, dump_toml
from headway.trees import guess_format
from headway.version import __version__


@dataclass(frozen=True)
class TreebankPart:
    """A treebank and how often each of its sentences is visited in a round."""

    path: Path
    weight: float = 1.0

    @classmethod
    def parse(cls, text: str) -> "TreebankPart":
        """`a.conllu:10` as a path and a weight; without a number behind a colon, all is path."""
        path, colon, weight = text.rpartition(":")
        if not colon or Path(text).exists():
            return cls(Path(text))
        try:
            return cls(Path(path), float(weight))
        except ValueError:
            return cls(Path(text))


@dataclass(frozen=True)
class LeftOut:
    """Sentences that nothing could be learnt from."""

    cyclic: int
    unparsed: int
    empty: int

    @property
    def total(self) -> int:
        """All of them."""
        return self.cyclic + self.unparsed + self.empty


@dataclass(frozen=True)
class Training:
    """A new parser and what it learnt from."""

    parser: Parser
    sentences: int
    left_out: LeftOut


def train(
    treebanks: Sequence[str | Path | TreebankPart],
    out: str | Path,
    *,
    settings: ParseSettings | None = None,
    seed: int = 1,
    threads: int = 0,
    progress: Progress | None = None,
) -> Training:
    """Trains tagger, parser and labels and writes them into the directory `out`.

    A treebank may be given as `PATH:WEIGHT`. Sentences with several roots are taken as they are;
    those with cycles, without words or without heads are left out and counted.
    """
    chosen = settings or Settings.load().parse
    parts = [
        part if isinstance(part, TreebankPart) else TreebankPart.parse(str(part))
        for part in treebanks
    ]
    if not parts:
        raise ConfigError("no treebank to train on; name one with --treebank")
    sources: list[tuple[str | PathLike[str], str, float]] = [
        (part.path, guess_format(part.path), part.weight) for part in parts
    ]
    make_directory(Path(out))
    core, sentences, left_out = GraphParser.train(sources, chosen, seed, threads, progress)
    parser = Parser(core)
    parser.save(out)
    write_text(Path(out) / CARD, _card(parts, chosen, seed, sentences))
    return Training(parser, sentences, LeftOut(*left_out))


def _card(parts: Sequence[TreebankPart], settings: ParseSettings, seed: int, sentences: int) -> str:
    """What the parser is, for people."""
    return dump_toml(
        {
            "format": 1,
            "kind": "parser",
            "headway": __version__,
            "seed": seed,
            "sentences": sentences,
            "treebanks": [f"{part.path.name}:{part.weight:g}" for part in parts],
            "parse": msgspec.to_builtins(settings),
        }
    )
