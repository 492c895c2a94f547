"""Laws that every record of the library obeys; a new record is covered without being mentioned."""

from __future__ import annotations

import math
from functools import lru_cache

import mpmath
import numpy as np
import pytest
from effort import examples, is_thorough
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from recorded import recorded
from sympy import And, Eq, Or, Rational, lambdify
from sympy.logic.boolalg import to_dnf

import symmetrics as sm
from symmetrics.claims import Comparison, Identity, value_symbol
from symmetrics.language.cells import CELLS, parameter_symbol
from symmetrics.testing import tables

METRICS = sorted(sm.metrics)
PROPERTIES = sorted(sm.properties)
TABLES = tables(max_count=10**9, empty=True)
SMALL = st.integers(1, 40)

pytestmark = pytest.mark.parametrize("name", METRICS)


def _number(value) -> float:
    if value.is_infinite or not value.is_number:
        return float(value)
    return float("nan") if value != value or value.is_comparable is False else float(value.evalf(30))


@pytest.mark.sampled(5)
@settings(max_examples=examples(40))
@given(table=TABLES)
def test_numbers_agree_with_exact_arithmetic(name, table):
    metric = sm.metrics[name]
    exact, number = _number(metric.exact(*table)), metric.from_counts(*table)
    if math.isfinite(exact):
        assert number == pytest.approx(exact, rel=1e-12, abs=1e-12)
    else:
        assert number == exact or (math.isnan(number) and math.isnan(exact))


@pytest.mark.sampled(3)
@settings(max_examples=examples(25))
@given(drawn=st.lists(TABLES, min_size=1, max_size=6))
def test_an_array_is_the_same_as_its_entries(name, drawn):
    metric = sm.metrics[name]
    together = metric.from_counts(*np.array(drawn).T)
    np.testing.assert_array_equal(together, [metric.from_counts(*table) for table in drawn])


def _parameters_within(metric, condition, draw):
    """Draw parameter values from their domains; None if a condition does not hold there."""
    values = {}
    for parameter in metric.parameters:
        low = parameter.lower if parameter.lower.is_finite else Rational(-9)
        high = parameter.upper if parameter.upper.is_finite else low + 9
        share = Rational(draw(st.integers(0, 11 if parameter.upper_open else 12)), 12 * draw(st.sampled_from([1, 30])))
        values[parameter.symbol] = low + (high - low) * share
    if condition is not None:
        branch = draw(st.sampled_from(sorted(Or.make_args(to_dnf(condition)), key=str)))
        equations = [part for part in And.make_args(branch) if isinstance(part, Eq)]
        values |= {equation.lhs: equation.rhs.subs(values) for equation in equations}
        if not condition.subs(values):
            return None
    return values


def _value(formula, point):
    try:
        value = formula(*point)
    except ZeroDivisionError:
        return None
    return value if mpmath.isfinite(value) and not isinstance(value, mpmath.mpc) else None


@pytest.mark.sampled(4)
@settings(max_examples=4 if is_thorough() else 2)
@given(data=st.data())
def test_proved_cells_survive_random_attack(name, data):
    metric = sm.metrics[name]
    for key in PROPERTIES:
        verdict = recorded(name, key)
        if isinstance(verdict.claim, Comparison) and verdict.status in ("proved", "conditional"):
            values = _parameters_within(metric, verdict.condition, data.draw)
            if values is not None:
                _attack(verdict, values, data.draw)


def _attack(verdict, values, draw):
    """Evaluate the relation at a random point; the tables are functions that all metrics share."""
    claim = verdict.claim.at(values)
    point = [mpmath.mpf(draw(SMALL)) / draw(st.sampled_from([1, 7])) for _ in claim.variables]
    with mpmath.workdps(40):
        tables = [[compiled(cell, claim.variables)(*point) for cell in table] for table in claim.tables]
        metric = compiled(claim.subject, CELLS)
        sides = [_value(metric, table) for table in tables]
        if None in sides:
            return
        names = tuple(value_symbol(place) for place in range(len(sides)))
        relation = compiled(claim.relation, names)(*sides)
        size = max(map(abs, sides)) + 1
        if claim.sign == "=":
            assert abs(relation) <= size * mpmath.mpf(10) ** -30
        elif claim.sign == ">=":
            assert relation >= -size * mpmath.mpf(10) ** -30
        else:
            assert relation > 0


@lru_cache(maxsize=1024)
def compiled(formula, variables):
    return lambdify(variables, formula, "mpmath")


def _number_at(metric, table):
    if all(count == int(count) for count in table):
        return metric.from_counts(*map(int, table))
    return float(compiled(metric.expr, CELLS)(*(mpmath.mpf(Rational(count).p) / Rational(count).q for count in table)))


@pytest.mark.sampled(3)
def test_every_witness_reproduces_in_floating_point(name):
    for key in PROPERTIES:
        verdict = recorded(name, key)
        witness = verdict.witness
        if witness is None or not witness.values:
            continue
        bound = sm.metrics[name].at(**witness.parameters)
        numbers = [_number_at(bound, table) for table in witness.tables]
        exact = [_number(value) for value in witness.values]
        # A limit that a verdict rests on may be one that the kernels do not find.
        found = [
            (n, e) for n, e, t in zip(numbers, exact, witness.tables, strict=True) if not (0 in t and math.isnan(n))
        ]
        assert [n for n, _ in found] == pytest.approx([e for _, e in found], rel=1e-12, abs=1e-12), key
        if isinstance(verdict.claim, Identity) and verdict.claim.relation == Identity.relation:
            assert abs(numbers[0] - numbers[1]) > 1e-9, key


@pytest.mark.sampled(6)
@settings(max_examples=examples(10))
@given(table=st.tuples(SMALL, SMALL, SMALL, SMALL))
def test_the_gradient_agrees_with_finite_differences(name, table):
    metric = sm.metrics[name]
    values = {parameter_symbol(p.name): p.default for p in metric.parameters}
    formula = compiled(metric.expr.xreplace(values), CELLS)
    slopes = [compiled(derivative.xreplace(values), CELLS) for derivative in metric.gradient()]
    with mpmath.workdps(50):
        step = mpmath.mpf(10) ** -20
        for place, slope in enumerate(slopes):
            ends = []
            for sign in (1, 0, -1):
                moved = [mpmath.mpf(count) + (sign * step if k == place else 0) for k, count in enumerate(table)]
                ends.append(_value(formula, moved))
            exact = _value(slope, [mpmath.mpf(k) for k in table])
            assume(None not in ends and exact is not None)
            after, here, before = ends
            assume(mpmath.almosteq(after - here, here - before, 1e-6, 1e-30))  # elsewhere it has a kink
            assert mpmath.almosteq((after - before) / (2 * step), exact, 1e-12, 1e-12)
