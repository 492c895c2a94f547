"""Limits, values, series and arithmetic of certificates: the true ones are found, each kind of false is refused."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest
from effort import in_one_test
from forging import refusal
from sympy import Abs, Expr, Integer, Pow, Rational, S, Symbol, Xor, exp, log, sqrt

from symmetrics.checker.engine import conditions, fractions
from symmetrics.checker.engine import splits as branches
from symmetrics.checker.engine.conditions import are_equivalent, follows, holds_at
from symmetrics.checker.engine.expansions import (
    Expander,
    Expansion,
    check_tends_to,
    constant,
    obstacles_of,
    require_free,
)
from symmetrics.checker.engine.fractions import Arithmetic, Quotient, factors_of
from symmetrics.checker.engine.germs import Limits
from symmetrics.checker.engine.minors import determinant, polynomial_row, require_no_common_zero, slope
from symmetrics.checker.engine.products import Products
from symmetrics.checker.engine.splits import branches_of
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


# The arithmetic of certificates: what is true is computed, and each kind of false text, value or base is refused.

FREE_WEIGHT = Parameter.parse("w in [0, 1]")
ROOT, LOG = {"kind": "power", "base": "TP+FN"}, {"kind": "log", "base": "TP+FN"}


def arithmetic(
    atoms: Mapping[str, Mapping[str, str]] | None = None, values: tuple[str, ...] = (), *declared: Parameter
) -> Arithmetic:
    return Arithmetic(("TP", "FN"), declared or (FREE_WEIGHT,), atoms or {}, values)


# -- texts -------------------------------------------------------------------------------------------------------------


@in_one_test
@pytest.mark.parametrize(
    ("atoms", "values", "reason"),
    [
        ({"r": ROOT, "L": LOG}, ("r**(1/2)", "2*L"), None),
        ({"TP": ROOT}, (), "a name in the certificate is taken twice, or is not a name"),
        ({"w": ROOT}, (), "a name in the certificate is taken twice, or is not a name"),
        ({"r s": ROOT}, (), "a name in the certificate is taken twice, or is not a name"),
        ({"r": {"kind": "root", "base": "TP"}}, (), "r is a 'root', not one of power, log"),
        ({"r": {"kind": "power", "base": "1/TP"}}, (), "the base of r is not a polynomial"),
        ({"r": {"kind": "power", "base": "0"}}, (), "the base of r is not a polynomial"),
        ({"r": {"kind": "power", "base": "r+TP"}}, (), "the certificate holds an unreadable formula: "),
        ({"r": ROOT}, ("s",), "the certificate holds an unreadable formula: "),
        ({"r": ROOT}, ("r**(1/5000)",), "the root of r has too high a degree to be checked"),
        ({"r": ROOT}, ("r**(w)",), "'w' is not a power of r"),
        ({"r": ROOT}, ("r**(1/0)",), "'1/0' is not a power of r"),
        ({"L": LOG}, ("L**(1/2)",), "L does not occur to the power 1/2"),
        ({}, ("TP**(1/2)",), "TP does not occur to the power 1/2"),
    ],
)
def test_atoms_and_values_are_read(
    atoms: Mapping[str, Mapping[str, str]], values: tuple[str, ...], reason: str | None
) -> None:
    found = refusal(arithmetic, atoms, values)
    assert found is not None and found.startswith(reason) if reason and reason.endswith(": ") else found == reason


@in_one_test
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("(-3)*TP**2*r**(1/2) + 2*w*L", None),
        ("1*q", "'q' in the certificate is no power of anything known"),
        ("1*TP**-1", "'TP**-1' in the certificate is no power of anything known"),
        ("1/2*TP", "'1/2' in the certificate is no power of anything known"),
        ("1*r**(1/3)", "'r**(1/3)' in the certificate has no proper power"),
        ("1*TP**(1/2)", "'TP**(1/2)' in the certificate has no proper power"),
        ("1*L**(1/2)", "'L**(1/2)' in the certificate has no proper power"),
        ("1*TP**4001", "'TP**4001' in the certificate has no proper power"),
    ],
)
def test_a_polynomial_is_read(text: str, reason: str | None) -> None:
    assert refusal(arithmetic({"r": ROOT, "L": LOG}, ("r**(1/2)",)).polynomial, text) == reason


# -- expressions -------------------------------------------------------------------------------------------------------


@in_one_test
@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        (TP / (TP + FN), None),
        (sqrt(TP + FN) + log(TP + FN), None),
        (exp(TP), "exp cannot be checked"),
        (TP**FREE_WEIGHT.symbol, "Pow cannot be checked"),
        (Symbol("other"), "unknown name 'other' in the certificate"),
        (sqrt(TP), "a root in the formula has no value in the certificate"),
        (Abs(TP - FN), "a root in the formula has no value in the certificate"),
        (log(TP), "a logarithm in the formula has no value in the certificate"),
        (Pow(TP - FN - (TP - FN), -1, evaluate=False), "the formula divides by something that is zero everywhere"),
        (TP**4001, "the power 4001 in the certificate is too large to be checked"),
        (TP**-4001, "the power -4001 in the certificate is too large to be checked"),
    ],
)
def test_an_expression_is_evaluated(expression: Expr, reason: str | None) -> None:
    assert refusal(arithmetic({"r": ROOT, "L": LOG}, ("r**(1/2)", "L")).evaluate, expression) == reason


@in_one_test
@pytest.mark.parametrize(
    ("expression", "sign"),
    [
        (sqrt(TP - FN), "TP - FN"),
        ((TP - FN) ** Rational(1, 3), "TP - FN"),
        (log(TP - FN), "TP - FN"),
        (log(1 / (TP - FN)), "TP - FN"),
        (Abs(TP - FN), None),
        (sqrt((TP + FN) ** 2), None),
    ],
)
def test_where_a_formula_is_real_is_noted(expression: Expr, sign: str | None) -> None:
    """What is under a root or a logarithm has to be positive, unless it is so everywhere."""
    atoms = {"r": {"kind": "power", "base": "TP-FN"}, "L": {"kind": "log", "base": "TP-FN"}, "s": ROOT}
    own = arithmetic(atoms, ("r**(1/2)", "r**(1/3)", "r", "L", "-L", "s"))
    own.evaluate(expression)
    signs = [str(own.varying_sign(value)) for value in own.conditions]
    assert signs == ([] if sign is None else [sign])


def test_what_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    own = arithmetic()
    total = own.symbols["TP"] + own.symbols["FN"] + 1
    assert refusal(own.times, total, total) is None
    monkeypatch.setattr(fractions, "MAX_TERMS", 8)
    assert refusal(own.times, total, total) == "a product in the certificate has too many terms to be checked"
    monkeypatch.setattr(fractions, "MAX_TERMS", 9)
    assert refusal(own.times, total, total) is None
    monkeypatch.setattr(fractions, "MAX_WORK", 20)
    assert refusal(own.times, total, total) == "a product in the certificate has too many terms to be checked"
    assert refusal(factors_of, total) is None
    monkeypatch.setattr(fractions, "MAX_FACTORED", 2)
    assert refusal(factors_of, total) == "a polynomial in the certificate has too many terms to be factored"


# -- slopes and determinants -------------------------------------------------------------------------------------------


def test_a_nested_root_has_no_derivative() -> None:
    atoms = {"q": {"kind": "power", "base": "TP"}, "r": {"kind": "power", "base": "q**(1/2)+1"}}
    own = arithmetic(atoms, ("q**(1/2)", "r**(1/2)"))
    assert refusal(slope, own.symbols["q"], [], own, {"TP": 1}) is None
    reason = "a nested root has no derivative that can be checked"
    assert refusal(slope, own.symbols["r"], [], own, {"TP": 1}) == reason
    assert refusal(slope, own.symbols["TP"], [(own.symbols["r"], 1)], own, {"FN": 1}) == reason


def test_a_determinant_is_square() -> None:
    own = arithmetic()
    one, two = own.ring(1), own.ring(2)
    assert determinant([[one, two], [two, one]], own) == -3
    for rows in ([[one, two]], [[one], [two]], [[one, two], [one]]):
        assert refusal(determinant, rows, own) == "a determinant is not square"


@in_one_test
@pytest.mark.parametrize(("below", "accepted"), [("w + 1", True), ("2", True), ("w", False), ("2*w - 1", False)])
def test_the_denominators_of_a_row_have_no_zero(below: str, accepted: bool) -> None:
    own = arithmetic()
    bottom = own.evaluate(S(below).xreplace({Symbol("w"): FREE_WEIGHT.symbol})).top
    found = refusal(polynomial_row, [Quotient(own.ring(1), own.ring(1)), Quotient(own.ring(1), bottom)], own)
    assert found == (None if accepted else "the formula may have no value at a table, for some parameters")


@in_one_test
@pytest.mark.parametrize(
    ("texts", "accepted"),
    [
        (("w", "1 - w"), True),
        (("w", "w + 1"), True),
        (("w", "w*(w - 2)"), False),
        (("0", "0"), False),
        ((), False),
        (("w - 1/2", "(w - 1/2)*(w + 1)"), False),
    ],
)
def test_determinants_have_no_common_zero(texts: tuple[str, ...], accepted: bool) -> None:
    own = arithmetic()
    polys: list[Any] = [own.evaluate(S(text).xreplace({Symbol("w"): FREE_WEIGHT.symbol})).top for text in texts]
    found = refusal(require_no_common_zero, polys, own)
    assert found == (None if accepted else "the determinants may vanish together at some values of the parameters")


def test_quotients_are_equal_if_they_are_whatever_their_denominators() -> None:
    own = Arithmetic(("x", "y"), (), {}, ())
    x, y = own.symbols["x"], own.symbols["y"]
    same = [Quotient(x, y), Quotient(2 * x * y, 2 * y**2), Quotient(x * (x + y), y * (x + y)), Quotient(3 * x, 3 * y)]
    others = [
        Quotient(2 * x, 2 * y + 1),
        Quotient(x * y, y**2 + y),
        Quotient(x, y**2),
        Quotient(x + y, y),
        Quotient(y, x),
    ]
    for one in same:
        assert all(own.equal(one, each) and own.equal(each, one) for each in same)
        assert not any(own.equal(one, each) or own.equal(each, one) for each in others)


@pytest.mark.parametrize("text", ["TP+2*FN", "TP**2+3*TP*FN+2*FN**2", "r**(1/2)*TP", "r**(1/2)*TP+r**(1/2)*FN", "TP"])
def test_a_power_is_the_same_whether_it_is_divided_first(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fractions, "LARGE", 2)
    found = arithmetic({"r": ROOT}, ("r**(1/2)",))
    quotient = Quotient(found.polynomial(text.replace("+", " + ")), found.polynomial("TP + FN"))
    for exponent in (1, 2, 3):
        divided, plain = found._divided_power(quotient, exponent), found.power(quotient, exponent)
        assert found.equal(divided, plain)
        assert not found.equal(divided, found.power(quotient, exponent + 1))
