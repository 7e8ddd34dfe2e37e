"""Categories of CCG: which way the arc of an argument slot goes."""

import re
from dataclasses import dataclass
from functools import cache
from itertools import takewhile

_BE_HAVE_DO = (
    "am are be been being is was were 'm 're 's do does did done doing have has had having 've 'd"
)
_MODALS = "can could may might must need ought shall should will would 'll ca wo"
AUXILIARIES = frozenset([*_BE_HAVE_DO.split(), *_MODALS.split(), "to"])
"""Words that hang from the verb they go with, if their category takes a verb phrase."""

VERB_FORMS = frozenset({"b", "pt", "pss", "ng"})
"""Features of the verb phrases that auxiliaries take: bare, past and passive participle, -ing."""


LONGEST = 200
"""Categories of more brackets, slashes and names do not occur, and would be read too deeply."""


@dataclass(frozen=True)
class Category:
    r"""A category with its arguments, the innermost first: `(S\NP)/NP` takes NP, then NP."""

    result: str
    arguments: tuple["Category", ...]
    slots: frozenset[int] = frozenset()
    """The slots that C&C's markup (`<1>`) names inside."""

    @property
    def bare(self) -> "Category":
        """Without features and markup: what must be equal for a modifier."""
        inside = tuple(argument.bare for argument in self.arguments)
        return Category(re.sub(r"\[[^\]]*\]", "", self.result), inside)

    @property
    def feature(self) -> str:
        r"""Of `S[pss]\NP`, `pss`."""
        found = re.search(r"\[([^\]]*)\]", self.result)
        return found[1] if found else ""


@cache
def read_category(text: str) -> Category | None:
    """A category as C&C (with `{Y}` and `<1>`) or CCGbank writes it; None if it is none."""
    plain = re.sub(r"\{[^}]*\}", "", text)
    tokens = re.findall(r"[()/\\]|<[0-9]{1,3}>|[^()/\\<>]+", plain)
    if "".join(tokens) != plain or len(tokens) > LONGEST:
        return None
    read = _whole(tokens)
    return None if tokens else read


def _whole(tokens: list[str]) -> Category | None:
    left = _simple(tokens)
    while left is not None and tokens and tokens[0] in "/\\":
        tokens.pop(0)
        right = _simple(tokens)
        if right is None:
            return None
        left = Category(left.result, (*left.arguments, right), left.slots | right.slots)
    return left


def _simple(tokens: list[str]) -> Category | None:
    if not tokens or tokens[0] in "/\\)" or tokens[0].startswith("<"):
        return None
    first = tokens.pop(0)
    if first == "(":
        inside = _whole(tokens)
        if inside is None or not tokens or tokens.pop(0) != ")":
            return None
    else:
        inside = Category(first, ())
    marks = list(takewhile(lambda mark: mark.startswith("<"), tokens))
    del tokens[: len(marks)]
    slots = inside.slots | {int(mark[1:-1]) for mark in marks}
    return Category(inside.result, inside.arguments, slots)


@cache
def direction(text: str, slot: int, word: str) -> str | None:
    r"""Whether the functor or its argument is the dependent: `functor`, `argument` or `none`.

    Arguments hang from their functor, but a modifier (`N/N`, `(S\NP)\(S\NP)`), a determiner
    (`NP[nb]/N`) and an auxiliary hang from what they go with. A modifier's and an auxiliary's
    further slots are those of the word they go with, and give no arc. None is a flaw: there is
    no such category or slot.
    """
    if text.startswith("conj"):
        return "argument"
    category = read_category(text)
    if category is None:
        return None
    place = _place(category, slot)
    if place is None:
        return None
    below = [_goes_with(category, at, word) for at in range(len(category.arguments))]
    if any(below[place + 1 :]):
        return "none"
    return "functor" if below[place] else "argument"


def _place(category: Category, slot: int) -> int | None:
    """Which argument a slot is: the one so marked, or by its number from the innermost."""
    if category.slots:
        marked = (at for at, one in enumerate(category.arguments) if slot in one.slots)
        return next(marked, None)
    return slot - 1 if 0 < slot <= len(category.arguments) else None


def _goes_with(category: Category, place: int, word: str) -> bool:
    """Whether the functor hangs from this argument."""
    argument = category.arguments[place]
    result = Category(category.result, category.arguments[:place])
    if argument.bare != result.bare:
        return result.bare == Category("NP", ()) and argument.bare == Category("N", ())
    if not argument.result.startswith("S") or argument.feature in ("", "X"):
        return True
    # Verbs and complementisers name the form of the clause that they take.
    if argument.arguments:
        return word.lower() in AUXILIARIES and argument.feature in VERB_FORMS
    return argument.feature != result.feature
