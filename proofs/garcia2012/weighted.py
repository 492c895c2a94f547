"""Section 2 of García, Sánchez & Mollineda (2012): the weighted AUC."""

from __future__ import annotations

from collections.abc import Iterator

from sympy import Integer, Rational, S, denom, roots

import symmetrics as sm
from symmetrics.curves.weighted import RHO, weight_sum
from symmetrics.language.cells import CELLS, parameter_symbol
from symmetrics.papers.claims import PaperClaim, Ruling, by_computation, equal, identity, with_reading

from .formulas import AUC, BOTTOM, METRICS, SHARE, TOP, statement


def _weighted_auc() -> Iterator[PaperClaim]:
    section = "section 2, equation (1)"
    yield statement(
        "wauc_prefers_the_top",
        "section 2, weighted AUC",
        "words",
        "areas near the top of the ROC plane get more weight",
        _weights_rise,
    )
    yield from with_reading(
        statement("equation_1_areas", section, "number", "w(x), x = 0, ..., n, is given for n areas to sum", _areas),
        "the areas are counted from 0 to n, n + 1 of them",
        lambda: by_computation(_indices(1) == [0, 1], "x = 0, ..., n are n + 1 values: 0 and 1 for two areas"),
    )
    yield from with_reading(
        statement(
            "equation_1_moves_weight",
            section,
            "words",
            "the recursion with w(0) = rho moves weight from lower to higher areas",
            _weight_is_moved,
        ),
        "higher areas weigh more than lower ones, whatever the weights add up to",
        _weights_rise,
    )
    yield from with_reading(
        statement(
            "equation_1_rho_one", section, "words", "the weights are given for every rho in [0, 1]", _weights_at_one
        ),
        "for every rho in [0, 1)",
        _weights_below_one,
    )
    yield statement(
        "equation_1_rho_zero",
        section,
        "special case",
        "with w(0) = rho, rho = 0 gives the conventional AUC",
        _rho_zero,
    )
    yield statement(
        "equation_1_share",
        section,
        "words",
        "rho is the share of its weight that an area passes on to the next",
        _share_passed_on,
    )
    section = "section 2, weighted AUC"
    yield from with_reading(
        statement(
            "wauc_bottom",
            section,
            "words",
            "w(i) is the weight of the bottom area",
            lambda: by_computation(
                len(_indices(1)) == 1,
                "two areas (n = 1): i is 0 and 1, and one area alone is at the bottom; the other one is above it",
                "w(i) is the weight of area i, counted from the bottom",
            ),
        ),
        "w(i) is the weight of the i-th area, counted from the bottom",
        lambda: by_computation(
            len(_indices(1)) == len((BOTTOM, TOP)),
            "two areas at one operating point, the strips below and above it, and two weights, w(0) and w(1)",
        ),
    )
    yield statement(
        "wauc_areas",
        section,
        "equation",
        "the areas, each with the weight 1, add up to the AUC; at one operating point these are two strips",
        lambda: equal(BOTTOM + TOP, AUC),
    )


def _printed_weights(rho: Rational) -> tuple[Rational, Rational]:
    """Return both weights of equation (1) for two areas, x = 0 and x = n = 1."""
    return rho, (rho * rho + 1 - rho) / (1 - rho)


def _indices(last: int) -> list[int]:
    """Return the x that equation (1) has a case for, up to x = n."""
    return list(range(last + 1))


def _areas() -> Ruling:
    found = [len(_indices(last)) for last in (1, 2, 3)]
    return by_computation(
        found == [1, 2, 3],
        f"x = 0, 0 < x < n and x = n, and the sum over i = 0, ..., n: n = 1, 2, 3 give {found} weights, n + 1 of them",
        "n + 1 areas, or x from 1 on",
    )


