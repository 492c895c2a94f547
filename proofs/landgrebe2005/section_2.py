"""Sections 1 and 2 of Landgrebe and others (2005), and the equations of section 3."""

from __future__ import annotations

from collections.abc import Iterator

from sympy import S

import symmetrics as sm
from symmetrics.claims import StrictInequality
from symmetrics.language.cells import FN, FP, ON, OP, TN, TP, N, P, n, parameter_symbol
from symmetrics.metric.priors import FPR as FPR_SYMBOL
from symmetrics.metric.priors import TNR as TNR_SYMBOL
from symmetrics.metric.priors import prior_limit
from symmetrics.papers.claims import (
    STEP,
    Kind,
    PaperClaim,
    Ruling,
    by_computation,
    by_verdicts,
    decided,
    equal,
    has,
    identity,
    lacks,
    tends_to,
    within,
)

from .shared import FNR, FPR, METRICS, OTHER_PRIOR, POSFRAC, PURITY, TARGET_PRIOR, TNR, TPR, statement

# -- sections 1 and 2.1 ------------------------------------------------------------------------------------------------


def _definitions() -> Iterator[PaperClaim]:
    for key, name in (("tpr", "TPr"), ("fpr", "FPr")):
        yield statement(
            f"{key}_ignores_priors",
            "section 1",
            "words",
            f"{name} is invariant to changes in the class distributions",
            lambda key=key: has(key, "actual_scaling"),
        )
    for key, name in (("positive_fraction", "POSfrac"), ("precision", "purity")):
        yield statement(
            f"{key}_sees_priors",
            "section 1",
            "words",
            f"{name} depends on the class distributions",
            lambda key=key: lacks(key, "actual_scaling"),
        )
    yield statement(
        "other_costs",
        "section 1",
        "words",
        "accuracy, purity and recall are costs other than TPr and FPr",
        _other_costs,
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
        yield statement(key, where, two_forms, printed, lambda left=left, right=right: equal(left, right))
    for key, name, formula in (("positive_fraction", "POSfrac", POSFRAC), ("purity", "Purity", PURITY)):
        yield statement(
            f"{key}_is_a_fraction",
            place,
            "inequality",
            f"{name}, a fraction, lies between 0 and 1",
            lambda formula=formula: within(formula, 0, 1),
        )
    found = parameter_symbol("t")
    tables = ((TP + found, FN, FP, TN), (TP, FN + found, FP, TN))
    yield statement(
        "posfrac_grows_with_tpr",
        place,
        "words",
        "POSfrac increases with TPr: finding targets that were missed raises it",
        lambda: by_verdicts(
            decided(StrictInequality(POSFRAC, (), tables, (found,))), note="t > 0 more targets found of the same N_t"
        ),
    )


def _other_costs() -> Ruling:
    costs = ("accuracy", "precision", "recall")
    others = [key for key in costs if all(identity(METRICS[key].expr, rate).status != "proved" for rate in (TPR, FPR))]
    return by_computation(
        len(others) == len(costs),
        "recall = TP/(TP + FN) is TPr, as section 2.1 says itself: at TP = 1, FN = 1, FP = 1, TN = 3 both are 1/2, and "
        "accuracy is 2/3",
        f"{' and '.join(others)} are other costs",
    )


# -- sections 2.2 and 3: the equations ---------------------------------------------------------------------------------


def _equations() -> Iterator[PaperClaim]:
    of_rates = (TPR * P + FPR * N) / n
    of_priors = TARGET_PRIOR * TPR + OTHER_PRIOR * FPR
    purity_of_rates = TPR * P / (TPR * P + FPR * N)
    purity_of_priors = TPR / (TPR + OTHER_PRIOR / TARGET_PRIOR * FPR)
    yield statement(
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
        yield statement(key, place, kind, printed, lambda left=left, right=right: equal(left, right))
    yield statement(
        "posfrac_limit_skew",
        "section 3, below (6)",
        "limit",
        "POSfrac tends to FPr as the skew ratio increases",
        lambda: tends_to(POSFRAC, FPR, (STEP * TP, STEP * FN, FP, TN)),
    )
    yield statement(
        "posfrac_limit_prior",
        "section 3, below (6)",
        "limit",
        "POSfrac tends to FPr as P(C_t) tends to 0, at fixed rates",
        _prior_limit,
    )


def _prior_limit() -> Ruling:
    limit = prior_limit(METRICS["positive_fraction"]).xreplace({TNR_SYMBOL: 1 - FPR_SYMBOL})
    return by_computation(limit == FPR_SYMBOL, f"the exact leading term: {limit}", str(limit))


def claims() -> Iterator[PaperClaim]:
    """Yield the claims, in the paper's order."""
    yield from _definitions()
    yield from _equations()
