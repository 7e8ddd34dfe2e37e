"""The sentences of a page and their drawings, as JSON that may stand in HTML."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from headway.compare.result import Compared
from headway.trees import draw_svg, drawable, read_sentences, tag_column
from headway.trees.drawing.svg_text import STYLE

# Wider than the page, which makes drawings smaller: trees in one line each are easy to compare.
_WIDTH = 1800
_PAPER = '<rect class="paper" width="100%" height="100%"/>\n'
# What could end the script element, or be taken for markup in it.
_MARKUP = {ord(mark): f"\\u{ord(mark):04x}" for mark in "<>&\u2028\u2029"}


def page_data(found: Compared, words: Sequence[Sequence[str]], trees: Sequence[Path]) -> str:
    """What the script of the page reads."""
    wanted: dict[int, set[int]] = {place: set() for place in range(len(trees))}
    for pair in found.pairs:
        lines = {one.line for one in pair.found}
        wanted[pair.one] |= lines
        wanted[pair.other] |= lines
    drawings = {
        place: dict(_drawings(trees[place], lines)) for place, lines in wanted.items() if lines
    }
    shown = sorted(set().union(*wanted.values()))
    data: dict[str, Any] = {
        "sources": [line.name for line in found.sources],
        "sentences": {line: list(words[line]) for line in shown},
        "pairs": {
            f"{pair.one}-{pair.other}": [[one.line, one.words] for one in pair.found]
            for pair in found.pairs
        },
        "drawings": drawings,
    }
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.translate(_MARKUP)


def _drawings(path: Path, lines: set[int]) -> Iterable[tuple[int, str]]:
    for line, sentence in enumerate(read_sentences(path)):
        if line in lines:
            tags = tag_column([sentence], "upos")
            yield line, _bare(draw_svg(drawable(sentence, tags), _WIDTH))


def _bare(svg: str) -> str:
    """A drawing without what the page has once for all."""
    return svg.replace(f"<style>{STYLE}</style>\n", "").replace(_PAPER, "")
