"""The shared Moses phrase models, imported; what benches of search run on."""

import gzip
import os
import tempfile
from pathlib import Path
from typing import Any

from headway import Bundle
from headway.systems.decoder import Decoder
from headway.systems.moses import import_model

PEERS = Path(os.environ.get("HEADWAY_PEERS", Path(__file__).parents[2] / "shared" / "peers"))
MODELS = {"de-en": ("deen", "de", "multi30k-en"), "ja-en": ("jaen", "ja", "jaen-en")}
_FOLDER = tempfile.TemporaryDirectory()


def imported(name: str) -> tuple[Bundle, list[list[str]]]:
    """The bundle and the sentences."""
    folder, language, lm = MODELS[name]
    model = PEERS / f"moses-phrase-{folder}"
    arpa = PEERS / "kenlm" / f"{lm}.5gram.arpa.gz"
    found = import_model(model / "moses.ini", Path(_FOLDER.name) / folder, language_models=[arpa])
    with gzip.open(model / f"source.{language}.gz", "rt", encoding="utf-8") as file:
        return found.bundle, [line.split() for line in file]


def moses_mean(name: str, answers: str) -> float:
    """The mean of Moses' best scores."""
    path = PEERS / f"moses-phrase-{MODELS[name][0]}" / f"best.{answers}.tsv.gz"
    with gzip.open(path, "rt", encoding="utf-8") as file:
        scores = [float(line.split("\t")[1]) for line in file]
    return sum(scores) / len(scores)


def translate(decoder: Decoder, sentences: list[list[str]], threads: int = 1) -> list[float]:
    """The best scores."""
    answers = decoder.translate(
        sentences, threads=threads, n_best=0, distinct=False, forests=False, progress=None
    )
    return [answer.score for answer in answers]


def decoder(bundle: Bundle, **search: Any) -> Decoder:
    """A decoder with the bundle's weights and some search settings."""
    return Decoder(bundle, {}, search, {})
