"""Values at tables with zeros against values close by, on paths into the corner at different speeds."""

from __future__ import annotations

import itertools
import math
from typing import Any

import pytest
from flint import ctx, fmpq
from mpmath import mp
from sympy import S

import symmetrics as sm
from symmetrics.algebra.evaluate import Evaluator, Undefined
from symmetrics.language.cells import CELLS

SPEEDS = [(1, 1, 1, 1), (1, 2, 3, 1), (3, 1, 1, 2)]
TABLES = [(7, 11, 13, 17), (3, 3, 2, 2), (5, 1, 1, 9)]
STEP = 40
"""Cells that tend to zero are powers of 2**-STEP: a logarithm of them is then still small beside their reciprocal."""


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", sorted(sm.metrics))
def test_finite_values_at_zeros_are_limits_along_all_paths(name):
    metric = sm.metrics[name]
    formula = Evaluator(metric.at_defaults(), CELLS)
    saved, ctx.prec = ctx.prec, 300
    try:
        for table, count in itertools.product(TABLES, (1, 2, 3)):
            for zeros in itertools.combinations(range(4), count):
                place = [0 if k in zeros else cell for k, cell in enumerate(table)]
                value = metric.from_counts(*place)
                if not math.isfinite(value):
                    continue
                for speeds in SPEEDS:
                    near = [fmpq(c) if c else fmpq(1, 2 ** (STEP * speeds[k])) for k, c in enumerate(place)]
                    try:
                        close = float(formula(*near))
                    except Undefined:
                        continue
                    assert close == pytest.approx(value, rel=2e-3, abs=2e-3), (place, speeds)
    finally:
        ctx.prec = saved


def test_a_logarithm_that_diverges_between_bars_has_no_limit() -> None:
    """FN*log(1/FP) tends to anything as FN and FP do to zero, with and without bars."""
    for formula in ("FN*log((FP + TN)/FP)/TP", "Abs(FN*log((FP + TN)/FP)/TP)"):
        assert sm.Metric("mine", sm.parse_formula(formula)).exact(2, 0, 0, 1) is S.NaN


@pytest.mark.parametrize("table", [(1e-300, 1e-300, 1e300, 0.0), (1e-300, 1e-300, 0.0, 1e300)])
def test_a_condition_whose_sign_shows_after_thousands_of_bits_alone_is_decided(table: tuple[float, ...]) -> None:
    """The oracle is the definition of Strehl and Ghosh (2002) with 2000 digits."""
    with mp.workdps(2000):
        tp, fn, fp, tn = map(mp.mpf, table)

        def entropy(*cells: Any) -> Any:
            return -mp.fsum(c / mp.fsum(cells) * mp.log(c / mp.fsum(cells)) for c in cells if c)

        actual, predicted = entropy(tp + fn, fp + tn), entropy(tp + fp, fn + tn)
        expected = float((actual + predicted - entropy(tp, fn, fp, tn)) / mp.sqrt(actual * predicted))
    assert sm.metrics["geometric_normalized_mutual_information"].from_counts(*table) == pytest.approx(
        expected, rel=1e-12
    )
