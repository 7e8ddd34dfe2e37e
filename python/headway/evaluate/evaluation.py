"""Evaluating one or more systems against references."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from headway.arguments import named_arguments
from headway.corpus import read_lines
from headway.errors import ConfigError, FormatError
from headway.evaluate.edpm import Parser
from headway.evaluate.groups import Group, by_frequency, by_length
from headway.evaluate.metrics import Metric, Options, make_metric, tokeniser_for
from headway.evaluate.significance import Comparison, compare
from headway.evaluate.verdict import verdict
from headway.languages import doubt_languages
from headway.printing import prints_briefly
from headway.progress import Progress

Text = str | Path | Sequence[str]
"""A file, or lines."""


@prints_briefly
@dataclass(frozen=True)
class SystemScores:
    """One system's scores by metric."""

    name: str
    scores: Mapping[str, float]
    sentences: Mapping[str, list[float]]
    groups: Mapping[str, Mapping[str, float]]
    """Group, metric, score."""
    against_first: Mapping[str, Comparison]
    """By metric; empty for the first system itself."""
    length_ratio: float = 1.0
    """Words over words of the references, the closest of each line, as BLEU counts them."""


@prints_briefly
@dataclass(frozen=True)
class Evaluation:
    """What was found about all systems."""

    systems: list[SystemScores]
    metrics: list[str]
    labels: Mapping[str, str]
    signatures: Mapping[str, str]
    lower_is_better: frozenset[str]
    groups: list[Group]
    hypotheses: list[list[str]] = field(repr=False)
    references: list[list[str]] = field(repr=False)
    source: list[str] | None = field(repr=False, default=None)

    def table(self, *, sentences: bool = False) -> dict[str, Any]:
        """As nested dictionaries, for JSON."""
        return {
            "lines": len(self.references[0]),
            "signatures": dict(self.signatures),
            "lower_is_better": sorted(self.lower_is_better),
            "systems": [self._system(system, sentences) for system in self.systems],
        }

    def _system(self, system: SystemScores, sentences: bool) -> dict[str, Any]:
        found: dict[str, Any] = {
            "name": system.name,
            "scores": dict(system.scores),
            "length_ratio": system.length_ratio,
        }
        if system.against_first:
            found["verdict"] = verdict(self, system, self.systems[0].name)
            found["against_first"] = {
                name: {
                    "difference": it.difference,
                    "p_bootstrap": it.p_bootstrap,
                    "p_randomisation": it.p_randomisation,
                    "interval": [it.low, it.high],
                    "significant": it.significant,
                }
                for name, it in system.against_first.items()
            }
        if system.groups:
            sizes = {group.name: len(group.places) for group in self.groups}
            found["groups"] = [
                {"group": name, "sentences": sizes[name], "scores": dict(scores)}
                for name, scores in system.groups.items()
            ]
        if sentences:
            found["sentences"] = {name: list(it) for name, it in system.sentences.items()}
        return found


@named_arguments
def evaluate(
    hypotheses: Mapping[str, Text] | Sequence[Text] | Text,
    references: Sequence[Text] | Text,
    *,
    language: str = "en",
    tokenise: str | None = None,
    lowercase: bool = False,
    metrics: Sequence[str] | None = None,
    source: Text | None = None,
    train_source: Text | None = None,
    parser: Parser | None = None,
    samples: int = 1000,
    seed: int = 1,
    threads: int = 0,
    progress: Progress | None = None,
) -> Evaluation:
    """Scores systems, and compares each with the first of them.

    `hypotheses` is a file, several, or files by system name; `references` one file or several
    translations of the same text. In place of a file, a list of lines may be given: then all of
    them are lists. sacrebleu's tokeniser is chosen by `language` unless `tokenise` names one
    (`none` for text that is tokenised). With `source` and `train_source`, the text that the systems
    learnt from, scores are also given by how rare source words are. `parser` adds EDPM.
    """
    doubt_languages(language)
    named = _systems(hypotheses)
    targets = _texts(references)
    _check(named, targets)
    source_lines = None if source is None else _lines(source)
    if source_lines is not None and len(source_lines) != len(targets[0]):
        raise _mismatch("the source", len(source_lines), len(targets[0]))
    chosen = tokenise if tokenise is not None else tokeniser_for(language)
    options = Options(targets, language, chosen, lowercase, threads, parser)
    if samples < 0 or seed < 0:
        raise ConfigError(f"samples {samples}, seed {seed}: expected 0 or more")
    usual = metrics or ["bleu", "chrf", "ter", "meteor"]
    names = list(dict.fromkeys([*usual, *(["edpm"] if parser else [])]))
    made = [make_metric(name, options) for name in names]
    groups = _groups(source_lines, targets[0], train_source)
    rows = _all_rows(made, named, progress)
    first = next(iter(named))
    ratios = _length_ratios(named, options, rows)
    systems = []
    for name, lines in named.items():
        against = {} if name == first else _against(made, rows[first], rows[name], samples, seed)
        found = _scored(name, lines, made, rows[name], groups, against)
        systems.append(replace(found, length_ratio=ratios[name]))
    return Evaluation(
        systems,
        names,
        {metric.name: metric.label for metric in made},
        {metric.name: metric.signature for metric in made},
        frozenset(metric.name for metric in made if metric.lower_is_better),
        groups,
        list(named.values()),
        targets,
        source_lines,
    )


