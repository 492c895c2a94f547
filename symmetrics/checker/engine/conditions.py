"""Conditions on parameters compared by their truth values on a decomposition of the parameters' values.

The equations and inequalities of some conditions look at the signs of differences.  Along the line of one parameter
those that compare it with numbers cut it into points and intervals; of the other differences every sign is looked at,
unless numbers decide it.  Two conditions that agree on all of these cells hold for the same values.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from sympy import And, Eq, Expr, Ge, Gt, Le, Lt, Matrix, Ne, Not, Or, Rational, S, Symbol
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from symmetrics.checker.engine.enclosures import certain_sign, is_same
from symmetrics.tools.errors import CertificateError

__all__ = ["are_equivalent", "follows", "holds_at"]

MAX_CELLS: Final = 200_000
"""Conditions that cut the values of parameters into more cells are not compared."""
_SIGNS: Final[Mapping[type[Boolean], frozenset[int]]] = {
    Eq: frozenset({0}),
    Ne: frozenset({-1, 1}),
    Lt: frozenset({-1}),
    Le: frozenset({-1, 0}),
    Gt: frozenset({1}),
    Ge: frozenset({0, 1}),
}
"""The signs of left minus right for which a relation holds."""


@dataclass(frozen=True)
class _Place:
    """A number on the line of a parameter, or an interval of which it is one."""

    value: Rational
    is_point: bool


def are_equivalent(left: Boolean, right: Boolean) -> bool:
    """Whether two conditions are shown to hold for the same values of the parameters.

    >>> from symmetrics.language.cells import parameter_symbol
    >>> a, b = map(parameter_symbol, "ab")
    >>> are_equivalent(And(a <= 1, a <= Rational(1, 3)), a * 3 <= 1)
    True
    >>> are_equivalent(Or(Eq(a, b), And(Eq(a, 1), Eq(b, 1))), Eq(a, b))
    True
    >>> are_equivalent(Or(a < b, Eq(a, b)), a < b)
    False

    :raises CertificateError: if there are too many cells to be looked at
    """
    if left == right or _are_same_spaces(left, right):
        return True
    return all(_truth(left, signs) is _truth(right, signs) for signs in _cells([left, right]))


def _are_same_spaces(left: Boolean, right: Boolean) -> bool:
    """Whether two unions of solutions of linear equations are shown to be the same: each part lies in one of the other.

    A part lies in another if the equations of the other add nothing to the rank of its own.
    """
    unions = [[And.make_args(part) for part in Or.make_args(condition)] for condition in (left, right)]
    equations = [equation for parts in unions for part in parts for equation in part]
    if not all(isinstance(equation, Eq) for equation in equations):
        return False
    symbols = sorted({symbol for equation in equations for symbol in equation.free_symbols}, key=str)
    rows = {equation: _row(equation, symbols) for equation in equations}
    if None in rows.values():
        return False
    first, second = ([[rows[equation] for equation in part] for part in parts] for parts in unions)
    return all(
        any(Matrix([*part, *other]).rank() == Matrix(part).rank() for other in others)
        for parts, others in ((first, second), (second, first))
        for part in parts
    )


def _row(equation: Eq, symbols: Sequence[Symbol]) -> list[Expr] | None:
    """Return the coefficients of a linear equation, the constant last; None if it is no linear one."""
    difference = (equation.lhs - equation.rhs).expand()
    slopes = [difference.coeff(symbol, 1) for symbol in symbols]
    rest = difference.xreplace(dict.fromkeys(symbols, S.Zero))
    spanned = sum((slope * symbol for slope, symbol in zip(slopes, symbols, strict=True)), rest)
    rational = all(isinstance(number, Rational) for number in [*slopes, rest])
    return [*slopes, rest] if rational and (difference - spanned).expand() == 0 else None


def follows(condition: Boolean, given: Boolean) -> bool:
    """Whether a condition is shown to hold wherever a given one does.

    >>> from symmetrics.language.cells import parameter_symbol
    >>> w = parameter_symbol("w")
    >>> follows(w < 2, given=w <= 1), follows(w <= 1, given=w < 2)
    (True, False)

    :raises CertificateError: if there are too many cells to be looked at
    """
    return all(_truth(condition, signs) for signs in _cells([condition, given]) if _truth(given, signs))


def holds_at(condition: Boolean, values: Mapping[Symbol, Expr]) -> bool:
    """Whether a condition holds for given values of the parameters.

    >>> from symmetrics.language.cells import parameter_symbol
    >>> w = parameter_symbol("w")
    >>> holds_at(And(w > 0, Ne(w, 1)), {w: Rational(1, 2)}), holds_at(Ne(w, 1), {w: Rational(1)})
    (True, False)

    :raises CertificateError: if a value is missing, or a sign is not certain
    """

    def sign_of(difference: Expr) -> int:
        value = difference.xreplace(dict(values)).expand()
        sign = None if value.free_symbols else 0 if is_same(value, S.Zero) else certain_sign(value)
        if sign is None:
            raise CertificateError("the condition is not decided at a value of the parameters")
        return sign

    return _truth(condition, sign_of)


def _truth(condition: Boolean, sign_of: Callable[[Expr], int]) -> bool:
    if condition in (S.true, S.false):
        return condition is S.true
    if isinstance(condition, And):
        return all(_truth(part, sign_of) for part in condition.args)
    if isinstance(condition, Or):
        return any(_truth(part, sign_of) for part in condition.args)
    if isinstance(condition, Not):
        return not _truth(condition.args[0], sign_of)
    for relation, signs in _SIGNS.items():
        if isinstance(condition, relation):
            return sign_of(condition.lhs - condition.rhs) in signs
    raise CertificateError(f"{type(condition).__name__} is no condition on parameters")


def _cells(conditions: Iterable[Boolean]) -> Iterator[Callable[[Expr], int]]:
    """Yield, for each cell of a decomposition, what gives the signs of all differences in some conditions."""
    relations = {relation for condition in conditions for relation in condition.atoms(Relational)}
    forms = dict.fromkeys(_primitive(relation.lhs - relation.rhs)[0] for relation in sorted(relations, key=str))
    lines: dict[Symbol, set[Rational]] = {}
    others: list[Expr] = []
    for form in forms:
        root = _root(form)
        if root is None:
            others.append(form)
        else:
            symbol, point = root
            lines.setdefault(symbol, set()).add(point)
    symbols = sorted(lines, key=str)
    places = [_places(lines[symbol]) for symbol in symbols]
    size = 3 ** len(others)
    for line in places:
        size *= len(line)
    if size > MAX_CELLS:
        raise CertificateError("the conditions on parameters are too many to be compared")
    for chosen in itertools.product(*places):
        here = dict(zip(symbols, chosen, strict=True))
        known = {form: _decided(form, here) for form in others}
        free = [form for form, sign in known.items() if sign is None]
        for signs in itertools.product((-1, 0, 1), repeat=len(free)):
            yield _Signs(here, {**known, **dict(zip(free, signs, strict=True))})


class _Signs:
    """The signs of differences on one cell."""

    def __init__(self, places: Mapping[Symbol, _Place], known: Mapping[Expr, int | None]) -> None:
        self.values = {symbol: place.value for symbol, place in places.items()}
        self.known = known

    def __call__(self, difference: Expr) -> int:
        form, factor = _primitive(difference)
        sign = self.known.get(form)
        if sign is None:
            sign = _sign(form.xreplace(self.values))
        return factor * sign


@lru_cache(maxsize=4096)
def _primitive(difference: Expr) -> tuple[Expr, int]:
    """Return a difference up to a positive number, the same for both orders, and the sign that was taken from it."""
    expanded = difference.expand()
    if not expanded:
        return S.Zero, 1
    _, form = expanded.as_content_primitive()
    negative = (-form).expand()
    return (form, 1) if str(form) <= str(negative) else (negative, -1)


def _root(form: Expr) -> tuple[Symbol, Rational] | None:
    """Return the parameter of a linear form, and where the form is zero; None for others."""
    if len(form.free_symbols) != 1:
        return None
    (symbol,) = form.free_symbols
    slope, rest = form.coeff(symbol, 1), form.coeff(symbol, 0)
    is_linear = (form - slope * symbol - rest).expand() == 0 and slope.is_Rational and rest.is_Rational
    return (symbol, -rest / slope) if is_linear else None


def _places(points: Iterable[Rational]) -> Sequence[_Place]:
    """Return the points on a line and a number between each two of them, before and after them all."""
    ends = sorted(points)
    between = [(low + high) / 2 for low, high in itertools.pairwise(ends)]
    open_ends = [ends[0] - 1, *between, ends[-1] + 1]
    return [*(_Place(end, True) for end in ends), *(_Place(inner, False) for inner in open_ends)]


def _decided(form: Expr, places: Mapping[Symbol, _Place]) -> int | None:
    """Return the sign of a form all of whose parameters are numbers here, None for others."""
    if not all(symbol in places and places[symbol].is_point for symbol in form.free_symbols):
        return None
    value = form.xreplace({symbol: place.value for symbol, place in places.items()}).expand()
    return _sign(value) if isinstance(value, Rational) else None


def _sign(value: Rational) -> int:
    return 1 if value > 0 else -1 if value < 0 else 0
