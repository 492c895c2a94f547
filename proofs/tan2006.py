"""The claims of Tan, Steinbach & Kumar (2006), section 5.7, judged one by one, in the text's order.

Run it: ``python proofs/tan2006.py``.  It prints every claim with its ruling and exits with 1 if one comes out otherwise
than recorded here.

P.-N. Tan, M. Steinbach, V. Kumar: Introduction to Data Mining. Addison-Wesley 2006, pages 296-301.

The text at hand is a scan with misread characters.  A formula of which only a part can be read is not judged.  The
counts of figure 5.42 are those on which all that can be read of it agrees; its classes and scores are not legible.
Figure 5.41 is a drawing without data.
"""

from __future__ import annotations

import itertools
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from sympy import Expr, Integer, Max, Min, Rational, S, sqrt, symbols

import symmetrics as sm
from symmetrics.language.cells import FN, FP, TN, TP, N, P, Table, n
from symmetrics.papers.claims import (
    NO_SENTENCE,
    STEP,
    Kind,
    Outcome,
    PaperClaim,
    Ruling,
    Trial,
    at,
    at_least,
    by_computation,
    by_number,
    by_verdicts,
    decided,
    equal,
    has,
    identity,
    inequality,
    run_alone,
    tends_to,
    unreadable,
    with_reading,
    within,
)
from symmetrics.papers.tan2006 import experiment
from symmetrics.query.relations import relate

FACTS: Final = Path(experiment.__file__).with_name("printed.json")

RECORDED: Final[Mapping[str, Outcome]] = {
    "tan2006.f1_harmonic_formula": "unreadable",
    "tan2006.equation_5_77_first_form": "unreadable",
    "tan2006.equation_5_77_second_form": "refuted",
    "tan2006.weights_recall": "refuted",
    "tan2006.weights_precision": "refuted",
    "tan2006.weights_f_beta": "holds only as",
    "tan2006.precision_and_false_positives": "holds only as",
    "tan2006.figure_5_42_thresholds": "holds only as",
    "tan2006.random_fpr_formula": "unreadable",
}
"""What does not hold, or not as it is printed."""
UNCOUNTED: Final[Mapping[str, str]] = {
    "*_is_a_fraction": "that a fraction lies between 0 and 1 follows from its definition",
    "f1_unit": NO_SENTENCE,
    "f_beta_unit": NO_SENTENCE,
    "equation_5_78_unit": NO_SENTENCE,
}
"""What is judged and not counted."""
ANEW: Final[Mapping[str, str]] = {"weights_f_beta": "holds", "precision_and_false_positives": "holds"}
"""What was ruled otherwise before."""

METRICS = sm.metrics
TPR, TNR, FPR, FNR = TP / (TP + FN), TN / (TN + FP), FP / (TN + FP), FN / (TP + FN)
PRECISION, RECALL = TP / (TP + FP), TP / (TP + FN)
F1_OF_RATES, F1_OF_COUNTS = 2 * RECALL * PRECISION / (RECALL + PRECISION), 2 * TP / (2 * TP + FP + FN)
(BETA,) = METRICS["f_beta"].parameters
SQUARE = BETA.symbol**2
F_OF_RATES = (SQUARE + 1) * RECALL * PRECISION / (RECALL + SQUARE * PRECISION)
F_OF_COUNTS = (SQUARE + 1) * TP / ((SQUARE + 1) * TP + SQUARE * FP + FN)
WEIGHTS = METRICS["weighted_accuracy"].parameters
W1, W2, W3, W4 = (weight.symbol for weight in WEIGHTS)
WEIGHTED = (W1 * TP + W4 * TN) / (W1 * TP + W2 * FP + W3 * FN + W4 * TN)
WEIGHTED_EXCHANGED = (W1 * TP + W4 * TN) / (W1 * TP + W2 * FN + W3 * FP + W4 * TN)

CHANCE = sm.Parameter.parse("p in (0, 1)")
ALL_NEGATIVE: Table = (S.Zero, P, S.Zero, N)
ALL_POSITIVE: Table = (P, S.Zero, N, S.Zero)
IDEAL: Table = (P, S.Zero, S.Zero, N)
RANDOM: Table = (CHANCE.symbol * P, (1 - CHANCE.symbol) * P, CHANCE.symbol * N, (1 - CHANCE.symbol) * N)
"""The expected cells of a classifier that guesses positive with the probability p."""
AREA = (TPR + TNR) / 2
"""The area under the ROC curve through one operating point."""

