"""The claims of Landgrebe, Paclík, Tax, Verzakov & Duin (2005), judged one by one, in the paper's order.

Run it: ``python proofs/landgrebe2005.py``.  It prints every claim with its ruling and exits with 1 if one comes out
otherwise than recorded here.

T. Landgrebe, P. Paclík, D. M. J. Tax, S. Verzakov, R. P. W. Duin: Cost-based classifier evaluation for imbalanced
problems. Structural, Syntactic, and Statistical Pattern Recognition (SSPR and SPR 2004).

What rests on the artificial data is not judged here: ``symmetrics reproduce landgrebe2005`` computes it again.  What
the printed numbers say of each other is: at a true positive rate of 80 % the false positive rate of a classifier is one
number, so that every POSfrac of it follows from any other by equation (5), also on the mean over folds, because the
equation is linear.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from flint import arb
from sympy import Rational, S

import symmetrics as sm
from symmetrics.claims import StrictInequality
from symmetrics.language.cells import FN, FP, ON, OP, TN, TP, N, P, n
from symmetrics.language.formula import parameter_symbol
from symmetrics.metric.priors import FPR as FPR_SYMBOL
from symmetrics.metric.priors import TNR as TNR_SYMBOL
from symmetrics.metric.priors import prior_limit
from symmetrics.papers.claims import (
    CONSTANT,
    STEP,
    Kind,
    Outcome,
    PaperClaim,
    Ruling,
    Trial,
    by_computation,
    by_number,
    by_verdicts,
    decided,
    equal,
    has,
    identity,
    lacks,
    rounds_from,
    run_alone,
    tends_to,
    with_reading,
    within,
)
from symmetrics.papers.landgrebe2005 import experiment

FACTS: Final = Path(experiment.__file__).with_name("printed.json")

RECORDED: Final[Mapping[str, Outcome]] = {
    "landgrebe2005.section_3_posfrac_balanced": "refuted",
    "landgrebe2005.section_3_purity_balanced": "refuted",
    "landgrebe2005.section_3_orders_of_magnitude": "holds only as",
    "landgrebe2005.figure_4_linear": "holds only as",
}
"""What does not hold, or not as it is printed."""
UNCOUNTED: Final[Mapping[str, str]] = {
    "*_is_a_fraction": "that a fraction lies between 0 and 1 follows from its definition",
    "section_3_prior_of_figure_1": CONSTANT,
    "section_3_one_in_hundred": CONSTANT,
    "one_in_a_thousand": CONSTANT,
    "table_2_problems": CONSTANT,
    "table_2_*_0_5_*": "no printed number alone is wrong at this prior: any from 40 to 90 passes",
    "roc_ignores_priors": "repeats tpr_ignores_priors and fpr_ignores_priors",
    "conclusion_priors": "repeats tpr_ignores_priors and fpr_ignores_priors",
    "conclusion_costs": "repeats positive_fraction_sees_priors and precision_sees_priors",
    "posfrac_limit_prior": "repeats posfrac_limit_skew in other words",
    "purity_falls_with_fp": "repeats posfrac_against_purity in other words",
}
"""What is judged and not counted."""
ANEW: Final[Mapping[str, str]] = {"section_3_orders_of_magnitude": "holds"}
"""What was ruled otherwise before."""

METRICS = sm.metrics
TPR, FPR, TNR, FNR = TP / P, FP / N, TN / N, FN / P
POSFRAC, PURITY = OP / n, TP / OP
TARGET_PRIOR, OTHER_PRIOR = P / n, N / n

TARGET = Rational(80)
"""The true positive rate of the case studies, in percent."""
LINEAR_AT_HALF = Rational("52.14")
"""What table 2 prints for the linear classifier on the Highleyman classes at a prior of 1/2, in percent."""


def _claim(key: str, place: str, kind: Kind, printed: str, judge: Callable[[], Ruling]) -> PaperClaim:
    return PaperClaim(f"landgrebe2005.{key}", place, kind, printed, judge)


# -- sections 1 and 2.1 ------------------------------------------------------------------------------------------------


def _definitions() -> Iterator[PaperClaim]:
    for key, name in (("tpr", "TPr"), ("fpr", "FPr")):
        yield _claim(
            f"{key}_ignores_priors",
            "section 1",
            "words",
            f"{name} is invariant to changes in the class distributions",
            lambda key=key: has(key, "actual_scaling"),
        )
    for key, name in (("positive_fraction", "POSfrac"), ("precision", "purity")):
        yield _claim(
            f"{key}_sees_priors",
            "section 1",
            "words",
            f"{name} depends on the class distributions",
            lambda key=key: lacks(key, "actual_scaling"),
        )
    place = "section 2.1"
    definitions = {
        "tpr": ("TPr is TP, normalised by the number of targets N_t", TPR, METRICS["tpr"].expr),
        "fpr": ("FPr is FP, normalised by the number of non-targets N_n", FPR, METRICS["fpr"].expr),
        "tnr_is_complement": ("TNr = 1 - FPr", TNR, 1 - FPR),
        "fnr_is_complement": ("FNr = 1 - TPr", FNR, 1 - TPR),
        "equation_1": ("POSfrac = POS/N = POS/(POS + NEG)", OP / n, OP / (OP + ON)),
        "positive_fraction": ("POSfrac is the fraction labelled positive", OP / n, METRICS["positive_fraction"].expr),
        "purity": ("Purity = TP/POS is the precision", PURITY, METRICS["precision"].expr),
        "tpr_formula": ("TPr = TP/(TP + FN)", TPR, TP / (TP + FN)),
        "tpr_is_recall": ("TPr is equivalent to recall", TPR, METRICS["recall"].expr),
    }
    for key, (printed, left, right) in definitions.items():
        two_forms: Kind = "two forms" if "equivalent" in printed or key == "equation_1" else "equation"
        where = "equation (1)" if key == "equation_1" else place
        yield _claim(key, where, two_forms, printed, lambda left=left, right=right: equal(left, right))
    for key, name, formula in (("positive_fraction", "POSfrac", POSFRAC), ("purity", "Purity", PURITY)):
        yield _claim(
            f"{key}_is_a_fraction",
            place,
            "inequality",
            f"{name}, a fraction, lies between 0 and 1",
            lambda formula=formula: within(formula, 0, 1),
        )
    found = parameter_symbol("t")
    tables = ((TP + found, FN, FP, TN), (TP, FN + found, FP, TN))
    yield _claim(
        "posfrac_grows_with_tpr",
        place,
        "words",
        "POSfrac increases with TPr: finding targets that were missed raises it",
        lambda: by_verdicts(
            decided(StrictInequality(POSFRAC, (), tables, ("t",))), note="t > 0 more targets found of the same N_t"
        ),
    )


# -- sections 2.2 and 3: the equations ---------------------------------------------------------------------------------


def _equations() -> Iterator[PaperClaim]:
    of_rates = (TPR * P + FPR * N) / n
    of_priors = TARGET_PRIOR * TPR + OTHER_PRIOR * FPR
    purity_of_rates = TPR * P / (TPR * P + FPR * N)
    purity_of_priors = TPR / (TPR + OTHER_PRIOR / TARGET_PRIOR * FPR)
    yield _claim(
        "roc_ignores_priors",
        "section 2.2",
        "words",
        "the ROC curve is insensitive to the class priors: both of its rates are",
        lambda: by_verdicts(*(decided(sm.properties["actual_scaling"].claim(METRICS[key])) for key in ("tpr", "fpr"))),
    )
    rows = (
        ("equation_2_counts", "equation (2)", "POSfrac = (TP + FP)/(TP + FP + FN + TN)", POSFRAC, OP / n),
        ("equation_2_rates", "equation (2)", "(TP + FP)/(TP + FP + FN + TN) = (TPr*N_t + FPr*N_n)/N", OP / n, of_rates),
        ("equation_3", "equation (3)", "POSfrac = (TPr*N_t + FPr*N_n)/N at every threshold", POSFRAC, of_rates),
        (
            "equation_4",
            "equation (4)",
            "Purity = TP/(TP + FP) = TPr*N_t/(TPr*N_t + FPr*N_n) at every threshold",
            PURITY,
            purity_of_rates,
        ),
        (
            "priors_add_up",
            "section 3",
            "as one prior grows the other one shrinks: P(C_t) + P(C_n) = 1",
            TARGET_PRIOR + OTHER_PRIOR,
            S.One,
        ),
        ("skew_ratio_counts", "section 3", "P(C_n)/P(C_t) = N_n/N_t", OTHER_PRIOR / TARGET_PRIOR, N / P),
        ("skew_ratio", "section 3", "N_n/N_t is the skew ratio", N / P, METRICS["skew_ratio"].expr),
        (
            "equation_5_terms",
            "equation (5)",
            "POSfrac = TPr*N_t/N + FPr*N_n/N",
            POSFRAC,
            TPR * P / n + FPR * N / n,
        ),
        (
            "equation_5",
            "equation (5)",
            "TPr*N_t/N + FPr*N_n/N = P(C_t)*TPr + P(C_n)*FPr",
            TPR * P / n + FPR * N / n,
            of_priors,
        ),
        ("equation_6", "equation (6)", "Purity = TPr/(TPr + P(C_n)/P(C_t)*FPr)", PURITY, purity_of_priors),
        (
            "equations_4_and_6",
            "equation (6)",
            "equations (4) and (6) give the same purity",
            purity_of_rates,
            purity_of_priors,
        ),
    )
    for key, place, printed, left, right in rows:
        kind: Kind = (
            "two forms" if key.endswith(("counts", "rates", "_6", "_5")) and key != "equation_6" else "equation"
        )
        yield _claim(key, place, kind, printed, lambda left=left, right=right: equal(left, right))
    yield _claim(
        "posfrac_limit_skew",
        "section 3, below (6)",
        "limit",
        "POSfrac tends to FPr as the skew ratio increases",
        lambda: tends_to(POSFRAC, FPR, (STEP * TP, STEP * FN, FP, TN)),
    )
    yield _claim(
        "posfrac_limit_prior",
        "section 3, below (6)",
        "limit",
        "POSfrac tends to FPr as P(C_t) tends to 0, at fixed rates",
        _prior_limit,
    )


def _prior_limit() -> Ruling:
    limit = prior_limit(METRICS["positive_fraction"]).xreplace({TNR_SYMBOL: 1 - FPR_SYMBOL})
    return by_computation(limit == FPR_SYMBOL, f"the exact leading term: {limit}", str(limit))


# -- section 3: the numbers --------------------------------------------------------------------------------------------


def _facts() -> dict[str, dict[str, dict[str, list[str]]]]:
    facts: dict[str, Any] = json.loads(FACTS.read_text(encoding="utf-8"))
    table: dict[str, dict[str, dict[str, list[str]]]] = facts["table2"]
    return table


def _number(problem: str, prior: str, classifier: str) -> Rational:
    return Rational(_facts()[problem][prior][classifier][0])


def _false_positive_rate(posfrac: Rational, prior: str) -> Rational:
    """Return FPr by equation (5), in percent."""
    return (posfrac - Rational(prior) * TARGET) / (1 - Rational(prior))


def _posfrac(fpr: Rational, prior: str) -> Rational:
    """Return POSfrac by equation (5), in percent."""
    return Rational(prior) * TARGET + (1 - Rational(prior)) * fpr


def _section_3() -> Iterator[PaperClaim]:
    place = "section 3, the linear classifier at TPr = 80 %"
    yield _claim(
        "section_3_posfrac_tenth",
        place,
        "number",
        "at P(C_t) = 0.1 POSfrac is just under 30 %",
        lambda: by_computation(
            _number("Highleyman", "0.1", "LDC") < 30, f"table 2: {_number('Highleyman', '0.1', 'LDC').n(4)} %"
        ),
    )
    yield _claim(
        "section_3_prior_of_figure_1",
        "figures 1 and 3",
        "number",
        "the prior 1/10 of figure 1 is the P(C_t) = 0.1 of figure 3",
        lambda: by_number(Rational(1, 10), "0.1", "1/10"),
    )
    yield _claim(
        "section_3_posfrac_balanced",
        place,
        "number",
        "POSfrac is 54.9 % at P(C_t) = 0.5 and 24.8 % at P(C_t) = 0.01",
        _posfrac_balanced,
    )
    yield _claim(
        "section_3_purity_balanced",
        place,
        "number",
        "at P(C_t) = 0.5 POSfrac is 54.9 % and Purity 77.9 %",
        _purity_balanced,
    )
    yield _claim(
        "section_3_posfrac_hundredth",
        place,
        "number",
        "at P(C_t) = 0.01 POSfrac is 24.8 %",
        lambda: by_number(
            _posfrac(_false_positive_rate(LINEAR_AT_HALF, "0.5"), "0.01"),
            "24.8",
            "from the 52.14 % of table 2 at 0.5: FPr = 2*52.14 - 80 = 24.28, 0.01*80 + 0.99*24.28",
        ),
    )
    yield _claim(
        "section_3_one_in_hundred",
        place,
        "number",
        "P(C_t) = 0.01 is one target in 100 examples",
        lambda: by_number(Rational(1, 100), "0.01", "1/100"),
    )
    yield from with_reading(
        _claim(
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


def _below(x: arb) -> arb:
    """Return the standard normal distribution function in an interval that holds it."""
    return (-x / arb(2).sqrt()).erfc() / 2


DEVIATIONS: Final = ((arb(1), arb("0.5")), (arb("0.1"), arb(2)))
"""Standard deviations of both features of Highleyman's classes, the target first; the means are (1, 1) and (2, 0)."""


