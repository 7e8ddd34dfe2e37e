"""Trees: dependency trees, the files they come in, and drawings of them.

    from headway.trees import read_sentences
    for sentence in read_sentences("en_ewt-dev.conllu.gz"):
        tree = sentence.tree()
        print(tree.is_projective, tree.structure(1, 3))

Words are numbered from 1, as in CoNLL-U; head 0 is the root.
"""

from headway._core import (
    ConstituentTree,
    DependencyTree,
    PartialStructure,
    Sentence,
    Structure,
)
from headway.trees.census import Census, Found, PennCensus, census, penn_census
from headway.trees.compressions import (
    Alternatives,
    Compressions,
    Licensing,
    Phrase,
    compressions,
    licensing,
)
from headway.trees.convert import convert
from headway.trees.drawing import (
    draw,
    draw_compressions,
    draw_compressions_svg,
    draw_pair,
    draw_pair_svg,
    draw_svg,
)
from headway.trees.files import (
    COLUMNS,
    FORMATS,
    drawable,
    guess_format,
    has_any,
    read_penn,
    read_sentences,
    read_trees,
    tag_column,
    tree_of,
    write_penn,
    write_sentences,
)
from headway.trees.sources import (
    Graph,
    Repairs,
    located_trees,
    read_dependencies,
    read_graphs,
    repair,
)

__all__ = [
    "COLUMNS",
    "FORMATS",
    "Alternatives",
    "Census",
    "Compressions",
    "ConstituentTree",
    "DependencyTree",
    "Found",
    "Graph",
    "Licensing",
    "PartialStructure",
    "PennCensus",
    "Phrase",
    "Repairs",
    "Sentence",
    "Structure",
    "census",
    "compressions",
    "convert",
    "draw",
    "draw_compressions",
    "draw_compressions_svg",
    "draw_pair",
    "draw_pair_svg",
    "draw_svg",
    "drawable",
    "guess_format",
    "has_any",
    "licensing",
    "located_trees",
    "penn_census",
    "read_dependencies",
    "read_graphs",
    "read_penn",
    "read_sentences",
    "read_trees",
    "repair",
    "tag_column",
    "tree_of",
    "write_penn",
    "write_sentences",
]
