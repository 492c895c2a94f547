"""Section 5.7.1 of Tan, Steinbach & Kumar (2006): rates, precision, recall, F1 and the means."""

from __future__ import annotations

from collections.abc import Iterator

from sympy import Expr, Integer, Max, Min, Rational, S, sqrt

from symmetrics.language.cells import P, n
from symmetrics.papers.claims import (
    PaperClaim,
    Ruling,
    at,
    at_least,
    by_computation,
    by_number,
    by_verdicts,
    equal,
    has,
    inequality,
    unreadable,
    with_reading,
    within,
)
from symmetrics.query.relations import relate

from .shared import (
    ALL_POSITIVE,
    F1_OF_COUNTS,
    F1_OF_RATES,
    FNR,
    FPR,
    METRICS,
    PRECISION,
    RECALL,
    TNR,
    TPR,
    TWO_NUMBERS,
    X,
    Y,
    printed_facts,
    property_verdict,
    statement,
)

# -- pages 296 and 297: rates, precision, recall -----------------------------------------------------------------------


def _rates() -> Iterator[PaperClaim]:
    rates = {
        "tpr": ("true positive rate", "TPR = TP/(TP + FN)", TPR),
        "tnr": ("true negative rate", "TNR = TN/(TN + FP)", TNR),
        "fpr": ("false positive rate", "FPR = FP/(TN + FP)", FPR),
        "fnr": ("false negative rate", "FNR = FN/(TP + FN)", FNR),
        "precision": ("equation (5.74)", "p = TP/(TP + FP)", PRECISION),
        "recall": ("equation (5.75)", "r = TP/(TP + FN)", RECALL),
    }
    for key, (name, printed, formula) in rates.items():
        place = f"section 5.7.1, {name}"
        yield statement(key, place, "equation", printed, lambda key=key, f=formula: equal(f, METRICS[key].expr))
        yield statement(
            f"{key}_is_a_fraction",
            place,
            "inequality",
            "a fraction: it lies between 0 and 1",
            lambda f=formula: within(f, 0, 1),
        )
    yield statement(
        "rates_of_percentages",
        "section 5.7.1",
        "words",
        "the counts may be given as percentages: TPR, TNR, FPR and FNR are the same for them",
        lambda: by_verdicts(*(property_verdict(key, "homogeneous") for key in ("tpr", "tnr", "fpr", "fnr"))),
    )
    yield from with_reading(
        statement(
            "precision_and_false_positives",
            "section 5.7.1, below (5.75)",
            "words",
            "the higher the precision, the fewer false positives",
            _fewer_false_positives,
        ),
        "at a given TP",
        lambda: has("precision", "decreasing_fp"),
    )
    yield statement(
        "recall_and_false_negatives",
        "section 5.7.1, below (5.75)",
        "words",
        "the larger the recall, the fewer positive examples are misclassified",
        lambda: by_verdicts(relate("fnr", "recall", "complement_of"), note="as a share of the positive examples"),
    )
    yield statement(
        "recall_is_tpr",
        "section 5.7.1, below (5.75)",
        "two forms",
        "recall is equivalent to the true positive rate",
        lambda: equal(RECALL, TPR),
    )
    yield statement(
        "all_positive_recall",
        "section 5.7.1, below (5.75)",
        "words",
        "a model that declares every record positive has a perfect recall",
        lambda: equal(at(RECALL, ALL_POSITIVE), S.One),
    )
    yield statement(
        "all_positive_precision",
        "section 5.7.1, below (5.75)",
        "words",
        "and a poor precision: no more than the share of positive records",
        lambda: equal(at(PRECISION, ALL_POSITIVE), P / n),
    )
    yield from with_reading(
        statement(
            "rote_positive",
            "section 5.7.1, below (5.75)",
            "words",
            "predicting positive what equals a positive training record has a very high precision and a low recall",
            lambda: _by_rote(["a"], [("a", "+"), ("a", "-"), ("a", "-"), ("b", "-")]),
        ),
        "where equal records are of one class, and few positive records of the test set are among the training ones",
        lambda: _by_rote(["a"], [("a", "+"), *((name, "+") for name in "bcde"), ("f", "-"), ("g", "-")]),
    )


def _fewer_false_positives() -> Ruling:
    """Compare two classifiers on the same 10 positive and 10 negative records."""
    (tp, fp), (other_tp, other_fp) = (1, 1), (9, 3)
    first, second = Rational(tp, tp + fp), Rational(other_tp, other_tp + other_fp)
    return by_computation(
        bool(first >= second) or other_fp < fp,
        f"of 10 positive and 10 negative records: TP, FP = 1, 1 has the precision 1/2, and TP, FP = 9, 3 the higher "
        f"precision {second} with more false positives, 3 > 1",
        "at a given number of true positives",
    )


