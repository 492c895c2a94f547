"""Metrics of matrices to twelve digits, at any size and in any unit."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from math import isnan
from typing import Any, Final

import numpy as np
import pytest
from effort import in_one_test
from sympy import Abs, Expr, Max, Min, N, Rational, S, log, sqrt

import symmetrics as sm
from symmetrics.data.counts import FloatArray
from symmetrics.language.cells import FN, FP, TN, TP
from symmetrics.matrices import MulticlassMetric, multiclass
from symmetrics.matrices.arithmetic import MANY
from symmetrics.matrices.expansion import is_free_of_unit
from symmetrics.matrices.nodes import (
    C,
    ClassDistance,
    ClassMean,
    Correlation,
    FMeasure,
    GeometricClassMean,
    RelativeEntropy,
    fn,
    fp,
    i,
    j,
    k,
    over,
    r,
    s,
    tn,
    tp,
)
from symmetrics.numeric.averaging import in_usual_unit

# -- matrix digits -----------------------------------------------------------------------------------------------------


_N: Final = over(C[r, s], r, s)
_TRUE, _PREDICTED = tp[i] + fn[i], tp[i] + fp[i]
_AGREEMENT: Final = over(C[i, i], i) / _N
_BY_MARGINS: Final = over(_TRUE * _PREDICTED, i) / _N**2
_BY_MEAN_MARGIN: Final = over(((_TRUE + _PREDICTED) / (2 * _N)) ** 2, i)
_GWET: Final = over((_TRUE + _PREDICTED) / (2 * _N) * (1 - (_TRUE + _PREDICTED) / (2 * _N)), i) / (k - 1)
_RECALL, _PRECISION = ClassMean(TP / (TP + FN)), ClassMean(TP / (TP + FP))
_SPECIFICITY: Final = ClassMean(TN / (TN + FP))
_JOINT: Final = -over(C[i, j] / _N * log(C[i, j] / _N), i, j)
_PHI: Final = over(C[i, j] ** 2 / (_TRUE * (tp[j] + fp[j])), i, j) - 1


def _entropy(margin: Expr) -> Expr:
    return -over(margin / _N * log(margin / _N), i)


FORMULAS: Final[dict[str, Expr]] = {
    "kappa": (_AGREEMENT - _BY_MARGINS) / (1 - _BY_MARGINS),
    "pi": (_AGREEMENT - _BY_MEAN_MARGIN) / (1 - _BY_MEAN_MARGIN),
    "alpha": 1 - (1 - _AGREEMENT) * (2 * _N - 1) / (2 * _N) / (1 - _BY_MEAN_MARGIN),
    "ac1": (_AGREEMENT - _GWET) / (1 - _GWET),
    "bennett": (_AGREEMENT - 1 / k) / (1 - 1 / k),
    "mcc": (over(C[i, i], i) * _N - over(_TRUE * _PREDICTED, i))
    / sqrt((_N**2 - over(_TRUE**2, i)) * (_N**2 - over(_PREDICTED**2, i))),
    "mcc of shares": (_AGREEMENT - _BY_MARGINS)
    / sqrt((1 - over((_TRUE / _N) ** 2, i)) * (1 - over((_PREDICTED / _N) ** 2, i))),
    "correlation": Correlation(
        over(tp[i] * tn[i] - fn[i] * fp[i], i) / _N**2,
        1 - over((_TRUE / _N) ** 2, i),
        1 - over((_PREDICTED / _N) ** 2, i),
    ),
    "error": 1 - _AGREEMENT,
    "odds": _AGREEMENT / (1 - _AGREEMENT),
    "logit": log(_AGREEMENT) - log(1 - _AGREEMENT),
    "above a half": _AGREEMENT - S.Half,
    "tau": (over(C[i, j] ** 2 / _TRUE, i, j) / _N - over((_PREDICTED / _N) ** 2, i))
    / (1 - over((_PREDICTED / _N) ** 2, i)),
    "gini": 1 - over((_TRUE / _N) ** 2, i),
    "simpson": 1 - over(_TRUE * (_TRUE - 1), i) / (_N * (_N - 1)),
    "quantity": 1 - over(Abs(_TRUE - _PREDICTED), i) / (2 * _N),
    "overlap": over(Min(_TRUE, _PREDICTED), i) / _N,
    "extremes": Max(_AGREEMENT, _BY_MARGINS) - Min(_AGREEMENT, _BY_MARGINS),
    "square of margins": over(_TRUE**2, i) - 2 * over(_TRUE * _PREDICTED, i) + over(_PREDICTED**2, i),
    "entropy": _entropy(_TRUE),
    "joint entropy": _JOINT,
    "information": _entropy(_TRUE) + _entropy(_PREDICTED) - _JOINT,
    "normalised information": (_entropy(_TRUE) + _entropy(_PREDICTED) - _JOINT)
    / sqrt(_entropy(_TRUE) * _entropy(_PREDICTED)),
    "variation of information": 2 * _JOINT - _entropy(_TRUE) - _entropy(_PREDICTED),
    "information as divergence": over(RelativeEntropy(C[i, j] / _N, _TRUE * (tp[j] + fp[j]) / _N**2), i, j),
    "divergence": over(RelativeEntropy(_TRUE / _N, _PREDICTED / _N), i),
    "cross entropy": over(_TRUE / _N * log(_TRUE / _PREDICTED), i),
    "informedness": _RECALL + _SPECIFICITY - 1,
    "adjusted recall": (k * _RECALL - 1) / (k - 1),
    "one less recall": 1 - _RECALL,
    "harmonic mean": 2 / (1 / _RECALL + 1 / _PRECISION),
    "difference of means": _RECALL - _PRECISION,
    "difference of squares": _RECALL**2 - _PRECISION**2,
    "one less a geometric mean": 1 - GeometricClassMean(TP / (TP + FN)),
    "one less an F-measure": 1 - FMeasure(_RECALL, _PRECISION, 1),
    "half of a difference": ClassMean(TP / (TP + FP) + TN / (TN + FN) - 1) - _RECALL / 2,
    "ten times what is above a half": 10 * ClassMean((TP * TN - FP * FN) / ((TP + FP) * (TN + FN))) - 5,
    "phi squared": _PHI,
    "cramer": sqrt(_PHI / (k - 1)),
    "yule": over(tp[i] * tn[i] - fn[i] * fp[i], i) / over(tp[i] * tn[i] + fn[i] * fp[i], i),
    "weighted kappa": 1
    - _N
    * over(ClassDistance(i, j) ** 2 * C[i, j], i, j)
    / over(ClassDistance(i, j) ** 2 * _TRUE * (tp[j] + fp[j]), i, j),
    "difference of roots": sqrt(_N) - sqrt(over(C[i, i], i)),
    "one over odds": 1 / (1 / _AGREEMENT - 1),
}


def _matrices(classes: int) -> list[list[list[int]]]:
    """Return matrices of counts of 10**9 and 10**15: of about one size, beside small ones, and near independence."""
    random = np.random.default_rng(classes)
    found = []
    for most in (10**9, 10**15):
        even = random.integers(1, most // classes**2, (classes, classes))
        beside = random.integers(1, 9, (classes, classes))
        beside[0, 0] = most
        two = random.integers(0, 4, (classes, classes))
        two[0, 0], two[-1, -1] = most, most // 7
        independent = most // classes**2 + random.integers(-2, 3, (classes, classes))
        found += [matrix.tolist() for matrix in (even, beside, two, independent)]
    return [*found, *([[[10**15, 3], [2, 5]]] if classes == 2 else [])]


_CASES: Final = [
    (name, matrix)
    for number, name in enumerate(FORMULAS)
    for classes in (2, 3, 5)
    for place, matrix in enumerate(_matrices(classes))
    if (place + number) % 3 == 0
]


@in_one_test
@pytest.mark.sampled(60)
@pytest.mark.parametrize(("name", "matrix"), _CASES)
def test_values_are_right_to_twelve_digits(name: str, matrix: list[list[int]]) -> None:
    """Whatever cancels in a formula, against the value in exact arithmetic, which other code computes."""
    metric = sm.MulticlassMetric("mine", FORMULAS[name])
    try:
        exact = metric.exact(matrix)
    except ValueError:  # SymPy's, of roots of large numbers
        return
    value = metric.from_confusion(matrix)
    expected = float(N(exact, 25, maxn=2000)) if exact is not S.NaN else float("nan")
    assert isnan(value) == isnan(expected)
    assert isnan(value) or abs(value - expected) <= 1e-12 * abs(expected)


def test_all_averages_and_fills_have_the_digits() -> None:
    """Means over classes in a formula that cancels, for every way to weigh the classes."""
    matrix = [[10**15, 3, 0], [2, 5, 0], [0, 0, 0]]
    averages: list[Any] = ["macro", "micro", "weighted", [1, 2, 0]]
    for name, average, fill in itertools.product(("one less recall", "harmonic mean"), averages, (None, 0, 1)):
        metric = sm.MulticlassMetric("mine", FORMULAS[name])
        value = metric.from_confusion(matrix, average=average, zero_division=float("nan") if fill is None else fill)
        expected = float(metric.exact(matrix, average=average, zero_division=fill))
        assert value == pytest.approx(expected, rel=1e-12, abs=0, nan_ok=True)
    each = sm.MulticlassMetric("mine", FORMULAS["one less recall"]).from_confusion(matrix, average=None)
    assert each == pytest.approx(
        [float(Fraction(3, 10**15 + 3)), float(Fraction(2, 7)), np.nan], rel=1e-12, nan_ok=True
    )


def test_single_and_printed_values_keep_their_digits() -> None:
    # Kappa and pi as printed. [[10**15, 3], [2, 5]] by hand, in fractions (Cohen 1960; Scott 1955).
    n = Fraction(10**15 + 10)
    observed = (10**15 + 5) / n
    pairs = [(10**15 + 3, 10**15 + 2), (7, 8)]
    chance = sum(Fraction(a * b) / n**2 for a, b in pairs)
    pooled = sum((Fraction(a + b) / (2 * n)) ** 2 for a, b in pairs)
    for name, expected in (
        ("kappa", (observed - chance) / (1 - chance)),
        ("pi", (observed - pooled) / (1 - pooled)),
    ):
        value = sm.MulticlassMetric("mine", FORMULAS[name]).from_confusion([[10**15, 3], [2, 5]])
        assert abs(Fraction(value) - expected) <= Fraction(1, 10**12) * expected
    # A value is the same alone and among others.
    matrices = np.array([[[10**15, 3], [2, 5]], [[50, 3], [2, 5]], [[10**9, 1], [1, 10**9]], [[0, 0], [0, 0]]])
    for name in ("pi", "information", "error"):
        metric = sm.MulticlassMetric("mine", FORMULAS[name])
        assert metric.from_confusion(matrices).tolist() == pytest.approx(
            [metric.from_confusion(matrix) for matrix in matrices], rel=1e-12, abs=0, nan_ok=True
        )
    # Sums of weights keep their digits. Entries that are no whole numbers, taken as the fractions that they are.
    matrix = [[1e9 + 0.25, 0.1], [1e-3, 0.7]]
    exact = [[Rational(*entry.as_integer_ratio()) for entry in row] for row in matrix]
    for name in ("pi", "kappa", "mcc of shares", "error", "odds"):
        metric = sm.MulticlassMetric("mine", FORMULAS[name])
        assert metric.from_confusion(matrix) == pytest.approx(float(metric.exact(exact)), rel=1e-12)
    # Slopes keep their digits. The derivatives of Scott's pi by the entries, against those of its formula by SymPy.
    matrix = [[10**15, 3], [2, 5]]
    metric = sm.MulticlassMetric("mine", FORMULAS["pi"])
    formula = metric.expr(2)
    at = {symbol: matrix[int(symbol.name[2]) - 1][int(symbol.name[4]) - 1] for symbol in formula.free_symbols}
    expected = [float(N(formula.diff(symbol).xreplace(at), 20)) for symbol in sorted(formula.free_symbols, key=str)]
    slopes = metric.estimator(2, "macro").slopes(np.array(matrix, dtype=float).reshape(4))
    assert slopes == pytest.approx(expected, rel=1e-12, abs=0)


def test_ordinary_counts_need_no_exact_arithmetic(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is computed again takes a thousand times as long."""
    again = []
    monkeypatch.setattr(
        "symmetrics.matrices.compiled.Block.exact_values", lambda _, definition, places: again.append(definition)
    )
    random = np.random.default_rng(8)
    matrices = random.integers(0, 1000, (500, 3, 3))
    assert matrices.sum(axis=(1, 2)).max() < MANY
    for metric in (*sm.multiclass.values(), *(sm.MulticlassMetric("mine", FORMULAS[key]) for key in ("pi", "kappa"))):
        metric.from_confusion(matrices)
    constant = np.zeros_like(matrices)
    constant[:, :, 1] = random.integers(0, 9, (500, 3))
    for metric in sm.multiclass.values():
        metric.from_confusion(constant)
    assert not again


