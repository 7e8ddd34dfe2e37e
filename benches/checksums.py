"""Checksums of what every system learns and says, to show that a change of code changed no result.

    python benches/checksums.py                # the fragment
    python benches/checksums.py jaen work=DIR  # the data at hand; DIR keeps what was made

Each line is a corpus, a system, a part of it (a file of its bundle, its weights, its translations
with scores and 5-best lists) and the start of its SHA-256. Run it before and after a change, each
time with a new work directory, and compare the output with `diff`.
"""

import sys
import tempfile
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from headway import Settings, Translator, fragment, parse, train
from headway.corpus import read_lines
from results_phrase_defaults import DATA

SYSTEMS = ("phrase", "phrase-deplm", "hiero", "str2dep")
# Few rounds of tuning: enough to see that weights and lists are the same.
SETTINGS = ("tune.iterations=2",)
EWT = DATA / "ud" / "en_ewt-train.conllu.gz"


@dataclass(frozen=True)
class Corpus:
    """Where the parts of a corpus are, and where its trees come from."""

    files: dict[str, tuple[Path, Path]]
    trees: dict[str, Any]
    pretokenised: bool


def of_fragment(place: Path) -> Corpus:
    """The built-in corpus with its gold trees."""
    made = place / "corpus"
    if not made.exists():
        fragment.write(made, pairs=3000, dev=200, test=200, seed=1)
    files = {part: (made / f"{part}.de", made / f"{part}.en") for part in ("train", "dev", "test")}
    return Corpus(files, {"treebanks": [made / "train.en.conllu"]}, False)


def of_jaen(place: Path) -> Corpus:
    """Japanese to English, with trees of a parser trained on EWT."""
    parser = place / "parser"
    if not parser.exists():
        chosen = Settings.load(None, ["parse.lowercase=true", "parse.tagger=streaming"])
        parse.train([EWT], parser, settings=chosen.parse)
    sides = {part: [DATA / "jaen" / f"{part}.{side}.gz" for side in ("ja", "en")]
             for part in ("train", "dev", "test")}  # fmt: skip
    files = {part: (ja, en) for part, (ja, en) in sides.items()}
    return Corpus(files, {"parser": parser}, True)


CORPORA = {"fragment": of_fragment, "jaen": of_jaen}


def print_sums(name: str, corpus: Corpus, system: str, place: Path) -> None:
    """Trains one system, and prints a line for each part of it."""
    (source, target), dev = corpus.files["train"], corpus.files["dev"]
    trained = train(
        system,
        source,
        target,
        place / system,
        dev_source=dev[0],
        dev_target=dev[1],
        pretokenised=corpus.pretokenised,
        settings=Settings.load(None, list(SETTINGS)),
        work=place / f"{system}.work",
        **(corpus.trees if system in ("phrase-deplm", "str2dep") else {}),
    )
    manifest = trained.bundle.manifest
    for component, described in sorted(manifest.components.items()):
        content = (trained.bundle.directory / described.file).read_bytes()
        print_sum(name, system, component, content)
    weights = sorted(manifest.weights.items())
    print_sum(name, system, "weights", repr(weights).encode())
    lines = list(read_lines(corpus.files["test"][0]))
    found = Translator.load(place / system).translate(lines, n_best=5)
    said = [
        (one.text, one.score, [(entry.words, entry.score) for entry in one.n_best]) for one in found
    ]
    print_sum(name, system, "translations", repr(said).encode())


def print_sum(corpus: str, system: str, part: str, content: bytes) -> None:
    """The line of one part."""
    print(corpus, system, part, sha256(content).hexdigest()[:16], flush=True)


def main() -> None:
    """Runs what the command line asks for."""
    options = dict(word.split("=", 1) for word in sys.argv[1:] if "=" in word)
    names = [word for word in sys.argv[1:] if "=" not in word] or ["fragment"]
    with tempfile.TemporaryDirectory() as temporary:
        for name in names:
            place = Path(options.get("work", temporary)) / name
            place.mkdir(parents=True, exist_ok=True)
            corpus = CORPORA[name](place)
            for system in SYSTEMS:
                print_sums(name, corpus, system, place)


if __name__ == "__main__":
    main()
