"""How sources of trees are named, and how trees find their lines."""

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import get_args, get_type_hints

import pytest
from headway import ConfigError, FormatError, Settings
from headway.compare import kinds, parse_sources, split_sources
from headway.compare.matching import trees_of_lines
from headway.compare.sources import Chain, TreesFrom, Way
from headway.parse import TreebankPart
from headway.settings import ParseSettings


def test_chains() -> None:
    assert Chain.RIGHT.heads(4) == [0, 1, 2, 3]
    assert Chain.LEFT.heads(4) == [2, 3, 4, 0]
    assert Chain.RIGHT.heads(1) == Chain.LEFT.heads(1) == [0]


def test_the_kinds_are_those_of_the_settings_and_their_searches() -> None:
    assert kinds()[:6] == ["eisner", "mst", "local", "transition", "swap", "dmv"]
    known = get_args(get_type_hints(ParseSettings)["kind"])
    settings = Settings.load().parse
    trained = {TreesFrom("a", kind, Way.KIND).parse_settings(settings).kind for kind in kinds()}
    assert trained == set(known)


def test_a_kind_changes_nothing_else() -> None:
    settings = Settings.load(None, ["parse.rounds=3", "parse.transition.beam=5"]).parse
    mst = TreesFrom("a", "mst", Way.KIND).parse_settings(settings)
    assert (mst.kind, mst.search, mst.rounds) == ("graph", "mst", 3)
    swap = TreesFrom("a", "swap", Way.KIND).parse_settings(settings)
    assert (swap.kind, swap.transition.system, swap.transition.beam) == ("transition", "swap", 5)


def test_ways(tmp_path: Path) -> None:
    (tmp_path / "parser").mkdir()
    given: dict[str, str | Path] = {
        "a": "trees.conllu",
        "b": tmp_path / "parser",
        "c": "spacy:en_core_web_sm",
        "d": "mst",
        "e": "left-branching",
    }
    ways = [one.way for one in parse_sources(given)]
    assert ways == [Way.FILE, Way.PARSER, Way.PARSER, Way.KIND, Way.CHAIN]


def test_each_kind_takes_the_treebanks_that_it_can_learn_from() -> None:
    given = [TreebankPart(Path(name)) for name in ("a.conllu", "b.mrg.gz", "c.dp")]
    mst = TreesFrom("x", "mst", Way.KIND).treebanks(given)
    assert [str(part.path) for part in mst] == ["a.conllu", "c.dp"]
    brackets = TreesFrom("x", "pcfg", Way.KIND).treebanks(given)
    assert [str(part.path) for part in brackets] == ["b.mrg.gz"]
    with pytest.raises(ConfigError, match=r"x=mst: give --treebank, .*conllu"):
        TreesFrom("x", "mst", Way.KIND).treebanks(given[1:2])
    assert TreesFrom("x", "right-branching", Way.CHAIN).treebanks(given) == []


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["mst"], "--trees mst: expected NAME=SOURCE"),
        (["mst="], "--trees mst=: expected NAME=SOURCE"),
        (["a=mst", "a=dmv"], "the name a is given twice"),
        (["=mst"], "a name is up to 60 letters"),
        (["../a=mst"], "a name is up to 60 letters"),
        (["a b=mst"], "a name is up to 60 letters"),
        (["a=nonsense"], "no such file, and no kind of trees that this build has; it has eisner"),
        (["a=mst", "A=dmv"], "a and A differ in case only"),
        ([], "no trees to compare"),
    ],
)
def test_wrong_sources(texts: list[str], message: str) -> None:
    with pytest.raises(ConfigError, match=message.replace(".", r"\.")):
        parse_sources(split_sources(texts))


def conllu(*sentences: Sequence[tuple[str, object]]) -> str:
    blocks = []
    for words in sentences:
        rows = (
            f"{at}\t{form}\t_\tX\t_\t_\t{head}\tdep\t_\t_"
            for at, (form, head) in enumerate(words, 1)
        )
        blocks.append("\n".join(rows) + "\n\n")
    return "".join(blocks)


TEXT = [["A", "dog"], [], ["a", "cat"], ["A", "dog"], ["A", "dog"]]


def test_trees_are_found_by_their_words_in_turn(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    trees = tmp_path / "trees.conllu"
    trees.write_text(
        conllu([("a", 2), ("Cat", 1)], [("a", 2), ("dog", 0)], [("a", 0), ("dog", "_")])
    )
    with caplog.at_level(logging.WARNING, "headway"):
        found = list(trees_of_lines(trees, TEXT, Path("t"), whole=True))
    assert [one.forms for one in found] == TEXT  # in the case of the text
    assert [one.heads for one in found] == [[2, 0], [], [2, 1], [0, None], [0, None]]
    assert found[0].column("upos") == ["X", "X"]
    assert not caplog.records


def test_lines_without_trees_are_named(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    trees = tmp_path / "trees.conllu"
    others = [[("x", 0)], [("y", 0)], [("z", 0)], [("v", 0)]]
    trees.write_text(conllu([("a", 2), ("dog", 0)], *others))
    with caplog.at_level(logging.WARNING, "headway"):
        list(trees_of_lines(trees, TEXT, Path("t.en"), whole=True))
    # Five sentences and five lines: the one that should be that of line 3 begins in line 6.
    (record,) = caplog.records
    assert record.getMessage() == (
        f"{trees}:6: no tree with the words of 1 line, which counts as missing; "
        "the first is t.en:3, 'a cat'"
    )
    caplog.clear()
    list(trees_of_lines(trees, TEXT, Path("t.en"), whole=False))
    assert not caplog.records


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (conllu([("x", 0)]), "has no tree of any line of t.en; are its words the same"),
        (conllu([("a", "_")]), "no sentence with a tree in it"),
        ("1\ta\n", "trees.conllu:1: "),
    ],
)
def test_files_without_trees_of_the_text(tmp_path: Path, text: str, message: str) -> None:
    trees = tmp_path / "trees.conllu"
    trees.write_text(text)
    with pytest.raises(FormatError, match=message):
        list(trees_of_lines(trees, TEXT, Path("t.en"), whole=True))
