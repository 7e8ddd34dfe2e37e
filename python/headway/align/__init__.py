"""Word alignment: which word of one sentence stands for which word of the other.

    aligner = headway.align.train(Bitext.read("train.de", "train.en"))
    alignments = aligner.align(Bitext([["das", "Haus"]], [["the", "house"]]))

Models are IBM 1, an HMM, and an HMM with fertility, in both directions; the two are joined by a
heuristic. The same seed gives the same alignments for any number of threads.
"""

from headway._core import Alignment, Bitext, check_symmetrisation
from headway.align.aligner import Aligner, AlignerSampler, load, train
from headway.align.draw import draw_grid, grid_svg
from headway.align.files import join, write_lexicon
from headway.align.score import AlignmentScores, GoldAlignment, read_gold, score

__all__ = [
    "Aligner",
    "AlignerSampler",
    "Alignment",
    "AlignmentScores",
    "Bitext",
    "GoldAlignment",
    "check_symmetrisation",
    "draw_grid",
    "grid_svg",
    "join",
    "load",
    "read_gold",
    "score",
    "train",
    "write_lexicon",
]
