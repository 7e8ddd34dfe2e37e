"""Lengths of translations: how many words there are for each word of the references."""

from collections.abc import Mapping, Sequence

WORD_PENALTY = "word-penalty"

# Points of the metric for a ratio that is off by 1. Three for each percent are more than any metric
# gains by another length, but less than a good system has before a bad one.
COST = 300.0
# A word penalty this near to one that was tried, as a share of the way to another, is not tried.
_NEAR = 0.1


def length_cost(ratio: float, tolerance: float) -> float:
    """Points that a length ratio costs: three for each percent beyond the tolerance."""
    return COST * max(0.0, abs(ratio - 1.0) - tolerance)


def length_ratio(
    hypotheses: Sequence[Sequence[str]], references: Sequence[Sequence[Sequence[str]]]
) -> float:
    """Words of hypotheses over words of references (sentence, reference, words).

    Of several references of a sentence the closest in length counts, and of two the shorter, as in
    BLEU. A text without reference words has the ratio 1.
    """
    words = closest = 0
    for hypothesis, own in zip(hypotheses, references, strict=True):
        words += len(hypothesis)
        closest += min(map(len, own), key=lambda it: (abs(it - len(hypothesis)), it))
    return words / closest if closest else 1.0


def penalty_between(
    before: tuple[Mapping[str, float], float],
    after: tuple[Mapping[str, float], float],
    wanted: float,
) -> dict[str, float] | None:
    """Weights between two that differ in the word penalty, each with its length ratio.

    Those whose ratio should be the wanted one nearest to the first, by a straight line; none if
    that is one of the two, more or less.
    """
    (weights, short), (others, long) = before, after
    goal = 1.0 - wanted if short < long else 1.0 + wanted
    share = (goal - short) / (long - short) if long != short else 0.0
    if not _NEAR < share < 1.0 - _NEAR:
        return None
    penalty = (1.0 - share) * weights[WORD_PENALTY] + share * others[WORD_PENALTY]
    return {**weights, WORD_PENALTY: penalty}
