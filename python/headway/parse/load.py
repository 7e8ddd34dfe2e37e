"""Finding a parser by name."""

from collections.abc import Callable
from pathlib import Path

from headway import _core
from headway.arguments import named_arguments
from headway.documents import read_toml
from headway.errors import FormatError, ModelError
from headway.parse.adapters import SpacyParser, StanzaParser, TreeFile
from headway.parse.parser import CARD, FILE, Parser
from headway.parse.trained import trained_parser
from headway.trees import guess_format

_OUTSIDE: dict[str, Callable[[str], Parser]] = {
    "spacy": SpacyParser.load,
    "stanza": StanzaParser.load,
}


@named_arguments
def load(name: str | Path) -> Parser:
    """A parser that `train` wrote, or one from outside.

    `spacy:MODEL` and `stanza:LANGUAGE` are models of these packages; a file of trees (`.conllu`,
    `.conllx`, `.dp`) is a parser that knows the sentences in it.
    """
    path = Path(name)
    outside, colon, model = str(name).partition(":")
    if colon and outside in _OUTSIDE and not path.exists():
        return _OUTSIDE[outside](model)
    if guess_format(path, "") in {"conllu", "conllx", "dp"} and not path.is_dir():
        return TreeFile(path)
    if path.is_dir() and not (path / FILE).exists():
        raise ModelError(f"{path}: no {FILE} in it; train one: headway parse train --out {path}")
    file = path / FILE if path.is_dir() else path
    return trained_parser(_core.load_parser(file), _language(file.with_name(CARD)))


def _language(card: Path) -> str | None:
    """What the card beside a parser says; a system's own card has the same name."""
    if not card.is_file():
        return None
    try:
        found = read_toml(card)
    except FormatError as error:
        raise ModelError(f"{error}; train the parser again") from None
    language = found.get("language") if found.get("kind") == "parser" else None
    return language if isinstance(language, str) else None
