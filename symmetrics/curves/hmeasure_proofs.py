"""Proofs of properties of the H-measure; all algebra is decided exactly.

The steps are equalities and inequalities of rational functions of positive variables, for given whole a and b: claims
that the prover decides and the checker accepts, like all others.  The sentences between the steps, with the rules for
derivatives and integrals that they use, are not checked by machine; they hold for all a, b > 0.  A derivative is no
step by itself: that f' is the derivative of f follows from the step f(x + h) - f(x) - h f'(x) = h² times a polynomial,
which is computed by SymPy and proved as an identity.  One operating point is meant where rates appear without a curve.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import Final, Literal

import numpy as np
from sympy import (
    Expr,
    Float,
    Integer,
    Max,
    Piecewise,
    Rational,
    Symbol,
    binomial,
    cancel,
    factorial,
    false,
    symbols,
    true,
)

from symmetrics.algebra.convert import convert, element_expression, field_for
from symmetrics.claims import Comparison, Identity, StrictInequality, value_symbol
from symmetrics.claims.verdict import Verdict
from symmetrics.data.counts import shown
from symmetrics.data.encoding import is_hashable
from symmetrics.language.cells import FN, FP, TN, TP, parameter_symbol
from symmetrics.language.formula import exact_rational
from symmetrics.language.names import CELL_NAMES
from symmetrics.prover.acceptance import decide_and_check
from symmetrics.tools.arguments import advising
from symmetrics.tools.errors import FormulaError, InputError, UnknownNameError, UnsupportedError

# -- The H-measure of one operating point in closed form: exact numbers and formulas, for integers a and b -------------

# For integers a and b the density of Beta(a, b) is a polynomial, and with n = a + b and t = p/(p + q) the
# integrals of :mod:`symmetrics.curves.hmeasure` are
#
#     ∫₀ᵗ c u(c) dc       = a/n · Σ_(j > a) C(n, j) p^j q^(n-j) / (p + q)^n
#     ∫ₜ¹ (1 - c) u(c) dc = b/n · Σ_(j > b) C(n, j) q^j p^(n-j) / (p + q)^n,
#
# so that H is a rational function of the rates and the prior, and of the four cells. Consequences are proved
# in :mod:`symmetrics.curves.hmeasure_proofs`.


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
    """Return H with the denominator printed in equation (1) of Thai-Nghe et al. (2011); it is not the H-measure.

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
        whole = operator.index(value)  # type: ignore[arg-type]  # raises for non-integers
    except TypeError:
        whole = 0
    if not 1 <= whole <= LARGEST_SHAPE or isinstance(value, bool):
        raise InputError(
            f"{name}={shown(value)} is not a whole number from 1 to {LARGEST_SHAPE}; h_from_rates takes others above 0"
        )
    return whole


# ----------------------------------------------------------------------------------------------------------------------


P, Q, S, D, E, INCREASE = symbols("p q s d e h", real=True)
C, X, Y, PRIOR = symbols("c x y prior", real=True)


@dataclass(frozen=True)
class Step:
    """A step of a proof: a relation of two expressions in positive variables.

    :param statement: what it says, in words
    :param left: a rational function
    :param relation: "=", ">" or "≠"; the last says that the two are not the same function
    :param right: a rational function

    >>> Step("a square", (P + Q) ** 2, ">", 2 * P * Q).verdict.status
    'proved'
    """

    statement: str
    left: Expr
    relation: Literal["=", ">", "≠"]
    right: Expr

    @cached_property
    def claim(self) -> Comparison:
        """The claim of the step, for all positive values of its variables; for ≠ the claim of equality."""
        names = {symbol.name for symbol in self.left.free_symbols | self.right.free_symbols}
        over = CELL_NAMES if names <= set(CELL_NAMES) else tuple(sorted(names))
        point = tuple(map(parameter_symbol, over))
        swap = {symbol: parameter_symbol(symbol.name) for symbol in self.left.free_symbols | self.right.free_symbols}
        left, right = self.left.xreplace(swap), self.right.xreplace(swap)
        family = StrictInequality if self.relation == ">" else Identity
        relation = value_symbol(0) - value_symbol(1)
        return family(left, (), (point, point), relation=relation, partner=right, over=over)

    @cached_property
    def verdict(self) -> Verdict:
        """The verdict on the claim; it is open unless the checker accepts the evidence."""
        return decide_and_check(self.claim, metric="", property=self.statement, seconds=inf)

    @property
    def holds(self) -> bool:
        """Whether the step is established: its claim is proved, and for ≠ refuted."""
        return self.verdict.status == ("refuted" if self.relation == "≠" else "proved")


