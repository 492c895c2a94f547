"""The claims of García, Sánchez & Mollineda (2012), judged one by one, in the paper's order.

Run it: ``python proofs/garcia2012.py``.  It prints every claim with its ruling and exits with 1 if one comes out
otherwise than recorded here.

V. García, J. S. Sánchez, R. A. Mollineda: On the suitability of numerical performance measures for class imbalance
problems. ICPRAM 2012, pages 310-313.

What rests on random tuples (section 3.1) is judged by seeded ones, under three readings of how the paper makes its
probabilities, which it does not say: a conclusion holds if it does under all of them, and stays open otherwise.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray
from sympy import Abs, Integer, Rational, S, denom, roots, sqrt

import symmetrics as sm
from symmetrics.curves.weighted import RHO, weight_sum
from symmetrics.language.cells import CELLS, FN, FP, ON, OP, TN, TP, N, P, n
from symmetrics.language.formula import parameter_symbol
from symmetrics.library.selections import GARCIA_METRICS, GARCIA_PROPERTIES
from symmetrics.papers.claims import (
    CONSTANT,
    STEP,
    Kind,
    Outcome,
    PaperClaim,
    Ruling,
    Trial,
    at,
    at_least,
    by_computation,
    by_verdicts,
    decided,
    equal,
    has,
    identity,
    inequality,
    lacks,
    run_alone,
    tends_to,
    with_reading,
    within,
)
from symmetrics.papers.garcia2012.experiment import (
    CONCLUSIONS,
    DESIGNS,
    PERCENTAGES,
    Conclusion,
    correlations,
    failing_levels,
    printed_signs,
)

OPEN: Final = (
    "accuracy_against_tpr",
    "optimized_precision_follows_tnr",
    "kappa_follows_tnr",
    "agm_follows_tnr",
    "f1_follows_tnr",
    "cwa_against_tnr",
)
"""The conclusions of section 3.1 that depend on how the true probabilities lie."""
RECORDED: Final[Mapping[str, Outcome]] = {
    "garcia2012.equation_1_areas": "holds only as",
    "garcia2012.equation_1_moves_weight": "holds only as",
    "garcia2012.equation_1_rho_one": "holds only as",
    "garcia2012.equation_1_rho_zero": "refuted",
    "garcia2012.agm_prefers_tnr": "holds only as",
    **{f"garcia2012.correlation_{name}": "open" for name in OPEN},
}
"""What does not hold, or not as it is printed."""
UNCOUNTED: Final[Mapping[str, str]] = {
    "*_is_a_share": "that a share lies between 0 and 1 follows from its definition",
    "design_tuples": CONSTANT,
    "design_levels": CONSTANT,
    "design_measures": CONSTANT,
    "f1": "the same as f1_is_beta_one",
    "f1_ignores_tn": "repeats a cell of table 2",
    "f1_detects_p1": "repeats a cell of table 2",
    "gmean_ignores_dominance": "repeats a cell of table 2",
    "auc_single_ignores_dominance": "repeats a cell of table 2",
}
"""What is judged and not counted."""
ANEW: Final[Mapping[str, str]] = {
    "agm_prefers_tnr": "holds",
    "equation_1_moves_weight": "refuted",
    "equation_1_rho_one": "refuted",
}
"""What was ruled otherwise before."""

NAMES: Final = dict(
    zip(
        GARCIA_METRICS,
        ("TPr", "TNr", "Prec", "Acc", "Gm", "AUC", "F1", "OP", "IBA(Gm)", "kappa", "AGm", "cwA", "wAUC"),
        strict=True,
    )
)
"""The paper's names."""

TPR, TNR, PREC = TP / P, TN / N, TP / OP
ACC, GM, AUC = (TP + TN) / n, sqrt(TPR * TNR), (TPR + TNR) / 2
CHANCE = (P * OP + N * ON) / n**2
DOMINANCE = TPR - TNR
METRICS = sm.metrics
(BETA,), (W,), (ALPHA,), (SHARE,) = (METRICS[key].parameters for key in ("f_beta", "cwa", "iba_gmean", "wauc"))
F = (1 + BETA.symbol**2) * TPR * PREC / (BETA.symbol**2 * PREC + TPR)
IBA = (1 + ALPHA.symbol * DOMINANCE) * GM
CWA = W.symbol * TPR + (1 - W.symbol) * TNR
AGM = (GM + TNR * (N / n)) / (1 + N / n)
OPTIMIZED = ACC - Abs(TNR - TPR) / (TNR + TPR)
K = parameter_symbol("k")
"""How often negative examples are as frequent as positive ones."""
BOTTOM, TOP = TPR * (1 + TNR) / 2, (1 - TPR) * TNR / 2
"""The strips of the ROC plane below and above one operating point, under the curve through it."""


