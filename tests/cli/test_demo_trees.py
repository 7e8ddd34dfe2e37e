"""Which sentence the demo shows, and what it says about it."""

import pytest
from headway.cli.demo import _tree_example
from headway.demo_trees import TreeExample, _longest
from headway.systems import Translation
from headway.trees import Sentence

RIGHT, WRONG = "the dog sleeps", "the dog does not sleep"


def translated(text: str, *, whole: bool = True) -> Translation:
    words = tuple(text.split())
    heads = (None, *range(1, len(words))) if not whole else tuple(range(len(words)))
    return Translation(words, 0.0, {}, (), (), text=text, source=("der", "Hund"), heads=heads)


def example(plain: str, found: str, blind: str | None, *, whole: bool = True) -> TreeExample:
    reference = Sentence.from_columns(RIGHT.split())
    answers = translated(plain), translated(found, whole=whole)
    return TreeExample(reference, *answers, None if blind is None else translated(blind))


@pytest.mark.parametrize(
    ("one", "telling", "by_trees"),
    [
        (example(WRONG, RIGHT, WRONG), True, True),
        (example(WRONG, RIGHT, RIGHT), True, False),
        (example(WRONG, RIGHT, None), True, False),
        (example(RIGHT, RIGHT, WRONG), False, False),
        (example(WRONG, WRONG, WRONG), False, False),
        (example(WRONG, RIGHT, WRONG, whole=False), False, False),
    ],
)
def test_the_tree_made_the_difference_if_nothing_else_did(
    one: TreeExample, telling: bool, by_trees: bool
) -> None:
    assert (one.telling, one.by_trees) == (telling, by_trees)
    shown = "\n".join(_tree_example(one))
    assert ("The tree made the difference" in shown) == by_trees
    assert ("where trees weigh 0" in shown) == by_trees


def test_where_there_is_no_sentence_none_is_shown() -> None:
    assert _longest([]) is None
