"""What `/api/v1/translate` says of a translation: all that the system knows about it.

Each sentence is `Translation.table()` and more. To say more still, add a name to `sentence_table`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from headway.forest import Forest
from headway.serve.asked import Asked
from headway.serve.loaded import LoadedModel
from headway.serve.translating import Done
from headway.systems import Candidate, Translation
from headway.trees import DependencyTree


@dataclass(frozen=True)
class Wanted:
    """What an answer is to have beside the translation."""

    n_best: int = 0
    trees: bool = True
    """Target trees, where the system makes them."""
    forest: bool = False
    confidence: bool = True
    """How probably each word is right, where the bundle was calibrated."""


def answer(done: Sequence[Done], asked: Asked, wanted: Wanted) -> dict[str, Any]:
    """The whole answer, for the texts of a request in their order."""
    return {
        "source": asked.source,
        "target": asked.target,
        "texts": [text_table(one, wanted) for one in done],
    }


def text_table(done: Done, wanted: Wanted) -> dict[str, Any]:
    """One text: its translation and its sentences."""
    model, detected, found = done.routed.model, done.routed.detected, done.found
    sentences = found.translations if model is not None else ()
    return {
        "translatedText": found.text,
        "alternatives": list(found.alternatives[: wanted.n_best]),
        "model": None if model is None else model.name,
        "system": None if model is None else model.system,
        "detectedLanguage": None if detected is None else detected.table(),
        "sentences": []
        if model is None
        else [sentence_table(one, model, wanted) for one in sentences],
    }


def sentence_table(found: Translation, model: LoadedModel, wanted: Wanted) -> dict[str, Any]:
    """One sentence."""
    weights = model.translator.weights
    table = found.table()
    table["contributions"] = contributions(found.features, weights)
    table |= _vote(found)
    table["tree"] = _tree(found) if wanted.trees else None
    table["phrase_tree"] = _phrase_tree(found)
    table["source_trees"] = [
        {"weight": weight, **tree_table(tree)} for tree, weight in found.source_trees
    ]
    table["n_best"] = [
        candidate_table(one, weights, wanted) for one in found.n_best[: wanted.n_best]
    ]
    table["forest"] = None if found.forest is None else forest_table(found.forest)
    return table


def candidate_table(
    found: Candidate, weights: Mapping[str, float], wanted: Wanted
) -> dict[str, Any]:
    """An entry of an n-best list."""
    return {
        "target": list(found.words),
        "score": found.score,
        "features": dict(found.features),
        "contributions": contributions(found.features, weights),
        "segments": [
            {
                "source": list(segment.source),
                "target": list(segment.target),
                "target_text": " ".join(found.words[slice(*segment.target)]),
                "unknown": segment.unknown,
                **({} if segment.rule is None else {"rule": list(segment.rule)}),
            }
            for segment in found.segments
        ],
        "steps": [step.table() for step in found.steps],
        "alignment": [list(link) for link in found.alignment],
        "unknown": [one.table() for one in found.unknown],
        **_vote(found),
        "tree": _tree(found) if wanted.trees else None,
        "phrase_tree": _phrase_tree(found),
    }


def _vote(found: Candidate) -> dict[str, Any]:
    """How sure its words are; of a combination, who said it and how far members support it."""
    return {
        "system": found.system or None,
        "confidence": None if found.confidence is None else list(found.confidence),
        "support": {name: list(values) for name, values in found.support.items()},
    }


def contributions(
    features: Mapping[str, float], weights: Mapping[str, float]
) -> list[dict[str, Any]]:
    """What each feature adds to the score, by its value and weight; the largest first."""
    rows = [(name, value, weights.get(name, 0.0)) for name, value in features.items()]
    rows.sort(key=lambda row: -abs(row[1] * row[2]))
    return [
        {"feature": name, "value": value, "weight": weight, "product": value * weight}
        for name, value, weight in rows
    ]


def tree_table(tree: DependencyTree) -> dict[str, Any]:
    """A dependency tree: heads count from 1, and 0 is the root."""
    return {
        "words": list(tree.forms),
        "heads": list(tree.heads),
        "labels": list(tree.labels),
        "tags": list(tree.tags),
    }


def _tree(found: Candidate) -> dict[str, Any] | None:
    """The tree of a translation; a word in no structure has the head null."""
    if found.tree is not None:
        table = tree_table(found.tree)
    elif found.heads is not None:
        table = tree_table(found.sentence().tree(found.tag_column))
    else:
        return None
    return {**table, "heads": list(found.heads)} if found.heads is not None else table


def _phrase_tree(found: Candidate) -> dict[str, Any] | None:
    """The tree over the phrases that say something."""
    if found.phrase_heads is None:
        return None
    said = [
        place
        for place, (_, head) in enumerate(zip(found.segments, found.phrase_heads, strict=True))
        if head is not None
    ]
    return {**tree_table(found.phrase_tree()), "segments": said}


def forest_table(forest: Forest) -> dict[str, Any]:
    """How much search kept."""
    log_derivations = forest.log_derivations
    return {
        "nodes": forest._core.node_count(),
        "edges": len(forest),
        "log_derivations": log_derivations if log_derivations > float("-inf") else None,
    }
