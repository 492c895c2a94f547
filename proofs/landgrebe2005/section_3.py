"""Section 3 of Landgrebe and others (2005): the numbers of the linear classifier."""

from __future__ import annotations

from collections.abc import Iterator

from sympy import Rational

from symmetrics.papers.claims import PaperClaim, Ruling, by_computation, by_number, identity, rounds_from, with_reading

from .shared import (
    LINEAR_AT_HALF,
    POSFRAC,
    PURITY,
    TARGET_PRIOR,
    TPR,
    false_positive_rate,
    number,
    posfrac_of,
    statement,
)

# -- section 3: the numbers --------------------------------------------------------------------------------------------


def _section_3() -> Iterator[PaperClaim]:
    place = "section 3, the linear classifier at TPr = 80 %"
    yield statement(
        "section_3_posfrac_tenth",
        place,
        "number",
        "at P(C_t) = 0.1 POSfrac is just under 30 %",
        lambda: by_computation(
            number("Highleyman", "0.1", "LDC") < 30, f"table 2: {number('Highleyman', '0.1', 'LDC').n(4)} %"
        ),
    )
    yield statement(
        "section_3_prior_of_figure_1",
        "figures 1 and 3",
        "number",
        "the prior 1/10 of figure 1 is the P(C_t) = 0.1 of figure 3",
        lambda: by_number(Rational(1, 10), "0.1", "1/10"),
    )
    yield statement(
        "section_3_posfrac_balanced",
        place,
        "number",
        "POSfrac is 54.9 % at P(C_t) = 0.5 and 24.8 % at P(C_t) = 0.01",
        _posfrac_balanced,
    )
    yield statement(
        "section_3_purity_balanced",
        place,
        "number",
        "at P(C_t) = 0.5 POSfrac is 54.9 % and Purity 77.9 %",
        _purity_balanced,
    )
    yield statement(
        "section_3_posfrac_hundredth",
        place,
        "number",
        "at P(C_t) = 0.01 POSfrac is 24.8 %",
        lambda: by_number(
            posfrac_of(false_positive_rate(LINEAR_AT_HALF, "0.5"), "0.01"),
            "24.8",
            "from the 52.14 % of table 2 at 0.5: FPr = 2*52.14 - 80 = 24.28, 0.01*80 + 0.99*24.28",
        ),
    )
    yield statement(
        "section_3_one_in_hundred",
        place,
        "number",
        "P(C_t) = 0.01 is one target in 100 examples",
        lambda: by_number(Rational(1, 100), "0.01", "1/100"),
    )
    yield from with_reading(
        statement(
            "section_3_orders_of_magnitude",
            place,
            "number",
            "from 0.5 to 0.01 the prior drops by two orders of magnitude",
            lambda: by_computation(
                Rational("0.5") / Rational("0.01") == 10**2,
                "0.5/0.01 = 50, and two orders are 100",
                "by a factor of 50",
            ),
        ),
        "rounded to whole orders",
        lambda: by_computation(50**2 > 10**3, "50^2 = 2500 > 10^3, so that log10(50) = 1.7 > 1.5"),
    )


# -- figures 1 and 4, and the Bayes error ------------------------------------------------------------------------------


def _posfrac_balanced() -> Ruling:
    low, high = (posfrac_of(false_positive_rate(end, "0.5"), "0.01") for end in rounds_from("54.9"))
    ours = posfrac_of(false_positive_rate(Rational("54.9"), "0.5"), "0.01")
    back = posfrac_of(false_positive_rate(Rational("24.8"), "0.01"), "0.5")
    printed = rounds_from("24.8")
    evidence = (
        f"by equation (5) 54.9 = 0.5*80 + 0.5*FPr gives FPr = 29.8, and 0.01*80 + 0.99*29.8 = {ours.n(4)}, not 24.8 "
        f"(rounding allows {low.n(4)} to {high.n(4)}); the same FPr gives 0.1*80 + 0.9*29.8 = 34.8 at 0.1, not under 30"
    )
    correction = (
        f"{back.n(3)} % at 0.5, which goes with 24.8 % at 0.01: FPr = (24.8 - 0.8)/0.99 = 24.24 and 0.5*80 + 0.5*24.24 "
        f"= {back.n(4)}; table 2 prints {LINEAR_AT_HALF.n(4)} for the same (equation (5) is proved: "
        "landgrebe2005.equation_5)"
    )
    return by_computation(bool(low <= printed[1] and high >= printed[0]), evidence, correction)


def _purity_balanced() -> Ruling:
    """A mean of 1/X over folds is at most (1 + variance/(mean*least))/mean, and no POSfrac is below 0.4.

    The variance is the largest that table 2 leaves room for: its deviation read as a standard error of 30 folds.
    """
    proof = identity(PURITY, TARGET_PRIOR * TPR / POSFRAC)
    low, high = (100 * 40 / end for end in reversed(rounds_from("54.9")))
    spread = 1 + 30 * Rational("0.01235") ** 2 / (Rational("0.5485") * Rational("0.4"))
    from_table = 100 * 40 / LINEAR_AT_HALF
    evidence = (
        f"Purity = P(C_t)*TPr/POSfrac = 0.5*0.8/0.549 = {Rational(40000, 549).n(4)} %, not 77.9 (rounding allows "
        f"{low.n(4)} to {high.n(4)}; as a mean over 30 folds, with the 1.23 of table 2 as a standard error, it is at "
        f"most {(high * spread).n(3)}); nor with the {LINEAR_AT_HALF.n(4)} % of table 2: 0.4/0.5214 = "
        f"{from_table.n(4)} %"
    )
    correction = (
        f"72.9 % with 54.9 %, {from_table.n(3)} % with 52.14 %; 77.9 % would need POSfrac = 0.4/0.779 = "
        f"{(100 * 40 / Rational('77.9')).n(3)} % (Purity = P(C_t)*TPr/POSfrac is proved: {proof.evidence.sentence})"
    )
    if proof.status != "proved":
        return Ruling("open", evidence)
    printed = rounds_from("77.9")
    return by_computation(bool(low <= printed[1] and high * spread >= printed[0]), evidence, correction)


def claims() -> Iterator[PaperClaim]:
    """Yield the claims, in the paper's order."""
    yield from _section_3()
