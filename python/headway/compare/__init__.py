"""Which dependency trees translate best: sources of target trees, compared.

from headway.compare import compare
found = compare("train.en", {"mst": "mst", "chains": "right-branching"}, "out",
                treebanks="en.conllu")
for one in found.agreements:
    print(one.one, one.other, one.roots, one.heads)
"""

from headway.compare.comparing import BASELINES, FIGURES, PAGE, SEEDS, SENTENCES, compare
from headway.compare.heads import Accuracy, Agreement, Parses, Shapes, accuracy, agreement, shapes
from headway.compare.page import comparison_page
from headway.compare.result import Compared, Difference, Line
from headway.compare.scores import Scored
from headway.compare.seeds import OUTPUTS, averages, linked_copy, sign, signs, spread, tune_copy
from headway.compare.sources import TreesFrom, kinds, parse_sources, split_sources
from headway.compare.tables import CSV_FILES, agreement_table, figures_table, verdicts
from headway.compare.trainings import Rules

__all__ = [
    "BASELINES",
    "CSV_FILES",
    "FIGURES",
    "OUTPUTS",
    "PAGE",
    "SEEDS",
    "SENTENCES",
    "Accuracy",
    "Agreement",
    "Compared",
    "Difference",
    "Line",
    "Parses",
    "Rules",
    "Scored",
    "Shapes",
    "TreesFrom",
    "accuracy",
    "agreement",
    "agreement_table",
    "averages",
    "compare",
    "comparison_page",
    "figures_table",
    "kinds",
    "linked_copy",
    "parse_sources",
    "shapes",
    "sign",
    "signs",
    "split_sources",
    "spread",
    "tune_copy",
    "verdicts",
]
