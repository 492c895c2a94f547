"""Limits, values and series: each is found where there is one, and refused with the reason where there is none."""

from __future__ import annotations

from fractions import Fraction

import pytest
from effort import in_one_test
from forging import refusal
from sympy import Expr, Integer, Rational, S, Xor, exp, log, sqrt

from symmetrics.checker.engine import branches, conditions
from symmetrics.checker.engine.branches import branches_of
from symmetrics.checker.engine.conditions import are_equivalent, follows, holds_at
from symmetrics.checker.engine.expansions import (
    Expander,
    Expansion,
    check_tends_to,
    constant,
    obstacles_of,
    require_free,
)
from symmetrics.checker.engine.germs import Limits
from symmetrics.checker.engine.products import Products
from symmetrics.checker.engine.values import certain_sign, written_value
from symmetrics.checker.families.agreement import check_value
from symmetrics.claims.families.limits import STEP
from symmetrics.language.cells import CELLS, FN, FP, TP, parameter_symbol
from symmetrics.language.condition import parse_condition
from symmetrics.language.formula import parse_formula
from symmetrics.language.parameter import Parameter

POLE = "a pole, or a kink, is not excluded at a table of the certificate"
NOT_SHOWN = "a finite limit at a table of the certificate is not shown"
IRRATIONAL = "a root of a logarithm that is infinite at a table of the certificate"
WEIGHT = Parameter.parse("w in [0, 1] = 1/2")


# -- at tables with zero cells -----------------------------------------------------------------------------------------


@in_one_test
@pytest.mark.parametrize(
    ("text", "table", "reason"),
    [
        ("TP*log(TP) + FN", (0, 1, 1, 1), None),
        ("TP/sqrt(TP)", (0, 1, 1, 1), None),
        ("TP/(TP + FN)", (0, 0, 1, 1), NOT_SHOWN),
        ("FN/(TP - FN)", (1, 1, 1, 1), POLE),
        ("TP/(TP - FN)", (0, 0, 1, 1), "no leading term at a table of the certificate"),
        ("FN/TP", (0, 1, 1, 1), NOT_SHOWN),
        ("log(TP)", (0, 1, 1, 1), NOT_SHOWN),
        ("1/sqrt(-log(TP))", (0, 1, 1, 1), IRRATIONAL),
        ("sqrt(-log(TP))*TP", (0, 1, 1, 1), IRRATIONAL),
        ("TP*log(-log(TP))", (0, 1, 1, 1), "a logarithm of a logarithm at a table of the certificate"),
        ("TP*log(-FN)", (0, 1, 1, 1), "a root or logarithm of what is not positive at a table of the certificate"),
        ("TP*sqrt(-FN)", (0, 1, 1, 1), "a root of a negative number at a table of the certificate"),
        (TP**101, (0, 1, 1, 1), "an exponent is too large to be checked"),
        (TP ** Rational(1, 101), (0, 1, 1, 1), "an exponent is too large to be checked"),
        ("(TP + FN + FP + 1)**8", (0, 0, 0, 1), "too many terms at a table of the certificate"),
        ("w*TP", (0, 1, 1, 1), "the formula has a symbol that is not declared"),
    ],
)
def test_a_limit_at_a_table_is_shown_or_refused(text: str | Expr, table: tuple[int, ...], reason: str | None) -> None:
    place = dict(zip(CELLS, table, strict=True))
    formula = parse_formula(text, ["w"]) if isinstance(text, str) else text
    assert refusal(Limits(()).at, formula, place) == reason


def test_nothing_is_divided_by_what_may_be_zero() -> None:
    numbers = Limits((WEIGHT,))
    assert Limits(()).inverse(Fraction(2)) == Fraction(1, 2)
    assert refusal(Limits(()).inverse, Fraction(0)) == POLE
    assert refusal(numbers.inverse, Fraction(0)) == POLE
    assert refusal(numbers.inverse, numbers.parameter(WEIGHT.symbol)) is None
    assert len(numbers.assumed) == 2


