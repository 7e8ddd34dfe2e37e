"""Amounts of memory as people write them."""

import re

from headway.errors import ConfigError

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
_LEAST = 64 << 20
_MOST = (1 << 63) - 1


def memory_bytes(memory: str | int) -> int:
    """`512M` or `2G` as a number of bytes; a plain number is bytes already."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?", str(memory).strip(), re.IGNORECASE)
    if found is None:
        raise ConfigError(f"memory {memory!r}: expected a size such as 512M or 2G")
    # As much as the core has room for; many digits are more than a number of any kind holds.
    size = int(min(float(found[1]) * _UNITS[found[2].upper()], _MOST))
    if size < _LEAST:
        raise ConfigError(f"memory {memory}: too little to work with; give at least 64M")
    return min(size, _MOST)
