"""The claims of Thai-Nghe, Gantner & Schmidt-Thieme (2011), judged one by one, in the paper's order.

Run it: ``python proofs/thainghe2011.py``.  It prints every claim with its ruling and exits with 1 if one comes out
otherwise than recorded here.

N. Thai-Nghe, Z. Gantner, L. Schmidt-Thieme: A new evaluation measure for learning from imbalanced data.  International
Joint Conference on Neural Networks, IJCNN 2011.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Final

from sympy import (
    Expr,
    Integer,
    Matrix,
    Rational,
    cancel,
    diff,
    expand_power_base,
    factor,
    floor,
    gamma,
    integrate,
    powsimp,
    symbols,
)

import symmetrics as sm
from symmetrics import FN, FP, TN, TP
from symmetrics.claims.verdict import Verdict
from symmetrics.curves.hmeasure_proofs import Step, h_proof
from symmetrics.curves.hmeasure_symbolic import (
    above_the_split,
    below_the_split,
    beta_density,
    h_at_point,
    least_cost,
    printed_h_at_point,
)
from symmetrics.language.cells import N, P, n
from symmetrics.papers.claims import (
    CONSTANT,
    NO_SENTENCE,
    Kind,
    Outcome,
    PaperClaim,
    Ruling,
    Trial,
    at_least,
    by_computation,
    by_number,
    equal,
    identity,
    inequality,
    rounds_from,
    run_alone,
    unreadable,
    with_reading,
)
from symmetrics.papers.significance import Agreement, agreement, win_tie_lose
from symmetrics.papers.thainghe2011.printed import MEASURES, PrintedSet, printed, printed_outcomes, printed_sets

PAPER: Final = "thainghe2011"
TITLE: Final = (
    "Thai-Nghe, Gantner & Schmidt-Thieme (2011), A new evaluation measure for learning from imbalanced data, IJCNN 2011"
)
REFUTED: Final = (
    "abstract_36_imbalanced",
    "equation_1_orientation",
    "hyperplane_direction",
    "table_1_average_h_lr",
    "table_1_sign_b42_nf_1p",
    "table_1_sign_b42_w1a",
    "table_1_sign_h_nf_1p",
    "one_reading_of_deviations",
    "table_5_deviation_nf_05p",
    "table_5_sign_rus_churn",
    "table_5_sign_weighting_nf_05p",
)
ONLY_AS_READ: Final = (
    "equation_1_limits",
    "equation_1_unit_of_cost",
    "mode_of_beta",
    "b42_more_weight_than_auc",
    "netflix_features",
    "table_2_limits",
    "undersampling_degrades",
    "weighting_works",
    "b42_grows_original",
    "b42_grows_weighting",
    "reversed_for_imbalanced",
)
OPEN: Final = ("larger_alpha_relative",)
UNREADABLE: Final = ("figure_3", "figure_5")
_OUTCOMES: Final[tuple[tuple[Outcome, tuple[str, ...]], ...]] = (
    ("refuted", REFUTED),
    ("holds only as", ONLY_AS_READ),
    ("open", OPEN),
    ("unreadable", UNREADABLE),
)
RECORDED: Final = {f"{PAPER}.{key}": outcome for outcome, keys in _OUTCOMES for key in keys}
"""What does not hold, or not as it is printed, or cannot be read."""
ANEW: Final = {
    "equation_1_limits": "refuted",
    "equation_1_unit_of_cost": "holds",
    "mode_of_beta": "refuted",
    "netflix_features": "refuted",
    "table_2_limits": "refuted",
    "undersampling_degrades": "holds",
    "weighting_works": "holds",
    "b42_grows_original": "holds",
    "b42_grows_weighting": "holds",
    "reversed_for_imbalanced": "holds",
    "one_reading_of_deviations": "refuted",
}
"""What was ruled otherwise before, or is no erratum any more, because no sentence says so."""


def _uncounted() -> dict[str, str]:
    """Return what is judged and not counted."""
    fixed = {
        "recall_of_all_majority": "the same sentence as accuracy_of_all_majority",
        "incomplete_beta": "both sides are one integral once they are read",
        "density_two_forms": "beta_by_gamma, turned over",
        "density_normalised_*": "a density is normalised by its definition",
        "table_1_rows": CONSTANT,
        "three_groups": CONSTANT,
        "table_5_rows": CONSTANT,
        "table_5_size_*": "the same number, printed twice",
        "netflix_data_sets": CONSTANT,
        "netflix_examples": "the same number, printed twice",
        "b42_of_*": "repeats a cell of table V",
        "meaning_of_1_8_3": "repeats a cell of table II",
        "auc_never_loses": "repeats cells of table II",
        "table_1_range_*": NO_SENTENCE,
        "table_2_group_*_sum": NO_SENTENCE,
        "table_3_sum": NO_SENTENCE,
        "table_4_sum": NO_SENTENCE,
        "minority_is_smaller": "a definition beside itself",
        "one_reading_of_deviations": "two signs held against each other, which no sentence does",
    }
    vacuous = (*_undecided_signs(), *_undecided_of_table_5())
    return fixed | dict.fromkeys(vacuous, "passes with the sign and without it")


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
TABLE_1_SIZES: Final = {name: "1.6 GB" if name in ("appetency", "churn") else "2.6 GB" for name in TABLE_5}
NETFLIX: Final = {"customers": 480_189, "movies": 17_770}
HALF_DIGIT: Final = Rational(1, 2000)
"""Half of the last digit of table I."""
CRITICAL: Final = (Rational(27764, 10000), Rational(27765, 10000))
"""Between these lies the t of 4 degrees of freedom at the two-sided level 0.05, 2.77645."""
C, S, D = symbols("c s d", positive=True)


def trial() -> Trial:
    """Return all claims, in the paper's order."""
    sections = (_introduction, _h_measure, _beta_distributions, _weighting, _table_1, _data_sets, _table_2, _agreement)
    claims = itertools.chain.from_iterable(of() for of in (*sections, _table_5, _conclusion))
    return Trial(PAPER, TITLE, tuple(claims), _uncounted(), ANEW)


def _claim(key: str, place: str, kind: Kind, printed_as: str, judge: Callable[[], Ruling]) -> PaperClaim:
    return PaperClaim(f"{PAPER}.{key}", place, kind, printed_as, judge)


def _shown(value: Expr) -> str:
    return f"{float(value):.6f}"


def _erratum(evidence: str, corrected: str, refutes: bool, *proofs: bool) -> Ruling:
    """Return a refutation if the computation refutes the print and all proofs of the correction stand."""
    if not refutes:
        return Ruling("open", f"the computation does not refute it: {evidence}")
    return by_computation(False, evidence, corrected) if all(proofs) else Ruling("open", evidence)


