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

from sympy import Abs, Add, Expr, Max, Min, Mul, Pow, Rational, S, Symbol, default_sort_key, log

from symmetrics.checker.engine.fractions import Arithmetic, never_negative
from symmetrics.language.cells import CELLS
from symmetrics.language.parameter import Parameter
from symmetrics.tools.errors import CertificateError

# -- Signs of formulas that are seen from how they are written ---------------------------------------------------------


class Signs:
    """What is known of the signs of formulas.

    :param parameters: with their domains
    :param positive: the symbols that stand for positive numbers

    >>> from symmetrics.language.cells import FN, FP, TN, TP
    >>> known = Signs()
    >>> [known.is_never_negative(f) for f in (1 - TP / (TP + FN), (TN - TP) ** 2, Max(TP - FN, 0), TN - TP)]
    [True, True, True, False]
    >>> known.is_positive(Max(TP, FN - FP)), known.is_positive(Abs(TP - FN))
    (True, False)
    """

    def __init__(self, parameters: Iterable[Parameter] = (), positive: Sequence[Symbol] = CELLS) -> None:
        self.parameters = tuple(parameters)
        self.positive = tuple(positive)
        self._is_named = frozenset(self.positive)
        self.lower = {p.symbol: (p.lower, p.lower_open) for p in self.parameters}
        self.known: dict[tuple[Expr, bool], bool] = {}

    def is_positive(self, node: Expr) -> bool:
        """Whether a formula is positive wherever it has a value, because its parts or its coefficients are."""
        if self._shows(node, strict=True):
            return True
        # A parameter at the end of its domain may make all coefficients vanish.
        return node.free_symbols <= self._is_named and self._is_quotient_of_positive_sums(node, strict=True)

    def is_never_negative(self, node: Expr) -> bool:
        """Whether a formula is nowhere negative, because its parts are, or the coefficients of its fraction."""
        return self._shows(node, strict=False) or self._is_quotient_of_positive_sums(node, strict=False)

    def _shows(self, node: Expr, *, strict: bool) -> bool:
        if (node, strict) not in self.known:
            self.known[node, strict] = self._looks(node, strict)
        return self.known[node, strict]

    def _looks(self, node: Expr, strict: bool) -> bool:
        if isinstance(node, Symbol):
            return node in self._is_named or self._has_positive_domain(node, strict)
        if not node.args:
            return node is S.Pi or (isinstance(node, Rational) and bool(node > 0 or (node == 0 and not strict)))
        if isinstance(node, Add):
            weak = all(self._shows(term, strict=False) for term in node.args)
            return weak and (not strict or any(self._shows(term, strict=True) for term in node.args))
        if isinstance(node, (Mul, Min)):
            return all(self._shows(part, strict=strict) for part in node.args)
        if isinstance(node, Max):
            return any(self._shows(part, strict=strict) for part in node.args)
        if isinstance(node, Abs):
            return not strict or self._shows(node.args[0], strict=True)
        if isinstance(node, Pow) and isinstance(node.exp, Rational):
            # An even power of a real number, and the real root of one, are not negative.
            even = node.exp.p % 2 == 0 or node.exp.q != 1
            return (even and not strict) or self._shows(node.base, strict=strict)
        return isinstance(node, log) and self._shows(node.args[0] - 1, strict=strict)

    def _has_positive_domain(self, symbol: Symbol, strict: bool) -> bool:
        if symbol not in self.lower:
            return False
        lower, is_open = self.lower[symbol]
        return bool(lower > 0 or (lower == 0 and (is_open or not strict)))

    def _is_quotient_of_positive_sums(self, node: Expr, *, strict: bool) -> bool:
        """Whether numerator and denominator, multiplied out, have coefficients that are not negative, or no terms."""
        try:
            arithmetic = Arithmetic([symbol.name for symbol in self.positive], self.parameters, {}, ())
            value = arithmetic.evaluate(node)
        except CertificateError:
            return False
        if not value.top:
            return not strict
        return never_negative(value.top, arithmetic) and never_negative(value.bottom, arithmetic)


# ----------------------------------------------------------------------------------------------------------------------


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
    innermost = {node for node in nodes if not any(argument.has(Abs, Min, Max) for argument in node.args)}
    inner = sorted(innermost, key=default_sort_key)
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