def _linear(threshold: Callable[[arb, arb], arb]) -> tuple[arb, arb]:
    """Return TPr and FPr of the linear discriminant of the distributions themselves, not of a sample.

    The score w·x, w = S^-1·(m1 - m2) with the mean covariance S, is normal in each class.

    :param threshold: where it cuts, from the mean and the standard deviation of the target's score
    """
    spread = [(DEVIATIONS[0][axis] ** 2 + DEVIATIONS[1][axis] ** 2) / 2 for axis in (0, 1)]
    weights = (arb(-1) / spread[0], arb(1) / spread[1])
    means = (weights[0] + weights[1], 2 * weights[0])
    sizes = [((weights[0] * one) ** 2 + (weights[1] * two) ** 2).sqrt() for one, two in DEVIATIONS]
    cut = threshold(*means) if threshold is _middle else threshold(means[0], sizes[0])
    rates = [_below((mean - cut) / size) for mean, size in zip(means, sizes, strict=True)]
    return rates[0], rates[1]


def _middle(target: arb, other: arb) -> arb:
    return (target + other) / 2


def _figures() -> Iterator[PaperClaim]:
    assumed = "the linear discriminant of Highleyman's distributions themselves, as prtools has them"
    yield _claim(
        "figure_1_comparable",
        "section 1, figure 1",
        "words",
        "trained with equal priors, and a tenth of the examples targets: as many false positives as true ones, about",
        lambda: _comparable(assumed),
    )
    yield from with_reading(
        _claim(
            "figure_4_linear",
            "section 3, figure 4",
            "number",
            "the linear classifier has a TPr of 75 % at a POSfrac of 0.1, at the prior 0.1 of the example",
            lambda: _linear_at_a_tenth("0.1", assumed),
        ),
        "at a prior of 0.001, in steps of 5 %",
        lambda: _linear_at_a_tenth("0.001", assumed),
    )
    yield _claim(
        "figure_4_quadratic",
        "section 3, figure 4",
        "number",
        "a quadratic classifier has a TPr of over 90 % at a POSfrac of 0.1, at a prior of 0.001",
        _quadratic_at_a_tenth,
    )
    yield _claim(
        "bayes_error_of_two_gaussians",
        "section 4 and table 2, TwoGaussians",
        "number",
        "table 2 has no POSfrac below what a Bayes error of 15.3 % allows, by more than two of its deviations",
        _least_posfrac,
    )


