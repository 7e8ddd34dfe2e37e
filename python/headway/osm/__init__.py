"""The operation sequence model: an aligned sentence pair as operations (Durrani et al. 2011, 2013).

    from headway import lm, osm
    osm.write_operations("train.de", "train.en", "train.align", "train.operations")
    lm.train("train.operations", "osm.bin", order=5)

An operation translates words, adds or drops one, or moves on the source side. The model is an
n-gram model over them, which search uses as the feature `osm`.
"""

from headway.osm.operations import Operations, write_operations

__all__ = ["Operations", "write_operations"]