# -- matrix units ------------------------------------------------------------------------------------------------------


MATRIX = np.array([[5.0, 1.0, 0.0], [2.0, 6.0, 1.0], [0.0, 1.0, 4.0]])
POWERS = [*range(-1070, 1020, 110), 1020]
"""Powers of two by which the entries of that matrix stay floats, from subnormal ones to the largest."""
SIZED = MulticlassMetric("sized", over(C[i, i], i) / (over(C[i, i], i) + 1))
"""A metric that depends on the number of examples."""


def test_kappa_of_a_matrix_is_that_of_its_multiples() -> None:
    expected = 161 / 261
    observed, chance = Fraction(15, 20), Fraction(6 * 7 + 9 * 8 + 5 * 5, 400)
    assert float((observed - chance) / (1 - chance)) == expected
    kappa = multiclass["kappa"]
    for scale in (1e160, 1e-160, 1e300, 1e-300):
        assert kappa.from_confusion(MATRIX * scale) == pytest.approx(expected, rel=1e-13)
    weights = np.full(20, 1e-200)
    true = np.repeat([0, 0, 1, 1, 1, 2, 2], [5, 1, 2, 6, 1, 1, 4])
    predicted = np.repeat([0, 1, 0, 1, 2, 1, 2], [5, 1, 2, 6, 1, 1, 4])
    assert kappa(true, predicted, sample_weight=weights) == pytest.approx(expected, rel=1e-13)
    counted = sm.ConfusionMatrix.of(true, predicted, sample_weight=weights)
    assert kappa.from_confusion(counted) == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize("name", multiclass)