def _claim(key: str, place: str, kind: Kind, printed: str, judge: Callable[[], Ruling]) -> PaperClaim:
    return PaperClaim(f"garcia2012.{key}", place, kind, printed, judge)


# -- sections 1 and 2: accuracy and rates ------------------------------------------------------------------------------


def _rates() -> Iterator[PaperClaim]:
    section = "section 1"
    yield _claim(
        "accuracy_ignores_costs",
        section,
        "words",
        "accuracy takes no costs of misclassification into account: it treats FN and FP alike",
        lambda: has("accuracy", "transpose"),
    )
    yield _claim(
        "accuracy_sees_skew",
        section,
        "words",
        "accuracy is sensitive to class skews",
        lambda: lacks("accuracy", "actual_scaling"),
    )
    section = "section 2"
    yield _claim(
        "accuracy",
        section,
        "equation",
        "Acc = (TP + TN)/(TP + FN + TN + FP)",
        lambda: equal(ACC, METRICS["accuracy"].expr),
    )
    yield _claim("error_rate", section, "equation", "Err = 1 - Acc", lambda: equal(METRICS["error_rate"].expr, 1 - ACC))
    yield _claim(
        "error_rate_sees_skew",
        section,
        "words",
        "the error rate, like the accuracy, is biased by the imbalance of the data",
        lambda: lacks("error_rate", "actual_scaling"),
    )
    definitions = {
        "tpr": ("TPr is the share of the positive examples that are correctly classified", TPR),
        "tnr": ("TNr is the share of the negative examples that are correctly classified", TNR),
        "precision": ("Prec = TP/(TP + FP)", PREC),
    }
    for key, (printed, formula) in definitions.items():
        yield _claim(key, section, "equation", printed, lambda key=key, f=formula: equal(f, METRICS[key].expr))
        yield _claim(
            f"{key}_is_a_share",
            section,
            "inequality",
            f"{NAMES[key]}, a percentage, lies between 0 and 1",
            lambda f=formula: within(f, 0, 1),
        )


# -- section 2: AUC, Gmean, F ------------------------------------------------------------------------------------------


def _means() -> Iterator[PaperClaim]:
    section = "section 2, AUC"
    fpr = 1 - TNR
    yield _claim(
        "auc",
        section,
        "equation",
        "AUC = (TPr + TNr)/2: the area under the curve through the one operating point",
        lambda: equal(fpr * TPR / 2 + (1 - fpr) * (TPR + 1) / 2, AUC, note="triangle and trapezium"),
    )
    section = "section 2, Gmean"
    yield _claim("gmean", section, "equation", "Gmean = sqrt(TPr*TNr)", lambda: equal(GM, METRICS["gmean"].expr))
    yield _claim(
        "gmean_wants_balance",
        section,
        "words",
        "Gmean rewards high and balanced accuracies of both classes: it is at most their mean, and they are less "
        "far apart the closer it is to it",
        lambda: by_verdicts(
            inequality(AUC, GM), identity(AUC**2 - GM**2, (TPR - TNR) ** 2 / 4), note="AUC^2 - Gm^2 = (TPr - TNr)^2/4"
        ),
    )
    for key in ("auc_single", "gmean"):
        name = NAMES[key]
        yield _claim(
            f"{key}_ignores_skew",
            section,
            "words",
            f"{name} minimizes the influence of skewed class distributions",
            lambda key=key: has(key, "actual_scaling"),
        )
        yield _claim(
            f"{key}_ignores_dominance",
            section,
            "words",
            f"{name} does not tell which class contributes what, nor which one is dominant",
            lambda key=key: has(key, "p1", note="both classes may be exchanged"),
        )
    yield _claim(
        "same_auc_and_gmean",
        section,
        "words",
        "different TPr and TNr may give the same AUC and Gm",
        _same_auc_and_gmean,
    )
    yield from _f_measure()


