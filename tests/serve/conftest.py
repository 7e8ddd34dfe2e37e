"""One service for all tests that do not need settings of their own."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from serving import Running, running


@pytest.fixture(scope="session")
def service(small_systems: Path) -> Iterator[Running]:
    """`phrase` first, then `str2dep`, both from German to English."""
    with running(small_systems / "phrase", small_systems / "str2dep") as found:
        yield found


@pytest.fixture(scope="session")
def lines(small_systems: Path) -> list[str]:
    """German sentences."""
    text = (small_systems / "corpus" / "test.de").read_text(encoding="utf-8")
    return text.splitlines()