def test_values_and_slopes_do_not_depend_on_the_unit(name: str) -> None:
    metric, scales = multiclass[name], 2.0 ** np.array(POWERS)[:, None, None]
    expected = metric.from_confusion(MATRIX)
    assert metric.from_confusion(MATRIX * scales) == pytest.approx(expected, rel=1e-15)  # a stack of all sizes
    whole, entries = metric.estimator(3, "macro"), MATRIX.reshape(9)
    slopes = whole.slopes(entries)
    for power in POWERS:
        assert metric.from_confusion(np.ldexp(MATRIX, power).tolist()) == pytest.approx(expected, rel=1e-15)
        assert whole.values(np.ldexp(entries, power)) == pytest.approx(expected, rel=1e-15)
        if power > -1000:  # below, the slopes are beyond float64
            found = np.ldexp(whole.slopes(np.ldexp(entries, power)), power)
            np.testing.assert_allclose(found, slopes, rtol=1e-13, atol=1e-16)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", multiclass)
def test_what_is_seen_to_be_free_of_the_unit_is_what_is_proved_to_be(name: str) -> None:
    assert is_free_of_unit(multiclass[name].definition)
    assert sm.prove(multiclass[name], "homogeneous").holds


@pytest.mark.parametrize(
    "average", ["macro", "micro", "weighted", [0.5, 1, 2], [5e299, 1e300, 2e300], [5e-301, 1e-300, 2e-300]]
)
@pytest.mark.parametrize("scale", [1e-300, 1e-160, 1e160, 1e306])
def test_averages_of_two_classes_do_not_depend_on_the_unit(average: str | list[float], scale: float) -> None:
    usual = [0.5, 1, 2] if isinstance(average, list) else average
    for name in ("f1", "mcc", "kappa", "diagnostic_odds_ratio", "gmean", "mutual_information"):
        metric = sm.metrics[name]
        expected = metric.from_confusion(MATRIX, average=usual)
        found = metric.from_confusion(MATRIX * scale, average=average)
        assert found == pytest.approx(expected, rel=1e-12, nan_ok=True), name


