"""From predicates and their arguments to arcs: Table 1 of Wu et al. (2012)."""

from collections.abc import Iterator, Mapping
from itertools import chain, pairwise, product

_TABLE = """
adj_arg1[2]                arg2 > pred > arg1
adj_mod_arg1[2]            arg2 > pred > arg1 > mod
aux[_mod]_arg12            arg1/pred > arg2 > mod
conj_arg1[2[3]]            arg2/arg3 > pred > arg1
comp_arg1[2]               pred > arg1 > arg2
comp_mod_arg1              arg1 > pred > mod
noun_arg1                  pred > arg1
noun_arg[1]2               arg2 > pred > arg1
poss_arg[1]2               pred > arg2 > arg1
prep_arg12[3]              arg2/arg3 > pred > arg1
prep_mod_arg12[3]          arg2/arg3 > pred > arg1 > mod
quote_arg[1]2              arg1 > pred > arg2
quote_arg[1]23             arg1/arg3 > pred > arg2
lparen_arg123              pred/arg2 > arg3 > arg1
relative_arg1[2]           arg2 > pred > arg1
verb_arg1[2[3[4]]]         arg1/arg2/arg3/arg4 > pred
verb_mod_arg1[2[3[4]]]     arg1/arg2/arg3/arg4 > pred > mod
app_arg12                  arg2/pred > arg1
coord_arg12                arg2/pred > arg1
det_arg1                   pred > arg1
it_arg1                    pred > arg1
punct_arg1                 pred > arg1
dtv_arg2                   pred > arg2
lgs_arg2                   arg2 > pred
"""
"""Dependents stand before `>`, their heads after it; `[]` is optional."""

Arc = tuple[str, str]
"""The roles of a dependent and its head: `pred`, `arg1` to `arg4`, `mod`."""


def _spellings(name: str) -> Iterator[str]:
    """`a[b[c]]` as `a`, `ab` and `abc`."""
    start = name.find("[")
    if start < 0:
        yield name
        return
    depth = 0
    for end in range(start, len(name)):
        depth += {"[": 1, "]": -1}.get(name[end], 0)
        if depth == 0:
            break
    inside = chain([""], _spellings(name[start + 1 : end]))
    for middle, rest in product(inside, list(_spellings(name[end + 1 :]))):
        yield name[:start] + middle + rest


def _arcs(pattern: str) -> list[Arc]:
    steps = [step.split("/") for step in pattern.replace(" ", "").split(">")]
    return [arc for below, above in pairwise(steps) for arc in product(below, above)]


def _roles(name: str) -> set[str]:
    """What a type of predicate has, by its name: `prep_mod_arg12` has pred, mod, arg1, arg2."""
    kind, _, numbers = name.rpartition("_arg")
    return {"pred", *(f"arg{number}" for number in numbers), *kind.split("_")[1:]}


def _read(table: str) -> dict[str, list[Arc]]:
    types = {}
    for line in table.strip().splitlines():
        name, pattern = line.split(maxsplit=1)
        for spelling in _spellings(name):
            roles = _roles(spelling)
            types[spelling] = [arc for arc in _arcs(pattern) if roles.issuperset(arc)]
    return types


TYPES: Mapping[str, list[Arc]] = _read(_TABLE)
"""The arcs of each type of predicate."""

BARE = "_arg0"
"""How types end that have no arguments and give no arcs: `noun_arg0`, `there_arg0`."""
