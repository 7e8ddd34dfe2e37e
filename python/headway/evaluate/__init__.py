"""Evaluation: how good translations are, and whether one system is better than another."""

from headway.evaluate.calibration import (
    Bin,
    Reliability,
    calibrated,
    isotonic,
    reliability,
    reliability_svg,
    right_words,
)
from headway.evaluate.confidence import evaluate_confidence
from headway.evaluate.edpm import Parse, Parser, edpm_statistics
from headway.evaluate.evaluation import Evaluation, SystemScores, evaluate
from headway.evaluate.groups import Group
from headway.evaluate.length import length_warning
from headway.evaluate.metrics import METRICS, tokeniser_for
from headway.evaluate.page import comparison_page
from headway.evaluate.significance import Comparison, compare
from headway.evaluate.tables import groups_table, scores_table
from headway.evaluate.trees import ParsedLines
from headway.evaluate.verdict import verdicts

__all__ = [
    "METRICS",
    "Bin",
    "Comparison",
    "Evaluation",
    "Group",
    "Parse",
    "ParsedLines",
    "Parser",
    "Reliability",
    "SystemScores",
    "calibrated",
    "compare",
    "comparison_page",
    "edpm_statistics",
    "evaluate",
    "evaluate_confidence",
    "groups_table",
    "isotonic",
    "length_warning",
    "reliability",
    "reliability_svg",
    "right_words",
    "scores_table",
    "tokeniser_for",
    "verdicts",
]
