"""Dependency parsers: trained from treebanks, used on text, compared with gold trees.

from headway import parse
parser = parse.train(["en_ewt-train.conllu.gz"], "parser").parser
[tree] = parser.parse([["The", "dog", "barks", "."]])
"""

from headway._core import best_heads
from headway.parse.adapters import (
    SpacyParser,
    StanzaParser,
    TreeFile,
    tree_from_spacy,
    tree_from_stanza,
)
from headway.parse.evaluate import Comparison, Evaluation, compare, evaluate
from headway.parse.graph import GraphParser
from headway.parse.load import load
from headway.parse.parser import Parser, Ranked
from headway.parse.train import LeftOut, Training, TreebankPart, train
from headway.parse.transition import TransitionParser
from headway.parse.unsupervised import DmvParser

__all__ = [
    "Comparison",
    "DmvParser",
    "Evaluation",
    "GraphParser",
    "LeftOut",
    "Parser",
    "Ranked",
    "SpacyParser",
    "StanzaParser",
    "Training",
    "TransitionParser",
    "TreeFile",
    "TreebankPart",
    "best_heads",
    "compare",
    "evaluate",
    "load",
    "train",
    "tree_from_spacy",
    "tree_from_stanza",
]
