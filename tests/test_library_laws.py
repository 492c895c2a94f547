"""Laws that every record of the library obeys; a new record is covered without being mentioned."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sympy import Rational, lambdify

import symmetrics as sm
from symmetrics.cells import CELLS
from symmetrics.formula import parameter_symbol

METRICS = sorted(sm.metrics)
PROPERTIES = sorted(sm.properties)
COUNTS = st.one_of(st.integers(0, 6), st.integers(0, 10**9), st.integers(0, 30).map(lambda k: 2**k))
TABLES = st.tuples(COUNTS, COUNTS, COUNTS, COUNTS)
SMALL = st.integers(1, 40)

pytestmark = pytest.mark.parametrize("name", METRICS)


def _number(value) -> float:
    if value.is_infinite or not value.is_number:
        return float(value)
    return float("nan") if value != value or value.is_comparable is False else float(value.evalf(30))


@settings(max_examples=40)
@given(table=TABLES)
def test_numbers_agree_with_exact_arithmetic(name, table):
    metric = sm.metrics[name]
    exact, number = _number(metric.exact(*table)), metric.from_counts(*table)
    if math.isfinite(exact):
        assert number == pytest.approx(exact, rel=1e-12, abs=1e-12)
    else:
        assert number == exact or (math.isnan(number) and math.isnan(exact))


@settings(max_examples=25)
@given(tables=st.lists(TABLES, min_size=1, max_size=6))
def test_an_array_is_the_same_as_its_entries(name, tables):
    metric = sm.metrics[name]
    together = metric.from_counts(*np.array(tables).T)
    np.testing.assert_array_equal(together, [metric.from_counts(*table) for table in tables])


def _parameters_within(metric, condition, draw):
    """Draw parameter values from their domains, on the condition's solutions if there is one."""
    values = {}
    for parameter in metric.parameters:
        low = parameter.lower if parameter.lower.is_finite else Rational(-9)
        high = parameter.upper if parameter.upper.is_finite else low + 9
        values[parameter.symbol] = low + (high - low) * Rational(draw(st.integers(0, 12)), 12)
    if condition is not None:
        branch = draw(st.sampled_from(condition.args if condition.func.__name__ == "Or" else (condition,)))
        equations = branch.args if branch.func.__name__ == "And" else (branch,)
        values |= {eq.lhs: eq.rhs.subs(values) for eq in equations}
    return values


def _value(formula, point):
    try:
        value = formula(*point)
    except ZeroDivisionError:
        return None
    return value if mpmath.isfinite(value) and not isinstance(value, mpmath.mpc) else None


@settings(max_examples=20)
@given(data=st.data())
def test_proved_cells_survive_random_attack(name, data):
    metric = sm.metrics[name]
    for key in PROPERTIES:
        verdict = sm.prove(metric, key)
        if verdict.status in ("proved", "conditional"):
            _attack(verdict, _parameters_within(metric, verdict.condition, data.draw), data.draw)
        else:
            assert verdict.status == "refuted"


def _attack(verdict, values, draw):
    claim = verdict.claim.at(values)
    point = [mpmath.mpf(draw(SMALL)) / draw(st.sampled_from([1, 7])) for _ in claim.variables]
    with mpmath.workdps(40):
        sides = [_value(lambdify(claim.variables, side, "mpmath"), point) for side in claim.sides]
        assume(None not in sides)
        assert mpmath.almosteq(sides[0], sides[1], 1e-30, 1e-30)


@pytest.mark.parametrize("key", PROPERTIES)
def test_every_witness_reproduces_in_floating_point(name, key):
    metric = sm.metrics[name]
    verdict = sm.prove(metric, key)
    sm.check(verdict)
    if verdict.witness is None:
        return
    bound = metric.at(**verdict.witness.parameters)
    numbers = [bound.from_counts(*table) for table in verdict.witness.tables]
    exact = [_number(value) for value in verdict.witness.values]
    assert numbers == pytest.approx(exact, rel=1e-12, abs=1e-12)
    assert abs(numbers[0] - numbers[1]) > 1e-9


@settings(max_examples=10)
@given(table=st.tuples(SMALL, SMALL, SMALL, SMALL))
def test_the_gradient_agrees_with_finite_differences(name, table):
    metric = sm.metrics[name]
    values = {parameter_symbol(p.name): p.default for p in metric.parameters}
    formula = lambdify(CELLS, metric.expr.xreplace(values), "mpmath")
    with mpmath.workdps(50):
        step = mpmath.mpf(10) ** -20
        for place, derivative in enumerate(metric.gradient()):
            ends = []
            for sign in (1, 0, -1):
                moved = [mpmath.mpf(count) + (sign * step if k == place else 0) for k, count in enumerate(table)]
                ends.append(_value(formula, moved))
            exact = _value(lambdify(CELLS, derivative.xreplace(values), "mpmath"), [mpmath.mpf(k) for k in table])
            assume(None not in ends and exact is not None)
            after, here, before = ends
            assume(mpmath.almosteq(after - here, here - before, 1e-6, 1e-30))  # elsewhere it has a kink
            assert mpmath.almosteq((after - before) / (2 * step), exact, 1e-12, 1e-12)
