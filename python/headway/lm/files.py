"""Words and model files, as the language model commands take them."""

from os import PathLike
from pathlib import Path


def words_of(sentence: str) -> list[str]:
    """The words of a line as models see them: split at spaces, tabs and line ends."""
    plain = sentence.replace("\t", " ").replace("\r", " ").replace("\n", " ")
    return [word for word in plain.split(" ") if word]


def is_arpa_name(path: str | PathLike[str]) -> bool:
    """Whether a file of this name is meant to be ARPA."""
    name = Path(path).name.removesuffix(".gz").removesuffix(".zst")
    return name.endswith(".arpa")