X, Y = TWO_NUMBERS = symbols("x y", real=True)
"""Any two positive numbers."""


def _claim(key: str, place: str, kind: Kind, printed: str, judge: Callable[[], Ruling]) -> PaperClaim:
    return PaperClaim(f"tan2006.{key}", place, kind, printed, judge)


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
        yield _claim(key, place, "equation", printed, lambda key=key, f=formula: equal(f, METRICS[key].expr))
        yield _claim(
            f"{key}_is_a_fraction",
            place,
            "inequality",
            "a fraction: it lies between 0 and 1",
            lambda f=formula: within(f, 0, 1),
        )
    yield _claim(
        "rates_of_percentages",
        "section 5.7.1",
        "words",
        "the counts may be given as percentages: TPR, TNR, FPR and FNR are the same for them",
        lambda: by_verdicts(*(_has(key, "homogeneous") for key in ("tpr", "tnr", "fpr", "fnr"))),
    )
    yield from with_reading(
        _claim(
            "precision_and_false_positives",
            "section 5.7.1, below (5.75)",
            "words",
            "the higher the precision, the fewer false positives",
            _fewer_false_positives,
        ),
        "at a given TP",
        lambda: has("precision", "decreasing_fp"),
    )
    yield _claim(
        "recall_and_false_negatives",
        "section 5.7.1, below (5.75)",
        "words",
        "the larger the recall, the fewer positive examples are misclassified",
        lambda: by_verdicts(relate("fnr", "recall", "complement_of"), note="as a share of the positive examples"),
    )
    yield _claim(
        "recall_is_tpr",
        "section 5.7.1, below (5.75)",
        "two forms",
        "recall is equivalent to the true positive rate",
        lambda: equal(RECALL, TPR),
    )
    yield _claim(
        "all_positive_recall",
        "section 5.7.1, below (5.75)",
        "words",
        "a model that declares every record positive has a perfect recall",
        lambda: equal(at(RECALL, ALL_POSITIVE), S.One),
    )
    yield _claim(
        "all_positive_precision",
        "section 5.7.1, below (5.75)",
        "words",
        "and a poor precision: no more than the share of positive records",
        lambda: equal(at(PRECISION, ALL_POSITIVE), P / n),
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


def _has(metric: str, key: str) -> sm.Verdict:
    return decided(sm.properties[key].claim(METRICS[metric]))


# -- page 297: the F1 measure and the means ----------------------------------------------------------------------------


def _f1() -> Iterator[PaperClaim]:
    place = "equation (5.76)"
    yield _claim(
        "equation_5_76",
        place,
        "two forms",
        "2*r*p/(r + p) = 2*TP/(2*TP + FP + FN)",
        lambda: equal(F1_OF_RATES, F1_OF_COUNTS),
    )
    yield _claim(
        "f1", place, "equation", "F_1 = 2*TP/(2*TP + FP + FN)", lambda: equal(F1_OF_COUNTS, METRICS["f1"].expr)
    )
    yield _claim("f1_unit", place, "inequality", "F_1 lies between 0 and 1", lambda: within(F1_OF_RATES, 0, 1))
    place = "below (5.76)"
    yield _claim(
        "f1_harmonic",
        place,
        "words",
        "F_1 is the harmonic mean of recall and precision",
        lambda: equal(F1_OF_RATES, 2 / (1 / RECALL + 1 / PRECISION)),
    )
    yield _claim(
        "f1_harmonic_formula",
        place,
        "equation",
        "the displayed formula of the harmonic mean",
        lambda: unreadable("all but some figures of it are lost"),
    )
    yield _claim(
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
    yield _claim(
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
    printed = _facts()["example5_8"]
    a, b = map(Integer, printed["numbers"])
    means = {
        "arithmetic": ((a + b) / 2, f"({a} + {b})/2"),
        "geometric": (sqrt(a * b), f"sqrt({a}*{b})"),
        "harmonic": (_harmonic(a, b), f"2*{a}*{b}/({a} + {b})"),
    }
    for name, (value, working) in means.items():
        text = printed[name]
        yield _claim(
            f"example_5_8_{name}",
            "example 5.8",
            "number",
            f"the {name} mean of {a} and {b} is {text}",
            lambda value=value, text=text, working=working: by_number(value, text, working),
        )
    yield _claim(
        "example_5_8_closest",
        "example 5.8",
        "words",
        "the harmonic mean is closer to the smaller number than the arithmetic and the geometric mean",
        lambda: by_computation(
            bool(_harmonic(a, b) - a < sqrt(a * b) - a < (a + b) / 2 - a),
            f"the distances from {a} are 2/3, sqrt(5) - 1 = 1.236 and 2",
        ),
    )
    yield _claim(
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


# -- page 298: F_beta and the weighted accuracy ------------------------------------------------------------------------


def _f_beta() -> Iterator[PaperClaim]:
    place = "equation (5.77)"
    yield _claim(
        "equation_5_77_first_form",
        place,
        "equation",
        "F_beta from recall and precision",
        lambda: unreadable(
            "its denominator is garbled; read as r + beta^2*p it is F_beta with the special cases that the text names"
        ),
    )
    yield _claim(
        "equation_5_77_of_rates",
        place,
        "equation",
        "read as (beta^2 + 1)*r*p/(r + beta^2*p), the form from recall and precision is F_beta",
        lambda: equal(F_OF_RATES, METRICS["f_beta"].expr, BETA),
    )
    yield _claim(
        "equation_5_77_second_form",
        place,
        "two forms",
        "F_beta = (beta^2 + 1)*TP/((beta^2 + 1)*TP + beta^2*FP + FN), of which precision is the case beta = 0",
        _second_form,
    )
    yield _claim(
        "f_beta_unit",
        place,
        "inequality",
        "the form from the counts lies between 0 and 1",
        lambda: within(F_OF_COUNTS, 0, 1, BETA),
    )
    yield _claim(
        "f_beta_at_one",
        place,
        "special case",
        "F_beta is more general than F_1, its case beta = 1",
        lambda: equal(F_OF_COUNTS.xreplace({BETA.symbol: S.One}), F1_OF_COUNTS),
    )
    place = "below (5.77)"
    note = "F_beta = (beta^2 + 1)*r*p/(r + beta^2*p)"
    yield _claim(
        "f_beta_zero",
        place,
        "special case",
        "beta = 0 gives precision",
        lambda: equal(F_OF_RATES.xreplace({BETA.symbol: S.Zero}), PRECISION, note=note),
    )
    yield _claim(
        "f_beta_infinity",
        place,
        "limit",
        "beta = infinity gives recall",
        lambda: tends_to(
            F_OF_RATES, RECALL, (TP, FN, FP, BETA.symbol / STEP), over=(TP, FN, FP, BETA.symbol), note=note
        ),
    )
    yield _claim(
        "f_beta_moves",
        place,
        "words",
        "low values of beta bring F_beta closer to precision, high values closer to recall",
        lambda: at_least(
            F_OF_RATES.diff(BETA.symbol).xreplace({BETA.symbol: TN}) * (RECALL - PRECISION),
            S.Zero,
            note=f"{note}; its derivative by beta, for which TN stands, times r - p is nowhere negative",
        ),
    )


def _second_form() -> Ruling:
    zero = {BETA.symbol: S.Zero}
    corrected = (SQUARE + 1) * TP / ((SQUARE + 1) * TP + SQUARE * FN + FP)

    def proofs() -> Iterator[sm.Verdict]:
        yield identity(corrected, METRICS["f_beta"].expr, BETA)
        yield identity(corrected, F_OF_RATES, BETA)
        yield identity(corrected.xreplace(zero), PRECISION)

    correction = (
        "(beta^2 + 1)*TP/((beta^2 + 1)*TP + beta^2*FN + FP): proved equal to (beta^2 + 1)*r*p/(r + beta^2*p) for all "
        "beta, and to the precision at beta = 0",
        proofs,
    )
    note = "beta = 0 leaves TP/(TP + FN), the recall, on the left; the precision is on the right"
    return equal(F_OF_COUNTS.xreplace(zero), PRECISION, note=note, correction=correction)


def _weighted_accuracy() -> Iterator[PaperClaim]:
    place = "equation (5.78)"
    yield _claim(
        "equation_5_78_unit",
        place,
        "inequality",
        "the weighted accuracy lies between 0 and 1 for weights that are not negative",
        lambda: within(WEIGHTED, 0, 1, *WEIGHTS),
    )
    place = "table below (5.78)"
    for name, (weights, target, text) in ROWS.items():
        shown = ", ".join(str(weight).replace("**", "^") for weight in weights)
        claim = _claim(
            f"weights_{name}",
            place,
            "special case",
            f"w1, w2, w3, w4 = {shown} in (5.78), (w1*TP + w4*TN)/(w1*TP + w2*FP + w3*FN + w4*TN), give {text}",
            lambda weights=weights, target=target: _row(weights, target),
        )
        if name != "f_beta":
            yield claim
            continue
        yield from with_reading(
            claim,
            "F_beta is the second form of (5.77), from the counts, as it is misprinted there",
            lambda weights=weights: _row(weights, F_OF_COUNTS),
        )


ROWS: Final = {
    "recall": ((1, 1, 0, 0), RECALL, "the recall TP/(TP + FN)"),
    "precision": ((1, 0, 1, 0), PRECISION, "the precision TP/(TP + FP)"),
    "f_beta": ((SQUARE + 1, SQUARE, 1, 0), F_OF_RATES, "F_beta, of which precision is the case beta = 0"),
    "accuracy": ((1, 1, 1, 1), (TP + TN) / n, "the accuracy (TP + TN)/(TP + FP + FN + TN)"),
}
"""The rows of the table: weights, and what they are said to give."""


def _row(weights: tuple[object, ...], target: Expr) -> Ruling:
    printed = _with(WEIGHTED, weights)
    correction = (
        "(w1*TP + w4*TN)/(w1*TP + w2*FN + w3*FP + w4*TN), with w2 at FN and w3 at FP: then all four rows are proved, "
        "with (beta^2 + 1)*r*p/(r + beta^2*p) for F_beta",
        _rows_exchanged,
    )
    return equal(printed, target, BETA, note=f"the weights leave {printed}", correction=correction)


def _rows_exchanged() -> Iterator[sm.Verdict]:
    for weights, target, _ in ROWS.values():
        yield identity(_with(WEIGHTED_EXCHANGED, weights), target, BETA)


def _with(formula: Expr, weights: tuple[object, ...]) -> Expr:
    return formula.xreplace(dict(zip((W1, W2, W3, W4), map(S, weights), strict=True)))


# -- pages 298 to 300: the ROC curve -----------------------------------------------------------------------------------


def _roc() -> Iterator[PaperClaim]:
    place = "section 5.7.2, critical points"
    points = {
        "all_negative": ("TPR = 0, FPR = 0: every instance is predicted negative", ALL_NEGATIVE, (0, 0)),
        "all_positive": ("TPR = 1, FPR = 1: every instance is predicted positive", ALL_POSITIVE, (1, 1)),
        "ideal": ("TPR = 1, FPR = 0: the ideal model", IDEAL, (1, 0)),
    }
    for key, (printed, table, rates) in points.items():
        yield _claim(
            f"point_{key}",
            place,
            "special case",
            printed,
            lambda table=table, rates=rates: by_verdicts(
                identity(at(TPR, table), S(rates[0])), identity(at(FPR, table), S(rates[1]))
            ),
        )
    place = "section 5.7.2, random guessing"
    note = "with the expected counts"
    chance = CHANCE.symbol
    yield _claim(
        "random_tpr",
        place,
        "equation",
        "TPR = p*n_+/n_+ = p",
        lambda: equal(at(TPR, RANDOM), chance, CHANCE, note=note),
    )
    yield _claim(
        "random_fpr",
        place,
        "words",
        "the FPR is p too",
        lambda: equal(at(FPR, RANDOM), chance, CHANCE, note=note),
    )
    yield _claim(
        "random_fpr_formula",
        place,
        "equation",
        "the formula of this FPR",
        lambda: unreadable("its denominator is misread"),
    )
    yield _claim(
        "random_diagonal",
        place,
        "words",
        "the ROC curve of a random classifier is the main diagonal: TPR = FPR whatever p is",
        lambda: equal(at(TPR, RANDOM), at(FPR, RANDOM), CHANCE, note=note),
    )
    place = "section 5.7.2, area under the curve"
    yield _claim(
        "auc_perfect", place, "number", "a perfect model has the area 1", lambda: equal(at(AREA, IDEAL), S.One)
    )
    yield _claim(
        "auc_random",
        place,
        "number",
        "random guessing has the area 0.5",
        lambda: equal(at(AREA, RANDOM), S.Half, CHANCE, note=note),
    )
    yield _claim(
        "auc_better",
        place,
        "words",
        "a strictly better model has a larger area",
        lambda: by_verdicts(
            _has("auc_single", "increasing_tp"),
            _has("auc_single", "decreasing_fp"),
            note="one operating point; of two curves the upper one has the larger integral",
        ),
    )


# -- pages 300 and 301: the records of figure 5.42 ---------------------------------------------------------------------


def _facts() -> dict[str, Any]:
    facts: dict[str, Any] = json.loads(FACTS.read_text(encoding="utf-8"))
    return facts


def _figure_5_42() -> Iterator[PaperClaim]:
    columns = _facts()["figure5_42"]["columns"]
    counts = [tuple(map(Integer, cells)) for cells in zip(columns["TP"], columns["FP"], strict=True)]
    place = "section 5.7.2, steps 2 to 5"
    yield _claim(
        "figure_5_42_starts",
        place,
        "words",
        "at first all five positive and all five negative records are predicted positive, and none at the end",
        lambda: by_computation(
            (counts[0], counts[-1]) == ((5, 5), (0, 0)),
            f"TP, FP = {counts[0]} in the first column and {counts[-1]} in the last",
        ),
    )
    yield _claim(
        "figure_5_42_steps",
        place,
        "words",
        "every step takes one from TP, or one from FP, and leaves the other",
        lambda: by_computation(
            all((a[0] - b[0], a[1] - b[1]) in ((1, 0), (0, 1)) for a, b in itertools.pairwise(counts)),
            f"TP, FP = {', '.join(map(str, counts))}",
        ),
    )
    yield from _rows_of_records(columns)
    five = Integer(5)
    for row, working in {
        "TN": lambda tp, fp: (five - fp, f"5 - {fp}"),
        "FN": lambda tp, fp: (five - tp, f"5 - {tp}"),
        "TPR": lambda tp, fp: (tp / five, f"{tp}/5"),
        "FPR": lambda tp, fp: (fp / five, f"{fp}/5"),
    }.items():
        for column, (pair, printed) in enumerate(zip(counts, columns[row], strict=True), 1):
            value, text = working(*pair)
            yield _claim(
                f"figure_5_42_{row.lower()}_{column}",
                f"figure 5.42, {row}, column {column}",
                "table cell",
                printed,
                lambda value=value, printed=printed, text=text: by_number(Rational(value), printed, text),
            )


def _records() -> list[tuple[Rational, str]]:
    """Return the score and the class of each record, in the printed order."""
    records = _facts()["figure5_42"]
    scores = [Rational(str(score)) for score in records["scores"]]
    return list(zip(scores, records["labels"], strict=True))


def _rows_of_records(columns: Mapping[str, list[str]]) -> Iterator[PaperClaim]:
    """Yield the rows of TP and FP, counted over the records from each column on, and what ties make of them."""
    records = _records()
    for row, label in (("TP", "+"), ("FP", "-")):
        for column, printed in enumerate(columns[row], 1):
            value = sum(of_class == label for _, of_class in records[column - 1 :])
            yield _claim(
                f"figure_5_42_{row.lower()}_{column}",
                f"figure 5.42, {row}, column {column}",
                "table cell",
                printed,
                lambda value=value, printed=printed, label=label, column=column: by_number(
                    Integer(value), printed, f"records of class {label} from number {column} on"
                ),
            )
    yield from with_reading(
        _claim(
            "figure_5_42_thresholds",
            "section 5.7.2, steps 2 to 4, and figure 5.42",
            "words",
            "every column is a threshold: the selected record and those ranked above it are predicted positive",
            _every_column_is_a_threshold,
        ),
        "records of the same score are ranked in the order in which they are listed",
        lambda: by_computation(
            all(first <= second for (first, _), (second, _) in itertools.pairwise(records)),
            "the scores never fall from left to right, so that the order of the columns is one of the rankings",
        ),
    )


def _every_column_is_a_threshold() -> Ruling:
    """A column parts records of one score if the record before its first one has the same score."""
    records = _records()
    parted = [column for column in range(2, len(records) + 1) if records[column - 2][0] == records[column - 1][0]]
    score = float(records[parted[0] - 1][0]) if parted else 0
    return by_computation(
        not parted,
        f"columns {' and '.join(map(str, parted))} part records of the same score, {score:g}: no threshold calls one "
        "of them positive and another one not",
        "without these columns: three records of one score are one step of the curve",
    )


# -- all of it ---------------------------------------------------------------------------------------------------------


def trial() -> Trial:
    """Return the claims of the section."""
    parts = (_rates(), _f1(), _example_5_8(), _f_beta(), _weighted_accuracy(), _roc(), _figure_5_42())
    title = "Tan, Steinbach & Kumar (2006), Introduction to Data Mining, section 5.7: Class imbalance problem"
    return Trial("tan2006", title, tuple(claim for part in parts for claim in part), UNCOUNTED, ANEW)


def main() -> int:
    """Judge and print every claim, and return 1 if one is not as recorded."""
    return run_alone(trial(), RECORDED)


if __name__ == "__main__":
    sys.exit(main())