def _same_auc_and_gmean() -> Ruling:
    first, second = (1, 1, 0, 2), (2, 0, 1, 1)
    values = [[METRICS[key].exact(*table) for key in ("auc_single", "gmean")] for table in (first, second)]
    rates = [[METRICS[key].exact(*table) for key in ("tpr", "tnr")] for table in (first, second)]
    shown = f"TPr, TNr = {rates[0]} and {rates[1]} both give AUC, Gm = {values[0]}"
    return by_computation(values[0] == values[1] and rates[0] != rates[1], shown)


def _f_measure() -> Iterator[PaperClaim]:
    section = "section 2, F-measure"
    zero = {BETA.symbol: S.Zero}
    one = {BETA.symbol: S.One}
    yield _claim(
        "f_beta",
        section,
        "equation",
        "F = (1 + beta^2)*TPr*Prec/(beta^2*Prec + TPr)",
        lambda: equal(F, METRICS["f_beta"].expr, BETA),
    )
    yield _claim("f_beta_unit", section, "inequality", "0 <= F <= 1", lambda: within(F, 0, 1, BETA))
    yield _claim(
        "f_beta_between",
        section,
        "words",
        "F integrates TPr and precision: it lies between the two for every beta",
        lambda: by_verdicts(
            identity((F - PREC) * (BETA.symbol**2 * PREC + TPR), BETA.symbol**2 * PREC * (TPR - PREC), BETA),
            identity((TPR - F) * (BETA.symbol**2 * PREC + TPR), TPR * (TPR - PREC), BETA),
            note="F - Prec and TPr - F both have the sign of TPr - Prec",
        ),
    )
    yield _claim(
        "f_beta_without_tpr",
        section,
        "special case",
        "beta controls the influence of precision: at beta = 0 it is all",
        lambda: equal(F.xreplace(zero), PREC),
    )
    yield _claim(
        "f_beta_without_precision",
        section,
        "limit",
        "beta controls the influence of TPr: as beta grows it becomes all",
        lambda: tends_to(F, TPR, (TP, FN, FP, BETA.symbol / STEP), over=(TP, FN, FP, BETA.symbol)),
    )
    yield _claim(
        "f1_is_beta_one",
        section,
        "special case",
        "beta = 1 gives F_1 = 2*TPr*Prec/(Prec + TPr)",
        lambda: equal(F.xreplace(one), 2 * TPR * PREC / (PREC + TPR)),
    )
    yield _claim(
        "f1",
        section,
        "equation",
        "F_1 = 2*TPr*Prec/(Prec + TPr)",
        lambda: equal(2 * TPR * PREC / (PREC + TPR), METRICS["f1"].expr),
    )
    yield _claim("f1_unit", section, "inequality", "F_1 in [0, 1]", lambda: within(2 * TPR * PREC / (PREC + TPR), 0, 1))
    yield _claim(
        "f1_harmonic",
        section,
        "two forms",
        "F_1 is the harmonic mean of TPr and Prec",
        lambda: equal(2 * TPR * PREC / (PREC + TPR), 2 / (1 / TPR + 1 / PREC)),
    )


# -- section 2: kappa, OP, cwA -----------------------------------------------------------------------------------------