def _proved(*verdicts: Verdict) -> bool:
    return all(verdict.status == "proved" for verdict in verdicts)


# -- abstract and section I --------------------------------------------------------------------------------------------


def _introduction() -> Iterator[PaperClaim]:
    yield _claim(
        "abstract_36_imbalanced", "abstract", "words", "the experiments are on 36 imbalanced data sets", _imbalanced
    )
    everything = (0, 1, 0, 999)
    yield _claim(
        "accuracy_of_all_majority",
        "section I",
        "number",
        "999 legitimate transactions, 1 fraud: calling all of them legitimate has an accuracy of 99.9 %",
        lambda: by_number(100 * sm.metrics["accuracy"].exact(*everything), "99.9", "100*999/(999 + 1)"),
    )
    yield _claim(
        "recall_of_all_majority",
        "section I",
        "words",
        "that classifier misses the fraud",
        lambda: by_number(sm.metrics["recall"].exact(*everything), "0", "recall 0/(0 + 1)"),
    )
    yield _claim(
        "auc_as_average_loss",
        "section I",
        "equation",
        "AUC averages the misclassification loss over a distribution of cost ratios that depends on the scores",
        _average_loss,
    )
    yield _claim(
        "auc_costs_differ",
        "section I",
        "words",
        "so AUC weighs costs differently for different classifiers",
        _costs_of_two_classifiers,
    )


def _imbalanced() -> Ruling:
    last = [row.percent_minority for row in printed_sets()[-5:]]
    return _erratum(
        f"table I has {len(printed_sets())} rows, and section IV.B says that the last five ({', '.join(last)} % "
        "minority) are not imbalanced: 36 - 5 = 31",
        "36 data sets, 31 of them imbalanced",
        all(Rational(share) >= 47 for share in last) and len(printed_sets()) == 36,
    )


def _average_loss() -> Ruling:
    """One operating point: cost c = FP/(TP + FP) weighs (TP + FP)/n and c = TN/(TN + FN) weighs (TN + FN)/n."""
    first, second = FP / (TP + FP), TN / (TN + FN)
    average = sum(weight * (c * FN + (1 - c) * FP) for weight, c in (((TP + FP), first), ((TN + FN), second))) / n**2
    return equal(
        average,
        2 * P * N * (1 - sm.metrics["auc_single"].expr) / n**2,
        note="for one operating point, whose costs are FP/(TP + FP), weighing (TP + FP)/n, and TN/(TN + FN), weighing "
        "(TN + FN)/n: the average of the least loss is 2·π0·π1·(1 - AUC)",
    )


def _costs_of_two_classifiers() -> Ruling:
    tables = ((8, 2, 2, 8), (8, 2, 4, 6))
    found = [(1 - sm.metrics["precision"].exact(*table), table) for table in tables]
    return by_computation(
        found[0][0] != found[1][0],
        "one of the two costs that AUC weighs is FP/(TP + FP): "
        + " and ".join(f"{cost} at TP, FN, FP, TN = {table}" for cost, table in found),
    )


# -- section II.A ------------------------------------------------------------------------------------------------------