def _by_rote(known: list[str], records: list[tuple[str, str]]) -> Ruling:
    """Predict positive what equals a positive training record; high and low mean above 0.9 and below 0.5."""
    predicted = [of_class for name, of_class in records if name in known]
    tp, positives = predicted.count("+"), sum(of_class == "+" for _, of_class in records)
    precision, recall = Rational(tp, len(predicted)), Rational(tp, positives)
    shown = ", ".join(f"{name} {of_class}" for name, of_class in records)
    return by_computation(
        bool(precision > Rational(9, 10)) and bool(recall < S.Half),
        f"the positive training record is {known[0]}, the test records are {shown}: precision {precision}, recall "
        f"{recall}",
        "only where equal records are of one class",
    )


# -- page 297: the F1 measure and the means ----------------------------------------------------------------------------


def _f1() -> Iterator[PaperClaim]:
    place = "equation (5.76)"
    yield statement(
        "equation_5_76",
        place,
        "two forms",
        "2*r*p/(r + p) = 2*TP/(2*TP + FP + FN)",
        lambda: equal(F1_OF_RATES, F1_OF_COUNTS),
    )
    yield statement(
        "f1", place, "equation", "F_1 = 2*TP/(2*TP + FP + FN)", lambda: equal(F1_OF_COUNTS, METRICS["f1"].expr)
    )
    yield statement("f1_unit", place, "inequality", "F_1 lies between 0 and 1", lambda: within(F1_OF_RATES, 0, 1))
    place = "below (5.76)"
    yield statement(
        "f1_harmonic",
        place,
        "words",
        "F_1 is the harmonic mean of recall and precision",
        lambda: equal(F1_OF_RATES, 2 / (1 / RECALL + 1 / PRECISION)),
    )
    yield statement(
        "f1_harmonic_formula",
        place,
        "equation",
        "the displayed formula of the harmonic mean",
        lambda: unreadable("all but some figures of it are lost"),
    )
    yield statement(
        "harmonic_closer_to_smaller",
        place,
        "words",
        "the harmonic mean of two numbers tends to be closer to the smaller one",
        lambda: at_least(
            Max(X, Y) - _harmonic(X, Y),
            _harmonic(X, Y) - Min(X, Y),
            note="never farther from it than from the larger",
            over=TWO_NUMBERS,
        ),
    )
    yield statement(
        "f1_ensures_both",
        place,
        "words",
        "a high F_1 ensures that precision and recall are reasonably high: both are at least F_1/(2 - F_1)",
        lambda: by_verdicts(
            *(inequality(rate, F1_OF_COUNTS / (2 - F1_OF_COUNTS)) for rate in (PRECISION, RECALL)),
            note="F_1 >= 0.9 needs both >= 0.9/1.1 = 0.82",
        ),
    )


def _harmonic(x: Expr, y: Expr) -> Expr:
    return 2 * x * y / (x + y)


def _example_5_8() -> Iterator[PaperClaim]:
    printed = printed_facts()["example5_8"]
    a, b = map(Integer, printed["numbers"])
    means = {
        "arithmetic": ((a + b) / 2, f"({a} + {b})/2"),
        "geometric": (sqrt(a * b), f"sqrt({a}*{b})"),
        "harmonic": (_harmonic(a, b), f"2*{a}*{b}/({a} + {b})"),
    }
    for name, (value, working) in means.items():
        text = printed[name]
        yield statement(
            f"example_5_8_{name}",
            "example 5.8",
            "number",
            f"the {name} mean of {a} and {b} is {text}",
            lambda value=value, text=text, working=working: by_number(value, text, working),
        )
    yield statement(
        "example_5_8_closest",
        "example 5.8",
        "words",
        "the harmonic mean is closer to the smaller number than the arithmetic and the geometric mean",
        lambda: by_computation(
            bool(_harmonic(a, b) - a < sqrt(a * b) - a < (a + b) / 2 - a),
            f"the distances from {a} are 2/3, sqrt(5) - 1 = 1.236 and 2",
        ),
    )
    yield statement(
        "means_in_order",
        "example 5.8",
        "inequality",
        "smaller number <= harmonic <= geometric <= arithmetic mean",
        lambda: by_verdicts(
            inequality(_harmonic(X, Y), Min(X, Y), over=TWO_NUMBERS),
            inequality(sqrt(X * Y), _harmonic(X, Y), over=TWO_NUMBERS),
            inequality((X + Y) / 2, sqrt(X * Y), over=TWO_NUMBERS),
        ),
    )


def claims() -> Iterator[PaperClaim]:
    """Yield the claims, in the paper's order."""
    yield from _rates()
    yield from _f1()
    yield from _example_5_8()
