"""Training a parser from treebanks."""

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

import msgspec

from headway import _core
from headway.errors import ConfigError
from headway.files import check_directory, make_directory, write_text
from headway.languages import doubt_languages
from headway.parse.doubts import language_code
from headway.parse.parser import CARD, Parser
from headway.parse.trained import trained_parser
from headway.parse.unsupervised import DmvParser
from headway.printing import prints_briefly
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


@prints_briefly
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


@prints_briefly
@dataclass(frozen=True)
class Training:
    """A new parser and what it learnt from."""

    parser: Parser
    sentences: int
    left_out: LeftOut

    @property
    def learnt_from(self) -> int:
        """Sentences that taught the parser; the kind `dmv` leaves long ones to its tagger."""
        parser = self.parser
        return parser.learnt_from if isinstance(parser, DmvParser) else self.sentences


def train(
    treebanks: Sequence[str | Path | TreebankPart],
    out: str | Path,
    *,
    settings: ParseSettings | None = None,
    language: str | None = None,
    seed: int = 1,
    threads: int = 0,
    progress: Progress | None = None,
) -> Training:
    """Trains a tagger and a parser of the kind of the settings, and writes them into `out`.

    A treebank may be given as `PATH:WEIGHT`. Sentences with several roots are taken as they are;
    those with cycles, without words or without heads are left out and counted. The kind `dmv`
    learns from tags alone and asks for no heads. The `language`, a code such as `en`, is kept
    with the parser, which refuses text that is said to be of another.
    """
    chosen = settings or Settings.load().parse
    parts = [
        part if isinstance(part, TreebankPart) else TreebankPart.parse(str(part))
        for part in treebanks
    ]
    if not parts:
        raise ConfigError("no treebank to train on; name one with --treebank")
    sources: list[tuple[str | PathLike[str], str, float]] = [
        (part.path, _format(part.path, chosen.kind), part.weight) for part in parts
    ]
    if language is not None:
        language_code(language)  # what is no code is told before any work
        doubt_languages(language)
    check_directory(Path(out))
    core, sentences, left_out = _core.train_parser(
        chosen.kind, sources, chosen, seed, threads, progress
    )
    parser = trained_parser(core, language)
    found = Training(parser, sentences, LeftOut(*left_out))
    make_directory(Path(out))
    parser.save(out)
    write_text(Path(out) / CARD, _card(parts, chosen, seed, found))
    return found


def _format(path: Path, kind: str) -> str:
    """The format of a treebank, which must be one that the kind of parser learns from."""
    brackets = kind == "pcfg"
    found = guess_format(path, "penn" if brackets else "conllu")
    if brackets and found != "penn":
        raise ConfigError(
            f"{path}: a pcfg parser learns from Penn brackets; name a .mrg file, "
            "or use --kind graph"
        )
    if not brackets and found == "penn":
        raise ConfigError(
            f"{path}: a {kind} parser learns from dependency trees; name a .conllu file, "
            "or use --kind pcfg"
        )
    return found


def _card(
    parts: Sequence[TreebankPart], settings: ParseSettings, seed: int, found: Training
) -> str:
    """What the parser is, for people; only its language is ever read again."""
    language = found.parser.language
    return dump_toml(
        {
            "format": 1,
            "kind": "parser",
            "headway": __version__,
            **({} if language is None else {"language": language}),
            "seed": seed,
            "sentences": found.sentences,
            "learnt_from": found.learnt_from,
            "treebanks": [f"{part.path.name}:{part.weight:g}" for part in parts],
            "parse": msgspec.to_builtins(settings),
        }
    )