def _weight_is_moved() -> Ruling:
    """What is moved is conserved: judge that the weights of two areas add up to two."""
    rho = Rational(1, 10)
    weights = _printed_weights(rho)
    total = sum(weights, S.Zero)
    right = weight_sum()
    evidence = (
        f"what is moved away from one area comes to another, so that the weights add up to the number of areas; two "
        f"areas (n = 1), rho = 0.1: w(0) = 0.1 and w(1) = (0.1*0.1 + 0.9)/0.9 = {weights[1]}, together {total} = "
        f"{float(total):.4f} and not 2"
    )
    correction = (
        "w(0) = 1 - rho: then 0.9 + (0.9*0.1 + 0.9)/0.9 = 0.9 + 1.1 = 2, and for every rho < 1 and any number of areas "
        "the weights add up to that number (proved by induction); with w(0) = rho the sum differs from it by "
        f"{weight_sum(RHO).excess}"
    )
    if not right.conserved:
        return Ruling("open", evidence)
    return by_computation(total == 2, evidence, correction)


def _share_passed_on() -> Ruling:
    """The bottom area receives nothing, so that of its weight 1 it passes on what w(0) leaves."""
    rho = Rational(1, 10)
    kept = _printed_weights(rho)[0]
    return by_computation(
        1 - kept == rho,
        f"the bottom area has the weight 1 before and w(0) = rho after: it passes on 1 - rho, {1 - kept} for rho = 0.1",
        "w(0) = 1 - rho, as in garcia2012.equation_1_rho_zero: then the bottom area passes on rho",
    )


def _weights_rise() -> Ruling:
    weight = weight_sum(RHO).weight  # of every area but the last, proved by induction
    (below,) = weight.free_symbols - {RHO}
    number, rho = sm.Parameter("x", 0), parameter_symbol("rho")
    weight = weight.xreplace({below: number.symbol, RHO: rho})
    rise = weight.xreplace({number.symbol: number.symbol + 1}) - weight
    proof = identity(rise, (1 - rho) ** 2 * rho**number.symbol, number, over=(rho,))
    evidence = (
        "w(x) = 1 - (1 - rho)*rho^x below the last area, so that w(x + 1) - w(x) = (1 - rho)^2*rho^x >= 0; and the "
        "last weight is the next of these, divided by 1 - rho <= 1"
    )
    return by_computation(proof.status == "proved", evidence)


def _weights_at_one() -> Ruling:
    rho = parameter_symbol("rho")
    last = _printed_weights(rho)[1]
    value = last.subs(rho, S.One)
    return by_computation(
        bool(value.is_finite),
        "two areas (n = 1), rho = 1: w(1) = (w(0)*1 + (1 - 1))/(1 - 1) = 1/0, because w(0) = rho = 1",
        "0 <= rho < 1; or w(0) = 1 - rho, with which the division can be carried out: the last weight is "
        "1 + rho + ... + rho^n for n + 1 areas",
    )


def _weights_below_one() -> Ruling:
    """Every weight but the last is a polynomial in rho; the last one is one divided by 1 - rho."""
    rho = parameter_symbol("rho")
    below = denom(_printed_weights(rho)[1])
    return by_computation(
        roots(below, rho) == {S.One: 1}, f"the one denominator is {below}, which is 0 at rho = 1 alone"
    )


def _rho_zero() -> Ruling:
    first, last = _printed_weights(S.Zero)
    printed = first * BOTTOM + last * TOP
    right = METRICS["wauc"].expr.xreplace({SHARE.symbol: S.Zero})
    proof = identity(right, AUC)
    table = dict(zip(CELLS, map(Integer, (1, 0, 0, 1)), strict=True))
    evidence = (
        "rho = 0 gives w(0) = 0 and w(1) = 1, the lower area is lost: a classifier without error (TPr = TNr = 1) has "
        f"the areas 1 and 0, so wAUC = 0*1 + 1*0 = {printed.xreplace(table)}, and AUC = (1 + 1)/2 = "
        f"{AUC.xreplace(table)}"
    )
    if proof.status != "proved":
        return Ruling("open", evidence)
    return by_computation(
        identity(printed, AUC).status == "proved",
        evidence,
        "w(0) = 1 - rho: then wAUC = (1 - rho)*A0 + (1 + rho)*A1 at one operating point, which is (TPr + TNr)/2 at "
        f"rho = 0 ({proof.evidence.sentence})",
    )


def claims() -> Iterator[PaperClaim]:
    """Yield the claims, in the paper's order."""
    yield from _weighted_auc()
