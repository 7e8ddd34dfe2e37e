"""The shared Moses hierarchical model, imported, and what Moses answered with it."""

import gzip
from collections.abc import Iterator
from dataclasses import dataclass
from math import log
from pathlib import Path

from headway.systems import Bundle
from headway.systems.decoder import Decoder
from headway.systems.moses import import_model

# What Moses' glue grammar scores for each part that is put side by side.
GLUE = log(2.718)


@dataclass(frozen=True)
class Entry:
    """A line of Moses' n-best lists in our terms."""

    number: int
    words: tuple[str, ...]
    features: dict[str, float]
    score: float


@dataclass(frozen=True)
class MosesHiero:
    folder: Path
    bundle: Bundle
    sentences: list[list[str]]

    @classmethod
    def load(cls, peers: Path, out: Path) -> "MosesHiero":
        folder = peers / "moses-hiero-deen"
        arpa = peers / "kenlm" / "multi30k-en.5gram.arpa.gz"
        imported = import_model(folder / "moses.ini", out, language_models=[arpa])
        assert not imported.notes
        with gzip.open(folder / "source.de.gz", "rt", encoding="utf-8") as file:
            return cls(folder, imported.bundle, [line.split() for line in file])

    def decoder(self, **search: object) -> Decoder:
        return Decoder(self.bundle, {}, search, {})

    @property
    def constant(self) -> float:
        """What Moses' scores have in addition: two rules and two words for `<s>` and `</s>`."""
        weights = self.bundle.manifest.weights
        return 2 * weights["phrase-penalty"] - 2 * weights["word-penalty"]

    def entries(self, pops: int) -> Iterator[Entry]:
        """Moses' n-best lists, features by our names, scores without the constant."""
        names = ("p(f|e)", "lex(f|e)", "p(e|f)", "lex(e|f)")
        path = self.folder / f"nbest50.pop{pops}.gz"
        with gzip.open(path, "rt", encoding="utf-8") as file:
            for line in file:
                number, text, values, score, *_ = line.split(" ||| ")
                theirs = _values(values)
                glue = theirs["TranslationModel1"][0] / GLUE
                features = dict(zip(names, theirs["TranslationModel0"], strict=True)) | {
                    "lm": theirs["LM0"][0],
                    "word-penalty": theirs["WordPenalty0"][0] + 2,
                    "glue": glue,
                    "phrase-penalty": theirs["PhrasePenalty0"][0] - glue - 2,
                }
                total = float(score) - self.constant
                yield Entry(int(number), tuple(text.split()), features, total)


def _values(text: str) -> dict[str, list[float]]:
    values: dict[str, list[float]] = {}
    for token in text.split():
        if token.endswith("="):
            latest = values.setdefault(token[:-1], [])
        else:
            latest.append(float(token))
    return values
