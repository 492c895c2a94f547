"""Values at exact independence, TP*TN = FN*FP: those that the recorded verdicts name, to the last digit."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

import numpy as np
import pytest
from effort import in_one_test
from numpy.typing import NDArray
from recorded import holds, recorded
from sympy import sympify

from symmetrics.library import metrics

BOUND: Final = 1e-13
"""How far off a value may be for metrics that add rounded logarithms or quotients."""
ROUNDED: Final = {
    "collective_strength": 4.5e-16,
    "discriminant_power": 1e-15,
    "discriminant_power_decimal": 5e-16,
    "extremal_dependence_index": 5e-16,
    "fleiss_association": 4.5e-16,
    "geometric_normalized_mutual_information": BOUND,
    "j_measure": 2e-15,
    "j_measure_symmetric": 2e-14,
    "minimum_normalized_mutual_information": BOUND,
    "mutual_information": 2e-15,
    "normalized_mutual_information": BOUND,
    "one_way_support": 2e-15,
    "relative_classifier_information": BOUND,
    "sokal_sneath_4": 2.3e-16,
    "symmetric_extreme_dependency_score": 1e-15,
    "two_way_support": 2e-14,
}
"""Metrics whose values at independence are sums of rounded terms, and how far off they are at most."""


def tables() -> NDArray[Any]:
    """Return tables a*c, a*d, b*c, b*d of whole numbers up to a hundred, a million and a thousand million."""
    random = np.random.default_rng(20125)
    a, b, c, d = np.concatenate([random.integers(1, size, (4, 300)) for size in (10, 1000, 31_000)], axis=1)
    return np.stack([a * c, a * d, b * c, b * d])


CONSTANT: Final = [name for name in metrics if holds(name, "independence_value")]


@in_one_test
@pytest.mark.sampled(25)
@pytest.mark.parametrize("name", CONSTANT)
def test_whole_counts_at_independence_give_the_value_there(name: str) -> None:
    verdict = recorded(name, "independence_value").to_dict()
    expected = float(sympify(verdict["value"]["constant"]))
    errors = np.abs(np.asarray(metrics[name].from_counts(*tables())) - expected)
    assert errors.max() <= ROUNDED.get(name, 0.0)  # which a nan is not, either


@in_one_test
@pytest.mark.sampled(25)
@pytest.mark.parametrize("name", [name for name in CONSTANT if name not in ROUNDED])
def test_next_to_independence_no_value_is_on_the_wrong_side_of_it(name: str) -> None:
    """The sign of what a value is off its constant is that of TP*TN - FN*FP, its opposite, or always the same."""
    counts = tables()
    counts[np.arange(counts.shape[1]) % 4, np.arange(counts.shape[1])] += 1
    counts = counts[:, counts.max(axis=0) < 2**26]
    assert counts.shape[1] > 500
    tp, fn, fp, tn = counts
    side = np.sign(tp * tn - fn * fp)
    assert {-1, 1} <= {*side.tolist()}
    constant = float(sympify(recorded(name, "independence_value").to_dict()["value"]["constant"]))
    off = np.sign(np.asarray(metrics[name].from_counts(*counts)) - constant)
    assert any((signs >= 0).all() for signs in (off * side, -off * side, off, -off))


def test_roots_of_equal_products_are_equal() -> None:
    """The table of the report: 26/34 = 234/306 is the share of both rows, and digby was -2e-16 there."""
    assert metrics["digby"].from_counts(26, 8, 234, 72) == 0
    assert metrics["digby"].from_counts(*tables()).tolist() == [0.0] * tables().shape[1]


@pytest.mark.parametrize(
    ("name", "table", "expected"),
    [
        ("yule_y", (10**8, 10**8, 10**8 + 1, 10**8), Fraction(-1, 4 * 10**8)),  # to first order: sqrt(1 + x) is 1 + x/2
        ("dominance", (10**8, 10**8, 10**8 + 1, 10**8), Fraction(1, 2 * (2 * 10**8 + 1))),
        ("dominance", (10**9, 10**9 + 1, 10**9 - 1, 10**9), Fraction(-2 * 10**9, 4 * 10**18 - 1)),
        ("mcc", (10**9, 10**9, 10**9 + 1, 10**9), Fraction(-1, 4 * 10**9)),  # to first order
    ],
)
def test_a_difference_next_to_zero_is_right_on_the_scale_of_its_formula(
    name: str, table: tuple[int, ...], expected: Fraction
) -> None:
    assert metrics[name].from_counts(*table) == pytest.approx(float(expected), rel=0, abs=1e-16)