def _corrected_measures() -> Iterator[PaperClaim]:
    section = "section 2, kappa"
    kappa = (ACC - CHANCE) / (1 - CHANCE)
    yield _claim(
        "kappa",
        section,
        "equation",
        "kappa = (P_A - P_e)/(1 - P_e), P_A the accuracy, P_e = (N_p*R_p + N_n*R_n)/N^2",
        lambda: equal(kappa, METRICS["kappa"].expr),
    )
    yield _claim("kappa_range", section, "inequality", "kappa in [-1, 1]", lambda: within(kappa, -1, 1))
    yield _claim("kappa_chance_unit", section, "inequality", "P_e is a proportion", lambda: within(CHANCE, 0, 1))
    yield _claim(
        "kappa_chance",
        section,
        "words",
        "kappa corrects for the agreement expected by chance: it is 0 wherever prediction and truth are independent",
        lambda: by_verdicts(
            identity(at(kappa, (TP, FN, K * TP, K * FN)), S.Zero, over=(TP, FN, K)), note="at TP, FN, k*TP, k*FN"
        ),
    )
    section = "section 2, optimized precision"
    yield _claim(
        "optimized_precision",
        section,
        "equation",
        "OP = Acc - |TNr - TPr|/(TNr + TPr)",
        lambda: equal(OPTIMIZED, METRICS["optimized_precision"].expr),
    )
    yield _claim(
        "optimized_precision_needs_accuracy",
        section,
        "words",
        "a high OP requires a high accuracy: OP <= Acc",
        lambda: at_least(ACC, OPTIMIZED),
    )
    yield _claim(
        "optimized_precision_needs_balance",
        section,
        "words",
        "a high OP requires balanced class accuracies: |TNr - TPr|/(TNr + TPr) <= 1 - OP",
        lambda: at_least(1 - OPTIMIZED, Abs(TNR - TPR) / (TNR + TPR)),
    )
    yield _claim(
        "optimized_precision_sees_skew",
        section,
        "words",
        "OP can be affected by the bias of the accuracy: skew changes it at the same TPr and TNr",
        lambda: lacks("optimized_precision", "actual_scaling"),
    )
    section = "section 2, class-weighted accuracy"
    yield _claim("cwa", section, "equation", "cwA = w*TPr + (1 - w)*TNr", lambda: equal(CWA, METRICS["cwa"].expr, W))
    yield _claim("cwa_unit", section, "inequality", "0 <= cwA <= 1 for 0 <= w <= 1", lambda: within(CWA, 0, 1, W))
    yield _claim(
        "cwa_mean",
        section,
        "words",
        "cwA is a weighted mean of TPr and TNr: it lies between the two for 0 <= w <= 1",
        lambda: by_verdicts(
            identity(CWA - TNR, W.symbol * DOMINANCE, W),
            identity(TPR - CWA, (1 - W.symbol) * DOMINANCE, W),
            note="cwA - TNr = w*(TPr - TNr) and TPr - cwA = (1 - w)*(TPr - TNr) have one sign",
        ),
    )


# -- section 2: weighted AUC -------------------------------------------------------------------------------------------


