"""Section II.A of Thai-Nghe, Gantner & Schmidt-Thieme (2011): the H measure."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from sympy import Integer, Rational, cancel, symbols

from symmetrics.curves.hmeasure_proofs import above_the_split, below_the_split, h_proof, least_cost, printed_h_at_point
from symmetrics.papers.claims import PaperClaim, Ruling, by_computation, equal, with_reading

from .shared import S, chance_in_numbers, erratum, six_digits, statement, symmetry_ruling


def _h_measure() -> Iterator[PaperClaim]:
    equation = "H = 1 - ∫Q u dc / (π0 ∫(0 to π1) c u dc + π1 ∫(π1 to π1) (1 - c) u dc)"
    place = "section II.A, equation (1)"
    yield from with_reading(
        statement("equation_1_limits", place, "equation", f"{equation}, 0 for a classifier by chance", _limits),
        "the second integral goes from π1 to 1, and u is symmetric, as in H",
        _limits_as_meant,
    )
    yield statement(
        "equation_1_perfect", place, "special case", f"{equation}, 1 for a perfect classifier", lambda: _perfect(2, 2)
    )
    yield statement(
        "equation_1_orientation",
        place,
        "equation",
        "with π1 ∫(π1 to 1) (1 - c) u dc in it, where c = c1/(c0 + c1), 0 for a classifier by chance under B42",
        _orientation,
    )
    yield from with_reading(
        statement(
            "equation_1_unit_of_cost",
            "section II.A, equation (1) and Q",
            "equation",
            "Q, with its factor b = c0 + c1, and the denominator are in the same unit of cost",
            partial(_unit_of_cost, Integer(2)),
        ),
        "costs are counted in units with c0 + c1 = 1",
        partial(_unit_of_cost, Integer(1)),
    )
    c1, c0, missed, alarms = costs = symbols("c1 c0 missed alarms", real=True)
    c = c1 / (c0 + c1)
    yield statement(
        "q_in_costs",
        "section II.A, Q(t; b, c)",
        "two forms",
        "with b = c0 + c1 and c = c1/(c0 + c1), Q = (c·π1(1 - F1) + (1 - c)·π0·F0)·b is c1·π1(1 - F1) + c0·π0·F0",
        lambda: equal(
            (c * missed + (1 - c) * alarms) * (c0 + c1),
            c1 * missed + c0 * alarms,
            over=costs,
        ),
    )
    yield statement("q_is_the_loss", "section II.A, Q(t; b, c)", "equation", "Q is the loss at the threshold t", _loss)
    yield statement(
        "symmetric_beta",
        "section II.A, u",
        "words",
        "the Beta distribution of H is symmetric",
        lambda: symmetry_ruling(2, 2, symmetric=True),
    )
    yield from with_reading(
        statement(
            "u_is_symmetric",
            "section II.A, u",
            "words",
            "u = c^(α-1)(1-c)^(β-1)/B(1; α, β), with its two parameters, is a symmetric Beta distribution",
            partial(symmetry_ruling, 4, 2, symmetric=True),
        ),
        "with α = β",
        _symmetric_if_equal,
    )


def _symmetric_if_equal() -> Ruling:
    c, power = symbols("c power", positive=True)
    density = c**power * (1 - c) ** power
    return by_computation(
        density.subs(c, 1 - c) == density, "c^(α-1)(1-c)^(α-1) is the same at c and at 1 - c, for every α"
    )


def _limits() -> Ruling:
    """Judge H of a classifier by chance: TPr = FPr = 1/2."""
    loss, first, _ = chance_in_numbers(2, 2)
    half = Rational(1, 2)
    value = printed_h_at_point(half, half, Rational(1, 4), 2, 2)
    return by_computation(
        value == 0,
        "the second integral has equal limits, so it is 0.  π1 = 1/4, π0 = 3/4, u = 6c(1 - c): at chance the least "
        f"loss is ∫ min(c/4, 3(1 - c)/4) u dc = {six_digits(loss)}, and π0 ∫(0 to 1/4) c u dc = {six_digits(first)}; "
        f"1 - {six_digits(loss)}/{six_digits(first)} = {value} = {float(value):.3f}, not 0",
        "the normaliser is π1 ∫(0 to π0) c u dc + π0 ∫(π0 to 1) (1 - c) u dc, with which H is 0 at chance and 1 for a "
        "perfect classifier (proofs chance and perfect of symmetrics.curves.hmeasure_proofs)",
    )


def _limits_as_meant() -> Ruling:
    """For a symmetric Beta exchanging c and 1 - c exchanges both integrals, and π0 and π1 with them."""
    zero = 1 - S
    as_meant = zero * below_the_split(S, zero, 2, 2) + S * above_the_split(S, zero, 2, 2)
    return by_computation(
        cancel(as_meant - least_cost(zero, S, 2, 2)) == 0,
        "with u = 6c(1 - c), π0 ∫(0 to π1) c u dc + π1 ∫(π1 to 1) (1 - c) u dc is, as a polynomial in π1, the least "
        "loss at chance, so that H is 0 there",
    )


def _perfect(a: int, b: int) -> Ruling:
    value = printed_h_at_point(1, 0, Rational(1, 4), a, b)
    return by_computation(value == 1, f"∫Q u dc = 0 for a perfect classifier, so that H = 1 - 0 = {value}")


def _orientation() -> Ruling:
    loss, first, second = chance_in_numbers(4, 2)
    half = Rational(1, 2)
    value = printed_h_at_point(half, half, Rational(1, 4), 4, 2, limits="repaired")
    return erratum(
        "Q charges c for an error on class 1, the normaliser charges c for class 0.  π1 = 1/4, u = 20c³(1 - c): at "
        f"chance the least loss is ∫ min(c/4, 3(1 - c)/4) u dc = {six_digits(loss)}, the normaliser "
        f"3/4 ∫(0 to 1/4) c u dc + 1/4 ∫(1/4 to 1) (1 - c) u dc = {six_digits(first)} + {six_digits(second)} = "
        f"{six_digits(first + second)}; 1 - {six_digits(loss)}/{six_digits(first + second)} = {value} = "
        f"{float(value):.3f}, not 0",
        f"π1 ∫(0 to π0) c u dc + π0 ∫(π0 to 1) (1 - c) u dc = {six_digits(loss)} here, so H = 0 (proofs chance and "
        "repaired of symmetrics.curves.hmeasure_proofs); the printed exchange does no harm for a symmetric Beta alone",
        value == 1 - loss / (first + second) != 0,
        h_proof("repaired", 4, 2).holds,
        h_proof("chance", 4, 2).holds,
    )


def _unit_of_cost(unit: Integer) -> Ruling:
    """Judge whether the loss at chance, b times the least loss, is the normaliser, which has no b."""
    loss, _, _ = chance_in_numbers(2, 2)
    return by_computation(
        unit * loss == loss,
        f"at chance ∫Q u dc = b·{six_digits(loss)} with π1 = 1/4 and u = 6c(1 - c), and the normaliser with H = 0 "
        f"there has no b: b = {unit} gives H = 1 - {unit} = {1 - unit}",
        "with b in the denominator as well, or b = 1",
    )


def _loss() -> Ruling:
    """Of n1 examples of class 1 and n0 of class 0, some are missed and some false alarms."""
    missed, found, alarms, quiet, cost, other = over = symbols("missed found alarms quiet c1 c0", real=True)
    n1, n0 = missed + found, alarms + quiet
    total, unit, c = n1 + n0, cost + other, cost / (cost + other)
    q = (c * n1 / total * (1 - found / n1) + (1 - c) * n0 / total * (alarms / n0)) * unit
    return equal(
        q,
        (cost * missed + other * alarms) / total,
        over=over,
        note="the loss per example, if class 1 is what scores at most t: F1 = found/n1, F0 = alarms/n0, π1 = n1/n; the "
        "paper does not say on which side of t class 1 is called",
    )


def claims() -> Iterator[PaperClaim]:
    """Yield the claims, in the paper's order."""
    yield from _h_measure()
