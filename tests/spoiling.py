"""Numbers that no model should hold, written over those of a binary file."""

import math
import random
import struct
from pathlib import Path

WRONG = [math.nan, math.inf, -math.inf, 3e38, -3e38, 1e30, -1e12]
# Header and section table of a binary file; what follows are sections.
FRONT = 1024


def spoilt(path: Path, chance: random.Random, share: float, form: str = "<f") -> None:
    """Writes wrong numbers over some of a file's; `form` is their form, as `struct` has it."""
    content = bytearray(path.read_bytes())
    size = struct.calcsize(form)
    places = range(FRONT, len(content) - size, size)
    for place in chance.sample(places, max(1, int(len(places) * share))):
        struct.pack_into(form, content, place, chance.choice(WRONG))
    path.unlink()  # a bundle's files may be links to those of a training
    path.write_bytes(content)


def section(content: bytes | bytearray, name: bytes) -> range:
    """Where a section of a binary file lies."""
    entry = content.index(name.ljust(16, b"\0"), 64)
    offset, length = struct.unpack_from("<QQ", content, entry + 16)
    return range(offset, offset + length)
