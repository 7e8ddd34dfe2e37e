"""Dependency parsers: trained from treebanks, used on text, compared with gold trees.

from headway import parse
parser = parse.train(["en_ewt-train.conllu.gz"], "parser").parser
[tree] = parser.parse([["The", "dog", "barks", "."]])
"""

from headway._core import best_heads
from headway.parse.evaluate import Comparison, Evaluation, compare, evaluate
from headway.parse.parser import Parser, Ranked, load
from headway.parse.train import LeftOut, Training, TreebankPart, train

__all__ = [
    "Comparison",
    "Evaluation",
    "LeftOut",
    "Parser",
    "Ranked",
    "Training",
    "TreebankPart",
    "best_heads",
    "compare",
    "evaluate",
    "load",
    "train",
]