def _all_rows(
    metrics: Sequence[Metric], systems: Mapping[str, list[str]], progress: Progress | None
) -> dict[str, dict[str, list[list[float]]]]:
    """System, metric, numbers per sentence."""
    found: dict[str, dict[str, list[list[float]]]] = {}
    done, total = 0, len(metrics) * len(systems)
    for name, lines in systems.items():
        found[name] = {}
        for metric in metrics:
            found[name][metric.name] = metric.rows(lines)
            done += 1
            if progress is not None:
                progress(done, total)
    return found


def _length_ratios(
    systems: Mapping[str, list[str]],
    options: Options,
    rows: Mapping[str, Mapping[str, list[list[float]]]],
) -> dict[str, float]:
    """Of each system, by the words and the closest reference words that BLEU counts."""
    counted = make_metric("bleu", options)
    found = {}
    for name, lines in systems.items():
        own = rows[name].get("bleu") or counted.rows(lines)
        words, closest = (sum(row[place] for row in own) for place in (0, 1))
        found[name] = words / closest if closest else 1.0
    return found


def _scored(
    name: str,
    lines: list[str],
    metrics: Sequence[Metric],
    rows: Mapping[str, list[list[float]]],
    groups: Sequence[Group],
    against: Mapping[str, Comparison],
) -> SystemScores:
    def whole(metric: Metric) -> float:
        if metric.total is not None:
            return metric.total(lines)
        return _score_of(metric, rows[metric.name], range(len(lines)))

    return SystemScores(
        name,
        {metric.name: whole(metric) for metric in metrics},
        {metric.name: metric.sentences(rows[metric.name]) for metric in metrics},
        {
            group.name: {
                metric.name: _score_of(metric, rows[metric.name], group.places)
                for metric in metrics
            }
            for group in groups
        },
        against,
    )


def _score_of(metric: Metric, rows: list[list[float]], places: Sequence[int]) -> float:
    sums = [sum(column) for column in zip(*(rows[place] for place in places), strict=True)]
    return metric.scores([sums])[0]


def _against(
    metrics: Sequence[Metric],
    first: Mapping[str, list[list[float]]],
    second: Mapping[str, list[list[float]]],
    samples: int,
    seed: int,
) -> dict[str, Comparison]:
    if samples < 1:
        return {}
    return {
        metric.name: compare(
            metric.name,
            first[metric.name],
            second[metric.name],
            metric.scores,
            samples=samples,
            seed=seed,
        )
        for metric in metrics
    }


def _groups(
    source: list[str] | None, reference: list[str], train_source: Text | None
) -> list[Group]:
    if train_source is not None and source is None:
        raise ConfigError("--train-source needs --source, the text that was translated")
    if source is None:
        return by_length(reference, "reference")
    groups = by_length(source, "source")
    if train_source is not None:
        groups += by_frequency(source, _lines(train_source))
    return groups


def _lines(text: Text) -> list[str]:
    return list(read_lines(text)) if isinstance(text, str | Path) else [str(line) for line in text]


def _texts(texts: Sequence[Text] | Text) -> list[list[str]]:
    """One text or several; a list of strings is a list of files, a list of lists holds lines."""
    if isinstance(texts, str | Path):
        return [_lines(texts)]
    return [_lines(text) for text in texts]


def _systems(hypotheses: Mapping[str, Text] | Sequence[Text] | Text) -> dict[str, list[str]]:
    if isinstance(hypotheses, Mapping):
        return {name: _lines(text) for name, text in hypotheses.items()}
    texts = [hypotheses] if isinstance(hypotheses, str | Path) else list(hypotheses)
    found: dict[str, list[str]] = {}
    for number, text in enumerate(texts, 1):
        name = str(text) if isinstance(text, str | Path) else f"system {number}"
        found[name if name not in found else f"{name} ({number})"] = _lines(text)
    return found


def _check(systems: Mapping[str, list[str]], references: Sequence[list[str]]) -> None:
    if not systems:
        raise ConfigError("nothing to evaluate; name a file of translations")
    if not references:
        raise ConfigError("nothing to compare with; name a reference")
    expected = len(references[0])
    if not expected:
        raise FormatError("the reference is empty; give it some lines")
    for number, lines in enumerate(references[1:], 2):
        if len(lines) != expected:
            raise _mismatch(f"reference {number}", len(lines), expected)
    for name, lines in systems.items():
        if len(lines) != expected:
            raise _mismatch(name, len(lines), expected)


def _mismatch(what: str, found: int, expected: int) -> FormatError:
    message = f"{what}: expected {expected:,} lines as in the reference, found {found:,}"
    return FormatError(f"{message}; both must have a line for each sentence")
