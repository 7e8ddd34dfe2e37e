"""The picture of a translation."""

from collections.abc import Mapping

from headway.show import Alternative, Choice, Picture
from headway.systems.explain import Explanation
from headway.systems.spans import spans_of
from headway.systems.translation import Candidate, Translation, UnknownWord
from headway.trees import DependencyTree


def picture_of(
    found: Explanation | Translation,
    *,
    given: str = "",
    languages: tuple[str, str] = ("", ""),
    chosen: Candidate | None = None,
    text: str = "",
    weights: Mapping[str, float] | None = None,
) -> Picture:
    """What there is to see of a translation; more if it is explained.

    `given` is the source as it was typed. `chosen` is a candidate to show in place of the best
    one, with its `text` as people write it. Explanations know the `weights` of features.
    """
    best = found.translation if isinstance(found, Explanation) else found
    shown: Candidate = chosen or best
    explained = found if isinstance(found, Explanation) else None
    if explained is not None:
        weights = {name: weight for name, _, weight in explained.features}
    return Picture(
        source=best.source,
        target=shown.words,
        text=(text or " ".join(shown.words)) if chosen is not None else best.text,
        links=shown.alignment,
        source_tree=_source_tree(best),
        target_tree=_target_tree(shown),
        phrase_tree=_phrase_tree(shown),
        spans=spans_of(best, shown),
        features=_features(shown, weights or {}),
        score=shown.score,
        unknown=tuple((one.place, reason(one)) for one in shown.unknown),
        confidence=shown.confidence or (),
        alternatives=_alternatives(best, shown),
        choices=_choices(explained) if explained else (),
        given=given,
        facts=_facts(best, shown, explained),
        languages=languages,
        doubts={place: reason(one) for one in shown.unknown for place in one.target},
    )


def _features(
    best: Candidate, weights: Mapping[str, float]
) -> tuple[tuple[str, float, float], ...]:
    return tuple((name, best.features.get(name, 0.0), weight) for name, weight in weights.items())


def reason(one: UnknownWord) -> str:
    """Why a word should be doubted."""
    kinds = {
        "copy": "copied",
        "drop": "left out",
        "mark": "marked",
        "look-alike": f"translated like {one.known}",
        "case": f"translated like {one.known}",
    }
    return f"unknown word {one.word}, {kinds.get(one.kind, one.kind)}"


def _source_tree(best: Translation) -> DependencyTree | None:
    """The likeliest tree, if it is over these words."""
    if not best.source_trees:
        return None
    tree = max(best.source_trees, key=lambda one: one[1])[0]
    return tree if len(tree) == len(best.source) else None


def _target_tree(best: Candidate) -> DependencyTree | None:
    if best.tree is not None:
        return best.tree
    if best.heads is None or not best.words:
        return None
    return best.sentence().tree(best.tag_column)


def _phrase_tree(best: Candidate) -> DependencyTree | None:
    return best.phrase_tree() if best.phrase_heads is not None and best.words else None


def _alternatives(best: Translation, shown: Candidate) -> tuple[Alternative, ...]:
    """Candidates that say something else than the one shown, each once."""
    others = [one for one in best.n_best if one.words != best.words]
    distinct: dict[tuple[str, ...], Alternative] = {}
    for place, one in enumerate([best, *others] if best.n_best else []):
        new = Alternative(" ".join(one.words), one.words, one.score, place)
        distinct.setdefault(one.words, new)
    distinct.pop(shown.words, None)
    return tuple(distinct.values())


def _choices(found: Explanation) -> tuple[Choice, ...]:
    return tuple(
        Choice(
            option.span,
            tuple((rule.target_text, rule.score or 0.0) for rule in option.rules),
            option.total,
        )
        for option in found.options
    )


def _facts(
    best: Translation, shown: Candidate, found: Explanation | None
) -> tuple[tuple[str, str], ...]:
    facts = []
    if shown.system:
        facts.append(("Said by", shown.system))
    if found is not None:
        facts.append(("Forest", f"{found.nodes:,} nodes, {found.edges:,} edges"))
    if len(best.source_trees) > 1:
        facts.append(("Source trees", f"{len(best.source_trees)}; the likeliest is drawn"))
    if best.flags:
        facts.append(("Flags", ", ".join(sorted(best.flags))))
    return tuple(facts)
