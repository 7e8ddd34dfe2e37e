"""Sizes of binary models against KenLM's, on the 5-gram of multi30k.

KenLM's package reads binaries but does not make them. What its `build_binary` made of this ARPA
file is recorded with the shared data (peers/README.md); the published layouts give the same.
"""

import math
import os
import tempfile
from pathlib import Path

import headway.lm
from headway.lm import LanguageModel
from measure import report

ROOT = Path(__file__).parent.parent
PEERS = Path(os.environ.get("HEADWAY_PEERS", ROOT.parent / "shared" / "peers"))
RECORDED = {"hashed": 17.2e6, "trie": 7.8e6}


def main() -> None:
    arpa = PEERS / "kenlm" / "multi30k-en.5gram.arpa.gz"
    with tempfile.TemporaryDirectory() as directory:
        sizes = {}
        for name, layout, bits in [
            ("hashed", "hashed", None),
            ("trie", "trie", None),
            ("trie, 8 bits", "trie", 8),
        ]:
            file = Path(directory) / "lm.bin"
            loss = headway.lm.build(arpa, file, layout=layout, quantise=bits)  # type: ignore[arg-type]
            model = LanguageModel.load(file)
            sizes[name] = file.stat().st_size
            print(f"{name}: {sizes[name]:,} bytes, largest change of log10 {loss.largest:.4f}")
        formula = published(model.counts)
        for layout, recorded in RECORDED.items():
            print(f"KenLM {layout}: {recorded:,.0f} recorded, {formula[layout]:,} by its layout")
            assert abs(formula[layout] - recorded) < 0.03 * recorded
            assert sizes[layout] < recorded
    report("lm_size trie", sizes["trie"], RECORDED["trie"], unit="bytes")
    report("lm_size", sizes["hashed"], RECORDED["hashed"], unit="bytes")


def published(counts: list[int]) -> dict[str, int]:
    """Heafield 2011: hash buckets of 16 and 12 bytes at 1.5 per n-gram; packed bits in the trie."""
    words, *middle, longest = counts
    vocabulary = 8 * words
    hashed = 8 * words + vocabulary * 2 + 24 * sum(middle) + 18 * longest
    bits = math.ceil(math.log2(words))
    packed = longest * (bits + 31)
    for count, after in zip(middle, counts[2:], strict=True):
        packed += count * (bits + 31 + 32 + math.ceil(math.log2(after)))
    return {"hashed": hashed, "trie": 16 * words + vocabulary + packed // 8}


if __name__ == "__main__":
    main()