def _comparable(assumed: str) -> Ruling:
    tpr, fpr = _linear(_middle)
    ratio = 9 * fpr / tpr
    return by_computation(
        bool(ratio > arb("0.5")) and bool(ratio < 2),
        f"{assumed}: TPr {float(tpr):.3f} and FPr {float(fpr):.3f}, so 0.9*FPr and 0.1*TPr are in the ratio "
        f"{float(ratio):.2f}; comparable is read as within a factor of two",
        basis="certified enclosure",
    )


def _linear_at_a_tenth(prior: str, assumed: str) -> Ruling:
    """POSfrac grows with TPr: compare it at both ends of what rounds to 75 % in steps of 5 with 0.1."""
    share = arb(prior)
    found = []
    for quantile in ("0.597760", "0.755415"):  # of 0.725 and 0.775
        tpr, fpr = _linear(lambda mean, size, z=quantile: mean - arb(z) * size)
        found.append((tpr, share * tpr + (1 - share) * fpr))
    (low, least), (high, most) = found
    return by_computation(
        bool(least < arb("0.1")) and bool(most > arb("0.1")),
        f"{assumed}: POSfrac {float(least):.4f} at a TPr of {float(low):.3f}, {float(most):.4f} at {float(high):.3f}",
        "a lower TPr",
        basis="certified enclosure",
    )


