"""The H-measure of one operating point in closed form: exact numbers and formulas, for whole a and b.

For whole numbers a and b the density of Beta(a, b) is a polynomial, and with n = a + b and t = p/(p + q) the integrals
of :mod:`symmetrics.curves.costs` are

    ∫₀ᵗ c u(c) dc       = a/n · Σ_(j > a) C(n, j) p^j q^(n-j) / (p + q)^n
    ∫ₜ¹ (1 - c) u(c) dc = b/n · Σ_(j > b) C(n, j) q^j p^(n-j) / (p + q)^n,

so that H is a rational function of the rates and the prior, and of the four cells.  What follows from that is proved in
:mod:`symmetrics.curves.hmeasure_proofs`.
"""

from __future__ import annotations

import operator
from typing import Final, Literal

import numpy as np
from sympy import Expr, Float, Integer, Max, Piecewise, Rational, binomial, factorial, false, true

from symmetrics.algebra.convert import convert, element_expression, field_for
from symmetrics.language.cells import FN, FP, TN, TP
from symmetrics.language.numbers import exact_rational
from symmetrics.numeric.counts import shown
from symmetrics.tools.errors import FormulaError, InputError, UnsupportedError
from symmetrics.tools.settings import advising

LARGEST_SHAPE: Final = 1000
"""Largest a and b of Beta(a, b): the time grows with their cube, and is some seconds here."""


@advising()
def h_at_point(tpr: object, fpr: object, prior: object, a: int = 2, b: int = 2) -> Expr:
    """Return the H-measure of one operating point, with its convex hull (0, 0), (FPr, TPr), (1, 1), exactly.

    At TPr ≤ FPr the hull is the diagonal and H = 0.

    :param tpr, fpr: rates in [0, 1]: an int, Fraction, SymPy number, text such as "3/4", or SymPy expressions
    :param prior: π₁, the share of class 1, strictly between 0 and 1, likewise
    :param a, b: whole numbers from 1 to 1000: Beta(a, b) distributes c = c₁/(c₀ + c₁)
    :returns: an exact number where all are numbers; else a formula, Piecewise unless TPr > FPr is decided
    :raises InputError: on floats, on numbers outside those ranges, and on *a* or *b* that are none such

    >>> h_at_point("3/4", "1/10", "1/5"), h_at_point("1/2", "3/5", "1/5")
    (62488590944/161084473319, 0)
    >>> from sympy.abc import x, y
    >>> h_at_point(y, x, "1/2", 1, 1).subs({y: "3/4", x: "1/4"})
    1/4
    """
    y, x, one, a, b = _checked(tpr, fpr, prior, a, b)
    better = y > x
    if better is false:
        return Integer(0)
    value = 1 - _cost(y, x, one, a, b) / least_cost(1 - one, one, a, b)
    return value if better is true else Piecewise((value, better), (0, True))


@advising()
def h_formula(a: int = 2, b: int = 2) -> Expr:
    """Return the H-measure of one operating point as a formula over the cells, prior π₁ = (TP + FN)/n.

    It is Max(0, TP·TN - FN·FP)² times a ratio of polynomials whose coefficients are all positive, and so defines a
    metric.  Its size grows with a + b: 40 terms at 2, 2 and 200 at 4, 2.

    :raises InputError: on *a* or *b* that are not positive whole numbers, or too large for a formula

    >>> h_formula(1, 1)  # MCC² where TP·TN > FN·FP
    Max(0, -FN*FP + TN*TP)**2/((FN + TN)*(FN + TP)*(FP + TN)*(FP + TP))
    """
    a, b = _whole(a, "a"), _whole(b, "b")
    gain = 1 - (least_cost(FP, TP, a, b) + least_cost(TN, FN, a, b)) / least_cost(FP + TN, TP + FN, a, b)
    lead = TP * TN - FN * FP
    field = field_for()
    try:
        return Max(0, lead) ** 2 * element_expression(convert(gain / lead**2, field), field)
    except UnsupportedError:
        raise InputError(
            f"the formula for a={a} and b={b} has too many terms; h_at_point and h_from_rates have its values"
        ) from None


