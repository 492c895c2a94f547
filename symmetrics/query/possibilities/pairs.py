"""Pairs of small formulas with given invariances: combinations of properties that no formula of four leaves has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Final

from sympy import Expr, Integer

from symmetrics.claims.theorems.laws import Law
from symmetrics.language.cells import CELLS, FN, FP, ON, OP, TN, TP, N, P, n
from symmetrics.query.possibilities.formulas import Guess, small_formulas

__all__ = ["pairs"]

MOST: Final = 200
"""So many formulas are paired with each other."""
DETERMINANT: Final = TP * TN - FN * FP
ZERO_AT_INDEPENDENCE: Final = tuple(
    DETERMINANT / divisor for divisor in (1, P * N, OP * ON, n**2, FN * FP, TP * TN, P * OP, N * ON, P * N * OP * ON)
)
"""Formulas of one value at all tables where prediction and truth are independent: so are their products."""
EXCHANGES: Final = {"transpose": (TP, FP, FN, TN), "p1": (TN, FP, FN, TP)}
"""What a sum over both tables is made symmetric by."""


def pairs(laws: Mapping[str, Sequence[Law]], invariances: Iterable[str], known: Sequence[Guess]) -> Iterator[Guess]:
    """Yield sums, differences, products and quotients of two formulas that are made to have some invariances.

    :param laws: those of each property of the profiles
    :param invariances: the keys of what they are to have; each profile says what they may have
    :param known: small formulas, with what they may have
    """
    yield from small_formulas(laws, 2, (*_leaves({*invariances}, known), Integer(1)))


def _leaves(invariances: set[str], known: Sequence[Guess]) -> list[Expr]:
    exchanges = [key for key in EXCHANGES if key in invariances]
    needed = invariances - {"independence_value", *exchanges}
    formulas = _few_of_each(guess for guess in known if needed <= guess.profile)
    for key in exchanges:
        exchange = dict(zip(CELLS, EXCHANGES[key], strict=True))
        images = ((formula, formula.xreplace(exchange)) for formula in formulas)
        formulas = [one if one == other else one + other for one, other in images]
    if "independence_value" in invariances:
        few = [Integer(1), *formulas[: MOST // 4]]
        formulas = [zero * formula for zero in ZERO_AT_INDEPENDENCE for formula in few]
    return list(dict.fromkeys(formulas))[:MOST]


def _few_of_each(guesses: Iterable[Guess]) -> list[Expr]:
    """Return formulas of each profile, as many as may be paired: one of each, simplest first, then a second of each."""
    of_each: dict[frozenset[str], list[Expr]] = {}
    for guess in guesses:
        of_each.setdefault(guess.profile, []).append(guess.formula)
    found: list[Expr] = []
    for together in zip_longest(*of_each.values()):
        listed = [formula for formula in together if formula is not None]
        found += sorted(listed, key=lambda formula: (formula.count_ops(), str(formula)))
    return found[:MOST]
