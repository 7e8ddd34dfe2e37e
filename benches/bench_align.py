"""Word alignment against eflomal: both directions and symmetrisation, on the same two cores.

Wall time, because both use threads (and eflomal other processes). Quality is compared by how
often the two agree; alignment error rate on gold data is `bench_align_quality`.
"""

import gzip
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import eflomal
from headway import align
from headway.align import Alignment, Bitext
from headway.corpus import read_alignments
from measure import report, wall_seconds

SHARED = Path(__file__).parents[2] / "shared" / "data"
DATA = Path(os.environ.get("HEADWAY_DATA", SHARED))
CORPORA = [
    ("multi30k de-en", "multi30k/train.tok.de.gz", "multi30k/train.tok.en.gz"),
    ("jaen", "jaen/train.ja.gz", "jaen/train.en.gz"),
]


@contextmanager
def plain(*paths: Path) -> Iterator[list[Path]]:
    """Uncompressed copies, which both read."""
    with tempfile.TemporaryDirectory() as folder:
        copies = [Path(folder) / path.stem for path in paths]
        for path, copy in zip(paths, copies, strict=True):
            with gzip.open(path, "rb") as zipped, copy.open("wb") as out:
                shutil.copyfileobj(zipped, out)
        yield copies


def ours(source: Path, target: Path) -> list[Alignment]:
    bitext = Bitext.read(source, target)
    return align.train(bitext).align(bitext, symmetrisation="grow-diag-final-and")


def peer(source: Path, target: Path) -> list[Alignment]:
    forward, backward = source.with_suffix(".fwd"), source.with_suffix(".rev")
    with source.open() as one, target.open() as other:
        eflomal.Aligner(model=3).align(
            one, other, links_filename_fwd=str(forward), links_filename_rev=str(backward)
        )
    links = [list(read_alignments(path)) for path in (forward, backward)]
    return align.join(links[0], links[1], "grow-diag-final-and")


def main() -> None:
    totals = [0.0, 0.0]
    for name, source_name, target_name in CORPORA:
        with plain(DATA / source_name, DATA / target_name) as (source, target):
            ours_time, found = wall_seconds(lambda s=source, t=target: ours(s, t), 2)  # type: ignore[misc]
            peer_time, theirs = wall_seconds(lambda s=source, t=target: peer(s, t), 1)  # type: ignore[misc]
        agreement = align.score(found, theirs)
        assert len(found) == len(theirs)
        print(
            f"{name}: {len(found):,} pairs, ours {ours_time:.1f} s, eflomal {peer_time:.1f} s, "
            f"F of agreement {1 - agreement.aer:.3f}"
        )
        totals[0] += ours_time
        totals[1] += peer_time
    report("align (wall, both corpora)", totals[0], totals[1])


if __name__ == "__main__":
    main()
