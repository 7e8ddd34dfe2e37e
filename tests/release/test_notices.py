"""What is linked in and how it may be shipped."""

import re

import pytest
from conftest import ROOT
from notices import Crate, linked, notices, refused


@pytest.mark.parametrize(
    ("licence", "allowed"),
    [
        ("MIT", True),
        ("MIT/Apache-2.0", True),
        ("GPL-3.0 OR MIT", True),
        ("(MIT OR Apache-2.0) AND Unicode-3.0", True),
        ("Apache-2.0 WITH LLVM-exception OR MIT", True),
        ("(MIT OR Apache-2.0) AND GPL-3.0", False),
        ("GPL-3.0-only", False),
        ("", False),
    ],
)
def test_copyleft_stops_a_release(licence: str, allowed: bool) -> None:
    assert (refused(Crate("one", "1.0.0", licence, ())) == "") == allowed


def test_all_that_is_linked_in_is_named_with_its_licence() -> None:
    crates = linked()
    assert not [refused(crate) for crate in crates if refused(crate)]
    assert all(crate.texts for crate in crates)
    names = {crate.name for crate in crates}
    # What builds, tests or expands code is not shipped; what the core depends on is.
    assert {"rayon", "zstd-sys", "quick-xml"} <= names
    assert not names & {"proptest", "cc", "thiserror-impl"}
    text = notices(crates)
    assert re.search(r"^zstd-sys [0-9.+a-z]+: BSD-3-Clause$", text, re.MULTILINE)


def test_the_citation_has_the_version_of_the_package() -> None:
    cargo, citation = (
        (ROOT / name).read_text(encoding="utf-8") for name in ("Cargo.toml", "CITATION.cff")
    )
    versions = [
        re.findall(r'^version[:=]? *=? *"?([0-9.]+)', one, re.M) for one in (cargo, citation)
    ]
    assert versions[0][0] == versions[1][0]
    assert f"## {versions[0][0]}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
