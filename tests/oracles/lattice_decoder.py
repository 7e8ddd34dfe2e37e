"""The core's lattice decoder over a table and language models of a test."""

from collections.abc import Mapping

from headway import _core
from headway.lm import LanguageModel
from headway.settings import SearchSettings
from headway.systems.models import CoreModel
from headway.table import RuleTable

STRING_TO_TREE = [
    f"string-to-tree.{side}-{order}" for side in ("left", "right") for order in ("same", "swapped")
]
CONFIGURATIONS = [
    f"tree-to-tree.{name}-{order}"
    for name in (
        "parent-child",
        "child-parent",
        "grandparent-grandchild",
        "sibling",
        "c-command",
        "other",
    )
    for order in ("same", "swapped")
]
TREE_TO_TREE = [
    "tree-to-tree.root-root",
    *CONFIGURATIONS,
    "tree-to-tree.path",
    "tree-to-tree.directed-path",
]


def lattice_decoder(
    table: RuleTable,
    lms: Mapping[str, LanguageModel],
    weights: Mapping[str, float],
    settings: SearchSettings,
    coarse: Mapping[str, float] | None = None,
) -> _core.Decoder:
    """Without weights of trees these are 0."""
    models: dict[str, CoreModel] = {} if coarse is None else {"coarse": dict(coarse)}
    names = STRING_TO_TREE + (TREE_TO_TREE if settings["tree_to_tree"] else [])
    return _core.Decoder(
        "lattice",
        table._core,
        [(name, model._core) for name, model in lms.items()],
        dict.fromkeys(names, 0.0) | dict(weights),
        settings,
        models=models,
    )