@pytest.mark.parametrize("matrix", [np.zeros((3, 3)), np.zeros((0, 3, 3)), np.zeros((2, 0, 3, 3))])
def test_empty_matrices_are_as_before(matrix: FloatArray) -> None:
    found = np.asarray(multiclass["kappa"].from_confusion(matrix))
    assert found.shape == matrix.shape[:-2]
    assert all(map(math.isnan, found.reshape(-1)))


def test_what_depends_on_the_size_is_computed_at_the_size_it_has() -> None:
    assert not is_free_of_unit(SIZED.definition)
    assert SIZED.from_confusion(MATRIX * 1e-200) == pytest.approx(15e-200, rel=1e-14)
    assert SIZED.from_confusion(MATRIX * 1e200) == 1
    # A small entry beside a huge one keeps its digits.
    mixed = np.array([[1e300, 0.0], [3e-300, 1e-300]])
    assert multiclass["balanced_accuracy"].from_confusion(mixed) == pytest.approx(0.625, rel=1e-15)
    assert in_usual_unit(mixed)[0] is not mixed
    np.testing.assert_array_equal(in_usual_unit(mixed)[0], mixed)
    # The score interval of huge counts is a point.
    for power in (100, 520, 1000):
        found = sm.metrics["accuracy"].interval(*(2.0**power * np.array([7, 2, 3, 9])))
        assert (found.low, found.high) == pytest.approx((16 / 21, 16 / 21), rel=1e-12)
    # A mean of a metric that depends on the size does.
    mean = MulticlassMetric("sized_mean", ClassMean(TP / (TP + FN + 1)))
    assert not is_free_of_unit(mean.definition)
