"""Checksums of the files of a bundle: quick enough to compare them whenever it is opened.

`xxh3:` and 32 hexadecimal digits is a checksum by headway-core (checksum.rs), on all cores. 32
digits alone are BLAKE2b, which bundles of format 1 have; they are compared too, only slower.
"""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from headway import _core
from headway.run import checksum as blake2

_FAST = "xxh3:"


def fast_checksum(path: Path) -> str:
    """The checksum of a file as bundles have it."""
    return f"{_FAST}{_core.checksums([path])[0]}"


def damaged(expected: Mapping[Path, str]) -> list[Path]:
    """Those of the files whose checksums are not as expected, in order."""
    quick = [path for path, checksum in expected.items() if checksum.startswith(_FAST)]
    slow = [path for path in expected if path not in quick]
    found = dict(zip(quick, (f"{_FAST}{one}" for one in _core.checksums(quick)), strict=True))
    with ThreadPoolExecutor() as pool:
        found.update(zip(slow, pool.map(blake2, slow), strict=True))
    return [path for path, checksum in expected.items() if found[path] != checksum]