def _h_measure() -> Iterator[PaperClaim]:
    equation = "H = 1 - ∫Q u dc / (π0 ∫(0 to π1) c u dc + π1 ∫(π1 to π1) (1 - c) u dc)"
    place = "section II.A, equation (1)"
    yield from with_reading(
        _claim("equation_1_limits", place, "equation", f"{equation}, 0 for a classifier by chance", _limits),
        "the second integral goes from π1 to 1, and u is symmetric, as in H",
        _limits_as_meant,
    )
    yield _claim(
        "equation_1_perfect", place, "special case", f"{equation}, 1 for a perfect classifier", lambda: _perfect(2, 2)
    )
    yield _claim(
        "equation_1_orientation",
        place,
        "equation",
        "with π1 ∫(π1 to 1) (1 - c) u dc in it, where c = c1/(c0 + c1), 0 for a classifier by chance under B42",
        _orientation,
    )
    yield from with_reading(
        _claim(
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
    yield _claim(
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
    yield _claim("q_is_the_loss", "section II.A, Q(t; b, c)", "equation", "Q is the loss at the threshold t", _loss)
    yield _claim(
        "symmetric_beta",
        "section II.A, u",
        "words",
        "the Beta distribution of H is symmetric",
        lambda: _symmetry(2, 2, symmetric=True),
    )


def _chance_in_numbers(a: int, b: int) -> tuple[Expr, Expr, Expr]:
    """Return the least loss at chance with π1 = 1/4, and the two integrals of the printed normaliser up to 1."""
    one, zero = Rational(1, 4), Rational(3, 4)
    first, second = zero * below_the_split(one, zero, a, b), one * above_the_split(one, zero, a, b)
    return least_cost(zero, one, a, b), first, second


def _limits() -> Ruling:
    """Judge H of a classifier by chance: TPr = FPr = 1/2."""
    loss, first, _ = _chance_in_numbers(2, 2)
    half = Rational(1, 2)
    value = printed_h_at_point(half, half, Rational(1, 4), 2, 2)
    return by_computation(
        value == 0,
        "the second integral has equal limits, so it is 0.  π1 = 1/4, π0 = 3/4, u = 6c(1 - c): at chance the least "
        f"loss is ∫ min(c/4, 3(1 - c)/4) u dc = {_shown(loss)}, and π0 ∫(0 to 1/4) c u dc = {_shown(first)}; "
        f"1 - {_shown(loss)}/{_shown(first)} = {value} = {float(value):.3f}, not 0",
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
    loss, first, second = _chance_in_numbers(4, 2)
    half = Rational(1, 2)
    value = printed_h_at_point(half, half, Rational(1, 4), 4, 2, limits="repaired")
    return _erratum(
        "Q charges c for an error on class 1, the normaliser charges c for class 0.  π1 = 1/4, u = 20c³(1 - c): at "
        f"chance the least loss is ∫ min(c/4, 3(1 - c)/4) u dc = {_shown(loss)}, the normaliser "
        f"3/4 ∫(0 to 1/4) c u dc + 1/4 ∫(1/4 to 1) (1 - c) u dc = {_shown(first)} + {_shown(second)} = "
        f"{_shown(first + second)}; 1 - {_shown(loss)}/{_shown(first + second)} = {value} = {float(value):.3f}, not 0",
        f"π1 ∫(0 to π0) c u dc + π0 ∫(π0 to 1) (1 - c) u dc = {_shown(loss)} here, so H = 0 (proofs chance and "
        "repaired of symmetrics.curves.hmeasure_proofs); the printed exchange does no harm for a symmetric Beta alone",
        value == 1 - loss / (first + second) != 0,
        h_proof("repaired", 4, 2).holds,
        h_proof("chance", 4, 2).holds,
    )


def _unit_of_cost(unit: Integer) -> Ruling:
    """Judge whether the loss at chance, b times the least loss, is the normaliser, which has no b."""
    loss, _, _ = _chance_in_numbers(2, 2)
    return by_computation(
        unit * loss == loss,
        f"at chance ∫Q u dc = b·{_shown(loss)} with π1 = 1/4 and u = 6c(1 - c), and the normaliser with H = 0 there "
        f"has no b: b = {unit} gives H = 1 - {unit} = {1 - unit}",
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


def _symmetry(a: int, b: int, *, symmetric: bool) -> Ruling:
    u = beta_density(C, a, b)
    is_symmetric = Step("u(c) = u(1 - c)", u, "=", u.subs(C, 1 - C)).holds
    quarter = Rational(1, 4)
    return by_computation(
        is_symmetric == symmetric,
        f"u = {u}: u(1/4) = {u.subs(C, quarter)} and u(3/4) = {u.subs(C, 1 - quarter)}, and u(c) - u(1 - c) is "
        f"{'' if is_symmetric else 'not '}zero as a polynomial",
    )


# -- section II.B ------------------------------------------------------------------------------------------------------


def _beta_distributions() -> Iterator[PaperClaim]:
    place = "section II.B"
    yield _claim("b42_is_asymmetric", place, "words", "B42 is asymmetric", lambda: _symmetry(4, 2, symmetric=False))
    yield _claim("beta_by_gamma", place, "two forms", "∫(0 to 1) c^(α-1) (1-c)^(β-1) dc = Γ(α)Γ(β)/Γ(α+β)", _gamma_form)
    yield _claim(
        "incomplete_beta",
        place,
        "special case",
        "B(x; α, β) = ∫(0 to x) c^(α-1) (1-c)^(β-1) dc is B(1; α, β) at x = 1",
        _incomplete,
    )
    yield _claim(
        "density_two_forms",
        place,
        "two forms",
        "1/B(1; α, β)·x^(α-1)(1-x)^(β-1) = Γ(α+β)/(Γ(α)Γ(β))·x^(α-1)(1-x)^(β-1)",
        _gamma_form,
    )
    for a, b in ((2, 2), (4, 2), (6, 2), (8, 2)):
        yield _claim(
            f"density_normalised_{a}_{b}",
            place,
            "equation",
            f"f(x; {a}, {b}) is a probability density",
            partial(_density_is_normalised, a, b),
        )
    yield from with_reading(
        _claim("mode_of_beta", place, "equation", "a Beta distribution has its mode at (α-1)/(α+β-2)", _mode),
        "for α > 1 and β > 1, as all of those that the paper uses",
        _mode_above_one,
    )
    yield _claim(
        "mode_of_symmetric",
        place,
        "number",
        "the symmetric Beta places most probability at 0.5",
        lambda: by_number(Rational(2 - 1, 2 + 2 - 2), "0.5", "(2 - 1)/(2 + 2 - 2)"),
    )
    yield _claim(
        "cost_ratio_above_half",
        place,
        "inequality",
        "if c1 > c0, then c1/(c0 + c1) > 0.5",
        _cost_ratio_above_half,
    )
    yield _claim("b42_is_not_uniform", place, "words", "the distribution has to be, and B42 is, non-uniform", _uniform)
    yield from _b42()


def _cost_ratio_above_half() -> Ruling:
    c0, gap = over = symbols("c0 gap", real=True)
    c1 = c0 + gap
    return at_least(c1 / (c0 + c1), Rational(1, 2), strict=True, over=over, note="proved")


def _b42() -> Iterator[PaperClaim]:
    place = "section II.B"
    yield _claim(
        "mode_of_b42",
        place,
        "number",
        "B42 has its mode at 0.75",
        lambda: by_number(Rational(4 - 1, 4 + 2 - 2), "0.75", "(4 - 1)/(4 + 2 - 2)"),
    )
    yield _claim("b42_is_unimodal", place, "words", "B42 is unimodal", _unimodal)
    yield _claim("b42_weight", place, "words", "B42 places higher weight on the minority class", _weight)
    yield _claim("b42_errors", place, "inequality", "under B42 errors on the minority count more", _minority_errors)
    yield _claim("symmetric_errors", place, "equation", "under the symmetric Beta of H they count alike", _equal_errors)
    yield _claim("larger_alpha", place, "words", "with α = 6 or 8 instead of 4 values can be higher", _larger_alpha)
    yield _claim(
        "larger_alpha_relative",
        place,
        "words",
        "with α = 6 or 8 instead of 4 the relative values are not significantly different",
        _relative_values,
    )


def _gamma_form() -> Ruling:
    """Γ(α)Γ(β) is the integral of x^(α-1) y^(β-1) e^(-x-y); put x = u·v, y = u·(1 - v), and it falls apart."""
    alpha, beta, u, v, rest = symbols("alpha beta u v rest", positive=True)  # rest stands for 1 - v
    jacobian = abs(Matrix([[v, u], [1 - v, -u]]).det().expand())
    left = (u * v) ** (alpha - 1) * (u * rest) ** (beta - 1) * u
    right = u ** (alpha + beta - 1) * v ** (alpha - 1) * rest ** (beta - 1)
    return by_computation(
        jacobian == u and powsimp(expand_power_base(left / right)) == 1,
        "for all α, β > 0: in Γ(α)Γ(β) = ∫∫ x^(α-1) y^(β-1) e^(-x-y) dx dy put x = u·v, y = u·(1-v), dx dy = u du dv; "
        "the integrand is u^(α+β-1) e^(-u) · v^(α-1) (1-v)^(β-1) (compared with symbols as exponents), so that the "
        "integral is Γ(α+β)·B(α, β) (Fubini)",
    )


def _incomplete() -> Ruling:
    """Compare both for B42: the integrands are one, and so are the limits at x = 1."""
    incomplete = integrate(C**3 * (1 - C), (C, 0, S))
    whole = integrate(C**3 * (1 - C), (C, 0, 1))
    return by_computation(incomplete.subs(S, 1) == whole, f"the same integrand, with 1 for x; for B42 {whole}")


def _density_is_normalised(a: int, b: int) -> Ruling:
    density = gamma(a + b) / (gamma(a) * gamma(b)) * C ** (a - 1) * (1 - C) ** (b - 1)
    return by_computation(integrate(density, (C, 0, 1)) == 1, f"∫(0 to 1) {density} dc = 1")


def _mode() -> Ruling:
    a, b = Rational(1, 2), Integer(3)
    value = (a - 1) / (a + b - 2)
    return by_computation(
        bool(0 <= value <= 1),
        f"α = 1/2, β = 3: (1/2 - 1)/(1/2 + 3 - 2) = {value}, outside of [0, 1]; α = β = 1: 0/0; α = β = 1/2: 1/2, "
        "where the density 1/(π·sqrt(c(1-c))) is least: 0.637, but 1.061 at 0.1",
        "the condition α > 1, β > 1",
    )


def _mode_above_one() -> Ruling:
    first, second, c = over = symbols("alpha_less_1 beta_less_1 c", real=True)
    return equal(
        first * (1 - c) - second * c,
        (first + second) * (first / (first + second) - c),
        over=over,
        note="the slope of the density has the sign of (α-1)(1-c) - (β-1)c, which is (α+β-2)·((α-1)/(α+β-2) - c): "
        "positive before and negative after",
    )


def _uniform() -> Ruling:
    u = beta_density(C, 4, 2)
    first, second = u.subs(C, Rational(1, 2)), u.subs(C, Rational(3, 4))
    return by_computation(first != second, f"20c³(1-c) is {first} at 1/2 and {second} at 3/4")


def _unimodal() -> Ruling:
    slope = factor(diff(beta_density(C, 4, 2), C))
    return by_computation(
        slope == -20 * C**2 * (4 * C - 3),
        "the derivative of 20c³(1-c) is 20c²(3 - 4c): positive up to 3/4, negative after",
    )


def _weight() -> Ruling:
    u = beta_density(C, 4, 2)
    mean, above = integrate(C * u, (C, 0, 1)), integrate(u, (C, Rational(1, 2), 1))
    return by_computation(
        mean > Rational(1, 2) and above > Rational(1, 2),
        f"the mean of c = c1/(c0 + c1) is {mean}, and c is above 1/2 with probability {above}",
    )


def _minority_errors() -> Ruling:
    """A perfect classifier but for a share x of one class, at equal priors: only the group with both classes costs."""
    missed, alarms = least_cost(S + D, S, 4, 2), least_cost(S, S + D, 4, 2)
    half, tenth = Rational(1, 2), Rational(1, 10)
    values = [h_at_point(1, tenth, half, 4, 2), h_at_point(1 - tenth, 0, half, 4, 2)]
    return by_computation(
        Step("a missed share costs more", missed, ">", alarms).holds and values[0] > values[1],
        "at equal priors, a share x of class 1 missed gives a lower H than the same share of class 0 called class 1: "
        "with x = s/(s + d) the difference of the costs has positive coefficients alone; at x = 1/10 H is "
        f"{_shown(values[1])} and {_shown(values[0])}",
    )


def _equal_errors() -> Ruling:
    return by_computation(
        h_proof("exchange", 2, 2).holds,
        "H(TPr, FPr, π1; a, b) = H(1 - FPr, 1 - TPr, π0; b, a), proved (proof exchange of "
        "symmetrics.curves.hmeasure_proofs); with a = b and π0 = π1 the two kinds of errors can be exchanged",
    )


def _larger_alpha() -> Ruling:
    values = [h_at_point("9/10", "2/5", "1/4", a, 2) for a in (4, 6, 8)]
    shown = ", ".join(_shown(value) for value in values)
    return by_computation(
        values[0] < values[1] < values[2], f"TPr = 9/10, FPr = 2/5, π1 = 1/4: {shown} for α = 4, 6, 8"
    )


def _relative_values() -> Ruling:
    """Show two classifiers that B42 and Beta(8, 2) order differently; the data of the sentence are not there."""
    points = (("9/10", "1/2"), ("3/5", "1/5"))
    values = {a: [h_at_point(*point, "1/4", a, 2) for point in points] for a in (4, 6, 8)}
    shown = "; ".join(f"α = {a}: {_shown(first)} and {_shown(second)}" for a, (first, second) in values.items())
    turned = (values[4][0] - values[4][1]) * (values[8][0] - values[8][1]) < 0
    return Ruling(
        "open",
        "it is about differences on the paper's data, which are not at hand.  Of two classifiers with TPr, FPr = 9/10, "
        f"1/2 and 3/5, 1/5 the order {'is reversed' if turned else 'stays'} at π1 = 1/4 ({shown})",
    )


# -- section III -------------------------------------------------------------------------------------------------------


def _weighting() -> Iterator[PaperClaim]:
    yield _claim(
        "equation_2_equal_penalties",
        "section III, equation (2)",
        "special case",
        "with C+ = C- the weighted SVM is the usual one, C times the sum of all slacks",
        _equal_penalties,
    )
    yield _claim(
        "hyperplane_direction",
        "section III, after equation (2)",
        "words",
        "the hyperplane has to be pushed towards the positive examples, therefore C+ is greater than C-",
        _direction,
    )


def _equal_penalties() -> Ruling:
    """The sums of the slacks of the positive and of the negative examples, each times C+ = C-."""
    penalty, positive, negative = over = symbols("C slack_positive slack_negative", real=True)
    return equal(penalty * positive + penalty * negative, penalty * (positive + negative), over=over)


def _boundary(penalty: Rational, other: Rational, negatives: int) -> Rational:
    """Return where a linear SVM with a constant feature separates: one positive at 1, the negatives at -1.

    While all slacks are positive the objective a²/2 + b²/2 + C+(1 - a - b) + m·C-(1 - a + b) has the gradient
    (a - C+ - m·C-, b - C+ + m·C-), and it is convex: its zero is the minimum.
    """
    slope, constant = penalty + negatives * other, penalty - negatives * other
    if not (1 - slope - constant > 0 and 1 - slope + constant > 0):
        raise ValueError(f"the slacks are not all positive for C+ = {penalty}, C- = {other}")
    return -constant / slope


def _direction() -> Ruling:
    eighth = Rational(1, 8)
    before, after = _boundary(eighth, eighth, 3), _boundary(2 * eighth, eighth, 3)
    positive, negative, added = over = symbols("penalty penalty_of_negatives added", real=True)
    more = positive + added
    before_it, after_it = ((negative - sides) / (negative + sides) for sides in (positive, more))
    moves = inequality(before_it, after_it, strict=True, over=over)
    return _erratum(
        "one positive example at x = 1, three negatives at x = -1, a constant second feature: with all slacks positive "
        "w = (C+ + 3C-, C+ - 3C-), and the boundary is at (3C- - C+)/(3C- + C+).  C+ = C- = 1/8: "
        f"w = (1/2, -1/4), boundary {before}; C+ = 1/4: w = (5/8, -1/8), boundary {after}: a greater C+ moves it away "
        "from the positive example",
        "away from the positive examples: (m·C- - C+)/(m·C- + C+) falls strictly in C+, for m negatives (proved as an "
        "inequality)",
        before == Rational(1, 2) and after == Rational(1, 5),
        _proved(moves),
    )


# -- table I -----------------------------------------------------------------------------------------------------------


def _table_1() -> Iterator[PaperClaim]:
    yield _claim(
        "table_1_rows",
        "table I",
        "number",
        "36 data sets",
        lambda: by_number(Integer(len(printed_sets())), "36", "rows"),
    )
    for measure in MEASURES:
        yield _claim(
            f"table_1_range_{measure.lower()}",
            f"table I, {measure}",
            "inequality",
            f"all 72 values of {measure} are within [0, 1]",
            partial(_in_unit_interval, measure),
        )
    for measure, row in itertools.product(MEASURES, printed_sets()):
        name = row.name.replace("-", "_")
        outcome = dict(zip((r.name for r in printed_sets()), printed_outcomes(measure), strict=True))[row.name]
        sign = {"win": "significantly above", "lose": "significantly below", "tie": "not significantly different from"}
        yield _claim(
            f"table_1_sign_{measure.lower()}_{name}",
            f"table I, {row.name}, {measure}",
            "table cell",
            f"LR is {sign[outcome]} the SVM: {_pair(row, measure)}; paired t-test on 5 folds, level 0.05",
            partial(_sign, row, measure, outcome),
        )
    for key, average in printed()["average"].items():
        measure, classifier = key.split("_")
        yield _claim(
            f"table_1_average_{measure.lower()}_{classifier}",
            f"table I, last row, {measure}, {classifier.upper()}",
            "table cell",
            f"the average of the column is {average}",
            partial(_average, measure, classifier, average),
        )


def _pair(row: PrintedSet, measure: str) -> str:
    svm, lr = ("±".join(row.values[measure, classifier]) for classifier in ("svm", "lr"))
    return f"SVM {svm}, LR {lr}"


def _in_unit_interval(measure: str) -> Ruling:
    values = [row.mean(measure, classifier) for row in printed_sets() for classifier in ("svm", "lr")]
    return by_computation(
        all(0 <= value <= 1 for value in values) and len(values) == 72,
        f"the least is {float(min(values))}, the greatest {float(max(values))}",
    )


def _sign(row: PrintedSet, measure: str, outcome: str) -> Ruling:
    pair = row.deviation(measure, "svm"), row.deviation(measure, "lr")
    return _judge_sign(row.gain(measure), pair, outcome)


def _undecided_signs() -> Iterator[str]:
    """Yield the keys of the signs of table I that would pass with a sign and without."""
    for row, measure in itertools.product(printed_sets(), MEASURES):
        passing = [_sign(row, measure, outcome).outcome for outcome in ("win", "tie", "lose")]
        if passing.count("holds") > 1:
            yield f"table_1_sign_{measure.lower()}_{row.name.replace('-', '_')}"


def _judge_sign(difference: Rational, deviations: tuple[Rational, Rational], outcome: str) -> Ruling:
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


def _average(measure: str, classifier: str, average: str) -> Ruling:
    """Judge an average by whether roundings, of the 36 rows and its own, explain it."""
    total = sum((row.mean(measure, classifier) for row in printed_sets()), Rational(0))
    mean = total / 36
    least, most = rounds_from(f"0{average}")
    evidence = f"the rows sum to {float(total):.3f}, and {float(total):.3f}/36 = {float(mean):.5f}"
    if mean + HALF_DIGIT >= least and mean - HALF_DIGIT <= most:
        return by_computation(True, f"{evidence}, rounded within 0.0005 in each row")
    return by_computation(
        False,
        f"{evidence}, printed {average}; were every row rounded down by 0.0005, it would be "
        f"{float(mean + HALF_DIGIT):.5f}, below {float(least)}; nor are all numbers cut, which gives .201, nor the "
        "rows cut and the averages rounded: then AUC of the SVM, at least 25.326/36 = 0.7035, would not be .703",
        f"{float(mean):.3f}, by exact arithmetic",
    )


# -- section IV.B ------------------------------------------------------------------------------------------------------


def _data_sets() -> Iterator[PaperClaim]:
    place = "section IV.B"
    yield _claim("three_groups", place, "number", "table I has 3 groups of 12", _groups_of_twelve)
    yield _claim(
        "minority_is_smaller",
        place,
        "inequality",
        "the minority is the class with the fewest examples",
        _smaller_class,
    )
    yield _claim(
        "netflix_data_sets",
        place,
        "number",
        "each movie can be the target, which gives 17,770 data sets",
        lambda: by_number(Integer(NETFLIX["movies"]), "17770", "one per movie"),
    )
    yield from with_reading(
        _claim(
            "netflix_features",
            "section IV.B and table V",
            "number",
            "one movie is the target and the others are the features, 17,770 of them",
            partial(_features, 1),
        ),
        "the columns, the target among them",
        partial(_features, 0),
    )
    yield _claim(
        "netflix_examples",
        "section IV.B and table V",
        "number",
        "480,189 customers are the examples of the Netflix data sets",
        lambda: by_computation(
            all(int(row[0]) == NETFLIX["customers"] for name, row in TABLE_5.items() if name.startswith("nf-")),
            "table V has 480,189 examples in its five Netflix rows",
        ),
    )
    for row in printed_sets():
        if row.name.startswith("nf-"):
            yield _claim(
                f"netflix_share_{row.name.replace('-', '_')}",
                "section IV.B and table I",
                "table cell",
                f"{row.name} is named after its share of the minority",
                partial(_named_after_share, row),
            )
    yield _claim("last_five", place, "words", "the last five data sets are not imbalanced", _last_five)


def _smaller_class() -> Ruling:
    greatest = max(Rational(row.percent_minority) for row in printed_sets())
    return by_computation(greatest <= 50, f"the greatest share of a minority is {float(greatest)} %")


def _groups_of_twelve() -> Ruling:
    return by_computation(len(printed_sets()) == 3 * 12, f"{len(printed_sets())} = 3·12")


def _features(targets: int) -> Ruling:
    printed_count = {row[1] for name, row in TABLE_5.items() if name.startswith("nf-")}
    count = NETFLIX["movies"] - targets
    return by_computation(
        printed_count == {str(count)},
        f"17,770 movies less {targets} are {count:,}, table V has 17,770",
        "17,769 features",
    )


def _named_after_share(row: PrintedSet) -> Ruling:
    digits = row.name.removeprefix("nf-").removesuffix("p")
    share = Rational(f"{digits[0]}.{digits[1:]}") if digits.startswith("0") else Rational(digits)
    return by_computation(
        share == Rational(row.percent_minority), f"{float(share)} %, printed {row.percent_minority} %"
    )


def _last_five() -> Ruling:
    last = [row.percent_minority for row in printed_sets()[-5:]]
    return by_computation(
        all(47 <= Rational(share) <= 50 for share in last), f"{', '.join(last)} % minority: within 3 of 50 %"
    )


# -- table II ----------------------------------------------------------------------------------------------------------


def _table_2() -> Iterator[PaperClaim]:
    for number, (group, counts) in enumerate(printed()["table2"].items()):
        for measure, row in counts.items():
            shown = "/".join(map(str, row))
            yield _claim(
                f"table_2_group_{number + 1}_{measure.lower()}",
                f"table II, {group}, {measure}",
                "table cell",
                f"win/tie/lose is {shown}",
                partial(_outcomes_of_group, number, measure, row),
            )
            yield _claim(
                f"table_2_group_{number + 1}_{measure.lower()}_sum",
                f"table II, {group}, {measure}",
                "number",
                f"{shown} are 12 data sets",
                partial(by_number, Integer(sum(row)), "12", " + ".join(map(str, row))),
            )
    yield from with_reading(
        _claim(
            "table_2_limits",
            "table II, first columns",
            "words",
            "the groups of 12 reach from 0.02 to 5, from 5 to 30 and from 30 to 49 % minority",
            partial(_group_limits, rounded=False),
        ),
        "in whole percents, lower limits rounded and upper ones cut",
        partial(_group_limits, rounded=True),
    )
    place = "section IV.C"
    yield _claim("auc_never_loses", place, "words", "by AUC, LR is at least equal in all three groups", _auc_losses)
    yield _claim(
        "b42_shifts", place, "words", "by B42, LR goes from winning to losing as the imbalance increases", _b42_shift
    )
    yield _claim(
        "meaning_of_1_8_3", place, "words", "1/8/3: LR wins once, ties 8 times, loses 3 times", _one_eight_three
    )


def _group(number: int, values: Sequence[str]) -> Sequence[str]:
    return values[12 * number : 12 * (number + 1)]


def _outcomes_of_group(number: int, measure: str, row: Sequence[int]) -> Ruling:
    found = win_tie_lose(_group(number, printed_outcomes(measure)))
    return by_computation(list(found) == list(row), f"the signs of table I give {'/'.join(map(str, found))}")


def _group_limits(*, rounded: bool) -> Ruling:
    """Judge whether all data sets of a group lie within its limits, as they are or in whole percents."""
    outside = []
    for number, limits in enumerate(printed()["table2_limits"].values()):
        least, most = map(Rational, limits)
        for row in printed_sets()[12 * number : 12 * (number + 1)]:
            share = Rational(row.percent_minority)
            low, high = (floor(share + Rational(1, 2)), floor(share)) if rounded else (share, share)
            if (low < least and number > 0) or high > most:
                outside.append(f"{row.name}, {row.percent_minority} %")
    if rounded:
        return by_computation(not outside, "4.77 rounds to 5, and 49.99 is cut to 49")
    return by_computation(
        not outside,
        f"outside of their groups are {' and '.join(outside)}",
        "0.02 to 4.75, 4.77 to 24.08 and 30.75 to 49.99 % minority, by table I",
    )


def _auc_losses() -> Ruling:
    losses = [row["AUC"][2] for row in printed()["table2"].values()]
    return by_computation(losses == [0, 0, 0], "no loss: 5/7/0, 2/10/0 and 2/10/0")


def _b42_shift() -> Ruling:
    first, _, last = (row["B42"] for row in printed()["table2"].values())
    return by_computation(
        first[0] < first[2] and last[0] > last[2],
        f"nearly balanced {last[0]} wins and {last[2]} losses, highly imbalanced {first[0]} and {first[2]}",
    )


def _one_eight_three() -> Ruling:
    found = win_tie_lose(_group(0, printed_outcomes("B42")))
    return by_computation(
        found == (1, 8, 3), "table I, group 1, B42: ○ at w1a; ● at allhyper, allrep and anneal; 12 - 1 - 3 = 8 without"
    )


# -- tables III and IV -------------------------------------------------------------------------------------------------


def _agreement() -> Iterator[PaperClaim]:
    for title, data in printed()["agreement"].items():
        measure, key = data["measure"], f"table_{'3' if data['measure'] == 'AUC' else '4'}"
        place = title.partition(",")[0].lower().replace("iii", "III").replace("iv", "IV")
        for cell in ("both", "first_only", "second_only", "neither"):
            yield _claim(
                f"{key}_{cell}",
                place,
                "table cell",
                f"{_WORDS[cell].format(measure=measure)}: {data[cell]} data sets",
                partial(_agreement_cell, measure, cell, data[cell]),
            )
        cells = [data[cell] for cell in ("both", "first_only", "second_only", "neither")]
        yield _claim(
            f"{key}_sum",
            place,
            "number",
            "the cells are 36 data sets",
            partial(by_number, Integer(sum(cells)), "36", " + ".join(map(str, cells))),
        )
        yield _claim(
            f"{key}_caption",
            f"{place}, caption",
            "number",
            f"B42 disagrees with {measure} {data['caption']} times out of 36",
            partial(by_number, Integer(cells[1] + cells[2]), str(data["caption"]), f"{cells[1]} + {cells[2]}"),
        )
    yield _claim("significant_by_b42", "tables II, III and IV", "number", "B42 is significant 12 times", _b42_total)
    yield _claim(
        "more_significant", "section IV.C", "words", "B42 is significant more often than AUC and H", _most_significant
    )
    yield from with_reading(
        _claim(
            "b42_more_weight_than_auc",
            "section IV.C",
            "words",
            "B42 places more weight on the minority than AUC and H, on the 36 data sets",
            _more_weight_than_auc,
        ),
        "than the symmetric Beta of H",
        _more_weight_than_h,
    )
    yield from _examples()


_WORDS: Final = {
    "both": "significant by B42 and by {measure}",
    "first_only": "significant by B42, not by {measure}",
    "second_only": "significant by {measure}, not by B42",
    "neither": "significant by neither B42 nor {measure}",
}


def _agreement_cell(measure: str, cell: str, value: int) -> Ruling:
    found: Agreement = agreement(printed_outcomes("B42"), printed_outcomes(measure))
    return by_number(Integer(getattr(found, cell)), str(value), "signs of table I")


def _b42_total() -> Ruling:
    by_group = [row["B42"][0] + row["B42"][2] for row in printed()["table2"].values()]
    tables = [data["both"] + data["first_only"] for data in printed()["agreement"].values()]
    return by_computation(
        {sum(by_group), *tables} == {12}, f"table II: {' + '.join(map(str, by_group))}; III: 2 + 10; IV: 4 + 8"
    )


def _most_significant() -> Ruling:
    counts = [sum(outcome != "tie" for outcome in printed_outcomes(measure)) for measure in MEASURES]
    return by_computation(counts[0] > max(counts[1:]), "B42 {}, AUC {}, H {} times".format(*counts))


def _more_weight_than_auc() -> Ruling:
    """The costs c that AUC weighs have the mean π0, whatever the classifier; B42 has 2/3."""
    first, second = FP / (TP + FP), TN / (TN + FN)
    mean = identity((TP + FP) / n * first + (TN + FN) / n * second, N / n)
    shares = [Rational(row.percent_minority) for row in printed_sets()]
    heavier = sum(bool(share / 100 > Rational(1, 3)) for share in shares)
    return by_computation(
        heavier == len(shares) and mean.status == "proved",
        "the cost c = c1/(c0 + c1) has the mean 4/6 under B42, and under AUC the mean (FP + TN)/n, the share of the "
        f"majority (proved at one operating point): B42 has the larger one on {heavier} of {len(shares)} data sets; on "
        "nf-05p the means are 0.667 and 0.995",
        "where more than a third is in the minority",
    )


def _more_weight_than_h() -> Ruling:
    means = [integrate(C * beta_density(C, a, 2), (C, 0, 1)) for a in (4, 2)]
    return by_computation(means[0] > means[1], f"the mean of c is {means[0]} under B42 and {means[1]} under Beta(2, 2)")


def _examples() -> Iterator[PaperClaim]:
    for name in ("nf-05p", "nf-005p", "nf-1p", "ann"):
        yield _claim(
            f"auc_wins_b42_ties_{name.replace('-', '_')}",
            "section IV.C",
            "words",
            f"table I has LR significantly above on {name} by AUC, and a tie by B42",
            partial(_marked, name),
        )
    yield _claim(
        "one_reading_of_deviations",
        "section IV.C and table I",
        "words",
        "by B42, LR ties on nf-05p and is significantly above on transfusion",
        _one_reading,
    )
    yield _claim(
        "figure_3",
        "figure 3",
        "words",
        "AUC weighs the costs of LR and of the SVM on nf-05p differently",
        lambda: unreadable("a drawing, which the text does not contain"),
    )
    yield _claim(
        "figure_4",
        "figure 4",
        "words",
        "on four typical data sets AUC is above for LR and B42 below",
        _reversed_sets,
    )
    yield _claim(
        "balanced_group",
        "section IV.C",
        "words",
        "on the third group B42 and H agree on which is above",
        _balanced_group,
    )


def _marked(name: str) -> Ruling:
    place = [row.name for row in printed_sets()].index(name)
    found = printed_outcomes("AUC")[place], printed_outcomes("B42")[place]
    return by_computation(found == ("win", "tie"), "the signs are AUC {}, B42 {}".format(*found))


def _one_reading() -> Ruling:
    """Judge two signs together: a standard error excludes the one, a standard deviation the other."""
    rows = {row.name: row for row in printed_sets()}
    tie, win = rows["nf-05p"], rows["transfusion"]
    both = sum(tie.deviation("B42", classifier) for classifier in ("svm", "lr")) + 2 * HALF_DIGIT
    narrow = abs(win.deviation("B42", "svm") - win.deviation("B42", "lr")) - 2 * HALF_DIGIT
    least, most = 2 * (tie.gain("B42") - 2 * HALF_DIGIT) / both, (win.gain("B42") + 2 * HALF_DIGIT) / narrow
    return _erratum(
        f"nf-05p, {_pair(tie, 'B42')}: if ± is a standard deviation of 5 folds, t ≥ 2·(0.017 - 0.001)/(0.006 + 0.001) "
        f"= {float(least):.2f} > 2.776, no tie; transfusion, {_pair(win, 'B42')}: if it is a standard error, "
        f"t ≤ (0.339 + 0.001)/(0.176 - 0.001) = {float(most):.2f} < 2.776, no win",
        "with either meaning of ± one of the two signs is wrong (the triangle inequality for deviations)",
        least > CRITICAL[1] and most < CRITICAL[0],
    )


def _reversed_sets() -> Ruling:
    names = [row.name for row in printed_sets() if row.gain("AUC") > 0 > row.gain("B42")]
    return by_computation(len(names) >= 4, f"the means of table I have {len(names)} such sets: {', '.join(names)}")


def _balanced_group() -> Ruling:
    rows = printed_sets()[24:]
    same = [row for row in rows if (row.gain("B42") > 0) == (row.gain("H") > 0)]
    return by_computation(len(same) == 12, f"B42 and H have the same classifier ahead on {len(same)} of {len(rows)}")


# -- section IV.D and table V ------------------------------------------------------------------------------------------


def _table_5() -> Iterator[PaperClaim]:
    place = "section IV.D and table V"
    yield _claim(
        "table_5_rows",
        place,
        "number",
        "7 large data sets",
        lambda: by_number(Integer(len(TABLE_5)), "7", "rows"),
    )
    rows = {row.name: row for row in printed_sets()}
    for name, (_, _, size, share, mean, deviation, _, _) in TABLE_5.items():
        mean_1, deviation_1 = rows[name].values["B42", "lr"]
        pairs = {
            "share": ("% minority", share, rows[name].percent_minority),
            "size": ("the size", size, TABLE_1_SIZES[name]),
            "mean": ("B42 of LR", mean, mean_1),
            "deviation": ("± of B42 of LR", deviation, f"0{deviation_1}"),
        }
        for what, (words, in_table_5, in_table_1) in pairs.items():
            yield _claim(
                f"table_5_{what}_{name.replace('-', '_')}",
                f"tables I and V, {name}",
                "table cell",
                f"{words} is {in_table_5}, as in table I",
                partial(_same_number, words, in_table_5, in_table_1),
            )
    yield from _influence(place)


def _same_number(words: str, in_table_5: str, in_table_1: str) -> Ruling:
    first, second = (Rational(text.removesuffix("GB").strip()) for text in (in_table_5, in_table_1))
    evidence = f"{words}: table V has {in_table_5}, table I {in_table_1}"
    if first == second:
        return by_computation(True, evidence)
    mean = "0.022" if words.startswith("±") else ""
    note = f", both beside the mean {mean}" if mean else ""
    return by_computation(False, evidence + note, "one of the two is a misprint; the text does not tell which")


def _influence(place: str) -> Iterator[PaperClaim]:
    for name, score in (("nf-005p", "0.005"), ("nf-10p", "0.226")):
        yield _claim(
            f"b42_of_{name.replace('-', '_')}",
            "section IV.D",
            "number",
            f"B42 is {score} on the original data of {name}",
            partial(by_number, Rational(TABLE_5[name][4]), score, "table V"),
        )
    for treatment, column, words in (("rus", 6, "RUS-balance"), ("weighting", 7, "weighting")):
        for name, row in TABLE_5.items():
            outcome = SIGNS_OF_TABLE_5[treatment].get(name, "tie")
            yield _claim(
                f"table_5_sign_{treatment}_{name.replace('-', '_')}",
                f"table V, {name}, {words}",
                "table cell",
                f"{words} is {_SIGNIFICANT[outcome]} the original data: {row[4]}±{row[5]}, "
                f"{row[column]}±{DEVIATIONS_OF_TABLE_5[treatment][name]}",
                partial(_sign_of_table_5, treatment, name, outcome),
            )
    yield from with_reading(
        _claim(
            "undersampling_degrades",
            place,
            "words",
            "RUS-balance degrades the classifier significantly, on the 7 large data sets",
            _undersampling_significant,
        ),
        "its mean is lower on all seven",
        _undersampling,
    )
    yield from with_reading(
        _claim(
            "weighting_works", place, "words", "the weighting method works fine, on the 7 data sets", _weighting_all
        ),
        "it is higher than the original on most of them",
        _weighting_works,
    )
    for key, column, words in (("original", 4, "the original data"), ("weighting", 7, "weighting")):
        yield from with_reading(
            _claim(
                f"b42_grows_{key}",
                place,
                "words",
                f"B42 increases as the imbalance decreases, for {words}, over the 7 rows of table V",
                partial(_grows, column, ""),
            ),
            "over its five Netflix rows",
            partial(_grows, column, "nf-"),
        )
    yield _claim(
        "figure_5",
        "figure 5",
        "words",
        "RUS-balance raises the true positive rate and lowers the true negative rate",
        lambda: unreadable("a drawing, which the text does not contain"),
    )


SIGNS_OF_TABLE_5: Final = {
    "rus": dict.fromkeys(("nf-05p", "nf-1p", "nf-5p", "nf-10p"), "lose"),
    "weighting": dict.fromkeys(("nf-1p", "nf-5p", "nf-10p"), "win"),
}
"""The signs of table V as the text has them; the other cells have none."""
DEVIATIONS_OF_TABLE_5: Final = {
    "rus": dict(zip(TABLE_5, ("0.001", "0.000", "0.000", "0.000", "0.000", "0.000", "0.001"), strict=True)),
    "weighting": dict(zip(TABLE_5, ("0.007", "0.005", "0.003", "0.001", "0.005", "0.005", "0.004"), strict=True)),
}
_SIGNIFICANT: Final = {
    "win": "significantly above",
    "lose": "significantly below",
    "tie": "not significantly different from",
}


def _sign_of_table_5(treatment: str, name: str, outcome: str) -> Ruling:
    row, column = TABLE_5[name], {"rus": 6, "weighting": 7}[treatment]
    pair = Rational(row[5]), Rational(DEVIATIONS_OF_TABLE_5[treatment][name])
    return _judge_sign(Rational(row[column]) - Rational(row[4]), pair, outcome)


def _undecided_of_table_5() -> Iterator[str]:
    """Yield the keys of the signs of table V that would pass with a sign and without."""
    for treatment, name in itertools.product(SIGNS_OF_TABLE_5, TABLE_5):
        passing = [_sign_of_table_5(treatment, name, outcome).outcome for outcome in _SIGNIFICANT]
        if passing.count("holds") > 1:
            yield f"table_5_sign_{treatment}_{name.replace('-', '_')}"


def _undersampling() -> Ruling:
    lower = [name for name, row in TABLE_5.items() if Rational(row[6]) < Rational(row[4])]
    return by_computation(len(lower) == 7, f"below the original on {len(lower)} of 7, such as nf-10p: 0.003 and 0.226")


def _undersampling_significant() -> Ruling:
    marked = list(SIGNS_OF_TABLE_5["rus"])
    return by_computation(
        len(marked) == len(TABLE_5),
        f"table V has a sign of significant degradation on {len(marked)} of 7: {', '.join(marked)}",
        "significantly on four of seven",
    )


def _losses_of_weighting() -> list[str]:
    return [name for name, row in TABLE_5.items() if Rational(row[7]) < Rational(row[4])]


def _weighting_all() -> Ruling:
    lower = _losses_of_weighting()
    losses = ", ".join(f"{name} from {TABLE_5[name][4]} to {TABLE_5[name][7]}" for name in lower)
    return by_computation(not lower, f"B42 falls on {losses}", f"on {7 - len(lower)} of 7")


def _weighting_works() -> Ruling:
    higher = 7 - len(_losses_of_weighting())
    return by_computation(2 * higher > 7, f"above the original on {higher} of 7")


def _grows(column: int, prefix: str) -> Ruling:
    rows = sorted((row for name, row in TABLE_5.items() if name.startswith(prefix)), key=lambda row: Rational(row[3]))
    growing = all(Rational(first[column]) < Rational(second[column]) for first, second in pairwise(rows))
    shown = ", ".join(f"{row[column]} at {row[3]} %" for row in rows)
    return by_computation(growing, f"by the share of the minority: {shown}", "not with every step")


# -- section V ---------------------------------------------------------------------------------------------------------


def _conclusion() -> Iterator[PaperClaim]:
    yield from with_reading(
        _claim(
            "reversed_for_imbalanced",
            "section V",
            "words",
            "for highly imbalanced data the results of AUC and B42 are reversed",
            _reversed_outcomes,
        ),
        "in the sums of wins and losses over the first group",
        _reversed_counts,
    )


def _reversed_outcomes() -> Ruling:
    pairs = list(zip(_group(0, printed_outcomes("AUC")), _group(0, printed_outcomes("B42")), strict=True))
    opposite = sum({a, b} == {"win", "lose"} for a, b in pairs)
    return by_computation(
        opposite == len(pairs),
        f"{opposite} of the {len(pairs)} data sets of group 1 are significant in opposite directions in table I",
        "on no data set is a significant result reversed",
    )


def _reversed_counts() -> Ruling:
    first = next(iter(printed()["table2"].values()))
    auc, b42 = (first[measure][0] - first[measure][2] for measure in ("AUC", "B42"))
    return by_computation(auc > 0 > b42, f"wins minus losses are {auc} by AUC and {b42} by B42")


def main() -> int:
    """Print every claim with its ruling and return 1 if one comes out otherwise than recorded."""
    return run_alone(trial(), RECORDED)


if __name__ == "__main__":
    sys.exit(main())
