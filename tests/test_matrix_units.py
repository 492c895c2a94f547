"""Values at multiples of a matrix: the unit of weights does not count, from the smallest floats to the largest."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

import symmetrics as sm
from symmetrics.language.cells import FN, TP
from symmetrics.matrices import MulticlassMetric, multiclass
from symmetrics.matrices.expansion import is_free_of_unit
from symmetrics.matrices.nodes import C, ClassMean, i, over
from symmetrics.numeric.averaging import in_usual_unit
from symmetrics.numeric.counts import FloatArray

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
