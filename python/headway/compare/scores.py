"""What tuned systems score on a set, and which differences are more than chance."""

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from headway.compare.seeds import PARTS
from headway.corpus import read_lines
from headway.documents import read_document
from headway.evaluate import evaluate
from headway.evaluate.significance import Comparison
from headway.files import write_text

METRIC = "bleu"


@dataclass(frozen=True)
class Scored:
    """BLEU of one system that was tuned with one seed, on one set."""

    bleu: float
    length: float
    """Words over words of the references."""
    against: dict[str, Comparison] = field(default_factory=dict)
    """Compared with each system above it in the table; on the dev set with none."""


Scores = dict[str, dict[str, Scored]]
"""By part (dev or test) and system, of one seed."""


@dataclass(frozen=True)
class How:
    """How translations are scored."""

    language: str
    tokenised: bool
    lowercase: bool
    seed: int
    threads: int
    samples: int = 1000


def score(
    texts: Mapping[str, Sequence[str]], references: Sequence[Sequence[str]], how: How, part: str
) -> dict[str, Scored]:
    """Scores systems; on the test set, compares each with those before it."""
    names, found = list(texts), {}
    tests = {name: dict[str, Comparison]() for name in names}
    pairs = part == "test"
    for place, first in enumerate(names if pairs else names[:1]):
        evaluation = evaluate(
            {name: texts[name] for name in names[place:]},
            references,
            language=how.language or "en",
            tokenise="none" if how.tokenised else None,
            lowercase=how.lowercase,
            metrics=[METRIC],
            samples=how.samples if pairs else 0,
            seed=how.seed,
            threads=how.threads,
        )
        for system in evaluation.systems:
            if not place:
                found[system.name] = system.scores[METRIC], system.length_ratio
            compared = system.against_first.get(METRIC)
            if compared is not None:
                tests[system.name][first] = compared
    return {name: Scored(*found[name], tests[name]) for name in names}


def write_scores(
    path: Path,
    files: Mapping[str, Mapping[str, Path]],
    references: Mapping[str, Sequence[Path]],
    how: How,
) -> None:
    """Scores the files of all systems, by part and name, and keeps what was found."""
    found = {}
    for part in PARTS:
        texts = {name: list(read_lines(file)) for name, file in files[part].items()}
        found[part] = score(texts, [list(read_lines(it)) for it in references[part]], how, part)
    write_text(path, msgspec.json.format(msgspec.json.encode(found)).decode() + "\n")


def read_scores(path: Path) -> Scores:
    """What `write_scores` kept."""
    return msgspec.json.decode(read_document(path), type=Scores)


def mean_difference(found: Sequence[Scored], first: str) -> float:
    """By how much a system is better than another one, on average over seeds."""
    return statistics.mean(one.against[first].difference for one in found)