def _quadratic_at_a_tenth() -> Ruling:
    """The quadratic classifier is the best of all, and so as good as calling targets all with |x1 - 2| > 0.1655."""
    bound = arb("0.1655")
    fpr, tpr = 2 * _below(-bound / DEVIATIONS[1][0]), _below(1 - bound) + 1 - _below(1 + bound)
    posfrac = arb("0.001") * tpr + arb("0.999") * fpr
    return by_computation(
        bool(tpr > arb("0.9")) and bool(posfrac < arb("0.1")),
        "both classes are normal, so that the quadratic discriminant of the distributions is the best classifier "
        f"(Neyman and Pearson): calling targets what has |x1 - 2| > {float(bound):.4f} has a TPr of {float(tpr):.3f} "
        f"at a POSfrac of {float(posfrac):.4f}, less than 0.1",
        basis="certified enclosure",
    )


def _least_posfrac() -> Ruling:
    """Two normal classes of one covariance are 2·q(1 - error) apart; q(0.847) is 1.0237, and q(0.8) is 0.841621."""
    distance, quantile = 2 * arb("1.0237"), arb("0.841621")
    least = 100 * _below(quantile - distance)
    error, rate = 100 * _below(-distance / 2), 100 * _below(quantile)
    worst = arb(10)
    for prior, row in _facts()["TwoGaussians"].items():
        for mean, deviation in row.values():
            bound = arb(prior) * 80 + (1 - arb(prior)) * least
            worst = min(worst, (arb(mean) - bound) / arb(deviation), key=float)
    return by_computation(
        bool(worst > -2) and abs(error - arb("15.3")) < arb("0.05") and abs(rate - 80) < arb("0.001"),
        f"with an error of {float(error):.2f} % no classifier has an FPr below {float(least):.2f} % at a TPr of 80 % "
        f"(Neyman and Pearson); of the 12 cells none is more than {float(-worst):.2f} of its deviations below the "
        "POSfrac that this gives by equation (5)",
        basis="certified enclosure",
    )


