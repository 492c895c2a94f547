"""Limits at tables with zero cells that are the same along every path; and none where they are not."""

from __future__ import annotations

import itertools

import mpmath
import pytest
from effort import in_one_test, some
from sympy import Expr, Integer, lambdify, log

import symmetrics as sm
from symmetrics.algebra.pieces import value_as_written, value_by_continuity
from symmetrics.language.cells import CELLS, FN, FP, TN, TP

TABLES = [table for table in itertools.product((0, 1, 2), repeat=4) if any(table) and not all(table)]


def at(formula: Expr, table: tuple[int, ...]) -> Expr | None:
    return value_by_continuity(formula, dict(zip(CELLS, map(Integer, table), strict=True)))


@in_one_test
@pytest.mark.parametrize(
    "formula",
    [
        (FN * log(FN) + FN) / FN,
        FN * log(FN) / FP,
        FN * log(FP),
        log(FN) - log(FP),
        FN * log(FN - FP),
        log(FN) * (TP - TN),
        TP / (FN * log(FN)),
        FN * log(FN) * log(FP),
    ],
    ids=str,
)
def test_no_limit_is_claimed_where_there_is_none(formula: Expr) -> None:
    assert at(formula, (1, 0, 0, 1)) is None


@pytest.mark.thorough
@pytest.mark.parametrize("name", sorted(name for name in sm.metrics if sm.metrics[name].expr.has(log)))
def test_limits_agree_with_values_nearby_along_many_paths(name: str) -> None:
    formula = sm.metrics[name].expr
    function = lambdify(CELLS, formula, "mpmath")
    with mpmath.workdps(400):
        for table in TABLES:
            value = at(formula, table)
            if value is None:
                continue
            for speeds in itertools.product((60, 90), repeat=4):
                near = [
                    mpmath.mpf(10) ** -speed if count == 0 else mpmath.mpf(count)
                    for count, speed in zip(table, speeds, strict=True)
                ]
                assert abs(function(*near) - mpmath.mpf(value.evalf(60))) < 1e-20, (table, speeds)


NOT_REAL = [
    "-Abs(log((TP + TN - FN - FP)/(TP + TN + FN + FP)))",
    "-log((TP + TN - FN - FP)/(TP + TN + FN + FP))**2",
    "Abs(sqrt(TP - FN))",
    "FP*Abs((TP - FN)**(1/3))",
]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("text", NOT_REAL)
def test_the_modulus_of_a_complex_number_is_no_value(text: str) -> None:
    """No verdict rests on a table at which a part of the formula is not real."""
    metric = sm.Metric("mine", sm.parse_formula(text))
    assert value_as_written(metric.expr, dict(zip(CELLS, map(Integer, (0, 2, 2, 0)), strict=True))) is None
    for key in some(sm.properties, 10, text):
        witness = sm.prove(metric, key).witness
        for table in witness.tables if witness is not None and witness.values else ():
            assert value_as_written(metric.expr, dict(zip(CELLS, map(Integer, table), strict=True))) is not None, key
