"""What comparisons say, in plain words."""

from typing import TYPE_CHECKING

from headway.evaluate.significance import Comparison

if TYPE_CHECKING:
    from headway.evaluate.evaluation import Evaluation, SystemScores


def verdicts(found: "Evaluation") -> list[str]:
    """What the comparisons say, in plain words: a line for each system after the first."""
    first = found.systems[0].name
    return [
        f"{system.name}: {verdict(found, system, first)}"
        for system in found.systems[1:]
        if system.against_first
    ]


def verdict(found: "Evaluation", system: "SystemScores", first: str) -> str:
    """How a system fares against the first one."""
    sure = [name for name, it in system.against_first.items() if it.significant]
    better = [name for name in sure if _is_better(found, system.against_first[name], name)]
    worse = [name for name in sure if name not in better]
    rest = [name for name in found.metrics if name not in sure]
    parts = []
    if better:
        parts.append(f"better than {first} by {_listed(found, system, better)}")
    if worse:
        parts.append(f"worse than {first} by {_listed(found, system, worse)}")
    if rest:
        differ = (
            f"differs from {first} by no more than chance" if not sure else "no more than chance"
        )
        parts.append(f"{differ} in {_listed(found, system, rest)}")
    return "; ".join(parts)


def _is_better(found: "Evaluation", comparison: Comparison, name: str) -> bool:
    return (comparison.difference > 0) != (name in found.lower_is_better)


def _listed(found: "Evaluation", system: "SystemScores", names: list[str]) -> str:
    texts = []
    for name in names:
        it = system.against_first[name]
        p = max(it.p_bootstrap, it.p_randomisation)
        texts.append(f"{found.labels[name]} ({it.difference:+.2f}, p = {p:.3f})")
    return ", ".join(texts)