@in_one_test
@pytest.mark.parametrize(
    ("text", "table", "value", "reason"),
    [
        ("FN*log(FN/(TP + FN)) + TP", (2, 0, 1, 1), "2", None),
        ("FN*log(FN/(TP + FN)) + TP", (2, 0, 1, 1), "3", "the limit is not shown to be 3"),
        ("TP/(TP + FN)", (1, 1, 1, 1), "1/2", None),
        ("TP/(TP + FN)", (1, 1, 1, 1), "1/3", "the metric's value at (1, 1, 1, 1) is not 1/3"),
        ("TP/(TP - FN)", (1, 1, 1, 1), "0", "the formula has no value at a table"),
        ("sqrt(TP - FN)", (1, 2, 1, 1), "1", "the formula has no value at a table"),
        ("TP/(TP + FN)", (0, 0, 1, 1), "1/2", NOT_SHOWN),
    ],
)
def test_a_value_is_that_of_the_formula_as_written_or_its_limit(
    text: str, table: tuple[int, ...], value: str, reason: str | None
) -> None:
    assert refusal(check_value, parse_formula(text), [Integer(count) for count in table], Rational(value)) == reason


@in_one_test
@pytest.mark.parametrize(
    ("formula", "reason"),
    [
        (log(FN) * TP, None),
        (exp(TP), "exp cannot be checked"),
        (TP * FP, "the value at a table depends on a symbol that has none"),
        (1 / (TP - FN / 2), "the formula divides by zero at a table"),
        (sqrt(TP - FN), "a root of a negative number at a table"),
        (log(TP - FN), "a logarithm of what is not positive at a table"),
        (log(log(TP)), "a logarithm of what is not positive at a table"),
    ],
)
def test_a_written_value_is_real(formula: Expr, reason: str | None) -> None:
    assert refusal(written_value, formula, {TP: Integer(1), FN: Integer(2)}) == reason


def test_an_enclosure_is_one_of_a_real_number() -> None:
    assert certain_sign(sqrt(sqrt(2) - 1) - 1) == -1
    assert refusal(certain_sign, sqrt(1 - sqrt(2))) == "a root of a negative number in the counterexample"
    assert refusal(certain_sign, exp(2)) == "exp cannot be checked"


# -- along curves ------------------------------------------------------------------------------------------------------

VANISHES = "a part of the formula vanishes, as far as it was expanded"


@in_one_test
@pytest.mark.parametrize(
    ("expression", "limit", "reason"),
    [
        (TP + STEP, "TP", None),
        (TP / STEP, "oo", None),
        (TP + STEP, "FN", "the limit is not shown to be FN"),
        (TP / STEP, "-oo", "the limit is not of this sign"),
        (TP + STEP, "oo", "the limit is finite"),
        (S.Zero, "oo", "the limit is finite"),
        (TP / STEP, "0", "the limit is infinite"),
        (TP * log(-FN), "0", "a root or a logarithm of what is not shown to be positive"),
        (sqrt(-FN), "0", "a root or a logarithm of what is not shown to be positive"),
        (1 / sqrt(TP - FN + STEP), "0", "the sign of a leading coefficient, on which the limit depends, is not shown"),
        (log(TP - FN + STEP), "0", "the sign of what a logarithm is taken of is not shown"),
        (STEP * log(log(1 / STEP)), "0", "a logarithm of a logarithm of the step"),
        (TP + S.ComplexInfinity, "0", "the formula has no value on the curve"),
        (S.NaN, "0", "the formula has no value on the curve"),
        (exp(TP), "0", "exp cannot be checked"),
        (parameter_symbol("w") * TP, "0", "unknown name 'w' in the certificate"),
    ],
)
def test_a_limit_along_a_curve_is_shown_or_refused(expression: Expr, limit: str, reason: str | None) -> None:
    assert refusal(check_tends_to, expression, limit) == reason


def test_a_limit_does_not_depend_on_the_step() -> None:
    products = Products()
    assert refusal(constant, products, TP / FN + log(2)) is None
    assert refusal(constant, products, TP + STEP) == "the limit depends on the step"
    assert refusal(constant, products, TP / STEP) == "the limit depends on the step"


def test_a_logarithm_of_one_term_is_that_of_a_positive_one() -> None:
    products = Products()
    expander = Expander(products, STEP, 2)
    for sign, reason in ((1, None), (-1, "a root or a logarithm of what is not shown to be positive")):
        part = Expansion((((Fraction(1), Fraction(0)), products.number(sign)),))
        assert refusal(expander.logarithm, part) == reason


