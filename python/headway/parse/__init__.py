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
from headway.parse.brackets import BracketCounts, BracketEvaluation, evaluate_brackets
from headway.parse.evaluate import Comparison, Evaluation, compare, evaluate
from headway.parse.graph import GraphParser
from headway.parse.load import load
from headway.parse.parser import Parser, Ranked
from headway.parse.pcfg import PcfgParser
from headway.parse.train import LeftOut, Training, TreebankPart, train
from headway.parse.transition import TransitionParser
from headway.parse.unsupervised import DmvParser

__all__ = [
    "BracketCounts",
    "BracketEvaluation",
    "Comparison",
    "DmvParser",
    "Evaluation",
    "GraphParser",
    "LeftOut",
    "Parser",
    "PcfgParser",
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
    "evaluate_brackets",
    "load",
    "train",
    "tree_from_spacy",
    "tree_from_stanza",
]
