"""How `inspect` shows a derivation with slots."""

from headway.cli.inspect_bundle import _nested
from headway.systems.translation import Segment, Step, Translation, UnknownWord

WORDS = ("a", "b", "c", "d")


def rows(*steps: Step, unknown: tuple[UnknownWord, ...] = ()) -> list[tuple[str, ...]]:
    """The rows of a derivation whose rules are numbered as their segments are."""
    rules = [("[X1] b", "B [X1]"), ("a", "A"), ("c", "C"), ("d", "D")]
    segments = tuple(Segment((0, 4), (0, 4), rule=rule) for rule in rules)
    found = Translation(
        WORDS, 0.0, {}, segments, (), text="", source=WORDS, unknown=unknown, steps=tuple(steps)
    )
    return list(_nested(found))


A = Step((0, 1), 1, None, ())
RULE = Step((0, 2), 0, None, (0,))
C, D = Step((2, 3), 2, None, ()), Step((3, 4), 3, None, ())


def shape(*steps: Step) -> list[str]:
    return [source for _, source, _, _ in rows(*steps)]


def test_what_fills_a_slot_stands_under_its_rule() -> None:
    assert rows(A, RULE) == [("0–1", "[X1] b", "B [X1]", ""), ("0", "  a", "A", "")]


def test_parts_of_one_chain_stand_side_by_side() -> None:
    for operation in ("glue", "right-adjoin", "right-concatenate"):
        chain = [Step((0, 3), None, operation, (1, 2)), D, Step((0, 4), None, operation, (3, 4))]
        assert shape(A, RULE, C, *chain) == [operation, "  [X1] b", "    a", "  c", "  d"]
    right = [Step((2, 4), None, "left-adjoin", (2, 3)), Step((0, 4), None, "left-adjoin", (1, 4))]
    assert shape(A, RULE, C, D, *right) == ["left-adjoin", "  [X1] b", "    a", "  c", "  d"]


def test_what_is_adjoined_keeps_its_own_children_under_it() -> None:
    steps = [Step((2, 4), None, "right-adjoin", (2, 3)), Step((0, 4), None, "right-adjoin", (1, 4))]
    expected = ["right-adjoin", "  [X1] b", "    a", "  right-adjoin", "    c", "    d"]
    assert shape(A, RULE, C, D, *steps) == expected


def test_an_unknown_word_read_as_another_is_noted_beside_its_rule() -> None:
    found = rows(A, RULE, unknown=(UnknownWord(0, "a", "look-alike", ("A",), (0,), "e"),))
    assert [note for *_, note in found] == ["", "unknown: a read as e"]
