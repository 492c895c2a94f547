"""Absolute values, minima and maxima taken apart by the signs of what they compare.

A formula compares some differences with zero.  For every assignment of signs to these differences, each absolute value
and each extreme is one of its arguments; together the assignments cover all tables, because every table has signs.
Assignments that no table has do no harm: what holds on all branches holds on those that occur.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from sympy import Abs, Expr, Max, Min, Pow, S, Symbol, default_sort_key

from symmetrics.checker.engine.forms import Signs
from symmetrics.language.cells import CELLS
from symmetrics.language.parameter import Parameter
from symmetrics.tools.errors import CertificateError

__all__ = ["Branch", "branches_of"]

MAX_BRANCHES: Final = 2048
"""A formula with more assignments of signs is not checked."""
Compared = tuple[Expr, int]
"""A difference, in the one of its two forms that stands for both, and 1 or -1 for the form that was asked about."""


@dataclass(frozen=True)
class Branch:
    """What a formula is for one assignment of signs.

    :param formula: the formula without absolute values and extremes
    :param conditions: the differences with their signs, which are not negative on the branch
    :param divisors: what the formula divided by, as far as its numbers hold branches
    """

    formula: Expr
    conditions: tuple[Expr, ...] = ()
    divisors: tuple[Expr, ...] = ()


def branches_of(
    formula: Expr, parameters: Iterable[Parameter] = (), positive: Sequence[Symbol] = CELLS
) -> list[Branch]:
    """Return the branches of a formula, which cover all tables.

    >>> from symmetrics.language.cells import FN, FP
    >>> for branch in branches_of(Max(FN, FP) - 2 * Abs(FP - FN)):
    ...     print(branch.formula, branch.conditions)
    2*FN - FP (-FN + FP,)
    -FN + 2*FP (FN - FP,)

    :param positive: the symbols that stand for positive numbers
    :raises CertificateError: if there are too many
    """
    divisors = {power.base for power in formula.atoms(Pow) if not power.exp.is_nonnegative}
    start = Branch(formula, (), tuple(sorted(divisors, key=str)) if formula.has(Abs, Min, Max) else ())
    walk = _taken_apart(start, {S.Zero: 0}, Signs(parameters, positive))
    found = list(itertools.islice(walk, MAX_BRANCHES + 1))
    if len(found) > MAX_BRANCHES:
        raise CertificateError("the formula compares too many differences to be checked")
    return list(dict.fromkeys(found))


def _taken_apart(branch: Branch, decided: Mapping[Expr, int], known: Signs) -> Iterator[Branch]:
    """Yield what a branch is for all signs of the differences that its innermost comparisons look at."""
    nodes = [node for part in (branch.formula, *branch.divisors) for node in part.atoms(Abs, Min, Max)]
    inner = sorted({node for node in nodes if not _holds_others(node)}, key=default_sort_key)
    if not inner:
        yield branch
        return
    compared = {_compared(*pair)[0] for node in inner for pair in _pairs(node)} - set(decided)
    choices = [
        [(difference, sign) for sign in _possible(difference, known)] for difference in sorted(compared, key=str)
    ]
    for chosen in itertools.product(*choices):
        signs = {**decided, **dict(chosen)}
        swap = {node: _value(node, signs) for node in inner}
        if None in swap.values():
            continue  # first > second > third > first: the values of a table can always be put in order
        there = Branch(
            branch.formula.xreplace(swap),
            branch.conditions + tuple(sign * difference for difference, sign in chosen),
            tuple(divisor.xreplace(swap) for divisor in branch.divisors),
        )
        yield from _taken_apart(there, signs, known)


def _possible(difference: Expr, known: Signs) -> tuple[int, ...]:
    """Return the signs that a difference may have; where it is zero either will do."""
    if known.is_never_negative(difference):
        return (1,)
    return (-1,) if known.is_never_negative(-difference) else (1, -1)


def _holds_others(node: Expr) -> bool:
    return any(argument.has(Abs, Min, Max) for argument in node.args)


def _pairs(node: Expr) -> Iterator[tuple[Expr, Expr]]:
    """Yield what a node compares."""
    yield from [(node.args[0], S.Zero)] if isinstance(node, Abs) else itertools.combinations(node.args, 2)


def _compared(left: Expr, right: Expr) -> Compared:
    """Return what decides which of two expressions is larger, the same for both orders, and the sign of left - right.

    >>> from symmetrics.language.cells import FN, FP
    >>> _compared(FN, FP), _compared(2 * FP, 2 * FN)
    ((-FN + FP, -1), (-FN + FP, 1))
    """
    _, difference = (left - right).expand().as_content_primitive()
    if not difference:
        return S.Zero, 0
    negative = (-difference).expand()
    return (difference, 1) if str(difference) <= str(negative) else (negative, -1)


def _value(node: Expr, signs: Mapping[Expr, int]) -> Expr | None:
    """Return which of its arguments a node is, None if the signs contradict each other."""

    def order(left: Expr, right: Expr) -> int:
        difference, sign = _compared(left, right)
        return signs[difference] * sign

    if isinstance(node, Abs):
        return order(node.args[0], S.Zero) * node.args[0]
    wanted = 1 if isinstance(node, Max) else -1
    for place, candidate in enumerate(node.args):
        others = (*node.args[:place], *node.args[place + 1 :])
        if all(order(candidate, other) in (wanted, 0) for other in others):
            return candidate
    return None
