"""The metrics: each gives numbers per sentence whose sums give the score of a text.

BLEU, chrF and TER are sacrebleu's, with its signatures: it prepares the text and scores the whole;
the numbers per sentence come from the core, which counts as it does. METEOR and EDPM are ours.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from headway import _core
from headway.errors import ConfigError
from headway.evaluate.edpm import Parser, edpm_scores, edpm_signature, edpm_statistics
from headway.evaluate.meteor import meteor_signature, meteor_statistics
from headway.evaluate.words import language_code

METRICS = ("bleu", "chrf", "ter", "meteor", "edpm")

Lines = Sequence[str]
Rows = list[list[float]]

# sacrebleu's tokenisers for languages without spaces; 13a, its default, for all others.
_CHINESE = ("zh", "yue", "wuu", "lzh", "nan", "hak")
_BY_CHARACTER = ("ja", "ko", "th", "lo", "my", "km", "bo", "dz")
# Those that would download a model are not among them.
_KNOWN = ("13a", "intl", "zh", "char", "none", "ja-mecab", "ko-mecab")


def tokeniser_for(language: str) -> str:
    """Which of sacrebleu's tokenisers fits a language."""
    code = language_code(language)
    if code in _CHINESE:
        return "zh"
    return "char" if code in _BY_CHARACTER else "13a"


def without_spaces(language: str) -> bool:
    """Whether a language is written without spaces between words."""
    return tokeniser_for(language) != "13a" and language_code(language) != "ko"


@dataclass(frozen=True)
class Metric:
    """One metric for one evaluation: its references are known."""

    name: str
    label: str
    signature: str
    rows: Callable[[Lines], Rows]
    """The numbers of each sentence."""
    scores: Callable[[Rows], list[float]]
    """The score for each row of sums."""
    sentences: Callable[[Rows], list[float]]
    """The score of each sentence alone."""
    total: Callable[[Lines], float] | None = None
    """The score of a whole text, by sacrebleu."""
    lower_is_better: bool = False


@dataclass(frozen=True)
class Options:
    """What all metrics of an evaluation share."""

    references: Sequence[Lines]
    language: str
    tokeniser: str
    lowercase: bool
    threads: int
    parser: Parser | None = None


def make_metric(name: str, options: Options) -> Metric:
    """A metric by its name."""
    makers = {"bleu": _bleu, "chrf": _chrf, "ter": _ter, "meteor": _meteor, "edpm": _edpm}
    if name not in makers:
        raise ConfigError(f"metric {name}: expected one of {', '.join(METRICS)}")
    return makers[name](options)


def _signature(metric: Any, options: Options) -> str:
    metric.num_refs = len(options.references)
    return str(metric.get_signature())


def _core_metric(
    name: str,
    label: str,
    metric: Any,
    prepare: Callable[[str], str],
    options: Options,
    *,
    sign: float = 1.0,
) -> Metric:
    """A metric of sacrebleu: it prepares and scores texts, the core counts."""
    references = [list(lines) for lines in options.references]
    prepared = [[prepare(line) for line in lines] for lines in references]

    def rows(lines: Lines) -> Rows:
        own = [prepare(line) for line in lines]
        return _core.metric_statistics(name, own, prepared, threads=options.threads)

    def scores(sums: Rows) -> list[float]:
        return [sign * score for score in _core.metric_scores(name, sums)]

    def sentences(sums: Rows) -> list[float]:
        if name == "bleu":
            # The core adds a word to the reference, which helps tuning to choose among
            # translations of one sentence, but lets a perfect short one look bad beside others.
            sums = [[length, closest - 1, *counts] for length, closest, *counts in sums]
        return [sign * score for score in _core.metric_scores(name, sums, smoothed=True)]

    def total(lines: Lines) -> float:
        return float(metric.corpus_score(list(lines), references).score)

    signature = _signature(metric, options)
    return Metric(name, label, signature, rows, scores, sentences, total, sign < 0)


def _bleu(options: Options) -> Metric:
    from sacrebleu.metrics.bleu import BLEU  # noqa: PLC0415  costs a quarter of a second

    if options.tokeniser not in _KNOWN:
        known = ", ".join(_KNOWN)
        raise ConfigError(f"tokeniser {options.tokeniser}: expected one of {known}")
    try:  # `force`: no warning of tokenised text, which is what we were told it is
        metric = BLEU(tokenize=options.tokeniser, lowercase=options.lowercase, force=True)
    except (ImportError, RuntimeError) as error:
        reason = " ".join(str(error).split())
        raise ConfigError(f"tokeniser {options.tokeniser} is not installed: {reason}") from None

    def prepare(line: str) -> str:
        return str(metric.tokenizer((line.lower() if options.lowercase else line).rstrip()))

    return _core_metric("bleu", "BLEU", metric, prepare, options)


def _chrf(options: Options) -> Metric:
    from sacrebleu.metrics.chrf import CHRF  # noqa: PLC0415

    metric = CHRF(lowercase=options.lowercase)
    return _core_metric(
        "chrf", "chrF", metric, lambda line: line.lower() if options.lowercase else line, options
    )


def _ter(options: Options) -> Metric:
    from sacrebleu.metrics.ter import TER  # noqa: PLC0415

    metric = TER(case_sensitive=not options.lowercase)
    by_character = without_spaces(options.language) and options.tokeniser != "none"
    if by_character:  # what is between spaces would be whole sentences
        references = [[_characters(line) for line in lines] for lines in options.references]
        options = replace(options, references=references)
    found = _core_metric(
        "ter", "TER", metric, lambda line: str(metric.tokenizer(line.rstrip())), options, sign=-1.0
    )
    return _by_character(found) if by_character else found


def _by_character(metric: Metric) -> Metric:
    """The metric with characters as words."""
    rows, total = metric.rows, metric.total
    return replace(
        metric,
        signature=f"{metric.signature}|words:characters",
        rows=lambda lines: rows([_characters(line) for line in lines]),
        total=total and (lambda lines: total([_characters(line) for line in lines])),
    )


def _characters(line: str) -> str:
    return " ".join("".join(line.split()))


def _meteor(options: Options) -> Metric:
    def rows(lines: Lines) -> Rows:
        return meteor_statistics(
            lines, options.references, language=options.language, threads=options.threads
        )

    signature = meteor_signature(len(options.references), options.language)
    scores = _core.meteor_scores
    return Metric("meteor", "METEOR", signature, rows, scores, scores)


def _edpm(options: Options) -> Metric:
    parser = options.parser
    if parser is None:
        raise ConfigError("metric edpm needs a parser of the target language; give one")

    def rows(lines: Lines) -> Rows:
        return edpm_statistics(lines, options.references, parser, lowercase=options.lowercase)

    signature = edpm_signature(len(options.references), parser, lowercase=options.lowercase)
    return Metric("edpm", "EDPM", signature, rows, edpm_scores, edpm_scores)
