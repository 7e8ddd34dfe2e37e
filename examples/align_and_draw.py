"""Generates a small corpus, learns to align its words, and draws one pair.

Run: python examples/align_and_draw.py
"""

from itertools import islice

from headway import align, fragment
from headway.align import Bitext
from headway.trees import draw_pair

pairs = list(islice(fragment.generate(seed=7), 2000))
bitext = Bitext(
    [pair.source.forms for pair in pairs],
    [pair.target.forms for pair in pairs],
)
aligner = align.train(bitext)
pair, found = pairs[0], aligner.align(bitext)[0]
print(pair.source.text)
print(pair.target.text)
print(draw_pair(pair.source.tree(), pair.target.tree(), found.links))
