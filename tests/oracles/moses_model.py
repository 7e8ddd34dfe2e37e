"""The shared Moses phrase models: tables imported, weights read, answers parsed."""

import gzip
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from headway.lm import LanguageModel
from headway.settings import Settings
from headway.table import RuleTable, import_moses
from stack_decoder import Decoder

LANGUAGES = {"deen": ("de", "multi30k-en", 6), "jaen": ("ja", "jaen-en", 12)}
PARTS = {
    "phrase-penalty": "PhrasePenalty0",
    "word-penalty": "WordPenalty0",
    "distortion": "Distortion0",
}
Derivation = list[tuple[tuple[int, int], list[str]]]


def _weights(path: Path) -> dict[str, list[float]]:
    lines = path.read_text().partition("[weight]")[2].splitlines()
    named = [line.partition("=") for line in lines if "=" in line]
    return {name: [float(value) for value in values.split()] for name, _, values in named}


def _lines(path: Path) -> Iterator[str]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from file


@dataclass(frozen=True)
class MosesModel:
    folder: Path
    table: RuleTable
    lm: LanguageModel
    sentences: list[list[str]]
    distortion_limit: int

    @classmethod
    def load(cls, peers: Path, pair: str, folder: Path) -> "MosesModel":
        language, lm, limit = LANGUAGES[pair]
        model = peers / f"moses-phrase-{pair}"
        output = folder / f"{pair}.table"
        reordering = model / "reordering-table.gz"
        import_moses([model / "phrase-table.gz"], output, reordering=reordering)
        sentences = [line.split() for line in _lines(model / f"source.{language}.gz")]
        arpa = LanguageModel.load(peers / "kenlm" / f"{lm}.5gram.arpa.gz")
        return cls(model, RuleTable.open(output), arpa, sentences, limit)

    def named(self, values: dict[str, list[float]]) -> dict[str, float]:
        """Moses' values by our names."""
        columns = values["TranslationModel0"] + values["LexicalReordering0"]
        named = dict(zip(self.table.features, columns, strict=True))
        named |= {name: values[theirs][0] for name, theirs in PARTS.items()}
        return named | {"lm": values["LM0"][0]}

    def decoder(self, *settings: str) -> Decoder:
        weights = self.named(_weights(self.folder / "moses.ini")) | {"unknown-word": 1.0}
        limit = f"search.distortion_limit={self.distortion_limit}"
        changed = [limit, *(f"search.{setting}" for setting in settings)]
        search = Settings.load(None, changed).search
        return Decoder(self.table, {"lm": self.lm}, weights, settings=search)

    def best(self, name: str) -> list[float]:
        """Moses' best scores."""
        return [float(line.split("\t")[1]) for line in _lines(self.folder / f"best.{name}.tsv.gz")]

    def n_best(self, name: str) -> Iterator[tuple[int, Derivation, dict[str, float], float]]:
        """Sentence, derivation, features, score."""
        for line in _lines(self.folder / f"{name}.gz"):
            number, text, features, score, segments, *_ = line.split(" ||| ")
            words = text.split()
            values: dict[str, list[float]] = {}
            for token in features.split():
                if token.endswith("="):
                    latest = values.setdefault(token[:-1], [])
                else:
                    latest.append(float(token))
            sides = [segment.split("=") for segment in segments.split()]
            derivation = [(_span(s), words[slice(*_span(t))]) for s, t in sides]
            yield int(number), derivation, self.named(values), float(score)


def _span(text: str) -> tuple[int, int]:
    first, _, last = text.partition("-")
    return int(first), int(last or first) + 1
