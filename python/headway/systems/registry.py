"""The systems there are: one value each. Adding a system is adding its value to `SYSTEMS`."""

from difflib import get_close_matches

from headway.errors import ConfigError
from headway.systems import (
    corpus_trees,
    order_steps,
    osm_steps,
    parsers,
    phrasedep_steps,
    steps,
    tree_steps,
)
from headway.systems.models import (
    DEPENDENCY_MODEL,
    OPERATION_MODELS,
    ORDER_MODEL,
    PARSER,
    PHRASE_DEPENDENCIES,
)
from headway.systems.system import Need, System, Trees

_TEXT = (steps.CLEANING, steps.TEXT)
# Trees come before these: what is wrong with trees is known before words are aligned.
_MODELS = (steps.ALIGNMENT, steps.LANGUAGE_MODELS)

# Phrases, and what they are made of: shared by all systems that search with stacks.
_PHRASES = (osm_steps.OPERATION_MODELS, steps.PHRASES)
_OPERATIONS = {"osm": OPERATION_MODELS}

# Charts take memory by the words of a piece; training keeps no sentence that would be cut.
_CHART = {"pop_limit": 1000, "max_words": 120}

SYSTEMS = {
    system.name: system
    for system in (
        System(
            "phrase",
            "phrase-based, with lexicalised reordering",
            (*_TEXT, *_MODELS, *_PHRASES),
            "stack",
            models=_OPERATIONS,
        ),
        System(
            "phrase-deplm",
            "phrase, and how well the words of a translation hang together as a tree",
            (*_TEXT, parsers.STREAMING_PARSER, *_MODELS, *_PHRASES),
            "stack",
            target_trees=Need(Trees.PARSER),
            models={"parser": PARSER, **_OPERATIONS},
        ),
        System(
            "phrase-deporder",
            "phrase, with phrases and an order that the tree of the source allows",
            (
                *_TEXT,
                corpus_trees.SOURCE_TREES,
                corpus_trees.TARGET_TREES,
                *_MODELS,
                order_steps.ORDER_MODEL,
                *_PHRASES,
            ),
            "stack",
            source_trees=Need(Trees.OF_CORPUS),
            target_trees=Need(Trees.OF_CORPUS),
            models={"order": ORDER_MODEL, **_OPERATIONS},
            search={"spans": "licensed", "contiguous": True},
        ),
        System(
            "phrase-qpdg",
            "phrase, and a tree over the phrases of each translation",
            (
                *_TEXT,
                phrasedep_steps.SOURCE_PARSER,
                corpus_trees.TARGET_TREES,
                *_MODELS,
                phrasedep_steps.PHRASE_DEPENDENCIES,
                *_PHRASES,
            ),
            "lattice",
            source_trees=Need(Trees.OF_CORPUS, optional=True),
            target_trees=Need(Trees.OF_CORPUS),
            coarse="phrase",
            models={"phrase-dependencies": PHRASE_DEPENDENCIES, **_OPERATIONS},
        ),
        System(
            "hiero",
            "hierarchical phrases, joined by glue",
            (*_TEXT, *_MODELS, steps.HIERARCHICAL_RULES),
            "chart",
            search={**_CHART, "hope": 0.25},
        ),
        System(
            "str2dep",
            "hierarchical phrases with target dependency trees",
            (
                *_TEXT,
                tree_steps.TARGET_TREES,
                *_MODELS,
                tree_steps.DEPENDENCY_MODEL,
                tree_steps.TREE_RULES,
            ),
            "chart",
            target_trees=Need(
                Trees.OF_CORPUS,
                cyclic=True,
                spare=tree_steps.no_trees,
                without="train it with str2dep.model=labeled",
            ),
            models={"dependency": DEPENDENCY_MODEL},
            search={**_CHART, "hope": 0.1},
        ),
    )
}


def find_system(name: str) -> System:
    """The system of a name; says what there is if there is none."""
    if name in SYSTEMS:
        return SYSTEMS[name]
    close = get_close_matches(name, SYSTEMS, n=1)
    advice = f"did you mean {close[0]}?" if close else f"there are: {', '.join(SYSTEMS)}"
    raise ConfigError(f"{name}: no such system; {advice}")