def printed_h_at_point(
    tpr: object,
    fpr: object,
    prior: object,
    a: int = 2,
    b: int = 2,
    *,
    limits: Literal["printed", "repaired"] = "printed",
) -> Expr:
    """Return H by the denominator that equation (1) of Thai-Nghe et al. (2011) prints; it is not the H-measure.

    :param tpr, fpr, prior, a, b: as :func:`h_at_point`, but numbers
    :param limits: "printed" has π₀∫₀^π₁ c u dc and an integral from π₁ to π₁, "repaired" has
        π₀∫₀^π₁ c u dc + π₁∫_π₁¹ (1 - c) u dc, which is Hand's (2009) and right for his c = c₀/(c₀ + c₁)
    :raises InputError: as :func:`h_at_point`, and on symbols

    >>> printed_h_at_point("1/2", "1/2", "1/4"), printed_h_at_point("1/2", "1/2", "1/4", limits="repaired")
    (-63/13, 0)
    >>> printed_h_at_point("1/2", "1/2", "1/4", 4, 2, limits="repaired")
    -100/169
    """
    y, x, one, a, b = _checked(tpr, fpr, prior, a, b)
    if limits not in ("printed", "repaired"):
        raise InputError(f"limits={shown(limits)} is unknown; pass 'printed' or 'repaired'")
    if not all(value.is_Rational for value in (y, x, one)):
        raise InputError("tpr, fpr and prior hold symbols; pass exact numbers such as '1/4'")
    without = (1 - one) * below_the_split(one, 1 - one, a, b)
    if limits == "repaired":
        without += one * above_the_split(one, 1 - one, a, b)
    cost = _cost(y, x, one, a, b) if y > x else least_cost(1 - one, one, a, b)
    return 1 - cost / without


def least_cost(p: Expr, q: Expr, a: int, b: int) -> Expr:
    """Return m(p, q) = ∫₀¹ min(c·q, (1 - c)·p) u(c) dc, for a group of p of class 0 and q of class 1, not both 0."""
    return q * below_the_split(p, q, a, b) + p * above_the_split(p, q, a, b)


def below_the_split(p: Expr, q: Expr, a: int, b: int) -> Expr:
    """Return ∫₀ᵗ c u(c) dc with t = p/(p + q)."""
    n = a + b
    terms = (binomial(n, j) * p**j * q ** (n - j) for j in range(a + 1, n + 1))
    return Rational(a, n) * sum(terms, Integer(0)) / (p + q) ** n


def above_the_split(p: Expr, q: Expr, a: int, b: int) -> Expr:
    """Return ∫ₜ¹ (1 - c) u(c) dc with t = p/(p + q)."""
    return below_the_split(q, p, b, a)


def beta_density(c: Expr, a: int, b: int) -> Expr:
    """Return the density u of Beta(a, b) at c, a polynomial."""
    return factorial(a + b - 1) / (factorial(a - 1) * factorial(b - 1)) * c ** (a - 1) * (1 - c) ** (b - 1)


def _cost(y: Expr, x: Expr, one: Expr, a: int, b: int) -> Expr:
    zero = 1 - one
    return least_cost(zero * x, one * y, a, b) + least_cost(zero * (1 - x), one * (1 - y), a, b)


def _checked(tpr: object, fpr: object, prior: object, a: int, b: int) -> tuple[Expr, Expr, Expr, int, int]:
    y, x, one = (_exact(value, name) for value, name in ((tpr, "tpr"), (fpr, "fpr"), (prior, "prior")))
    for rate, name in ((y, "tpr"), (x, "fpr")):
        if rate.is_Rational and not 0 <= rate <= 1:
            raise InputError(f"{name}={rate} is not within [0, 1]; pass a share of examples")
    if one.is_Rational and not 0 < one < 1:
        raise InputError(f"prior={one} is not strictly between 0 and 1; pass the share of class 1")
    return y, x, one, _whole(a, "a"), _whole(b, "b")


def _exact(value: object, name: str) -> Expr:
    if isinstance(value, Expr) and not value.is_number:
        if value.has(Float):
            raise InputError(f"{name}={shown(value)} holds a float; write its numbers exactly, as sympy.Rational(1, 4)")
        return value
    try:
        return exact_rational(int(value) if isinstance(value, np.integer) else value, name)
    except FormulaError as error:
        raise InputError(f"{error}; h_from_rates takes floats") from None


def _whole(value: object, name: str) -> int:
    try:
        whole = operator.index(value)  # type: ignore[arg-type]  # what has no index is refused here
    except TypeError:
        whole = 0
    if not 1 <= whole <= LARGEST_SHAPE or isinstance(value, bool):
        raise InputError(
            f"{name}={shown(value)} is not a whole number from 1 to {LARGEST_SHAPE}; h_from_rates takes others above 0"
        )
    return whole
