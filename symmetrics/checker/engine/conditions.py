"""Compare conditions on parameters by their truth values on a cell decomposition of the parameter space.

The equations and inequalities of some conditions look at the signs of differences.  Along the line of one parameter
those that compare it with numbers cut it into points and intervals; of the other differences every sign is examined,
unless numbers decide it.  Two conditions that agree on all of these cells hold for the same values.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from sympy import (
    And,
    Eq,
    Expr,
    Ge,
    Gt,
    Le,
    Lt,
    Matrix,
    Ne,
    Not,
    Or,
    Pow,
    Rational,
    S,
    Symbol,
    cancel,
    preorder_traversal,
    radsimp,
)
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean
from sympy.polys.rings import PolyElement

from symmetrics.checker.engine.fractions import Arithmetic
from symmetrics.checker.engine.requirements import require
from symmetrics.checker.engine.splits import Branch
from symmetrics.checker.engine.values import certain_sign, is_certainly_nonzero, is_same
from symmetrics.claims import Identity
from symmetrics.claims.verdict import Verdict
from symmetrics.language.formula import parse_formula
from symmetrics.language.parameter import Parameter
from symmetrics.tools.errors import CertificateError

MAX_CELLS: Final = 200_000
"""Conditions whose decomposition has more cells are not compared."""
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
    """A cell of one parameter's line: a point, or an open interval with a sample value inside it."""

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
    """Whether two unions of linear subspaces are shown to be equal: each part of one lies in a part of the other.

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
    """Return the coefficients of a linear equation, the constant last; None if it is not linear."""
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
    """Yield each cell of a decomposition, as a function from the differences in the conditions to their signs there."""
    # The distinct differences that occur in the conditions.
    relations = {relation for condition in conditions for relation in condition.atoms(Relational)}
    forms = dict.fromkeys(_primitive(relation.lhs - relation.rhs)[0] for relation in sorted(relations, key=str))
    lines: dict[Symbol, set[Rational]] = {}
    others: list[Expr] = []
    # Linear in one parameter: a cut of that parameter's line.  Others: all three signs are tried.
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
    # A cell: a point or interval on each line, and a sign for each difference that these do not decide.
    for chosen in itertools.product(*places):
        here = dict(zip(symbols, chosen, strict=True))
        known = {form: _decided(form, here) for form in others}
        free = [form for form, sign in known.items() if sign is None]
        for signs in itertools.product((-1, 0, 1), repeat=len(free)):
            yield _Signs(here, {**known, **dict(zip(free, signs, strict=True))})


class _Signs:
    """The signs of differences on one cell of the decomposition."""

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
    """Return a difference in canonical form (up to a positive factor, the same for both orders), and its sign."""
    expanded = difference.expand()
    if not expanded:
        return S.Zero, 1
    _, form = expanded.as_content_primitive()
    negative = (-form).expand()
    return (form, 1) if str(form) <= str(negative) else (negative, -1)


def _root(form: Expr) -> tuple[Symbol, Rational] | None:
    """Return the parameter of a linear form in one parameter, and its root; None for others."""
    if len(form.free_symbols) != 1:
        return None
    (symbol,) = form.free_symbols
    slope, rest = form.coeff(symbol, 1), form.coeff(symbol, 0)
    is_linear = (form - slope * symbol - rest).expand() == 0 and slope.is_Rational and rest.is_Rational
    return (symbol, -rest / slope) if is_linear else None


def _places(points: Iterable[Rational]) -> Sequence[_Place]:
    """Return the points that cut a line, and one sample value in each open interval between and beyond them."""
    ends = sorted(points)
    between = [(low + high) / 2 for low, high in itertools.pairwise(ends)]
    open_ends = [ends[0] - 1, *between, ends[-1] + 1]
    return [*(_Place(end, True) for end in ends), *(_Place(inner, False) for inner in open_ends)]


def _decided(form: Expr, places: Mapping[Symbol, _Place]) -> int | None:
    """Return the sign of a form whose parameters are all at points of this cell, None for others."""
    if not all(symbol in places and places[symbol].is_point for symbol in form.free_symbols):
        return None
    value = form.xreplace({symbol: place.value for symbol, place in places.items()}).expand()
    return _sign(value) if isinstance(value, Rational) else None


def _sign(value: Rational) -> int:
    return 1 if value > 0 else -1 if value < 0 else 0


# -- Conditions on parameters re-verified: that they are necessary, sufficient and can be met --------------------------


def divisors_of(claim: Identity) -> list[Expr]:
    """Return the divisors in the formulas of a claim, before simplification, that contain parameters."""
    declared = {p.symbol for p in claim.parameters}
    nodes = (node for formula in claim.formulas for node in preorder_traversal(formula) if isinstance(node, Pow))
    return [node.base for node in nodes if node.exp.is_negative and node.base.free_symbols & declared]


def check_holds(verdict: Verdict, condition: Boolean) -> None:
    """Check the truth value at the default parameters, and that the counterexample is at the defaults if it can be."""
    defaults = {p.symbol: p.default for p in verdict.claim.parameters}
    expected = None if None in defaults.values() else holds_at(condition, defaults)
    require(verdict.holds is (False if condition is S.false else expected), "the value at the defaults is wrong")
    if verdict.witness is not None:
        values = {p.symbol: verdict.witness.parameters[p.name] for p in verdict.claim.parameters}
        at_default = expected is None or expected or values == defaults
        require(at_default, "the counterexample is not at the default parameters")


def implied(condition: Boolean, branch: Branch, arithmetic: Arithmetic) -> bool:
    """Whether a condition holds on a branch, for all values of the parameters that the branch leaves free."""
    if isinstance(condition, Or):
        return any(implied(part, branch, arithmetic) for part in condition.args)
    if isinstance(condition, And):
        return all(implied(part, branch, arithmetic) for part in condition.args)
    if isinstance(condition, (Eq, Ne)):
        gap = radsimp(cancel((condition.lhs - condition.rhs).subs(branch.values, simultaneous=True)))
        return bool(gap == 0) if isinstance(condition, Eq) else _never_vanishes(gap, branch, arithmetic)
    return condition is S.true


def _never_vanishes(gap: Expr, branch: Branch, arithmetic: Arithmetic) -> bool:
    """Whether an expression has no zero on a branch: it is a number, or divides something that has none there."""
    if gap.is_number:
        return is_certainly_nonzero(gap)
    rest = arithmetic.evaluate(gap).top
    for poly in branch.nonzero:
        while not rest.is_ground and not (shared := rest.gcd(poly)).is_ground:
            rest = rest.exquo(shared)
    return bool(rest) and bool(rest.is_ground)


def check_sufficient(condition: Boolean, polys: list[PolyElement], arithmetic: Arithmetic) -> None:
    """Check that a conjunction of equations makes all coefficients vanish, and the denominator not.

    :param polys: the coefficients, and last the denominator
    """
    parts = condition.args if isinstance(condition, And) else (condition,)
    values = {part.lhs: part.rhs for part in parts if isinstance(part, Eq)}
    require(all(isinstance(symbol, Symbol) for symbol in values), "a condition is not solved for a parameter")
    *equations, denominator = polys
    for equation in dict.fromkeys(equations):
        require(_vanishes(equation, values, arithmetic), "the condition does not make the difference vanish")
    require(not _vanishes(denominator, values, arithmetic), "the condition makes a denominator vanish")


def _vanishes(poly: PolyElement, values: Mapping[Symbol, Expr], arithmetic: Arithmetic) -> bool:
    """Whether a polynomial becomes identically zero when some parameters take the given values."""
    roots = (power for value in values.values() for power in value.atoms(Pow) if not power.exp.is_Integer)
    if not any(roots) and all(values.keys().isdisjoint(value.free_symbols) for value in values.values()):
        for symbol, value in values.items():
            image = arithmetic.evaluate(value)
            place = arithmetic.names.index(symbol.name)
            poly = arithmetic.substitute(poly, place, image.top, image.bottom)
        return not poly
    swap = {Symbol(name): parameter.symbol for name, parameter in arithmetic.parameters.items()}
    expression = poly.as_expr().subs(swap).subs(dict(values), simultaneous=True)
    return bool(cancel(expression.expand()) == 0)


def check_satisfiable(condition: Boolean, parameters: tuple[Parameter, ...], examples: Iterable[Any]) -> None:
    """Check that one of the examples satisfies a conjunction of equations, within the parameters' domains."""
    for example in examples:
        values = {p.symbol: parse_formula(example[p.name]) for p in parameters}
        if all(_admits(p, values[p.symbol]) for p in parameters) and _is_met(condition, values):
            return
    require(False, "no example shows that the condition can be met")


def _admits(parameter: Parameter, value: Expr) -> bool:
    return value in parameter if value.is_Rational else parameter.domain.contains(value) is S.true


def _is_met(condition: Boolean, values: Mapping[Symbol, Expr]) -> bool:
    if isinstance(condition, And):
        return all(_is_met(part, values) for part in condition.args)
    gap = radsimp(cancel((condition.lhs - condition.rhs).subs(values, simultaneous=True)))
    return bool(gap == 0) if isinstance(condition, Eq) else is_certainly_nonzero(gap)
