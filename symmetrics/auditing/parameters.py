"""Values of a metric's parameter, such as the beta of F, with which some table has a reported score."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import reduce

from sympy import (
    Expr,
    Integer,
    Interval,
    Poly,
    Rational,
    S,
    Set,
    Union,
    cancel,
    fraction,
    lambdify,
    oo,
    real_roots,
    sqrt,
)

from symmetrics.auditing.exclusions import CURVES
from symmetrics.auditing.reported import Reported
from symmetrics.claims.families.limits import STEP
from symmetrics.language.cells import CELLS
from symmetrics.metric import Metric
from symmetrics.tools.budget import checkpoint
from symmetrics.tools.errors import InputError, UnsupportedError

End = tuple[Fraction | float, bool]
Piece = tuple[End, End]
"""An interval: its lower end and whether it is left out, its upper end and whether it belongs to it."""
EVERY: Piece = ((-float("inf"), True), (float("inf"), False))


def parameter_values(metric: Metric, reported: Reported, tables: Iterable[Sequence[int]]) -> Set:
    """Return the exact set of values of a metric's parameter with which it is as reported at one of some tables.

    The metric is (n0 + n1*u)/(d0 + d1*u) for u the parameter or its square; so each table leaves the u for which the
    denominator and the distances from both ends, times it, have the right signs.

    :raises InputError: if the metric has no parameter
    :raises UnsupportedError: if it has several or is no such quotient, or a value at a 0/0 depends on more than that

    >>> from symmetrics.library import metrics
    >>> parameter_values(metrics["f_beta"], Reported.of("0.75"), [(6, 4, 1, 9)])  # of precision 6/7 and recall 3/5
    Interval.Lopen(sqrt(170)/20, sqrt(45530)/290)
    """
    if len(metric.parameters) != 1:
        names = ", ".join(parameter.name for parameter in metric.parameters) or "none"
        error = UnsupportedError if metric.parameters else InputError
        raise error(f"the parameters of {metric.name} are {names}, not one; report a score with one, such as f_beta")
    (parameter,) = metric.parameters
    parts = [Poly(part, parameter.symbol) for part in fraction(cancel(metric.expr))]
    powers = {power for part in parts for (power,) in part.monoms()} - {0}
    is_square = powers == {2} and parameter.lower >= 0
    if not (powers == {1} or is_square) or not all(part.as_expr().is_polynomial(*CELLS) for part in parts):
        raise UnsupportedError(
            f"{metric.name} is no quotient of polynomials linear in {parameter.name} or in its square; bind it, as in "
            "metric.at(...), and audit with some values of it"
        )
    power = max(powers)
    ends = [
        float(end) if end.is_infinite else Fraction(int(end.p), int(end.q)) ** power
        for end in (parameter.lower, parameter.upper)
    ]
    domain = ((ends[0], parameter.lower_open), (ends[1], not parameter.upper_open))
    coefficients = lambdify(CELLS, [part.coeff_monomial((k,)) for part in parts for k in (0, power)], modules="math")
    found: set[Piece] = set()
    for table in tables:
        checkpoint()
        n0, n1, d0, d1 = (Fraction(str(value)) for value in coefficients(*map(Rational, map(int, table))))
        found.update(_both(domain, piece) for piece in _intervals(n0, n1, d0, d1, reported))
        # At a 0/0 the metric with the parameter bound decides.
        for value in _doubtful((n0, n1, d0, d1), power, parts, table, reported):
            if value not in parameter:
                continue
            if not value.is_Rational:
                raise UnsupportedError(f"{metric.name} at {parameter.name} = {value} is not decided; add other scores")
            bound = metric.at(**{parameter.name: value}).exact(*table)
            if bound.is_finite and bound in reported:
                point = Fraction(str(value**power))
                found.add(((point, False), (point, True)))
    return _joined(found, sqrt if is_square else Rational)


def _intervals(n0: Fraction, n1: Fraction, d0: Fraction, d1: Fraction, reported: Reported) -> Iterator[Piece]:
    """Yield the u at which the denominator is positive, or negative, and the quotient is as reported."""
    for sign in (1, -1):
        limits = [_half_line(sign * d0, sign * d1, True)]
        for end, side, has_end in ((reported.low, sign, reported.has_low), (reported.high, -sign, reported.has_high)):
            if isinstance(end, Fraction):
                limits.append(_half_line(side * (n0 - end * d0), side * (n1 - end * d1), not has_end))
        yield reduce(_both, limits)


def _half_line(a: Fraction, b: Fraction, is_strict: bool) -> Piece:
    """Return the u with a + b*u >= 0, or > 0."""
    if b == 0:
        return EVERY if a > 0 or (a == 0 and not is_strict) else ((Fraction(0), True), (Fraction(0), False))
    return ((-a / b, is_strict), EVERY[1]) if b > 0 else (EVERY[0], (-a / b, not is_strict))


def _both(one: Piece, other: Piece) -> Piece:
    return max(one[0], other[0]), min(one[1], other[1])


def _doubtful(
    row: Sequence[Fraction], power: int, parts: Sequence[Poly], table: Sequence[int], reported: Reported
) -> Iterator[Expr]:
    """Yield the parameters at which numerator and denominator are both zero at a table and there may be a value.

    Where that is so for all parameters, a value is the limit along every curve: it exists only where two agree, or
    where a coefficient of them vanishes.
    """
    n0, n1, d0, d1 = row
    if n0 or n1 or d0 or d1:
        a, b = (d0, d1) if d1 else (n0, n1)
        if b and n0 * d1 == n1 * d0:
            root = Rational(str(-a / b))
            yield from (root,) if power == 1 else (sqrt(root),) if root >= 0 else ()
        return
    (symbol,) = parts[0].gens
    limits = [_along(curve, parts, table) for curve in CURVES]
    for (a, b), (c, d) in itertools.combinations(limits, 2):
        if (gap := (a * d - c * b).expand()) != 0:
            factors = [Poly(factor, symbol) for factor in (gap, a, b, c, d) if factor.has(symbol)]
            yield from (root for factor in factors for root in real_roots(factor))
            return
    (above, below), *_ = limits
    value = cancel(above / below) if below != 0 else None
    if value is None or not value.is_Rational or value in reported:
        shown = ", ".join(map(str, table))
        raise UnsupportedError(f"the value at TP, FN, FP, TN = {shown} is a limit for all parameters; add other scores")


def _along(curve: Mapping[Expr, Expr], parts: Sequence[Poly], table: Sequence[int]) -> tuple[Expr, Expr]:
    """Return numerator and denominator of the limit along a curve; an infinite one has the denominator 0."""
    place = {cell: Integer(int(count)) if count else curve[cell] for cell, count in zip(CELLS, table, strict=True)}
    ((m, above), (k, below)) = (Poly(part.as_expr().xreplace(place), STEP).terms()[-1] for part in parts)
    return (above if m <= k else S.Zero), (below if k <= m else S.Zero)


def _joined(pieces: Iterable[Piece], of: Callable[[Rational], Expr]) -> Set:
    """Return the union of intervals.

    :param of: the parameter of u
    """
    joined: list[Piece] = []
    for low, high in sorted(pieces):
        if low[0] > high[0] or (low[0] == high[0] and (low[1] or not high[1])):
            continue
        reached = joined[-1][1] if joined else (-float("inf"), False)
        if low[0] < reached[0] or (low[0] == reached[0] and (reached[1] or not low[1])):
            joined[-1] = joined[-1][0], max(reached, high)
        else:
            joined.append((low, high))

    def end(value: Fraction | float) -> Expr:
        return of(Rational(str(value))) if isinstance(value, Fraction) else oo if value > 0 else -oo

    return Union(*(Interval(end(low), end(high), is_open, not closed) for (low, is_open), (high, closed) in joined))