def test_sums_of_products_have_factors_and_are_not_too_large() -> None:
    products = Products()
    total = products.add(products.symbol("TP"), products.symbol("FN"))
    nothing = "the formula divides by something that is zero, or takes its logarithm"
    assert refusal(products.factors, total) is None
    assert refusal(products.factors, {}) == nothing
    assert refusal(products.power, {}, -1) == nothing
    assert refusal(products.logarithm, {}) == nothing
    large = products.number(Fraction(2**120 + 1, 7))
    assert refusal(products.absolute_power, large, Fraction(2)) is None
    too_large = "a constant in the certificate is too large to be taken apart"
    assert refusal(products.absolute_power, large, Fraction(1, 2)) == too_large
    assert refusal(products.logarithm, large) == too_large
    assert refusal(products.symbol, "w") == "unknown name 'w' in the certificate"
    many = {((0, Fraction(power)),): Fraction(1) for power in range(700)}
    assert refusal(products.multiply, many, many) == "the series in the certificate have too many terms to be checked"
    products = Products()
    inverse = products.power(products.add(products.symbol("TP"), products.symbol("FN")), -1)
    ((term, _),) = inverse.items()
    ((number, _),) = term
    raised = {((number, Fraction(201)),): Fraction(1)}
    assert refusal(products.expanded, raised) == "a power in the certificate is too large to be checked"


@in_one_test
@pytest.mark.parametrize(
    ("kind", "base", "reason"),
    [
        ("divisor", TP + FN, None),
        ("divisor", -TP, None),
        ("radicand", S.Zero, None),
        ("divisor", S.Zero, "a divisor is zero on another face"),
        ("logarithm", S.Zero, "a divisor is zero on another face"),
        ("divisor", TP - FN, "something may be in the way on another face"),
        ("radicand", -TP, "something may be in the way on another face"),
        ("logarithm", WEIGHT.symbol * TP, "something may be in the way on another face"),
    ],
)
def test_what_may_be_in_the_way_is_refused(kind: str, base: Expr, reason: str | None) -> None:
    assert refusal(require_free, kind, base, (WEIGHT,)) == reason


def test_an_exponent_is_a_number() -> None:
    assert set(obstacles_of(sqrt(TP - FN) / FP)) == {("radicand", TP - FN), ("divisor", FP)}
    assert refusal(obstacles_of, TP**WEIGHT.symbol) == "an exponent is not a number"


# -- conditions and branches -------------------------------------------------------------------------------------------


def test_conditions_are_compared_as_long_as_they_are_conditions(monkeypatch: pytest.MonkeyPatch) -> None:
    w, v = WEIGHT.symbol, parameter_symbol("v")
    either = Xor(w > 0, v > 0, evaluate=False)
    assert refusal(holds_at, either, {w: Integer(1), v: Integer(0)}) == "Xor is no condition on parameters"
    undecided = "the condition is not decided at a value of the parameters"
    assert refusal(holds_at, w > 0, {v: Integer(1)}) == undecided
    near = Rational(int((sqrt(2) * 10**400).evalf(420)), 10**400)
    assert refusal(holds_at, w > near, {w: sqrt(2)}) == undecided
    first, second = parse_condition("w < 1 or w > 2", ["w"]), parse_condition("w <= 1 or w >= 2", ["w"])
    assert not are_equivalent(first, second)
    assert follows(second, given=first)
    monkeypatch.setattr(conditions, "MAX_CELLS", 4)
    too_many = "the conditions on parameters are too many to be compared"
    assert refusal(are_equivalent, first, second) == too_many
    assert refusal(follows, second, given=first) == too_many


def test_a_formula_compares_so_many_differences(monkeypatch: pytest.MonkeyPatch) -> None:
    formula = parse_formula("Abs(TP - FN) + Abs(FP - TN)")
    assert len(branches_of(formula)) == 4
    monkeypatch.setattr(branches, "MAX_BRANCHES", 3)
    assert refusal(branches_of, formula) == "the formula compares too many differences to be checked"