def _posfrac_balanced() -> Ruling:
    low, high = (_posfrac(_false_positive_rate(end, "0.5"), "0.01") for end in rounds_from("54.9"))
    ours = _posfrac(_false_positive_rate(Rational("54.9"), "0.5"), "0.01")
    back = _posfrac(_false_positive_rate(Rational("24.8"), "0.01"), "0.5")
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


# -- section 4 ---------------------------------------------------------------------------------------------------------


def _section_4() -> Iterator[PaperClaim]:
    yield _claim(
        "posfrac_and_purity",
        "section 4",
        "equation",
        "POSfrac = TP/N * 1/Purity",
        lambda: equal(POSFRAC, TP / n / PURITY),
    )
    yield _claim(
        "posfrac_against_purity",
        "section 4",
        "words",
        "POSfrac and Purity are inversely dependent: a low POSfrac goes with a high Purity, at one TPr",
        lambda: by_verdicts(
            identity(POSFRAC * PURITY, TARGET_PRIOR * TPR),
            note="POSfrac*Purity = P(C_t)*TPr, which is fixed",
        ),
    )
    yield _claim(
        "purity_falls_with_fp",
        "section 4",
        "words",
        "keeping TPr, a smaller POSfrac means a larger Purity: fewer false positives raise it",
        lambda: has("precision", "decreasing_fp"),
    )
    yield _claim(
        "table_2_problems",
        "table 2, caption",
        "number",
        "four data sets, three class distributions, four classifiers",
        lambda: by_computation(
            len(_facts()) == 4
            and all(len(rows) == 3 and {*map(len, rows.values())} == {4} for rows in _facts().values()),
            f"{', '.join(_facts())}; {', '.join(_facts()['Highleyman'])}; {', '.join(_facts()['Highleyman']['0.5'])}",
        ),
    )
    for problem, rows in _facts().items():
        for prior, row in rows.items():
            for classifier, (mean, deviation) in row.items():
                yield from _cell(problem, prior, classifier, mean, deviation)


