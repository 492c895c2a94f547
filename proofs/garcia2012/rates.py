"""Sections 1 and 2 of García, Sánchez & Mollineda (2012): accuracy and rates, AUC, Gmean and F."""

from __future__ import annotations

from collections.abc import Iterator

from sympy import S

from symmetrics.language.cells import FN, FP, TP
from symmetrics.papers.claims import (
    STEP,
    PaperClaim,
    Ruling,
    by_computation,
    by_verdicts,
    equal,
    has,
    identity,
    inequality,
    lacks,
    tends_to,
    within,
)

from .formulas import ACC, AUC, BETA, GM, METRICS, NAMES, PREC, TNR, TPR, F, statement

# -- sections 1 and 2: accuracy and rates ------------------------------------------------------------------------------


def _rates() -> Iterator[PaperClaim]:
    section = "section 1"
    yield statement(
        "accuracy_ignores_costs",
        section,
        "words",
        "accuracy takes no costs of misclassification into account: it treats FN and FP alike",
        lambda: has("accuracy", "transpose"),
    )
    yield statement(
        "accuracy_sees_skew",
        section,
        "words",
        "accuracy is sensitive to class skews",
        lambda: lacks("accuracy", "actual_scaling"),
    )
    section = "section 2"
    yield statement(
        "accuracy",
        section,
        "equation",
        "Acc = (TP + TN)/(TP + FN + TN + FP)",
        lambda: equal(ACC, METRICS["accuracy"].expr),
    )
    yield statement(
        "error_rate", section, "equation", "Err = 1 - Acc", lambda: equal(METRICS["error_rate"].expr, 1 - ACC)
    )
    yield statement(
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
        yield statement(key, section, "equation", printed, lambda key=key, f=formula: equal(f, METRICS[key].expr))
        yield statement(
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
    yield statement(
        "auc",
        section,
        "equation",
        "AUC = (TPr + TNr)/2: the area under the curve through the one operating point",
        lambda: equal(fpr * TPR / 2 + (1 - fpr) * (TPR + 1) / 2, AUC, note="triangle and trapezium"),
    )
    section = "section 2, Gmean"
    yield statement("gmean", section, "equation", "Gmean = sqrt(TPr*TNr)", lambda: equal(GM, METRICS["gmean"].expr))
    yield statement(
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
        yield statement(
            f"{key}_ignores_skew",
            section,
            "words",
            f"{name} minimizes the influence of skewed class distributions",
            lambda key=key: has(key, "actual_scaling"),
        )
        yield statement(
            f"{key}_ignores_dominance",
            section,
            "words",
            f"{name} does not tell which class contributes what, nor which one is dominant",
            lambda key=key: has(key, "p1", note="both classes may be exchanged"),
        )
    yield statement(
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
    yield statement(
        "f_beta",
        section,
        "equation",
        "F = (1 + beta^2)*TPr*Prec/(beta^2*Prec + TPr)",
        lambda: equal(F, METRICS["f_beta"].expr, BETA),
    )
    yield statement("f_beta_unit", section, "inequality", "0 <= F <= 1", lambda: within(F, 0, 1, BETA))
    yield statement(
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
    yield statement(
        "f_beta_without_tpr",
        section,
        "special case",
        "beta controls the influence of precision: at beta = 0 it is all",
        lambda: equal(F.xreplace(zero), PREC),
    )
    yield statement(
        "f_beta_without_precision",
        section,
        "limit",
        "beta controls the influence of TPr: as beta grows it becomes all",
        lambda: tends_to(F, TPR, (TP, FN, FP, BETA.symbol / STEP), over=(TP, FN, FP, BETA.symbol)),
    )
    yield statement(
        "f1_is_beta_one",
        section,
        "special case",
        "beta = 1 gives F_1 = 2*TPr*Prec/(Prec + TPr)",
        lambda: equal(F.xreplace(one), 2 * TPR * PREC / (PREC + TPR)),
    )
    yield statement(
        "f1",
        section,
        "equation",
        "F_1 = 2*TPr*Prec/(Prec + TPr)",
        lambda: equal(2 * TPR * PREC / (PREC + TPR), METRICS["f1"].expr),
    )
    yield statement(
        "f1_unit", section, "inequality", "F_1 in [0, 1]", lambda: within(2 * TPR * PREC / (PREC + TPR), 0, 1)
    )
    yield statement(
        "f1_harmonic",
        section,
        "two forms",
        "F_1 is the harmonic mean of TPr and Prec",
        lambda: equal(2 * TPR * PREC / (PREC + TPR), 2 / (1 / TPR + 1 / PREC)),
    )


def claims() -> Iterator[PaperClaim]:
    """Yield the claims, in the paper's order."""
    yield from _rates()
    yield from _means()
