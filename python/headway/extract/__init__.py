"""From aligned sentence pairs to translation rules with their scores.

from headway import extract

extract.extract("train.de", "train.en", "train.align", "phrases.table")
extract.extract("train.de", "train.en", "train.align", "rules.table",
                kind="str2dep", target_trees="train.en.conllu")
"""

from headway.extract.extraction import Extraction, extract

__all__ = ["Extraction", "extract"]