def _cell(problem: str, prior: str, classifier: str, mean: str, deviation: str) -> Iterator[PaperClaim]:
    key, place = (
        f"table_2_{problem}_{prior}_{classifier}".lower().replace(".", "_"),
        f"table 2, {problem}, {prior}, {classifier}",
    )
    if prior == "0.5":
        yield _claim(key, place, "table cell", f"{mean} %", lambda: _possible(mean, prior))
        return
    base = _facts()[problem]["0.5"][classifier]
    yield _claim(key, place, "table cell", f"{mean} %", lambda: _follows(mean, base[0], prior))
    yield _claim(
        f"{key}_deviation",
        place,
        "table cell",
        f"± {deviation} %",
        lambda: _deviation_follows(deviation, base[1], prior),
    )


def _possible(mean: str, prior: str) -> Ruling:
    least = Rational(prior) * TARGET
    return by_computation(
        bool(least <= rounds_from(mean)[1] and Rational(mean) <= least + 100 * (1 - Rational(prior))),
        f"with 80 % of the targets POSfrac lies between {prior}*80 = {least.n(4)} (FPr = 0) and {(least + 50).n(4)} "
        "(FPr = 100)",
        f"a value between {least} and {least + 50}",
    )


def _follows(mean: str, base: str, prior: str) -> Ruling:
    """Return whether a mean is what equation (5) makes of the one at a prior of 1/2, both of them rounded."""
    fpr = 2 * Rational(base) - 80
    low, high = (_posfrac(2 * end - 80, prior) for end in rounds_from(base))
    printed = rounds_from(mean)
    evidence = (
        f"from {base} at 0.5: FPr = 2*{base} - 80 = {fpr.n(4)}, {prior}*80 + {1 - Rational(prior).n(4)}*FPr = "
        f"{_posfrac(fpr, prior).n(5)}, printed {mean} (rounding allows {low.n(5)} to {high.n(5)})"
    )
    return by_computation(
        bool(low <= printed[1] and high >= printed[0]), evidence, f"{_posfrac(fpr, prior).n(4)}, by equation (5)"
    )


def _deviation_follows(deviation: str, base: str, prior: str) -> Ruling:
    """Return whether a deviation is the one at a prior of 1/2, scaled: by equation (5) POSfrac is linear in FPr."""
    factor = 2 * (1 - Rational(prior))
    low, high = (factor * max(S.Zero, end) for end in rounds_from(base))
    printed = rounds_from(deviation)
    evidence = (
        f"from {base} at 0.5: {factor.n(4)}*{base} = {(factor * Rational(base)).n(4)}, printed {deviation} (rounding "
        f"allows {low.n(4)} to {high.n(4)})"
    )
    right = f"{(factor * Rational(base)).n(3)}, because POSfrac is linear in FPr"
    return by_computation(bool(low <= printed[1] and high >= printed[0]), evidence, right)


