"""Lowest terms, against SymPy's, which come from other polynomials."""

import pytest
from effort import is_thorough
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sympy import Integer, Rational, cancel, fraction, sqrt, together

from symmetrics.language.cells import FN, FP, TN, TP
from symmetrics.library import metrics
from symmetrics.rocq.engine.terms import RationalFunction, cancelled, lowest_terms

NUMBERS = st.fractions(min_value=-3, max_value=3, max_denominator=4).map(lambda q: Rational(q.numerator, q.denominator))
LEAVES = st.one_of(st.sampled_from([TP, FN, FP]), NUMBERS)


def grown(parts):
    pairs = st.tuples(parts, parts)
    return st.one_of(
        pairs.map(lambda p: p[0] + p[1]),
        pairs.map(lambda p: p[0] * p[1]),
        pairs.filter(lambda p: p[1] != 0).map(lambda p: p[0] / p[1]),
        parts.map(lambda part: part**2),
    )


@settings(max_examples=60 if is_thorough() else 20, deadline=None)
@given(st.recursive(LEAVES, grown, max_leaves=8))
def test_lowest_terms_are_those_of_sympy(expression):
    try:
        plain = cancel(together(expression))
        above, below = lowest_terms(expression)
    except ZeroDivisionError:
        assume(False)
    assume(plain.is_finite is not False)
    assert cancel(above / below - plain) == 0
    assert cancel(cancelled(expression) - plain) == 0
    expected = fraction(together(plain))  # the quotient of two polynomials; these may be multiplied out differently
    assert (above * expected[1] - below * expected[0]).expand() == 0
    assert above.expand() == above
    assert below.expand() == below


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", ["f1", "kappa", "odds_ratio", "hamann", "adjusted_rand_index"])
def test_nothing_is_left_to_cancel(name):
    quotient = RationalFunction.of(metrics[name].expr * (TP + 2 * FN) / (TP + 2 * FN))
    assert quotient.above.gcd(quotient.below).is_one()
    assert quotient.below.leading_coefficient() > 0
    above, below = quotient.expressions()
    assert cancel(together(metrics[name].expr - above / below)) == 0


def test_a_root_is_left_to_sympy():
    assert RationalFunction.of(TP / sqrt(TN)) is None
    assert lowest_terms(TP * sqrt(TN) / (TP * FN)) == (sqrt(TN), FN)


def test_a_division_by_zero_everywhere_is_an_error():
    with pytest.raises(ZeroDivisionError, match="zero everywhere"):
        RationalFunction.of(1 / (TP * (TP + 1) - TP**2 - TP))


def test_numbers_have_no_symbols():
    assert lowest_terms(Rational(3, 6)) == (Integer(1), Integer(2))
    assert lowest_terms(Integer(0)) == (Integer(0), Integer(1))
