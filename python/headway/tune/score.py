"""The metric of a dev set."""

from collections.abc import Sequence

from headway import _core
from headway.tune.system import Candidates, first_words


def dev_score(
    metric: str,
    found: Sequence[Candidates],
    references: Sequence[Sequence[str]],
    *,
    threads: int,
) -> float:
    """Of the best candidate of each sentence, against its references (sentence, reference)."""
    hypotheses = [" ".join(first_words(candidates)) for candidates in found]
    columns = list(map(list, zip(*references, strict=True)))
    rows = _core.metric_statistics(metric, hypotheses, columns, threads=threads)
    return _core.metric_scores(metric, [[sum(column) for column in zip(*rows, strict=True)]])[0]


def joined(references: Sequence[Sequence[Sequence[str]]]) -> list[list[str]]:
    """References as lines, as metrics take them, from words."""
    return [[" ".join(words) for words in lines] for lines in references]