def _weighted_auc() -> Iterator[PaperClaim]:
    section = "section 2, equation (1)"
    yield from with_reading(
        _claim("equation_1_areas", section, "number", "w(x), x = 0, ..., n, is given for n areas to sum", _areas),
        "the areas are counted from 0 to n, n + 1 of them",
        lambda: by_computation(_indices(1) == [0, 1], "x = 0, ..., n are n + 1 values: 0 and 1 for two areas"),
    )
    yield from with_reading(
        _claim(
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
        _claim(
            "equation_1_rho_one", section, "words", "the weights are given for every rho in [0, 1]", _weights_at_one
        ),
        "for every rho in [0, 1)",
        _weights_below_one,
    )
    yield _claim(
        "equation_1_rho_zero",
        section,
        "special case",
        "with w(0) = rho, rho = 0 gives the conventional AUC",
        _rho_zero,
    )
    section = "section 2, weighted AUC"
    yield _claim(
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


# -- section 2: AGm and IBA --------------------------------------------------------------------------------------------


def _adjusted_measures() -> Iterator[PaperClaim]:
    section = "section 2, adjusted geometric mean"
    exchanged = (TN * P / N, FP * P / N, FN * N / P, TP * N / P)
    yield _claim("agm", section, "equation", "AGm = (Gm + TNr*P_n)/(1 + P_n)", lambda: equal(AGM, METRICS["agm"].expr))
    yield _claim("agm_unit", section, "inequality", "AGm, a mean, lies in [0, 1]", lambda: within(AGM, 0, 1))
    yield from with_reading(
        _claim(
            "agm_prefers_tnr",
            section,
            "words",
            "AGm is more sensitive to changes in TNr than to changes in TPr",
            _agm_slopes,
        ),
        "exchanging the two rates at the same prior changes it by P_n*(TNr - TPr)/(1 + P_n), in favour of TNr",
        lambda: by_verdicts(identity(AGM - at(AGM, exchanged), (N / n) * (TNR - TPR) / (1 + N / n))),
    )
    section = "section 2, index of balanced accuracy"
    yield _claim(
        "iba", section, "equation", "IBA = (1 + alpha*Dom)*Gm", lambda: equal(IBA, METRICS["iba_gmean"].expr, ALPHA)
    )
    yield _claim(
        "dominance", section, "equation", "Dom = TPr - TNr", lambda: equal(DOMINANCE, METRICS["dominance"].expr)
    )
    yield _claim(
        "iba_prefers_positive",
        section,
        "words",
        "IBA favours better results on the positive class: exchanging the two rates changes it by 2*alpha*Dom*Gm, with "
        "the sign of TPr - TNr for alpha > 0",
        lambda: by_verdicts(identity(IBA - at(IBA, exchanged), 2 * ALPHA.symbol * DOMINANCE * GM, ALPHA)),
    )
    yield _claim(
        "iba_alpha_zero",
        section,
        "special case",
        "IBA is expressed in terms of Gm: without the dominance (alpha = 0) it is Gm",
        lambda: equal(IBA.xreplace({ALPHA.symbol: S.Zero}), GM),
    )
    yield _claim(
        "iba_alpha_small",
        section,
        "inequality",
        "a small alpha reduces the influence of the dominance: |IBA - Gm| <= 0.05*Gm at alpha = 0.05",
        lambda: by_verdicts(
            *(inequality(GM / 20, sign * (IBA.xreplace({ALPHA.symbol: Rational(1, 20)}) - GM)) for sign in (1, -1))
        ),
    )


def _agm_slopes() -> Ruling:
    """Compare the slopes of AGm in both rates at a fixed prior, (1 + P_n) times each."""
    by_tnr, by_tpr = sqrt(TPR / TNR) / 2 + N / n, sqrt(TNR / TPR) / 2
    return by_verdicts(
        inequality(by_tnr, by_tpr, strict=True),
        note="the slope of AGm in TNr, on the left, against that in TPr, each times 1 + P_n: sqrt(TPr/TNr)/2 + P_n and "
        "sqrt(TNr/TPr)/2",
        correction=("where TPr >= TNr the slope in TNr is the larger one", _agm_slopes_above),
    )


def _agm_slopes_above() -> Iterator[sm.Verdict]:
    """With TNr = 1/(1 + a + b) and TPr = 1/(1 + a), a and b positive, TPr is the larger one."""
    ratio, extra, share = over = (TP, FP, TN)
    larger = ratio + extra
    yield inequality(sqrt(larger / ratio) / 2 + share, sqrt(ratio / larger) / 2, strict=True, over=over)


# -- section 3 ---------------------------------------------------------------------------------------------------------


def _design() -> Iterator[PaperClaim]:
    section = "section 3.1"
    yield _claim(
        "design_measures",
        "section 3",
        "number",
        "the 13 measures that section 3 lists are the 13 columns of table 2",
        lambda: by_computation(
            len(NAMES) == 13 and {row for row, _ in printed_signs()} == set(NAMES),
            f"{len(NAMES)} measures: {', '.join(NAMES.values())}",
        ),
    )
    yield _claim(
        "design_combinations",
        section,
        "number",
        "from (0.6, 0) to (0, 0.6) in steps of (-0.05, 0.05) there are 13 combinations of distortion terms",
        lambda: by_computation(Rational("0.6") / Rational("0.05") + 1 == 13, "0.6/0.05 + 1 = 13"),
    )
    yield _claim(
        "design_sum",
        section,
        "equation",
        "every combination satisfies eps_n + eps_p = 0.6",
        lambda: by_computation(
            all((12 - k) * Rational("0.05") + k * Rational("0.05") == Rational("0.6") for k in range(13)),
            "(12 - k)*0.05 + k*0.05 = 12*0.05 = 0.6",
        ),
    )
    yield _claim(
        "design_tuples",
        section,
        "number",
        "10 tuples for each of 13 combinations make 130",
        lambda: by_computation(10 * 13 == 130, "10*13 = 130"),
    )
    yield _claim(
        "design_levels",
        section,
        "number",
        "the imbalance degrees 5, 10, 15, 20 and 25 % are five",
        lambda: by_computation(len(range(5, 26, 5)) == 5, "(25 - 5)/5 + 1 = 5"),
    )
    yield _claim(
        "cwa_unbiased_at_half",
        section,
        "words",
        "cwA may be biased for w other than 1/2: exchanging the classes leaves it as it is if and only if w = 1/2",
        _unbiased_at_half,
    )


@cache
def _matrices(design: str) -> dict[int, NDArray[np.float64]]:
    return {percentage: correlations(percentage, design=design) for percentage in PERCENTAGES}


def _correlations() -> Iterator[PaperClaim]:
    for conclusion in CONCLUSIONS:
        pair = f"{NAMES[conclusion.first]} and {NAMES[conclusion.second]}"
        yield _claim(
            f"correlation_{conclusion.name}",
            "section 3.1, conclusions",
            "words",
            f"the correlation of {pair} is {conclusion.stated}",
            lambda conclusion=conclusion: _conclusion(conclusion),
        )


def _conclusion(conclusion: Conclusion) -> Ruling:
    failing = {design: failing_levels(conclusion, _matrices(design)) for design in DESIGNS}
    found = [
        f"{design}: {f'fails at {levels} % positive' if levels else 'at all five levels'}"
        for design, levels in failing.items()
    ]
    evidence = f"650 seeded tuples of 1000 instances for each reading of the true probabilities; {'; '.join(found)}"
    if any(failing.values()):
        return Ruling("open", f"it depends on what the paper does not say; {evidence}", basis="statistics")
    return by_computation(True, evidence, basis="statistics")


def _unbiased_at_half() -> Ruling:
    verdict = decided(sm.properties["p1"].claim(METRICS["cwa"]))
    return by_computation(verdict.to_dict()["condition"] == "w = 1/2", verdict.evidence.sentence)


def _table_2() -> Iterator[PaperClaim]:
    for (metric, key), sign in printed_signs().items():
        meaning = "invariance" if sign == "-" else "no invariance"
        yield _claim(
            f"table_2_{metric}_{key}",
            f"table 2, {NAMES[metric]}, {key}",
            "table cell",
            f"{sign} ({meaning})",
            lambda metric=metric, key=key, judge=has if sign == "-" else lacks: judge(metric, key),
        )


def _below_table_2() -> Iterator[PaperClaim]:
    section = "section 3.2, below table 2"
    yield _claim(
        "most_sensitive",
        section,
        "words",
        "the measures that change under all five are four: IBA, AGm, cwA and wAUC",
        lambda: _set_of({m for m in GARCIA_METRICS if not _invariances(m)}, ("iba_gmean", "agm", "cwa", "wauc")),
    )
    yield _claim(
        "accuracy_confuses_cells",
        section,
        "words",
        "accuracy tells neither TP from TN nor FN from FP",
        lambda: by_verdicts(*(identity(ACC, at(ACC, table)) for table in ((TN, FN, FP, TP), (TP, FP, FN, TN)))),
    )
    yield _claim(
        "insensitive_to_p1",
        section,
        "words",
        "of the measures for imbalanced domains Gm, AUC, OP and kappa are insensitive to p1; besides them only Acc is",
        lambda: _set_of(
            {m for m in GARCIA_METRICS if "p1" in _invariances(m)},
            ("accuracy", "gmean", "auc_single", "optimized_precision", "kappa"),
        ),
    )
    yield _claim("f1_detects_p1", section, "words", "F_1 detects the exchange p1", lambda: lacks("f1", "p1"))
    yield _claim("f1_ignores_tn", section, "words", "F_1 is invariant under a change in TN", lambda: has("f1", "p2"))
    yield _claim(
        "two_do_not_detect_p1",
        "section 4",
        "words",
        "of AUC, Gm, IBA, wAUC and cwA two do not detect the exchange of the classes: AUC and Gm",
        lambda: _set_of(
            {m for m in ("auc_single", "gmean", "iba_gmean", "wauc", "cwa") if "p1" in _invariances(m)},
            ("auc_single", "gmean"),
        ),
    )


@cache
def _invariances(metric: str) -> frozenset[str]:
    """Return under which of the five changes a measure keeps its value, at the defaults of its parameters."""
    return frozenset(key for key in GARCIA_PROPERTIES if lacks(metric, key).outcome == "refuted")


def _set_of(found: set[str], printed: tuple[str, ...]) -> Ruling:
    listed = ", ".join(NAMES[metric] for metric in GARCIA_METRICS if metric in found)
    return by_computation(found == set(printed), f"by the proofs and counterexamples of table 2: {listed}", listed)


# -- all of it ---------------------------------------------------------------------------------------------------------


def trial() -> Trial:
    """Return the claims of the paper."""
    parts = (
        _rates(),
        _means(),
        _corrected_measures(),
        _weighted_auc(),
        _adjusted_measures(),
        _design(),
        _correlations(),
        _table_2(),
        _below_table_2(),
    )
    title = (
        "García, Sánchez & Mollineda (2012), On the suitability of numerical performance measures for class imbalance "
        "problems"
    )
    return Trial("garcia2012", title, tuple(claim for part in parts for claim in part), UNCOUNTED, ANEW)


def main() -> int:
    """Judge and print every claim, and return 1 if one is not as recorded."""
    return run_alone(trial(), RECORDED)


if __name__ == "__main__":
    sys.exit(main())
