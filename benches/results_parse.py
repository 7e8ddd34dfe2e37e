"""Table 4 of Galley & Manning (2009) again: on UD English-EWT, and on the WSJ sample.

Four rows: projective; spanning trees with all tags in between; with the window, O(n²); local.
Two settings: parsing (cased, full tagger) and machine translation (lower-cased, streaming tagger).
The templates are those of the paper, with no word blanked. The local row is the parser of the row
before it, asked for the best head of each word. Of the WSJ sample every tenth sentence is for
testing. Then the parsers as `headway parse train --search eisner|mst` makes them, on EWT.
"""

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from headway import parse
from headway.settings import ParseSettings, Settings
from headway.trees import DependencyTree, read_sentences, read_trees, write_sentences

ROOT = Path(__file__).parent.parent
DATA = Path(os.environ.get("HEADWAY_DATA", ROOT.parent / "shared" / "data"))

ROWS = [
    ("projective", "eisner", "all"),
    ("mst, all", "mst", "all"),
    ("mst, window", "mst", "window"),
]


def settings(search: str, between: str, translation: bool, features: str) -> ParseSettings:
    chosen = {"search": search, "between": between, "features": features}
    if features == "paper":
        chosen |= {"coarse": "false", "blanking": "0"}
    if translation:
        chosen |= {"lowercase": "true", "tagger": "streaming"}
    return Settings.load(None, [f"parse.{key}={value}" for key, value in chosen.items()]).parse


def accuracy(parser: parse.Parser, gold: list[DependencyTree]) -> tuple[float, float]:
    found = parse.evaluate(parser.parse([tree.forms for tree in gold]), gold)
    return found.uas, found.tags


def table(name: str, train: Path, test: Path, features: str) -> None:
    gold = list(read_trees(test, tags="xpos"))
    for translation in (False, True):
        setting = "translation" if translation else "parsing"
        with TemporaryDirectory() as directory:
            for row, search, between in ROWS:
                how = settings(search, between, translation, features)
                parser = parse.train([train], directory, settings=how).parser
                uas, tags = accuracy(parser, gold)
                print(
                    f"{name} | {features} | {setting} | {row} | {uas:.2f} | tags {tags:.2f}",
                    flush=True,
                )
            uas, _ = accuracy(parser.with_search("local"), gold)
            print(f"{name} | {features} | {setting} | local | {uas:.2f}", flush=True)


def own_defaults(train: Path, test: Path) -> None:
    """Rich features, both columns of tags: what users get."""
    gold = list(read_trees(test, tags="xpos"))
    for search, bar in (("eisner", 84.5), ("mst", 83.5)):
        with TemporaryDirectory() as directory:
            how = Settings.load(None, [f"parse.search={search}"]).parse
            parser = parse.train([train], directory, settings=how).parser
        uas, tags = accuracy(parser, gold)
        print(f"EWT | default | {search} | {uas:.2f} (bar {bar}) | tags {tags:.2f}", flush=True)


def split_sample(directory: Path) -> tuple[Path, Path]:
    sentences = list(read_sentences(DATA / "ptb" / "wsj-sample.dp.gz"))
    train, test = directory / "train.conllu", directory / "test.conllu"
    write_sentences(train, (one for at, one in enumerate(sentences) if at % 10))
    write_sentences(test, (one for at, one in enumerate(sentences) if at % 10 == 0))
    return train, test


def main() -> None:
    features = sys.argv[1:] or ["paper"]
    for each in features:
        with TemporaryDirectory() as name:
            table("WSJ", *split_sample(Path(name)), each)
        ud = DATA / "ud"
        ewt = ud / "en_ewt-train.conllu.gz", ud / "en_ewt-test.conllu.gz"
        table("EWT", *ewt, each)
    own_defaults(*ewt)


if __name__ == "__main__":
    main()
