"""Sections 1 and 2 of García, Sánchez & Mollineda (2012): accuracy and rates, AUC, Gmean and F."""

from __future__ import annotations

from collections.abc import Iterator

from flint import arb
from sympy import S

from symmetrics.language.cells import FN, FP, OP, TP, N, P, n
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
    with_reading,
    within,
)

from .formulas import ACC, AUC, BETA, GM, METRICS, NAMES, PREC, TNR, TPR, F, statement

# -- sections 1 and 2: accuracy and rates ------------------------------------------------------------------------------


def _rates() -> Iterator[PaperClaim]:
    section = "section 1"
    yield statement(
        "imbalance_affects_learners",
        section,
        "words",
        "imbalance may affect a learner that takes the classes for equally frequent",
        _learner_for_equal_priors,
    )
    yield statement(
        "accuracy_misleads",
        section,
        "words",
        "accuracy and error rate may mislead: they may prefer a useless classifier to a useful one",
        _useless_preferred,
    )
    yield statement(
        "accuracy_favours_majority",
        section,
        "words",
        "accuracy favours the majority class: each class has its share of the examples as its weight",
        lambda: equal(ACC, P / n * TPR + N / n * TNR, note="TPr weighs P/n, TNr weighs N/n"),
    )
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
    yield from with_reading(
        statement(
            "precision_in_words",
            section,
            "words",
            "precision is the percentage of examples that are correctly labelled positive, Prec = TP/(TP + FP)",
            lambda: equal(TP / n, PREC, note="correctly labelled positive are TP of all n examples"),
        ),
        "of the examples that are labelled positive",
        lambda: equal(TP / OP, METRICS["precision"].expr),
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


def _learner_for_equal_priors() -> Ruling:
    """Compare the threshold midway between two normal classes with never predicting positive, by the error rate."""
    error = (1 / arb(2).sqrt()).erfc() / 2  # of both classes: the means are two standard deviations apart
    return by_computation(
        bool(error < arb("0.16")) and bool(error > arb("0.15")),
        "two normal classes, the means two standard deviations apart, the threshold in the middle, the best one for "
        f"equal priors: its error rate is {float(error):.4f} at any prior; with one positive example in 100 never "
        "predicting positive has the error rate 0.01",
        basis="certified enclosure",
    )


def _useless_preferred() -> Ruling:
    useful, useless = (4, 1, 10, 85), (0, 5, 0, 95)
    values = [[METRICS[key].exact(*table) for key in ("accuracy", "error_rate")] for table in (useful, useless)]
    return by_computation(
        values[0][0] < values[1][0] and values[0][1] > values[1][1],
        "of 5 positive and 95 negative examples: TP, FN, FP, TN = 4, 1, 10, 85 has the accuracy 89/100, and never "
        "predicting positive, 0, 5, 0, 95, has 95/100",
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


def _two_influences() -> Ruling:
    """Judge whether beta can change the influence of one of the two and leave that of the other as it is."""
    of_precision, of_tpr = (weight / (1 + BETA.symbol**2) for weight in (1, BETA.symbol**2))
    forms = identity(1 / F, of_precision / PREC + of_tpr / TPR, BETA)
    return by_computation(
        forms.status != "proved" or identity(of_precision + of_tpr, S.One, BETA).status != "proved",
        "1/F = a/Prec + b/TPr with a = 1/(1 + beta^2) and b = beta^2/(1 + beta^2), and a + b = 1: no beta changes one "
        "influence alone",
        "beta controls the influence of the one relative to the other",
    )


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
    yield from with_reading(
        statement(
            "f_beta_separately",
            section,
            "words",
            "beta controls the influence of TPr and that of precision separately",
            _two_influences,
        ),
        "beta says how much the one counts relative to the other",
        lambda: equal(1 / F, (1 / PREC + BETA.symbol**2 / TPR) / (1 + BETA.symbol**2), BETA),
    )
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
