"""Tuning: finding the weights under which a system translates a dev set best.

Anything that decodes can be tuned: see `Tunable`. Bundles are tuned by `headway.tune_system`.
"""

from headway.tune.length import length_ratio
from headway.tune.loop import tune
from headway.tune.plot import plot_svg
from headway.tune.report import Iteration, Report
from headway.tune.score import dev_score, joined
from headway.tune.search import Trial, choose_limit
from headway.tune.system import Candidates, Tunable, first_words
from headway.tune.tables import iterations_table, trials_table, weights_table
from headway.tune.weights import degenerate

__all__ = [
    "Candidates",
    "Iteration",
    "Report",
    "Trial",
    "Tunable",
    "choose_limit",
    "degenerate",
    "dev_score",
    "first_words",
    "iterations_table",
    "joined",
    "length_ratio",
    "plot_svg",
    "trials_table",
    "tune",
    "weights_table",
]