@dataclass(frozen=True)
class Proof:
    """A claim, the argument for it, and the algebraic steps of the argument.

    :param claim: what is proved, or refuted
    :param argument: how the claim follows from the steps
    :param steps: what has to hold for that; none where the argument needs no algebra
    """

    claim: str
    argument: str
    steps: tuple[Step, ...]

    @property
    def holds(self) -> bool:
        """Whether every step is established."""
        return all(step.holds for step in self.steps)


@advising()
def h_proof(name: str, a: int = 2, b: int = 2) -> Proof:
    """Return one proof for Beta(a, b) weights; its steps are decided when ``holds`` is accessed.

    :param name: one of :func:`h_proof_names`
    :raises InputError: on *a* or *b* that are not positive whole numbers
    :raises UnknownNameError: on a name that no proof has

    >>> proof = h_proof("chance", 4, 2)
    >>> print(proof.claim)
    H = 0 where TPr = FPr
    >>> proof.holds
    True
    """
    if not is_hashable(name) or name not in _PROOFS:
        raise UnknownNameError("proof about H", str(name), _PROOFS)
    h_at_point(1, 0, Rational(1, 2), a, b)  # validates a and b
    return _PROOFS[name](a, b)


@advising()
def h_proof_names() -> tuple[str, ...]:
    """Return the names of all proofs.

    >>> h_proof_names()[:4]
    ('integrals', 'chance', 'perfect', 'range')
    """
    return tuple(_PROOFS)


@advising()
def h_proofs(a: int = 2, b: int = 2) -> Mapping[str, Proof]:
    """Return all proofs that apply to Beta(a, b) weights, by name.

    >>> sorted(set(h_proof_names()) - set(h_proofs(2, 2))), sorted(set(h_proof_names()) - set(h_proofs(1, 2)))
    (['matthews'], ['matthews'])
    """
    h_at_point(1, 0, Rational(1, 2), a, b)  # validates a and b
    names = [name for name in _PROOFS if name != "matthews" or a == b == 1]
    return {name: h_proof(name, a, b) for name in names}


def _integrals(a: int, b: int) -> Proof:
    density = beta_density(C, a, b)
    below, above = below_the_split(C, 1 - C, a, b), above_the_split(C, 1 - C, a, b)
    share, rest = P / (P + Q), Q / (P + Q)
    return Proof(
        "The closed forms are ∫₀ᵗ c u dc and ∫ₜ¹ (1 - c) u dc, and the derivatives of m(p, q) by q and by p are these",
        "A function is an integral where its derivative is the integrand and its value at one end is 0.  With "
        "t = p/(p + q), m(p, q) = q ∫₀ᵗ c u dc + p ∫ₜ¹ (1 - c) u dc; its derivative by q is the first integral plus "
        "(q t - p (1 - t)) u(t) ∂t/∂q, its derivative by p the second one plus (q t - p (1 - t)) u(t) ∂t/∂p, and "
        "q t = p (1 - t).",
        (
            _derivative("d/dt ∫₀ᵗ c u dc = t u(t)", below, C, C * density),
            Step("∫₀⁰ = 0", below.subs(C, 0), "=", Integer(0)),
            _derivative("d/dt ∫ₜ¹ (1 - c) u dc = -(1 - t) u(t)", above, C, -(1 - C) * density),
            Step("∫₁¹ = 0", above.subs(C, 1), "=", Integer(0)),
            Step("∫₀ᵗ c u dc in p and q", below_the_split(P, Q, a, b), "=", below.subs(C, share)),
            Step("∫ₜ¹ (1 - c) u dc in p and q", above_the_split(P, Q, a, b), "=", above.subs(C, share)),
            Step("q t = p (1 - t)", Q * share, "=", P * rest),
        ),
    )


