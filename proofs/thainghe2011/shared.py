"""What the claims of Thai-Nghe, Gantner & Schmidt-Thieme (2011) share: how one is made, signs of tests, and table V."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from sympy import Expr, Integer, Rational, symbols

from symmetrics.claims.verdict import Verdict
from symmetrics.curves.hmeasure_proofs import Step, above_the_split, below_the_split, beta_density, least_cost
from symmetrics.papers.claims import Kind, PaperClaim, Ruling, by_computation
from symmetrics.papers.thainghe2011.figures import PrintedSet

PAPER: Final = "thainghe2011"

TABLE_5: Final = {
    "appetency": ("87904", "15000", "1.6GB", "1.78", "0.026", "0.007", "0.001", "0.031"),
    "churn": ("87904", "15000", "1.6GB", "7.34", "0.023", "0.005", "0.001", "0.030"),
    "nf-005p": ("480189", "17770", "2.6GB", "0.05", "0.005", "0.003", "0.001", "0.002"),
    "nf-05p": ("480189", "17770", "2.6GB", "0.50", "0.022", "0.003", "0.001", "0.005"),
    "nf-1p": ("480189", "17770", "2.6GB", "1.00", "0.039", "0.002", "0.001", "0.081"),
    "nf-5p": ("480189", "17770", "2.6GB", "5.00", "0.126", "0.005", "0.001", "0.166"),
    "nf-10p": ("480189", "17770", "2.6GB", "10.0", "0.226", "0.010", "0.003", "0.329"),
}
"""Table V: examples, features, size, % minority, B42 of the original data and its ±, of RUS-balance, of weighting."""

HALF_DIGIT: Final = Rational(1, 2000)
"""Half of the last digit of table I."""
CRITICAL: Final = (Rational(27764, 10000), Rational(27765, 10000))
"""Between these lies the t of 4 degrees of freedom at the two-sided level 0.05, 2.77645."""
C, S, D = symbols("c s d", positive=True)


def statement(key: str, place: str, kind: Kind, printed_as: str, judge: Callable[[], Ruling]) -> PaperClaim:
    return PaperClaim(f"{PAPER}.{key}", place, kind, printed_as, judge)


def six_digits(value: Expr) -> str:
    return f"{float(value):.6f}"


def erratum(evidence: str, corrected: str, refutes: bool, *proofs: bool) -> Ruling:
    """Return a refutation if the computation refutes the print and all proofs of the correction stand."""
    if not refutes:
        return Ruling("open", f"the computation does not refute it: {evidence}")
    return by_computation(False, evidence, corrected) if all(proofs) else Ruling("open", evidence)


def all_proved(*verdicts: Verdict) -> bool:
    return all(verdict.status == "proved" for verdict in verdicts)


def chance_in_numbers(a: int, b: int) -> tuple[Expr, Expr, Expr]:
    """Return the least loss at chance with π1 = 1/4, and the two integrals of the printed normaliser up to 1."""
    one, zero = Rational(1, 4), Rational(3, 4)
    first, second = zero * below_the_split(one, zero, a, b), one * above_the_split(one, zero, a, b)
    return least_cost(zero, one, a, b), first, second


def symmetry_ruling(a: int, b: int, *, symmetric: bool) -> Ruling:
    u = beta_density(C, a, b)
    is_symmetric = Step("u(c) = u(1 - c)", u, "=", u.subs(C, 1 - C)).holds
    quarter = Rational(1, 4)
    return by_computation(
        is_symmetric == symmetric,
        f"u = {u}: u(1/4) = {u.subs(C, quarter)} and u(3/4) = {u.subs(C, 1 - quarter)}, and u(c) - u(1 - c) is "
        f"{'' if is_symmetric else 'not '}zero as a polynomial",
    )


def printed_pair(row: PrintedSet, measure: str) -> str:
    svm, lr = ("±".join(row.values[measure, classifier]) for classifier in ("svm", "lr"))
    return f"SVM {svm}, LR {lr}"


def sign_ruling(difference: Rational, deviations: tuple[Rational, Rational], outcome: str) -> Ruling:
    """Judge a sign by bounds of t that hold for any correlation of the folds and any reading of ±.

    The deviation of the differences lies between the difference and the sum of the two deviations.  The least t comes
    out if ± is a standard error, the greatest if it is a standard deviation with n - 1; means and deviations may be off
    by half of their last digit each.
    """
    gain, (svm, lr) = abs(difference), deviations
    least = max(gain - 2 * HALF_DIGIT, Integer(0)) / (svm + lr + 2 * HALF_DIGIT)
    narrow = abs(svm - lr) - 2 * HALF_DIGIT
    if outcome == "tie":
        return _tie(gain, svm + lr, least)
    agrees = (difference > 0) == (outcome == "win")
    if not agrees:
        return by_computation(False, f"the difference is {float(difference):.3f}, of the other sign")
    if narrow <= 0 or (gain + 2 * HALF_DIGIT) ** 2 * 5 >= CRITICAL[0] ** 2 * narrow**2:
        return by_computation(True, "the difference has that sign, and the deviations leave room for a t above 2.776")
    bound = float(gain + 2 * HALF_DIGIT) * 5**0.5 / float(narrow)
    return by_computation(
        False,
        f"the difference is at most {float(gain):.3f} + 0.001, the deviation of the 5 differences at least "
        f"|{float(svm):.3f} - {float(lr):.3f}| - 0.001 = {float(narrow):.3f}, whatever their correlation: "
        f"t ≤ sqrt(5)·{float(gain + 2 * HALF_DIGIT):.3f}/{float(narrow):.3f} = {bound:.2f}, below the critical 2.776 "
        "(4 degrees of freedom; 2.132 one-sided), and lower still if ± is a standard error",
        "no significant difference by the printed numbers (|sd X - sd Y| ≤ sd(X - Y), the triangle inequality)",
    )


def _tie(gain: Rational, both: Rational, least: Rational) -> Ruling:
    if least <= CRITICAL[1]:
        return by_computation(True, "the deviations leave room for a t below 2.776, if ± is a standard error")
    return by_computation(
        False,
        f"the difference is at least {float(gain):.3f} - 0.001, its standard error at most {float(both):.3f} + 0.001, "
        f"even if ± is a standard error and not a deviation: t ≥ {float(gain - 2 * HALF_DIGIT):.3f}/"
        f"{float(both + 2 * HALF_DIGIT):.3f} = {float(least):.2f}, above the critical 2.776 (4 degrees of freedom)",
        "a significant difference by the printed numbers (sd(X - Y) ≤ sd X + sd Y, the triangle inequality)",
    )


def of_group(number: int, values: Sequence[str]) -> Sequence[str]:
    return values[12 * number : 12 * (number + 1)]
