"""Phrase dependencies: which phrases depend on which (Gimpel & Smith 2011, section 4.1).

    from headway import phrasedep
    phrasedep.extract("train.de", "train.en", "train.align", "train.en.conllu",
                      "train.en.paths", "train.phrasedep")
    table = phrasedep.PhraseDependencies.open("train.phrasedep")
    table.scores("made up", "of", left=False).phrase

The parents and children are the target sides of the phrase pairs of each sentence. One depends on
another if a word of it does in the tree of the sentence.
"""

from headway.phrasedep.extraction import Extraction, extract
from headway.phrasedep.table import Dependency, PhraseDependencies, Scores

__all__ = ["Dependency", "Extraction", "PhraseDependencies", "Scores", "extract"]