def _derivative(statement: str, function: Expr, variable: Symbol, derivative: Expr) -> Step:
    """Return the step that proves a polynomial's derivative: f(x + h) - f(x) - h f'(x) = h² times a polynomial."""
    left = function.subs(variable, variable + INCREASE) - function - INCREASE * derivative
    factor = cancel(left / INCREASE**2)
    # With h in its denominator, the quotient would make any f' pass.
    return Step(statement, left, "=", INCREASE**2 * factor if factor.is_polynomial() else Integer(0))


def _chance(a: int, b: int) -> Proof:
    def m(p: Expr, q: Expr) -> Expr:
        return least_cost(p, q, a, b)

    return Proof(
        "H = 0 where TPr = FPr",
        "m is homogeneous: m(xp, xq) = x m(p, q).  With TPr = FPr = x the two groups are x and 1 - x of everything, so "
        "that their costs sum to m(π₀, π₁).",
        (
            Step("m(xp, xq) = x m(p, q)", m(X * P, X * Q), "=", X * m(P, Q)),
            Step("both groups", m(X * P, X * Q) + m((1 - X) * P, (1 - X) * Q), "=", m(P, Q)),
        ),
    )


def _perfect(a: int, b: int) -> Proof:
    perfect = h_at_point(1, 0, PRIOR, a, b)
    return Proof(
        "H = 1 where TPr = 1 and FPr = 0",
        "A group of one class costs nothing: m(0, q) = m(p, 0) = 0.",
        (
            Step("m(0, q) = 0", least_cost(Integer(0), Q, a, b), "=", Integer(0)),
            Step("m(p, 0) = 0", least_cost(P, Integer(0), a, b), "=", Integer(0)),
            Step("H(1, 0) = 1", perfect, "=", Integer(1)),
        ),
    )


def _range(a: int, b: int) -> Proof:
    return Proof(
        "0 ≤ H ≤ 1",
        "m is an integral of minima, so it is not negative, and superadditive: the minimum of sums is at least the sum "
        "of minima, so that Σ m(p, q) ≤ m(Σ p, Σ q) = m(π₀, π₁).  It is above 0 where both classes occur.",
        (Step("m(p, q) > 0", least_cost(P, Q, a, b), ">", Integer(0)),),
    )


def _monotone_maps(a: int, b: int) -> Proof:
    return Proof(
        "H does not change under strictly increasing maps of the scores",
        "A strictly increasing map f keeps which scores are equal and which is the higher one, so the examples with "
        "score ≥ t are those with f(score) ≥ f(t): every threshold has the same counts, and H is a function of the "
        f"counts, for Beta({a}, {b}) as for all others.",
        (),
    )


def _exchange(a: int, b: int) -> Proof:
    zero = 1 - PRIOR
    ours = least_cost(zero * X, PRIOR * Y, a, b) + least_cost(zero * (1 - X), PRIOR * (1 - Y), a, b)
    theirs = least_cost(PRIOR * (1 - Y), zero * (1 - X), b, a) + least_cost(PRIOR * Y, zero * X, b, a)
    return Proof(
        "Exchanging the classes exchanges a and b: H(TPr, FPr, π₁; a, b) = H(TNr, FNr, π₀; b, a)",
        "With the other class as class 1 and the scores negated, TPr becomes TNr, FPr becomes FNr, π₁ becomes π₀ and "
        "c becomes 1 - c.  So a symmetric Beta(a, a) is unchanged, and B42 becomes Beta(2, 4).",
        (
            Step("m(p, q; a, b) = m(q, p; b, a)", least_cost(P, Q, a, b), "=", least_cost(Q, P, b, a)),
            Step("the cost of both groups", ours, "=", theirs),
        ),
    )


