"""Metrics of k x k matrices: values of Branco, Torgo & Ribeiro (2017) and of other libraries, fractions, laws."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
import sklearn.metrics
from effort import examples, in_one_test
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from sympy import Min, Rational, S, Symbol, latex, sin

from symmetrics import FN, FP, TN, TP, Metric, MulticlassMetric
from symmetrics.data.counts import one_vs_rest
from symmetrics.data.encoding import MayBeAbsent
from symmetrics.library import REFERENCES, metrics
from symmetrics.matrices import multiclass
from symmetrics.matrices.compiled import evaluate_block
from symmetrics.matrices.nodes import C, ClassMean, CorrectClassMean, fn, i, over, tp
from symmetrics.numeric.averaging import BLOCK, in_blocks
from symmetrics.posets.relevance import Relevance, partial_order, prevalence, scores, total_order
from symmetrics.testing import matrices
from symmetrics.tools.errors import DefinitionError, InputError, UnknownNameError, UnsupportedError

NAN = math.nan
CASES = (
    ((5, 0, 0), (0, 10, 0), (0, 300, 0)),
    ((1, 0, 3), (0, 100, 0), (0, 0, 200)),
    ((1, 3, 0, 0), (9, 1, 0, 0), (0, 0, 100, 0), (0, 0, 0, 200)),
)
RELEVANCES: dict[str, tuple[Relevance, ...]] = {
    "PREV": tuple(prevalence(case, [f"c{row}" for row in range(1, len(case) + 1)]) for case in CASES),
    "PO": (
        partial_order([("c3", "c1"), ("c3", "c2")]),
        partial_order([("c3", "c1"), ("c2", "c1")]),
        partial_order([("c3", "c1"), ("c4", "c1"), ("c4", "c2")]),
    ),
    "TO": tuple(total_order([f"c{row}" for row in range(len(case), 0, -1)]) for case in CASES),
    "phi": (
        scores({"c1": 1, "c2": 0.9, "c3": 0.1}),
        scores({"c1": 1, "c2": 0.2, "c3": 0.1}),
        scores({"c1": 1, "c2": 0.9, "c3": 0.2, "c4": 0.1}),
    ),
}
# The row's name in table 5, the metric, how it is averaged, the value of a class that is undefined, and the printed
# percentages of the three cases.  Without weights an undefined class counts 0; with weights it is left out.
TABLE_5: list[tuple[str, str, str, float, tuple[float, float, float]]] = [
    ("AvAcc", "av_acc", "macro", 0, (36.5, 99.3, 98.1)),
    ("MAvG", "mavg", "macro", 0, (0, 63, 39.8)),
    ("Rec_M", "recall", "macro", 0, (66.7, 75, 58.8)),
    ("Prec_M", "precision", "macro", 0, (34.4, 99.5, 58.8)),
    ("Rec_mu", "recall", "micro", 0, (4.8, 99, 96.2)),
    ("Prec_mu", "precision", "micro", 0, (4.8, 99, 96.2)),
    ("F1_M", "f_of_means", "macro", 0, (45.4, 85.5, 58.8)),
    ("F1_mu", "f_of_means", "micro", 0, (4.8, 99, 96.2)),
    ("AvF1", "f1", "macro", 0, (35.4, 79.8, 57.1)),
    ("CBA", "cba", "macro", 0, (34.4, 74.5, 55)),
    ("MCC", "mcc", "macro", 0, (65.1, 98.9, 96.2)),
    ("RCI", "rci", "macro", 0, (36.8, 92.6, 97.9)),
    ("CEN", "cen", "macro", 0, (97.8, 98.1, 98.5)),
    ("Rec^PREV", "recall", "PREV", NAN, (98.9, 29.2, 24)),
    ("Prec^PREV", "precision", "PREV", NAN, (67.7, 100, 17.8)),
    ("F1^PREV", "f_of_means", "PREV", NAN, (80.4, 45.3, 20.4)),
    ("AvF1^PREV", "f1", "PREV", NAN, (68, 43.4, 17.8)),
    ("CBA^PREV", "cba", "PREV", NAN, (67, 29.2, 13.7)),
    ("Rec^PO", "recall", "PO", NAN, (83.3, 62.5, 46.7)),
    ("Prec^PO", "precision", "PO", NAN, (51.6, 99.6, 46)),
    ("F1^PO", "f_of_means", "PO", NAN, (63.7, 76.8, 46.4)),
    ("AvF1^PO", "f1", "PO", NAN, (44.3, 69.8, 44.3)),
    ("CBA^PO", "cba", "PO", NAN, (43, 62.1, 41.5)),
    ("Rec^TO", "recall", "TO", NAN, (83.3, 62.5, 43)),
    ("Prec^TO", "precision", "TO", NAN, (61.3, 99.8, 41.5)),
    ("F1^TO", "f_of_means", "TO", NAN, (70.6, 76.9, 42.2)),
    ("AvF1^TO", "f1", "TO", NAN, (52.1, 69.9, 40)),
    ("CBA^TO", "cba", "TO", NAN, (51.1, 62.3, 37)),
    ("Rec^phi", "recall", "phi", NAN, (95, 42.3, 29.1)),
    ("Prec^phi", "precision", "phi", NAN, (54.2, 99.9, 28.4)),
    ("F1^phi", "f_of_means", "phi", NAN, (69, 59.4, 28.7)),
    ("AvF1^phi", "f1", "phi", NAN, (52.8, 53.8, 26)),
    ("CBA^phi", "cba", "phi", NAN, (51.5, 42.2, 22.3)),
]
# Table 3: plain and not normalised; None where the paper says "not defined", which is then so for the paper's rule.
TABLE_3 = {
    "av_acc": (0.365, 0.993, 0.981),
    "mavg": (0.000, 0.630, 0.398),
    "cba": (0.344, 0.745, 0.550),
    "mcc": (0.301, 0.978, 0.923),
    "rci": (0.368, 0.926, 0.979),
    "cen": (0.022, 0.019, 0.015),
}
# PyCM 4.6: Overall_MCC, CBA, RCI, Overall_CEN and ACC_Macro.
PYCM = [
    (
        [[50, 3, 7], [5, 40, 2], [1, 8, 30]],
        (0.7304260273357635, 0.7956259426847662, 0.4899550578647749, 0.37311247978361023, 0.8812785388127854),
    ),
    (
        [[13, 0, 6], [0, 10, 1], [4, 2, 8]],
        (0.5512789735551167, 0.683625730994152, 0.40900377459400733, 0.43979624324203814, 0.8030303030303031),
    ),
    (
        [[9, 2, 0, 1, 4], [1, 7, 3, 0, 0], [2, 2, 11, 5, 1], [0, 0, 6, 8, 2], [3, 1, 0, 0, 12]],
        (0.48107259260595464, 0.5602443609022556, 0.36667064606402777, 0.4724381214292055, 0.835),
    ),
]
BINARY = {
    "accuracy": "accuracy",
    "adjusted_balanced_accuracy": "informedness",
    "av_acc": "accuracy",
    "balanced_accuracy": "auc_single",
    "cba": "class_balance_accuracy",
    "cen": "confusion_entropy",
    "error_rate": "error_rate",
    "f_of_means": "f_of_means",
    "kappa": "kappa",
    "kappa_linear": "kappa",
    "kappa_quadratic": "kappa",
    "mavg": "gmean",
    "mcc": "mcc",
    "one_vs_rest_accuracy": "accuracy",
    "rci": "relative_classifier_information",
}


def labels_of(matrix: Any) -> tuple[Any, Any]:
    true, predicted = np.indices(matrix.shape)
    return np.repeat(true.ravel(), matrix.ravel()), np.repeat(predicted.ravel(), matrix.ravel())


def refusal(call: Callable[[], object]) -> str:
    with pytest.raises(InputError) as caught:
        call()
    message = str(caught.value)
    assert "\n" not in message
    return message


def is_same(found: Any, expected: Any) -> Any:
    return found == pytest.approx(expected, nan_ok=True, abs=1e-11)


@in_one_test
@pytest.mark.parametrize(
    ("key", "average", "zero_division", "case", "printed"),
    [(*row[1:4], case, printed) for row in TABLE_5 for case, printed in enumerate(row[4])],
    ids=[f"{row[0]}-{case}" for row in TABLE_5 for case in (1, 2, 3)],
)
def test_table_5_of_the_paper(key: str, average: str, zero_division: float, case: int, printed: float) -> None:
    settings: dict[str, Any] = {"zero_division": zero_division}
    settings["average"] = RELEVANCES[average][case] if average in RELEVANCES else average
    if key in multiclass:
        found = multiclass[key].normalised(CASES[case], **settings)
    else:
        found = metrics[key].from_confusion(CASES[case], **settings)
    # To the digit: a tie, such as 46.75 printed as 46.7, is rounded in either direction.
    assert abs(100 * float(found) - printed) < 0.05 + 1e-9


@in_one_test
@pytest.mark.parametrize("key", TABLE_3)
@pytest.mark.parametrize("case", range(3))
def test_table_3_of_the_paper(key: str, case: int) -> None:
    assert multiclass[key].from_confusion(CASES[case]) == pytest.approx(TABLE_3[key][case], abs=0.00051)


def test_what_table_3_calls_not_defined_is_left_out_or_counts() -> None:
    undefined = np.isnan(metrics["precision"].from_confusion(CASES[0], average=None))
    assert undefined.tolist() == [False, False, True]
    assert multiclass["f_of_means"].from_confusion(CASES[0], zero_division=0) == pytest.approx(0.453901, abs=1e-6)
    assert multiclass["f_of_means"].from_confusion(CASES[0]) == pytest.approx(0.581818, abs=1e-6)


@pytest.mark.parametrize(("matrix", "expected"), PYCM)
def test_values_of_pycm(matrix: Any, expected: tuple[float, ...]) -> None:
    found = [multiclass[key].from_confusion(matrix) for key in ("mcc", "cba", "rci", "cen", "one_vs_rest_accuracy")]
    assert found == pytest.approx(expected, rel=1e-12)


@given(matrices())
@settings(max_examples=examples(200), deadline=None)
def test_scikit_learn(matrix: Any) -> None:
    if not matrix.any():
        return
    true, predicted = labels_of(matrix)
    scored = sklearn.metrics.matthews_corrcoef(true, predicted)
    found = multiclass["mcc"].from_confusion(matrix)
    assert is_same(0.0 if np.isnan(found) else found, scored)
    every = list(range(len(matrix)))
    for average in ("macro", "micro", "weighted"):
        arguments: dict[str, Any] = {"labels": every, "average": average, "zero_division": 0}
        precision = sklearn.metrics.precision_score(true, predicted, **arguments)
        recall = sklearn.metrics.recall_score(true, predicted, **arguments)
        f_of_means = 2 * precision * recall / (precision + recall) if precision + recall else 0
        assert is_same(multiclass["f_of_means"].from_confusion(matrix, average=average, zero_division=0), f_of_means)
    balanced = np.mean([matrix[c, c] / total for c, total in enumerate(matrix.sum(axis=1)) if total])
    assert is_same(metrics["recall"].from_confusion(matrix, average="macro"), balanced)
    assert is_same(multiclass["mcc"](true, predicted, labels=MayBeAbsent(every)), found)


def by_hand(key: str, matrix: Any, weights: list[Fraction]) -> float:
    """Return a metric from its definition in table 1, in fractions as far as they go; empty classes left out."""
    rows = [[Fraction(int(entry)) for entry in row] for row in matrix]
    places = range(len(rows))
    true, predicted = [sum(row) for row in rows], [sum(column) for column in zip(*rows, strict=True)]
    total = sum(true)
    if key == "accuracy":
        return float(Fraction(sum(rows[a][a] for a in places), total)) if total else NAN
    if key == "error_rate":
        return float(1 - Fraction(sum(rows[a][a] for a in places), total)) if total else NAN
    if key.startswith("kappa"):
        power = {"kappa": 0, "kappa_linear": 1, "kappa_quadratic": 2}[key]
        apart = {(a, b): abs(a - b) ** power if a != b else 0 for a in places for b in places}
        by_chance = sum(weight * true[a] * predicted[b] for (a, b), weight in apart.items())
        seen = sum(weight * rows[a][b] for (a, b), weight in apart.items())
        return float(1 - total * seen / by_chance) if by_chance else NAN
    if key == "mcc":
        x = sum(rows[a][a] * rows[c][b] - rows[b][a] * rows[a][c] for a in places for b in places for c in places)
        y = sum(p * (total - p) for p in predicted)
        z = sum(t * (total - t) for t in true)
        return NAN if y == z == 0 else 0.0 if 0 in (y, z) else float(x) / math.sqrt(y) / math.sqrt(z)
    if key == "cen":
        share = {
            (a, b, c): rows[a][b] / (true[c] + predicted[c])
            for a in places
            for b in places
            for c in (a, b)
            if rows[a][b]
        }
        base = math.log(2 * (len(rows) - 1))
        entropy = [
            -sum(
                float(p) * math.log(p) / base
                for p in (share.get(key, Fraction(0)) for b in places if b != c for key in ((c, b, c), (b, c, c)))
                if p
            )
            for c in places
        ]
        return NAN if not total else sum(float((true[c] + predicted[c]) / (2 * total)) * entropy[c] for c in places)
    if key == "rci":
        if not total:
            return NAN
        of_class = -sum(float(t / total) * math.log(t / total) for t in true if t)
        remaining = -sum(
            float(rows[a][b] / total) * math.log(rows[a][b] / predicted[b])
            for a in places
            for b in places
            if rows[a][b]
        )
        return NAN if max(true) == total else (of_class - remaining) / of_class
    above = [rows[c][c] for c in places]

    def mean(below: list[Any], power: bool = False) -> float:
        counted = [(w, a / b) for w, a, b in zip(weights, above, below, strict=True) if b and w]
        if not counted:
            return NAN
        if power:
            product = math.prod(float(value) ** float(weight) for weight, value in counted)
            return math.pow(product, 1 / sum(weight for weight, _ in counted))
        return float(sum(w * value for w, value in counted) / sum(w for w, _ in counted))

    if key == "f_of_means":
        p, r = mean(predicted), mean(true)
        return 0.0 if p == r == 0 else 2 * p * r / (p + r)
    if key == "av_acc":  # section 2 of the paper: tn are the correctly predicted examples of the other classes
        right = sum(rows[c][c] for c in places)
        above = [right] * len(rows)
        return mean([right + true[c] + predicted[c] - 2 * rows[c][c] for c in places])
    if key == "one_vs_rest_accuracy":
        above = [total - true[c] - predicted[c] + 2 * rows[c][c] for c in places]
        return mean([total] * len(rows))
    if key == "balanced_accuracy":
        return mean(true)
    if key == "adjusted_balanced_accuracy":
        chance = 1 / len(rows)
        return (mean(true) - chance) / (1 - chance)
    if key == "cba":
        return mean([max(t, p) for t, p in zip(true, predicted, strict=True)])
    return mean(true, power=True)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("key", list(multiclass))
@given(matrices(), st.data())
@settings(max_examples=examples(100), deadline=None)
def test_definitions_by_hand_and_in_exact_arithmetic(key: str, matrix: Any, data: st.DataObject) -> None:
    metric = multiclass[key]
    weights = [Fraction(1)] * len(matrix)
    average: Any = "macro"
    if metric.is_mean:
        drawn = st.lists(st.integers(0, 4), min_size=len(matrix), max_size=len(matrix)).filter(any)
        weights = [Fraction(weight, 4) for weight in data.draw(drawn)]
        average = Relevance(tuple(range(len(matrix))), tuple(weights))
    found = metric.from_confusion(matrix, average=average)
    assert is_same(found, by_hand(key, matrix, weights))
    exact = metric.exact(matrix.tolist(), average=average)
    assert is_same(found, NAN if exact is S.NaN else float(exact))


@pytest.mark.sampled(9)
@pytest.mark.parametrize("key", list(multiclass))
@given(matrices(), st.randoms(use_true_random=False))
@settings(max_examples=examples(50), deadline=None)
def test_classes_have_no_order(key: str, matrix: Any, random: Any) -> None:
    metric = multiclass[key]
    order = list(range(len(matrix)))[::-1] if metric.orders_classes else random.sample(range(len(matrix)), len(matrix))
    moved = matrix[np.ix_(order, order)]
    assert is_same(metric.from_confusion(moved), metric.from_confusion(matrix))
    if metric.is_mean:
        weights = np.array([random.randint(1, 9) for _ in order])
        weighed = metric.from_confusion(matrix, average=weights)
        assert is_same(metric.from_confusion(moved, average=weights[order]), weighed)


@pytest.mark.parametrize(
    ("key", "weights"), [("kappa", None), ("kappa_linear", "linear"), ("kappa_quadratic", "quadratic")]
)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=20))
@settings(max_examples=examples(50), deadline=None)
def test_kappa_is_scikit_learn_s(key: str, weights: str | None, pairs: list[tuple[int, int]]) -> None:
    true, predicted = zip(*pairs, strict=True)
    labels = list(range(5))
    with np.errstate(all="ignore"):
        expected = sklearn.metrics.cohen_kappa_score(
            true, predicted, labels=labels, weights=weights, replace_undefined_by=NAN
        )
    assert is_same(multiclass[key](true, predicted, labels=MayBeAbsent(labels)), expected)


def test_only_distances_of_classes_make_their_order_count() -> None:
    assert {key for key, metric in multiclass.items() if metric.orders_classes} == {"kappa_linear", "kappa_quadratic"}
    swapped = np.array([[5, 0, 2], [1, 4, 0], [0, 3, 3]])[np.ix_([1, 0, 2], [1, 0, 2])]
    matrix = [[5, 0, 2], [1, 4, 0], [0, 3, 3]]
    assert multiclass["kappa_linear"].from_confusion(matrix) != multiclass["kappa_linear"].from_confusion(swapped)
    assert multiclass["kappa"].from_confusion(matrix) == pytest.approx(multiclass["kappa"].from_confusion(swapped))


@pytest.mark.parametrize("k", [2, 3, 5])
def test_a_least_value_that_depends_on_the_number_of_classes_is_that_where_all_is_wrong(k: int) -> None:
    least = {key: metric.estimator(k, "macro").range.low for key, metric in multiclass.items() if metric.least}
    assert set(least) == {"adjusted_balanced_accuracy", "one_vs_rest_accuracy"}
    for key, value in least.items():
        assert multiclass[key].from_confusion(1 - np.eye(k)) == pytest.approx(value)


@pytest.mark.thorough
@pytest.mark.parametrize("key", list(multiclass))
@given(matrices())
@settings(max_examples=examples(50), deadline=None)
def test_values_are_in_range_and_perfect_agreement_is_best(key: str, matrix: Any) -> None:
    metric = multiclass[key]
    value = metric.from_confusion(matrix)
    assert metric.range is not None
    assert np.isnan(value) or metric.range.start - 1e-12 <= value <= metric.range.end + 1e-12
    diagonal = np.diag(np.diag(matrix) + 1)
    assert metric.normalised(diagonal) == pytest.approx(1)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("key", list(multiclass))
def test_two_classes_are_the_binary_metric_where_no_class_is_undefined(key: str) -> None:
    tables = np.array(list(np.ndindex(4, 4, 4, 4)))
    found = np.asarray(multiclass[key].from_confusion(tables.reshape(-1, 2, 2)))
    binary = np.asarray(metrics[BINARY[key]].from_counts(*tables.T))
    same = (np.abs(found - binary) < 1e-12) | (np.isnan(found) & np.isnan(binary))
    if multiclass[key].is_mean:  # means leave out a class that is undefined, and the binary formulas are then 0/0
        same |= np.isnan(binary) & ~np.isnan(found)
        defined = (tables[:, 0] + tables[:, 1] > 0) & (tables[:, 2] + tables[:, 3] > 0)
        defined &= (tables[:, 0] + tables[:, 2] > 0) & (tables[:, 1] + tables[:, 3] > 0)
        assert not np.isnan(binary[defined]).any()
    assert same.all()


DEGENERATE = [
    ([[5, 0, 0], [0, 0, 0], [0, 0, 0]], NAN),
    ([[0, 5, 0], [0, 0, 0], [0, 0, 0]], NAN),
    ([[5, 2, 0], [0, 0, 0], [0, 0, 0]], 0.0),
    ([[5, 0, 0], [2, 0, 0], [4, 0, 0]], 0.0),
    ([[0, 0, 0], [0, 0, 0], [0, 0, 0]], NAN),
]


@in_one_test
@pytest.mark.parametrize(("matrix", "expected"), DEGENERATE)
def test_mcc_is_undefined_only_if_all_is_in_one_entry(matrix: Any, expected: float) -> None:
    assert is_same(multiclass["mcc"].from_confusion(matrix), expected)
    positive = np.array(matrix) + 1e-13 * np.array([[3, 1, 2], [2, 5, 1], [1, 1, 4]])
    if expected == 0:  # the limit from positive matrices
        assert abs(float(multiclass["mcc"].from_confusion(positive))) < 1e-5


def test_zero_division() -> None:
    nothing = np.zeros((3, 3))
    for metric in multiclass.values():
        assert np.isnan(metric.from_confusion(nothing))
        # Each class counts 1/4, and that is what is corrected for chance.
        counted = (3 * 0.25 - 1) / 2 if metric.name == "adjusted_balanced_accuracy" else 0.25
        assert metric.from_confusion(nothing, zero_division=0.25) == pytest.approx(counted)
    empty = [[3, 1, 0], [1, 5, 0], [0, 0, 0]]
    assert multiclass["mavg"].from_confusion(empty) == pytest.approx(math.sqrt(5 / 8))
    assert multiclass["mavg"].from_confusion(empty, zero_division=0) == 0
    assert multiclass["cba"].from_confusion(empty, zero_division=1) == pytest.approx((3 / 4 + 5 / 6 + 1) / 3)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("key", list(multiclass))
def test_leading_axes_blocks_and_layouts(key: str) -> None:
    metric = multiclass[key]
    classes = 3
    count = 2 * (BLOCK // classes**2) + 6
    many = np.random.default_rng(1).integers(0, 4, (count, classes, classes))
    many[::5, 1] = 0
    every = metric.from_confusion(many)
    assert isinstance(every, np.ndarray)
    assert every.shape == (count,)
    for place in (0, 5, count // 2, count - 1):
        assert is_same(metric.from_confusion(many[place].tolist()), every[place])
    assert np.array_equal(metric.from_confusion(many.reshape(2, -1, 3, 3)), every.reshape(2, -1), equal_nan=True)
    for other in (many.astype(float), np.asfortranarray(many), many.astype(np.uint8), many.astype(object)[:50]):
        assert np.allclose(metric.from_confusion(other), every[: len(other)], equal_nan=True, atol=1e-13)
    assert isinstance(metric.from_confusion(many[0]), float)
    assert np.shape(metric.from_confusion(np.empty((0, 3, 3)))) == (0,)
    weighted = metric.from_confusion(many * 0.125)
    assert np.allclose(weighted, every, equal_nan=True, atol=1e-12)
    if metric.is_mean:
        assert np.shape(metric.from_confusion(many, average=None)) == (count, classes)


@given(hnp.arrays(np.float64, (3, 4, 4), elements=st.integers(0, 2**20).map(float)))
@settings(max_examples=examples(50), deadline=None)
def test_cells_in_blocks_are_those_of_one_vs_rest(many: Any) -> None:
    found = in_blocks(lambda cells, _: np.concatenate(cells, axis=-1), many)
    assert np.array_equal(found, np.concatenate(one_vs_rest(many), axis=-1))


def test_large_counts_lose_no_digits() -> None:
    mcc = multiclass["mcc"].from_confusion([[10, 20], [30, 10**15]])
    assert mcc == pytest.approx(0.288675134594788, rel=1e-12)
    three = [[10, 20, 3], [30, 10**15, 7], [1, 2, 5]]
    for key, metric in multiclass.items():
        tolerance = 1e-9 if key == "rci" else 1e-12
        assert metric.from_confusion(three) == pytest.approx(float(metric.exact(three).evalf(30)), rel=tolerance)
    narrow = np.array([[60000, 5000], [6000, 70000]], dtype=np.int32)
    assert multiclass["mcc"].from_confusion(narrow) == pytest.approx(0.8433, abs=1e-4)
    # Counts whose totals are not exact.
    huge = np.array([[2**53, 2], [2, 2**53]], dtype=np.int64)
    assert metrics["recall"].from_confusion(huge, average="macro") == pytest.approx(1)
    assert multiclass["mcc"].from_confusion(huge) == pytest.approx(1)
    with pytest.raises(InputError, match="float64 cannot hold exactly"):
        multiclass["mcc"].from_confusion(huge + 1)


def test_of_labels() -> None:
    true, predicted = ["a", "b", "c", "c", "b"], ["a", "c", "c", "a", "b"]
    matrix = [[1, 0, 0], [0, 1, 1], [1, 0, 1]]
    for metric in multiclass.values():
        assert is_same(metric(true, predicted), metric.from_confusion(matrix))
        weighted = metric(true, predicted, sample_weight=[2, 2, 2, 2, 2])
        assert is_same(weighted, metric.from_confusion(matrix))
        assert is_same(metric(true, predicted, labels=MayBeAbsent(["c", "a", "b"])), metric.from_confusion(matrix))


REFUSED: list[tuple[str, Any, dict[str, Any]]] = [
    ("shape (2, 3)", [[1, 2, 3], [4, 5, 6]], {}),
    ("shape (2, 3)", np.ones((2, 3), dtype=int), {}),
    ("shape (3,)", [1, 2, 3], {}),
    ("C[1, 0] is -2", [[1, 0], [-2, 3]], {}),
    ("C[1, 0] is -2", np.array([[1, 0], [-2, 3]]), {}),
    ("C[0, 1, 0] is -2", np.array([[[1, 0], [-2, 3]]]), {}),
    ("C[0, 0] is inf: a count cannot be infinite", np.array([[np.inf, 0], [2, 3]]), {}),
    ("C[0, 1] is nan", np.array([[1, NAN], [2, 3]]), {}),
    ("C[0, 1] is inf", np.array([[1, np.inf], [2, 3]]), {}),
    ("not an array of counts", [[1, 2], [3]], {}),
    ("zero_division='x'", np.eye(2), {"zero_division": "x"}),
]


@in_one_test
@pytest.mark.parametrize(("reason", "matrix", "settings"), REFUSED)
@pytest.mark.parametrize("key", list(multiclass))
def test_what_is_refused(key: str, reason: str, matrix: Any, settings: dict[str, Any]) -> None:
    assert reason in refusal(lambda: multiclass[key].from_confusion(matrix, **settings))


@pytest.mark.parametrize("key", ["mcc", "rci", "cen"])
def test_a_metric_that_is_no_mean_takes_no_average(key: str) -> None:
    metric = multiclass[key]
    calls: list[Callable[[], object]] = [
        lambda: metric.from_confusion(np.eye(3), average="micro"),
        lambda: metric.from_confusion(np.eye(3), average=prevalence([1, 2, 3])),
        lambda: metric.from_confusion(np.eye(3), average=None),
        lambda: metric.expr(3, average="micro"),
        lambda: metric.exact([[1, 0], [0, 1]], average=[1, 2]),
    ]
    for call in calls:
        assert "no mean over classes" in refusal(call)


@in_one_test
@pytest.mark.parametrize("key", ["cba", "f_of_means", "av_acc", "one_vs_rest_accuracy", "mavg"])
def test_averages_that_are_refused(key: str) -> None:
    metric = multiclass[key]
    unit = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    calls: list[tuple[str, Callable[[], object]]] = [
        ("average='most' is not one of", lambda: metric.from_confusion(unit, average="most")),
        ("average='most' is not one of", lambda: metric.exact(unit, average="most")),
        ("2 weights, not 3", lambda: metric.from_confusion(unit, average=[1, 2])),
        ("2 weights and C 3", lambda: metric.exact(unit, average=[1, 2])),
        ("cannot be negative", lambda: metric.exact([[1, -1], [0, 1]])),
        ("rows of 1, 2 entries", lambda: metric.exact([[1], [0, 1]])),
        ("C has 1 class", lambda: metric.expr(1)),
    ]
    for reason, call in calls:
        assert reason in refusal(call)


EXACT_REFUSED: list[tuple[str, Any, dict[str, Any]]] = [
    ("symmetrics.relevance.scores(", np.eye(2, dtype=int), {"average": {0: 1, 1: 2}}),
    ("symmetrics.relevance.scores(", np.eye(2, dtype=int), {"average": pd.Series([1, 2])}),
    ("average={1, 2} is not one of", np.eye(2, dtype=int), {"average": {1, 2}}),
    ("average=None is not one of", np.eye(2, dtype=int), {"average": None}),
    ("average=5 is not one of", np.eye(2, dtype=int), {"average": 5}),
    ("average=b'ab' is not one of", np.eye(2, dtype=int), {"average": b"ab"}),
    ("average='ab' is not one of", np.eye(2, dtype=int), {"average": "ab"}),
    ("every weight of average is 0", np.eye(2, dtype=int), {"average": [0, 0]}),
    ("average[0] is -1: a weight", np.eye(2, dtype=int), {"average": [-1, 2]}),
    ("average[0]: nan", np.eye(2, dtype=int), {"average": [NAN, 2]}),
    ("C=5 is not", 5, {}),
    ("C=[1, 2] is not", [1, 2], {}),
    ("C='ab' is not", "ab", {}),
    ("C={0: [1]} is not", {0: [1]}, {}),
    ("C[0, 0]", np.ones((2, 2, 2), dtype=int), {}),
    ("C=[] is not", [], {}),
    ("rows of 0 entries", [[]], {}),
    ("C[0, 0]: nan", [[NAN, 1], [1, 1]], {}),
    ("zero_division", np.eye(2, dtype=int), {"zero_division": math.inf}),
    ("zero_division", np.eye(2, dtype=int), {"zero_division": "x"}),
]


@in_one_test
@pytest.mark.parametrize(("reason", "matrix", "settings"), EXACT_REFUSED)
def test_what_exact_refuses(reason: str, matrix: Any, settings: dict[str, Any]) -> None:
    assert reason in refusal(lambda: multiclass["cba"].exact(matrix, **settings))
    if "average" in settings:
        assert reason in refusal(lambda: multiclass["cba"].expr(2, average=settings["average"]))


def test_exact_takes_arrays_weights_and_nan() -> None:
    matrix = np.array([[3, 1, 0], [1, 5, 0], [0, 0, 0]])
    cba = multiclass["cba"]
    assert cba.exact(matrix) == (Rational(3, 4) + Rational(5, 6)) / 2
    assert cba.exact(pd.DataFrame(matrix)) == cba.exact(matrix)
    assert cba.exact(matrix, zero_division=NAN) == cba.exact(matrix, zero_division=S.NaN) == cba.exact(matrix)
    assert cba.exact(matrix, zero_division=np.int64(0)) == (Rational(3, 4) + Rational(5, 6)) / 3
    assert cba.exact(matrix, average=np.array([1, 0, 2])) == Rational(3, 4)
    assert cba.exact(matrix, average=(Rational(1, 3), "2/3", 0)) == Rational(3, 4) / 3 + Rational(5, 6) * 2 / 3


@in_one_test
@pytest.mark.parametrize("classes", [2.5, "3", None, True, [2]])
def test_a_number_of_classes_is_whole(classes: Any) -> None:
    assert "is not a number of classes" in refusal(lambda: multiclass["cba"].expr(classes))


@pytest.mark.parametrize("value", [-1, -math.inf])
def test_a_geometric_mean_takes_no_negative_value(value: float) -> None:
    matrix = [[3, 1, 0], [1, 5, 0], [0, 0, 0]]
    assert "is negative" in refusal(lambda: multiclass["mavg"].from_confusion(matrix, zero_division=value))
    assert multiclass["cba"].from_confusion(matrix, zero_division=-1) == pytest.approx((3 / 4 + 5 / 6 - 1) / 3)
    assert "is negative" in refusal(lambda: multiclass["mavg"].exact(matrix, zero_division=-1))


def test_rounding_does_not_leave_the_range() -> None:
    independent = [[100000000000001, 10000000, 100000000000000], [30000000, 3, 30000000], [10000000, 1, 10000000]]
    assert 0 <= multiclass["rci"].from_confusion(independent) < 1e-15
    rows, columns = np.random.default_rng(2).integers(1, 10**4, (2, examples(2000), 4))
    products = rows[:, :, None] * columns[:, None, :]
    for metric in multiclass.values():
        values = np.asarray(metric.from_confusion(products))
        assert metric.range is not None
        assert float(metric.range.start) <= values.min()
        assert values.max() <= float(metric.range.end)
    assert multiclass["rci"].from_confusion(products).max() < 1e-12
    assert math.copysign(1, multiclass["cen"].from_confusion([[5, 0, 0], [0, 3, 0], [0, 0, 2]])) == 1
    assert multiclass["cba"].from_confusion(np.zeros((2, 2)), zero_division=3) == 3


@pytest.mark.sampled(8)
@pytest.mark.parametrize("key", list(multiclass))
def test_random_matrices_agree_with_exact_arithmetic(key: str) -> None:
    metric = multiclass[key]
    generator = np.random.default_rng(11)
    for _ in range(examples(100)):
        classes = int(generator.integers(2, 5))
        largest = 10 ** generator.uniform(0, 9, (classes, classes))
        matrix = np.floor(generator.random((classes, classes)) * largest).astype(np.int64)
        exact = metric.exact(matrix)
        expected = NAN if exact is S.NaN else float(exact.evalf(30))
        assert metric.from_confusion(matrix) == pytest.approx(expected, rel=0, abs=1e-12, nan_ok=True), matrix.tolist()


def test_averages_of_a_mean() -> None:
    matrix = [[4, 1, 0], [2, 3, 1], [0, 0, 9]]
    recall, precision = np.array([4 / 5, 3 / 6, 1]), np.array([4 / 6, 3 / 4, 9 / 10])
    support = np.array([5, 6, 9])
    f = multiclass["f_of_means"]
    weighted = float(np.average(recall, weights=support)), float(np.average(precision, weights=support))
    assert f.from_confusion(matrix, average="weighted") == pytest.approx(2 / (1 / weighted[0] + 1 / weighted[1]))
    assert f.from_confusion(matrix, average="micro") == pytest.approx(16 / 20)
    assert f.from_confusion(matrix, average=None) == pytest.approx(2 / (1 / recall + 1 / precision))
    assert multiclass["mavg"].from_confusion(matrix, average=None) == pytest.approx(recall)
    assert multiclass["mavg"].from_confusion(matrix, average="weighted") == pytest.approx(
        float(np.prod(recall ** (support / 20)))
    )
    assert multiclass["cba"].from_confusion(matrix, average="micro") == pytest.approx(16 / 20)
    for average in ("macro", "micro", "weighted"):
        for metric in (multiclass["cba"], f, multiclass["av_acc"], multiclass["mavg"]):
            exact = metric.exact(matrix, average=average)
            assert metric.from_confusion(matrix, average=average) == pytest.approx(float(exact))


def test_parameters() -> None:
    f = multiclass["f_of_means"]
    matrix = [[4, 1], [2, 3]]
    recall, precision = (4 / 5 + 3 / 5) / 2, (4 / 6 + 3 / 4) / 2
    assert f.at(beta=2).from_confusion(matrix) == pytest.approx(5 * precision * recall / (4 * precision + recall))
    assert f.at(beta="1/2").parameters == ()
    assert f.from_confusion(matrix) == f.at(beta=1).from_confusion(matrix)
    with pytest.raises(DefinitionError, match="no parameter 'alpha'; its parameters are: beta"):
        f.at(alpha=1)
    with pytest.raises(DefinitionError, match="outside"):
        f.at(beta=-1)


def test_an_expression_outside_the_language_is_refused() -> None:
    cells = one_vs_rest(np.ones((1, 2, 2)))
    for outside in (sin(over(C[i, i], i)), Symbol("x") * over(C[i, i], i)):
        with pytest.raises(UnsupportedError, match="outside the language"):
            evaluate_block(outside, cells, np.ones((1, 2, 2)), "macro", NAN)


def test_the_catalogue_and_how_it_is_shown() -> None:
    # A class is shown without its own among the correct examples of others.
    shown = latex(CorrectClassMean(TN))
    own, whole = "{tp}_{i}", r"\sum_{j=1}^{k} {C}_{j,j}"
    assert f"- {own} + {whole}" in shown or f"{whole} - {own}" in shown
    # The catalogue.
    assert list(multiclass) == sorted(multiclass)
    assert set(multiclass) == set(BINARY)
    assert multiclass.cba is multiclass["class_balance_accuracy"]
    with pytest.raises(UnknownNameError, match="multiclass metric 'cbs'"):
        multiclass["cbs"]
    for metric in multiclass.values():
        assert metric.cites
        assert all(citation.reference in REFERENCES for citation in metric.cites)
        assert metric.title
        assert metric.latex.count("{") == metric.latex.count("}")
        assert metric._repr_latex_().startswith("$\\displaystyle ")
        assert metric.greater_is_better is (metric.name not in ("cen", "error_rate"))
    # Binding nothing changes nothing.
    assert multiclass["f_of_means"].at().name == "f_of_means"
    assert multiclass["f_of_means"].at().title == multiclass["f_of_means"].title


@pytest.mark.parametrize(
    ("definition", "matrix"),
    [
        (1 / over(-C[i, i], i), [[0, 1], [1, 0]]),
        (over(C[i, i], i) / over(tp[i] - fn[i], i), [[1, 1], [2, 2]]),
        (1 / ClassMean(metrics["recall"].expr), [[0, 1], [1, 0]]),
    ],
)
def test_a_zero_divisor_leaves_a_metric_of_the_whole_matrix_without_a_value(definition: Any, matrix: Any) -> None:
    metric = MulticlassMetric("mine", definition)
    assert math.isnan(metric.from_confusion(matrix))
    assert metric.exact(matrix) is S.NaN
    assert metric.from_confusion(matrix, zero_division=0) == 0.0
    assert metric.exact(matrix, zero_division=0) == 0


def test_values_at_limits_of_a_class() -> None:
    # A class whose limit is that of its smaller part is not left out. Of class 1 the recall is 0, and so is the
    # smaller of recall and precision, though the latter is 0/0.
    smaller = Min(TP / (TP + FN), TP / (TP + FP))
    mine = MulticlassMetric("mine", ClassMean(smaller))
    matrix = [[0, 3], [0, 3]]
    assert mine.exact(matrix) == Rational(1, 4)
    assert mine.from_confusion(matrix) == 0.25
    assert Metric("mine", smaller).from_confusion(matrix, average=None).tolist() == [0, 0.5]
    # A mean of a metric with a pole is infinite.
    metric = MulticlassMetric("mine", ClassMean(TP / FN))
    assert metric.from_confusion([[1, 0], [1, 1]]) == math.inf
    assert metric.exact([[1, 0], [1, 1]]) is S.Infinity


OF_ONE_CLASS = {
    **dict.fromkeys(
        ("accuracy", "av_acc", "balanced_accuracy", "cba", "f_of_means", "mavg", "one_vs_rest_accuracy"), 1
    ),
    **dict.fromkeys(("error_rate", "cen"), 0),
    **dict.fromkeys(("kappa", "kappa_linear", "kappa_quadratic", "mcc", "rci", "adjusted_balanced_accuracy"), NAN),
}
"""By hand: shares of right predictions are 1 where all are right, and what compares with chance is 0/0."""


@pytest.mark.parametrize("key", multiclass)
def test_a_single_class_has_the_value_that_its_formula_has(key: str) -> None:
    expected = pytest.approx(OF_ONE_CLASS[key], nan_ok=True)
    assert multiclass[key](["a", "a"], ["a", "a"]) == expected
    assert multiclass[key].from_confusion([[7]]) == expected
    assert float(multiclass[key].exact([[7]])) == expected