# -- section 4.1 -------------------------------------------------------------------------------------------------------


def _section_4_1() -> Iterator[PaperClaim]:
    place = "section 4.1"
    yield _claim(
        "one_in_a_thousand",
        place,
        "number",
        "the third prior is one target in a thousand examples",
        lambda: by_number(Rational(1, 1000), "0.001", "1/1000"),
    )
    yield _claim(
        "two_gaussians_above_ten",
        place,
        "words",
        "TwoGaussians: POSfrac stays above 10 % for all classifiers at 0.001",
        lambda: _rare("TwoGaussians", lambda row: min(row.values()) > 10),
    )
    yield _claim(
        "highleyman_linear_alone",
        place,
        "words",
        "Highleyman: of the four, the linear classifier alone is severely affected",
        lambda: _rare("Highleyman", lambda row: row["LDC"] > 10 > 1 > max(row[c] for c in row if c != "LDC")),
    )
    yield _claim(
        "multimodal_over_twenty",
        place,
        "words",
        "Multimodal: the linear and the quadratic classifier have a POSfrac of over 20 % at 0.001",
        lambda: _rare("Multimodal", lambda row: min(row["LDC"], row["QDC"]) > 20),
    )
    yield _claim(
        "multimodal_others_better",
        place,
        "words",
        "Multimodal: mixture model and Parzen classifier perform a lot better",
        lambda: _rare("Multimodal", lambda row: 5 * max(row["MOGC"], row["PARZEN"]) < min(row["LDC"], row["QDC"])),
    )
    for problem in ("Multimodal", "Lithuanian"):
        yield _claim(
            f"{problem.lower()}_order",
            place,
            "words",
            f"{problem}: the more complex classifiers fare better, LDC > QDC > MOGC > PARZEN in POSfrac at 0.001",
            lambda problem=problem: _rare(problem, lambda row: list(row) == sorted(row, key=lambda c: -row[c])),
        )


def _rare(problem: str, holds: Callable[[dict[str, Rational]], object]) -> Ruling:
    row = {classifier: Rational(mean) for classifier, (mean, _) in _facts()[problem]["0.001"].items()}
    shown = ", ".join(f"{classifier} {mean}" for classifier, (mean, _) in _facts()[problem]["0.001"].items())
    return by_computation(bool(holds(row)), f"table 2: {shown}", shown)


# -- section 5 and all of it -------------------------------------------------------------------------------------------


def _section_5() -> Iterator[PaperClaim]:
    """Yield the two statements that repeat those of section 1, for both measures together."""
    yield _claim(
        "conclusion_priors",
        "section 5",
        "words",
        "TPr and FPr are independent of the class distributions",
        lambda: by_verdicts(*(decided(sm.properties["actual_scaling"].claim(METRICS[key])) for key in ("tpr", "fpr"))),
    )

    yield _claim(
        "conclusion_costs",
        "section 5",
        "words",
        "POSfrac and Purity depend on the class distributions",
        _both_see_priors,
    )


def _both_see_priors() -> Ruling:
    rulings = [lacks(key, "actual_scaling") for key in ("positive_fraction", "precision")]
    return by_computation(
        all(ruling.outcome == "holds" for ruling in rulings), "; ".join(ruling.evidence for ruling in rulings)
    )


def trial() -> Trial:
    """Return the claims of the paper."""
    parts = (_definitions(), _equations(), _section_3(), _figures(), _section_4(), _section_4_1(), _section_5())
    title = "Landgrebe, Paclík, Tax, Verzakov & Duin (2005), Cost-based classifier evaluation for imbalanced problems"
    return Trial("landgrebe2005", title, tuple(claim for part in parts for claim in part), UNCOUNTED, ANEW)


def main() -> int:
    """Judge and print every claim, and return 1 if one is not as recorded."""
    return run_alone(trial(), RECORDED)


if __name__ == "__main__":
    sys.exit(main())