def _monotone(a: int, b: int) -> Proof:
    return Proof(
        "H rises strictly with TPr and falls strictly with FPr where TPr > FPr, and never falls or rises elsewhere",
        "Let t₁ and t₂ be the shares of class 0 before and after the point on the hull: t₁ < t₂ where TPr > FPr.  With "
        "H = 1 - (m(π₀ FPr, π₁ TPr) + m(π₀ (1 - FPr), π₁ (1 - TPr)))/m(π₀, π₁) and the derivatives of m (proof "
        "integrals), ∂H/∂TPr = π₁ ∫ c u dc / m(π₀, π₁) and ∂H/∂FPr = -π₀ ∫ (1 - c) u dc / m(π₀, π₁), the integrals "
        "from t₁ to t₂ of functions that are positive inside (0, 1).  For 0 < t₁ and t₂ < 1 their signs are steps, "
        "with t₁ = s/(s + d + e) and t₂ = (s + d)/(s + d + e).  Where TPr ≤ FPr, H = 0, its least value, and H is "
        "continuous.  A whole curve: the least of c π₁ (1 - TPr) + (1 - c) π₀ FPr over its points cannot rise where "
        "one TPr rises or one FPr falls.",
        (
            Step("∫ c u dc up to t₂ is larger", below_the_split(S + D, E, a, b), ">", below_the_split(S, D + E, a, b)),
            Step(
                "∫ (1 - c) u dc from t₁ is larger",
                above_the_split(S, D + E, a, b),
                ">",
                above_the_split(S + D, E, a, b),
            ),
        ),
    )


def _matthews(a: int, b: int) -> Proof:
    lead, margins = TP * TN - FN * FP, (TP + FN) * (TP + FP) * (TN + FN) * (TN + FP)
    cost = least_cost(FP, TP, a, b) + least_cost(TN, FN, a, b)
    return Proof(
        "With uniform costs, a = b = 1, H of one operating point is MCC² where MCC > 0, and 0 elsewhere",
        "Then m(p, q) = pq/(2(p + q)), and H in terms of the cells is the square of MCC.",
        (
            Step("m(p, q)", least_cost(P, Q, a, b), "=", P * Q / (2 * (P + Q))),
            Step("H = MCC²", 1 - cost / least_cost(FP + TN, TP + FN, a, b), "=", lead**2 / margins),
        ),
    )


def _printed(a: int, b: int) -> Proof:
    half, quarter = Rational(1, 2), Rational(1, 4)
    at_chance = printed_h_at_point(half, half, quarter, a, b)
    return Proof(
        "Equation (1) of Thai-Nghe et al. (2011) as printed: a classifier by chance has not H = 0",
        "Its denominator is π₀ ∫₀^π₁ c u dc, the second integral having equal limits.  TPr = FPr = 1/2 at π₁ = 1/4 is "
        "the counterexample; a perfect classifier has 1 by any denominator.",
        (
            Step("chance", at_chance, "≠", Integer(0)),
            Step("perfect", printed_h_at_point(1, 0, quarter, a, b), "=", Integer(1)),
        ),
    )


def _repaired(a: int, b: int) -> Proof:
    zero = 1 - PRIOR
    repaired = zero * below_the_split(PRIOR, zero, a, b) + PRIOR * above_the_split(PRIOR, zero, a, b)
    at_chance = printed_h_at_point(Rational(1, 2), Rational(1, 2), Rational(1, 4), a, b, limits="repaired")
    return Proof(
        "Equation (1) with its second integral from π₁ to 1 gives chance H = 0 if a = b, and not if a ≠ b, as in B42",
        "That denominator is m(π₀, π₁) for Beta(b, a): it is right for Hand's c = c₀/(c₀ + c₁), the exchanged one.",
        (
            Step("the denominator", repaired, "=", least_cost(zero, PRIOR, b, a)),
            Step("chance", at_chance, "=" if a == b else "≠", Integer(0)),
        ),
    )


_PROOFS: Final = {
    "integrals": _integrals,
    "chance": _chance,
    "perfect": _perfect,
    "range": _range,
    "monotone_maps": _monotone_maps,
    "exchange": _exchange,
    "monotone": _monotone,
    "matthews": _matthews,
    "printed": _printed,
    "repaired": _repaired,
}
